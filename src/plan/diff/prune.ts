import { isDefinitionKind } from "../../kinds/index.ts";
import type { EntityChange } from "../../model/change.ts";
import type { Deletable, Live } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";
import type { Problem } from "../../model/problem.ts";
import { hasTrait } from "../../model/problem-traits.ts";
import type { Entity, State } from "../../model/state.ts";
import { orderDeletions } from "../order/changes.ts";
import type { Policy } from "../policy.ts";
import { parentsIn } from "../sides/parents.ts";
import { deletionFields } from "./deletion.ts";
import { sha256 } from "../hash.ts";

/** The deletions of a prune, what others refer to last. `deletable` is what the catalog has of the entities. */
export function deletionsFor(
  desired: State,
  live: State,
  policy: PrunePolicy,
  deletable: Live["deletable"] = new Map(),
): readonly EntityChange[] {
  const gone = prunable(desired, policy).filter(({ urn }) => live.has(urn));
  return orderDeletions(gone, parentsIn(live)).map((entity) => deletion(entity, deletable.get(entity.urn)));
}

/** What a prune deletes if it is live. */
export function prunable(
  desired: State,
  { base, prune, ignored, part, shard }: PrunePolicy,
): readonly Entity[] {
  if (!base || !prune) return [];
  return [...base.values()].filter(
    ({ urn, kind }) =>
      isDefinitionKind(kind) &&
      prune.has(kind) &&
      !desired.has(urn) &&
      !ignored.entity(urn) &&
      // Each shard must know of all deletions: its entities may refer to them.
      (part === undefined || shard !== undefined || part.has(urn)),
  );
}

type PrunePolicy = Pick<Policy, "base" | "prune" | "ignored" | "part" | "shard">;

function deletion({ urn, kind, origin }: Entity, found: Deletable | undefined): EntityChange {
  return {
    action: "delete",
    shape: "entity",
    kind,
    urn,
    ...(origin && { source: { ...origin, base: true as const } }),
    fingerprint: sha256(urn),
    ...deletionFields(found, kind),
  };
}

/** One warning for all deletions that are not made because something was not read (a problem says so, or `isUnread`). */
export function blockedDeletions(
  { changes, problems }: Pick<Plan, "changes"> & { readonly problems: readonly Problem[] },
  isUnread = false,
): readonly Problem[] {
  const urns = changes.flatMap(({ action, urn }) => (action === "delete" ? [urn] : []));
  const isRead = !isUnread && !problems.some((problem) => hasTrait(problem, "unread"));
  return isRead || urns.length === 0 ? [] : [{ code: "deletion-held", severity: "warning", args: { urns } }];
}
