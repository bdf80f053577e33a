import { type Change, type FacetChange, isFacetChange, type Removed } from "../../model/change.ts";
import type { Member, Scalar } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";

/** What the catalog tells of the values and entities that a plan removes. */
export interface RemovalDetails {
  /** By entity, how many live assignments point at it. */
  readonly assignments: ReadonlyMap<Urn, number>;
  /** Who put a value there and when, as far as that is known. */
  readonly writerOf: (
    change: FacetChange,
    value: Member | Scalar,
  ) => Pick<Removed, "actor" | "time" | "lastWriterOfAspect">;
}

/** A comparison with what the catalog tells of the values and entities that its changes remove. */
export function withRemovalDetails<C extends { readonly changes: readonly Change[] }>(
  comparison: C,
  details: RemovalDetails,
): C {
  return { ...comparison, changes: comparison.changes.map((change) => withDetails(change, details)) };
}

function withDetails(change: Change, { assignments, writerOf }: RemovalDetails): Change {
  if (isFacetChange(change)) {
    const removed = change.removed?.map((each) => ({ ...each, ...writerOf(change, each.value) }));
    return removed ? { ...change, removed } : change;
  }
  const number = change.action === "delete" ? assignments.get(change.urn) : undefined;
  return number === undefined ? change : { ...change, assignments: number };
}
