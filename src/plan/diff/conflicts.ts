import type { Change, Conflict } from "../../model/change.ts";
import type { Plan } from "../../model/plan.ts";
import type { Outcome } from "../../model/report.ts";
import { operationsOf } from "../order/operations.ts";

/** Whether somebody else's value stands against a change, and the change does not win. */
export function isInConflict(change: Change): boolean {
  const conflict = conflictOf(change);
  return conflict !== undefined && conflict.winner !== "desired";
}

/** Whether a plan waits until somebody says who wins. */
export function hasOpenConflict({ changes }: Pick<Plan, "changes">): boolean {
  return changes.some((change) => isInConflict(change) && !isHeld(change));
}

/** The changes that are carried out, and those that a lost conflict holds back. */
export function settled({
  changes,
}: Pick<Plan, "changes">): Readonly<Record<"due" | "held", readonly Change[]>> {
  return { due: changes.filter((change) => !isHeld(change)), held: changes.filter(isHeld) };
}

/** What the report says of changes that are held back. */
export function heldOutcomes(held: readonly Change[]): readonly Outcome[] {
  return operationsOf({ changes: held }).map((operation) => ({
    status: "skipped",
    operation: { ...operation, id: `held-${operation.id}` },
    because: "conflict: the live value is kept (--skip-conflicts)",
  }));
}

function isHeld(change: Change): boolean {
  return conflictOf(change)?.winner === "live";
}

/** The conflict of a change, where it has one. */
export function conflictOf(change: Change): Conflict | undefined {
  return "conflict" in change ? change.conflict : undefined;
}
