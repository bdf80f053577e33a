/** Computes and prints drift for a catalog directory, for `drift` and `watch`. */

import { makePlan } from "./make-plan.ts";
import type { PlanOptions } from "./plan-run.ts";
import type { Io } from "../io.ts";
import { type ExitCode, highestPrecedence } from "../exit-code.ts";
import { writeReports, printResult } from "../output/print.ts";
import { exitCodeOfDrift } from "../result-exit-code.ts";

/** Shows the drift for a catalog directory. Throws an error if the directory cannot be read or compared with the catalog. */
export async function showDrift(dir: string, options: PlanOptions, io: Io): Promise<ExitCode> {
  const plan = await makePlan({ dir, options, writes: false, classifyDrift: true }, io);
  const reported = await writeReports({ drift: plan }, options, io);
  await printResult({ drift: plan }, options, io);
  return highestPrecedence([exitCodeOfDrift(plan), reported]);
}
