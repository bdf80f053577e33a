/** Applies a plan: orders its operations, sends them, and verifies the values that were written. */

import { type ExecuteOptions, execute } from "../sync/write/execute.ts";
import type { Plan } from "../model/plan.ts";
import type { Writer } from "../datahub/client.ts";
import type { Report } from "../model/report.ts";
import { pendingIn, heldBackIn } from "../model/held-back.ts";
import { findLargeEdits, checkConditionalWrites } from "../sync/write/conditional-writes.ts";
import { operationsOf } from "../plan/order/operations.ts";
import { verifyWrites } from "../sync/write/verify-writes.ts";
import { skippedOutcomes } from "../plan/order/skipped-outcomes.ts";

export interface ApplyOptions extends ExecuteOptions {
  /** Whether to read the written values back. The default is `true`. */
  readonly verify?: boolean;
}

/**
 * plan ─► operations ─► report
 *
 * Orders and sends the operations, then reads the written values back. Writes only changes whose live values still match the
 * plan. Throws `CatalogError` if the token lacks a necessary privilege.
 */
export async function apply(approved: Plan, writer: Writer, options: ApplyOptions = {}): Promise<Report> {
  const { verify = true, signal, onWait } = options;
  const pending = pendingIn(approved.changes);
  const findEdited: ExecuteOptions["findEdited"] = (changes) =>
    findLargeEdits(writer, { ...approved, changes }, signal);
  const edited = await findEdited(pending);
  const operations = operationsOf({ ...approved, changes: pending }, edited);
  const provenance = await checkConditionalWrites(writer, operations, approved, signal);
  const context = { edited, findEdited, ...(provenance && { provenance }) };
  const done = await execute(writer, operations, { ...options, ...context });
  const { stopped } = done;
  const verifies = verify && stopped === undefined && signal?.aborted !== true;
  const { outcomes, ...verification } = verifies
    ? await verifyWrites(writer, done.outcomes, { signal, onWait })
    : done;
  return {
    plan: approved,
    outcomes: [...outcomes, ...skippedOutcomes({ ...approved, changes: heldBackIn(approved.changes) })],
    stopped,
    ...verification,
  };
}
