/** Decides which changes are skipped because of a conflict. */

import { type Change, type Conflict, isFacetChange } from "../../model/change.ts";
import { leafIn } from "../../model/place.ts";
import type { Plan } from "../../model/plan.ts";
import type { State } from "../../model/state.ts";

/** Whether a change is skipped because of a conflict: someone else set the live value, and it stays. */
export function isInConflict(change: Change): boolean {
  const conflict = conflictOf(change);
  return conflict !== undefined && conflict.winner !== "desired";
}

/** Whether a plan has a conflict without a winner. */
export function hasOpenConflict({ changes }: Pick<Plan, "changes">): boolean {
  return changes.some((change) => isInConflict(change) && conflictOf(change)?.winner === undefined);
}

/** The conflict of a change, if any. */
export function conflictOf(change: Change): Conflict | undefined {
  return change.shape === "scalar" ? change.conflict : undefined;
}

/** The changes of a rollback, with a conflict if the live value differs from the one that the run left. */
export function withRollbackConflicts(changes: readonly Change[], left: State): readonly Change[] {
  return changes.map((change) => {
    const was = isFacetChange(change) ? leafIn(left.get(change.urn), change) : undefined;
    if (change.shape !== "scalar" || change.action !== "update" || was?.shape !== "scalar") return change;
    const { before: live, after: desired, conflict } = change;
    // For `merge`, an unset value is not a conflict.
    const isMoved = conflict !== undefined || (live === null && was.value !== null);
    return isMoved
      ? { ...change, conflict: { base: was.value, live, desired, moved: true as const } }
      : change;
  });
}
