/** Finds what a plan deletes or removes without a replacement. */

import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../model/change.ts";
import { isValueHeldBack, isHeldBack } from "../../model/held-back.ts";
import { partsOf } from "./entries.ts";

/** The deletions of entities among changes. */
export function deletionsIn(changes: readonly Change[]): readonly Change[] {
  return changes.filter((change) => change.action === "delete" && !isFacetChange(change));
}

/** The values that a change removes without a replacement, as one change for each. Held back values are not lost. */
export function lossesOf(change: Change): readonly FacetChange[] {
  if (!isFacetChange(change) || isHeldBack(change)) return [];
  if (!isSetChange(change)) return change.after === null && change.before !== null ? [change] : [];
  return partsOf(change).filter(
    (part) => isSetChange(part) && part.remove.some((value) => !isValueHeldBack(change, value)),
  );
}
