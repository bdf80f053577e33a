/** Creates a plan for a catalog directory and applies it, for `apply` and `watch`. */

import { type ApplyOptions, applyPlanned } from "./apply-run.ts";
import type { Io } from "../io.ts";
import type { ExitCode } from "../exit-code.ts";
import { UsageError } from "../errors.ts";
import { withPlan } from "./plan-run.ts";
import { reevaluate } from "./reevaluate.ts";

/**
 * Creates a plan for a catalog directory and applies it. Throws an error if the directory cannot be read or compared with the
 * catalog, and `UsageError` for options that need a saved plan.
 */
export async function applyCatalog(dir: string, options: ApplyOptions, io: Io): Promise<ExitCode> {
  const dryRun = options.dryRun === true;
  if (options.allowPartial === true) throw new UsageError("--allow-partial works only with a saved plan");
  if (options.shard) {
    throw new UsageError(
      "--shard works only with a saved plan, because guards check all shards together; use plan --shard and merge-plans, or plan --out",
    );
  }
  if (!dryRun && options.autoApprove !== true && !io.isInteractive) {
    throw new UsageError("apply cannot ask for approval without a terminal; use --auto-approve");
  }
  const request = { dir, options, writes: !dryRun };
  return await withPlan(request, io, async (planned) => {
    const { runs } = planned.scope.repository.settings;
    return await applyPlanned({ ...planned, runs, judged: () => reevaluate(planned, io) }, options, io);
  });
}
