/** Adds the writers of removed values, and of other people's values, to a plan. */

import {
  type Change,
  isFacetChange,
  isSetChange,
  type Opponent,
  type ValuePlace,
} from "../../model/change.ts";
import type { Plan, Unmanaged, UnmanagedValue } from "../../model/plan.ts";
import type { Member, Scalar } from "../../model/state.ts";

/** Facts about values that only the catalog knows. */
export interface Details {
  /** The writer and the time of a value, as far as they are known. */
  readonly writerOf: (at: ValuePlace, value: Member | Scalar, of?: "opponent") => Opponent;
}

/** Whether someone else set the value: the plan then names the writer. */
export function isByOtherWriter(each: Unmanaged): each is UnmanagedValue {
  return each.reason === "other-writer" || each.reason === "not-expressible";
}

/** Adds the writers of removed values and of other people's values. */
export function withDetails<C extends Pick<Plan, "changes" | "unmanaged">>(
  comparison: C,
  details: Details,
): C {
  const unmanaged = comparison.unmanaged.map((each) =>
    isByOtherWriter(each) ? { ...each, ...details.writerOf(each, each.value) } : each,
  );
  return {
    ...comparison,
    changes: comparison.changes.map((change) => changeWithDetails(change, details)),
    unmanaged,
  };
}

function changeWithDetails(change: Change, { writerOf }: Details): Change {
  if (!isFacetChange(change) || (!change.removed && !change.fights)) return change;
  const removed = change.removed?.map((each) => ({ ...each, ...writerOf(change, each.value) }));
  const fights = change.fights?.map((each) => {
    const theirs = isSetChange(change) ? each.value : change.before;
    return { ...each, ...writerOf(change, theirs, "opponent") };
  });
  return { ...change, ...(removed && { removed }), ...(fights && { fights }) };
}
