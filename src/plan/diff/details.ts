import {
  type Change,
  isFacetChange,
  isSetChange,
  type Opponent,
  type ValuePlace,
} from "../../model/change.ts";
import type { Plan, Unmanaged, UnmanagedValue } from "../../model/plan.ts";
import type { Member, Scalar } from "../../model/state.ts";

/** What the catalog knows of the values that a plan removes, and of other people's values. */
export interface Details {
  /** Who put a value there and when, as far as that is known. */
  readonly writerOf: (at: ValuePlace, value: Member | Scalar, of?: "opponent") => Opponent;
}

/** Whether it is somebody else's value: a plan names who wrote it. */
export function isOthers(each: Unmanaged): each is UnmanagedValue {
  return each.reason === "other-writer" || each.reason === "not-expressible";
}

/** Adds to a comparison who wrote the values that it removes, and the values of others. */
export function withDetails<C extends Pick<Plan, "changes" | "unmanaged">>(
  comparison: C,
  details: Details,
): C {
  const unmanaged = comparison.unmanaged.map((each) =>
    isOthers(each) ? { ...each, ...details.writerOf(each, each.value) } : each,
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
