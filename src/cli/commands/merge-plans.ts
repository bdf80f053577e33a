import { Command } from "commander";
import type { Plan } from "../../model/plan.ts";
import { mergePlans } from "../../plan/merge.ts";
import { InputError } from "../errors.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addResultOptions } from "../options/options.ts";
import { mergeText } from "../output/merge-text.ts";
import { type ShownPlan, showPlan } from "../output/show-plan.ts";
import { readSavedPlan } from "../run/saved-file.ts";

/** `merge-plans`: joins the plans of all shards. It needs no server. */
export function mergePlansCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("merge-plans")
    .argument("<file...>", "the plans of all shards")
    .option("--out <file>", "save the plan as JSON")
    .option("--detailed-exitcode", "exit with 2 if there are changes to apply");
  return addResultOptions(command).action(async (files: readonly string[], options: ShownPlan) => {
    const plans: Plan[] = [];
    for (const file of files) plans.push(await readSavedPlan(file, io));
    const result = mergePlans(plans);
    if ("fault" in result) throw new InputError(mergeText(result, files));
    done(await showPlan(result.plan, options, io));
  });
}
