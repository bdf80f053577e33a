/** Finds the entities that a plan deletes, and the values that it replaces or removes without replacement. */

import {
  type Change,
  type FacetChange,
  isFacetChange,
  isSetChange,
  type ScalarChange,
} from "../../model/change.ts";
import { isInConflict } from "../../model/conflicts.ts";
import { isValueHeldBack, isHeldBack } from "../../model/held-back.ts";
import { partsOf } from "./entries.ts";

/** Returns the changes that delete entities. */
export function deletionsIn(changes: readonly Change[]): readonly Change[] {
  return changes.filter((change) => change.action === "delete" && !isFacetChange(change));
}

/** Returns a separate change for each value removed without replacement. Values that are held back are not lost. */
export function lossesOf(change: Change): readonly FacetChange[] {
  if (!isFacetChange(change) || isHeldBack(change)) return [];
  if (!isSetChange(change)) return change.after === null && change.before !== null ? [change] : [];
  return partsOf(change).filter(
    (part) => isSetChange(part) && part.remove.some((value) => !isValueHeldBack(change, value)),
  );
}

/** Whether a change replaces the value of a single-valued field. In a conflict, the value is kept. */
export function isReplacement(change: Change): change is ScalarChange {
  const isPair = change.shape === "scalar" && change.before !== null && change.after !== null;
  return isPair && !isInConflict(change);
}
