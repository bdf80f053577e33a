/** Determines which changes are skipped because of a conflict. */

import type { Change, Conflict } from "./change.ts";
import type { PlannedChanges } from "./plan.ts";

/** Whether a change is skipped because of a conflict: someone else set the live value, and the plan keeps it. */
export function isInConflict(change: Change): boolean {
  const conflict = conflictOf(change);
  return conflict !== undefined && conflict.winner !== "desired";
}

/** Whether a plan has a conflict without a winner. */
export function hasOpenConflict({ changes }: PlannedChanges): boolean {
  return changes.some((change) => isInConflict(change) && conflictOf(change)?.winner === undefined);
}

/** Returns a change's conflict, if any. */
export function conflictOf(change: Change): Conflict | undefined {
  return change.shape === "scalar" ? change.conflict : undefined;
}
