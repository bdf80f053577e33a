/** Returns a skipped operation, with the reason, for each change that is held back. */

import type { PlannedWrites } from "../../model/plan.ts";
import type { Outcome } from "../../model/report.ts";
import { operationsOf } from "./operations.ts";
import { holdText } from "../../model/held-back.ts";
import { type Change, isFacetChange } from "../../model/change.ts";
import { conflictOf } from "../../model/conflicts.ts";

/** Returns the outcomes of changes that are held back. */
export function skippedOutcomes(skipped: PlannedWrites): readonly Outcome[] {
  return operationsOf(skipped).map((operation) => ({
    status: "skipped",
    operation: { ...operation, id: `held-${operation.id}` },
    because: reasonOf(operation.changes),
  }));
}

function reasonOf(changes: readonly Change[]): string {
  const [fight] = changes.filter(isFacetChange).flatMap(({ fights = [] }) => fights);
  if (fight) {
    const { times, until } = fight;
    return `it was written ${times} times, but someone keeps reverting it; the next attempt is after ${until}, or after a commit that changes the declaration`;
  }
  const [hold] = changes.filter(isFacetChange).flatMap(({ holds = [] }) => holds);
  if (hold) return holdText(hold);
  const conflicts = changes.map(conflictOf);
  if (conflicts.some((conflict) => conflict?.moved))
    return "conflict: the live value is kept, because someone changed it after the run";
  return conflicts.some((conflict) => conflict?.winner === undefined)
    ? "conflict: the live value is kept until it is declared or --force-conflicts overwrites it"
    : "conflict: the live value is kept (--skip-conflicts, or `conflicts: skip` in the settings)";
}
