import { isDefinitionKind, kinds as allKinds } from "../../kinds/index.ts";
import type { Change, EntityChange } from "../../model/change.ts";
import { compareText } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { hasTrait } from "../../model/problem-traits.ts";
import type { DeclaredReference } from "../../model/reference.ts";
import type { Entity, KindName, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { sha256 } from "./fingerprint.ts";
import type { Ignored } from "../adopt/ignore.ts";

/**
 * The deletions of a prune: definitions of these kinds that base declares and nobody declares any more, as far as they
 * are there. What others refer to goes last: domains after tags, users and groups, each after the domains below it.
 */
export function pruned(
  desired: State,
  live: State,
  base: State,
  kinds: ReadonlySet<KindName>,
  ignored: Ignored,
): readonly EntityChange[] {
  const due = [...base.values()].filter(
    ({ urn, kind }) =>
      isDefinitionKind(kind) && kinds.has(kind) && !desired.has(urn) && live.has(urn) && !ignored.entity(urn),
  );
  return due
    .toSorted(
      (a, b) =>
        rankOf(b) - rankOf(a) || depthOf(b.urn, live) - depthOf(a.urn, live) || compareText(a.urn, b.urn),
    )
    .map(deletion);
}

function rankOf({ kind }: Entity): number {
  return allKinds.findIndex(({ name }) => name === kind);
}

/** How many domains stand above it. */
function depthOf(urn: Urn, live: State): number {
  const path = new Set<Urn>();
  for (let at: Urn | undefined = urn; at !== undefined && !path.has(at); at = parentOf(at, live))
    path.add(at);
  return path.size;
}

function parentOf(urn: Urn, live: State): Urn | undefined {
  const parent = live.get(urn)?.facets.get("parent_domain");
  return parent?.shape === "scalar" && typeof parent.value === "string" ? (parent.value as Urn) : undefined;
}

function deletion({ urn, kind, origin }: Entity): EntityChange {
  return { action: "delete", kind, urn, ...(origin && { source: origin }), fingerprint: sha256(urn) };
}

/** What is deleted though a manifest still refers to it: one problem each, at the first place. */
export function deletedReferences(
  references: readonly DeclaredReference[],
  changes: readonly Change[],
): readonly Problem[] {
  const deleted = new Set(changes.flatMap(({ action, urn }) => (action === "delete" ? [urn] : [])));
  const first = new Map<Urn, DeclaredReference>();
  for (const reference of references) {
    if (deleted.has(reference.urn) && !first.has(reference.urn)) first.set(reference.urn, reference);
  }
  return [...first.values()].map(({ urn, origin }) => ({
    code: "deleted-reference",
    severity: "error",
    args: { urn },
    origin,
  }));
}

/**
 * What is not deleted because something could not be read: that may refer to it, and be about to lose the reference.
 * One warning for all of it.
 */
export function heldDeletions({ changes, problems }: Compared): readonly Problem[] {
  const urns = changes.flatMap(({ action, urn }) => (action === "delete" ? [urn] : []));
  const isRead = !problems.some((problem) => hasTrait(problem, "unread"));
  return isRead || urns.length === 0 ? [] : [{ code: "deletion-held", severity: "warning", args: { urns } }];
}

interface Compared {
  readonly changes: readonly Change[];
  readonly problems: readonly Problem[];
}
