import type { Plan } from "../../model/plan.ts";
import type { Outcome } from "../../model/report.ts";
import { partitionHeldBack } from "../../plan/diff/held-back.ts";
import { placedBy } from "../../plan/order/ancestors.ts";
import { operationsOf } from "../../plan/order/operations.ts";
import { recheck } from "../../plan/recheck/recheck.ts";
import type { Reader } from "../../datahub/client.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { readBefore } from "./current-state.ts";

/**
 * Reads all that a plan would write before anything is written, and returns what must not be: what is stale, and what could not
 * be read again (`failed`). Throws `CatalogError` where the server cannot be asked, and the reason of a signal.
 */
export async function staleOutcomes(
  reader: Reader,
  plan: Pick<Plan, "changes" | "writes">,
  options: ReadOptions = {},
): Promise<readonly Outcome[]> {
  const { pending } = partitionHeldBack(plan);
  const placed = placedBy(pending);
  const live = await readBefore(reader, pending, { placed, writes: plan.writes }, options);
  const now = { live, created: new Set<never>(), placed, writes: plan.writes };
  return operationsOf({ ...plan, changes: pending })
    .flatMap((operation) => recheck(operation, now).settled)
    .filter(({ status }) => status === "stale" || status === "failed");
}
