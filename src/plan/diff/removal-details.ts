import { type Change, type FacetChange, isFacetChange, type Removed } from "../../model/change.ts";
import type { Member, Scalar } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";

/** What the catalog tells of what a plan takes away. */
export interface Knowledge {
  /** By entity, how many live assignments point at it. */
  readonly assignments: ReadonlyMap<Urn, number>;
  /** Who put a value there and when, as far as that is known. */
  readonly writerOf: (
    change: FacetChange,
    value: Member | Scalar,
  ) => Pick<Removed, "actor" | "time" | "lastWriterOfAspect">;
}

/** Changes with what is known of the values and assignments that go. */
export function withKnowledge(
  changes: readonly Change[],
  { assignments, writerOf }: Knowledge,
): readonly Change[] {
  return changes.map((change) => {
    if (isFacetChange(change)) {
      const removed = change.removed?.map((each) => ({ ...each, ...writerOf(change, each.value) }));
      return removed ? { ...change, removed } : change;
    }
    const number = change.action === "delete" ? assignments.get(change.urn) : undefined;
    return number === undefined ? change : { ...change, assignments: number };
  });
}
