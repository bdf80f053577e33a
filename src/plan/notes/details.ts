/** Notes the writers of removed values, and of other people's values. */

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

/** Facts about values that only the catalog knows. */
export interface Details {
  /** The writer and the time of a value, as far as they are known. */
  readonly writerOf: (at: ValuePlace, value: Member | Scalar, of?: "opponent") => Opponent;
}

/** Whether someone else set the value: the plan then names the writer. */
export function isByOtherWriter(each: Unmanaged): each is UnmanagedValue {
  return each.reason === "other-writer" || each.reason === "not-expressible";
}

/** The note `writers`: who wrote the values that a change removes, and the values of opponents in fights. */
export const writers: Note<Change, Details> = {
  name: "writers",
  of: (change, { writerOf }) => {
    if (!isFacetChange(change) || (!change.removed && !change.fights)) return undefined;
    const removed = change.removed?.map((each) => ({ ...each, ...writerOf(change, each.value) }));
    const fights = change.fights?.map((each) => {
      const theirs = isSetChange(change) ? each.value : change.before;
      return { ...each, ...writerOf(change, theirs, "opponent") };
    });
    return { ...(removed && { removed }), ...(fights && { fights }) };
  },
};

/** An unmanaged value with its writer, if that is someone else. */
export function unmanagedWithWriter(each: Unmanaged, { writerOf }: Details): Unmanaged {
  return isByOtherWriter(each) ? { ...each, ...writerOf(each, each.value) } : each;
}
