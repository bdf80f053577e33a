/** Defines the command `show`, which prints a saved plan, or a saved report from `apply` or `drift`. */

import { Command } from "commander";
import type { Plan } from "../../model/plan.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addExamples } from "../options/examples.ts";
import { common } from "../options/options.ts";
import { printResult, type ResultOptions } from "../output/print.ts";
import { readSaved } from "../run/saved-file.ts";

/** Defines the command, which does not need a server. */
export function showCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("show")
    .argument("<file.json>", "plan saved with plan --out, or report saved with --report")
    .addOption(common.format())
    .addOption(common.open())
    .addOption(common.all())
    .addOption(common.pager())
    .addOption(common.unmanaged());
  return addExamples(command, [
    ["Print a saved plan", "plan --out plan.json", "show plan.json"],
    ["Save a plan as an HTML page", "show plan.json --format html > plan.html"],
  ]).action(async (file: string, options: ResultOptions) => {
    const saved = await readSaved(file, io);
    const isOfDrift = "plan" in saved && isDrift(saved.plan);
    await printResult(isOfDrift ? { drift: saved.plan } : saved, options, io, { withPlan: true });
    done(exitCodes.done);
  });
}

/** Whether a plan is a report from `drift`. Only changes in such reports have a class. */
function isDrift({ changes }: Plan): boolean {
  return changes.some((change) => change.class !== undefined);
}
