import type { Change, EntityChange, FacetChange } from "../../model/change.ts";
import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { sha256 } from "../hash.ts";
import { orderChanges } from "./order.ts";

/** All changes in the order of a plan, with those of new entities marked as such. */
export function changesFrom(
  declared: State,
  updates: readonly FacetChange[],
  created: ReadonlySet<Urn>,
  deletions: readonly EntityChange[],
): readonly Change[] {
  const named = updates.map((change) =>
    created.has(change.urn) ? { ...change, action: "create" as const } : change,
  );
  return [...orderChanges([...named, ...bareCreations(declared, created, named)]), ...deletions];
}

function bareCreations(
  declared: State,
  created: ReadonlySet<Urn>,
  changes: readonly Change[],
): readonly EntityChange[] {
  const changed = new Set(changes.map(({ urn }) => urn));
  return [...created].flatMap((urn): readonly EntityChange[] => {
    const entity = declared.get(urn);
    if (!entity || changed.has(urn)) return [];
    const { kind, origin } = entity;
    return [creationOf({ kind, urn, ...(origin && { source: origin }) })];
  });
}

/** The creation of an entity, whatever else is declared of it. */
export function creationOf({ kind, urn, source }: Pick<Change, "kind" | "urn" | "source">): EntityChange {
  return {
    action: "create",
    shape: "entity",
    kind,
    urn,
    ...(source && { source }),
    fingerprint: sha256(null),
  };
}
