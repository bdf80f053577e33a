/** Finds a plan's stale operations before anything is written. */

import type { PlannedWrites } from "../../model/plan.ts";
import type { Outcome } from "../../model/report.ts";
import { pendingIn } from "../../model/held-back.ts";
import { placedBy } from "../../plan/base/ancestors.ts";
import { operationsOf } from "../../plan/order/operations.ts";
import { recheck } from "../../plan/recheck/recheck.ts";
import type { Writer } from "../../datahub/client.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { readBefore } from "./current-state.ts";
import { createRechecks } from "./rechecks.ts";
import type { PollOptions } from "./poll.ts";

/**
 * Reads all entities that a plan would write, and returns the outcomes of operations that must not be written. These are stale
 * operations, and operations whose entities could not be reread (`failed`). Repeats the read for at most 5 s. Throws
 * `CatalogError` if a request fails, or the signal's reason if it is aborted.
 */
export async function staleOutcomes(
  writer: Writer,
  plan: PlannedWrites,
  { onWait, ...options }: ReadOptions & PollOptions = {},
): Promise<readonly Outcome[]> {
  const pending = pendingIn(plan.changes);
  const moved = placedBy(pending);
  const operations = operationsOf({ ...plan, changes: pending });
  const rechecks = createRechecks(writer, { signal: options.signal, onWait }, "Differs from the plan");
  for (let open = operations; ;) {
    const changes = [...new Set(open.flatMap((operation) => operation.changes))];
    const live = await readBefore(writer, changes, { moved, writes: plan.writes }, options);
    const now = { live, created: new Set<never>(), moved, writes: plan.writes };
    const refused = open.flatMap((operation) => {
      const settled = recheck(operation, now).settled.filter(
        ({ status }) => status === "stale" || status === "failed",
      );
      return settled.length > 0 ? [{ operation, settled }] : [];
    });
    open = refused.map(({ operation }) => operation);
    const urns = [...new Set(open.flatMap(({ changes: own }) => own.map(({ urn }) => urn)))];
    if (urns.length === 0 || !(await rechecks.next(urns))) return refused.flatMap(({ settled }) => settled);
  }
}
