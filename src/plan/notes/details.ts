/** Records who wrote the values that changes remove, and who wrote the opponents' values in fights. */

import {
  type Change,
  isFacetChange,
  isSetChange,
  type Opponent,
  type ValuePlace,
} from "../../model/change.ts";
import type { Unmanaged, UnmanagedValue } from "../../model/plan.ts";
import type { Member, Scalar } from "../../model/state.ts";
import type { Note } from "./note.ts";

/**
 * Returns who wrote a value and when. For an opponent in a fight, also returns the ingestion run. Returns an empty object if the
 * writer is unknown.
 */
export type WriterOf = (at: ValuePlace, value: Member | Scalar, of?: "opponent") => Opponent;

/** Whether someone else set an unmanaged value. If so, the plan shows who wrote the value. */
export function isByOtherWriter(each: Unmanaged): each is UnmanagedValue {
  return each.reason === "other-writer" || each.reason === "not-expressible";
}

/** Records who wrote the values that a change removes, and who wrote the opponents' values in fights. */
export const writers: Note<Change, WriterOf> = {
  name: "writers",
  of: (change, writerOf) => {
    if (!isFacetChange(change) || (!change.removed && !change.fights)) return undefined;
    const removed = change.removed?.map((each) => ({ ...each, ...writerOf(change, each.value) }));
    const fights = change.fights?.map((each) => {
      const theirs = isSetChange(change) ? each.value : change.before;
      return { ...each, ...writerOf(change, theirs, "opponent") };
    });
    return { ...(removed && { removed }), ...(fights && { fights }) };
  },
};

/** Returns an unmanaged value. If someone else wrote the value, the writer is added. */
export function unmanagedWithWriter(each: Unmanaged, writerOf: WriterOf): Unmanaged {
  return isByOtherWriter(each) ? { ...each, ...writerOf(each, each.value) } : each;
}
