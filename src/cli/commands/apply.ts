/** Defines the command `apply`, which creates a plan and applies it after approval, or applies a saved plan. */

import { Command } from "commander";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogFor, catalogHelp } from "../options/catalog.ts";
import { addExamples } from "../options/examples.ts";
import { addPlanOptions, common } from "../options/options.ts";
import { shardOption } from "../options/scope.ts";
import { type ApplyOptions } from "../run/apply-run.ts";
import { applySaved } from "../run/apply-saved.ts";
import { parseName } from "../run/approval.ts";
import { isFile } from "../run/saved-file.ts";
import { applyCatalog } from "../run/apply-catalog.ts";

/** Defines the command, which passes its exit code to `done`. */
export function applyCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("apply")
    .argument("[path]", `${catalogHelp}, or a plan saved with plan --out`)
    .option("--auto-approve", "do not ask for approval")
    .option(
      "--approved-by <name>",
      "approver to record in the report (default: the user who started the CI run)",
      parseName,
    )
    .option("--dry-run", "show the plan without applying it")
    .option("--no-verify", "do not verify the result by reading it back")
    .option("--allow-partial", "skip stale changes in a saved plan and apply the rest")
    .option(
      "--allow-older-commit",
      "apply even if a newer commit was already applied, and revert its changes",
    )
    .option(
      "--move-base",
      "after a complete apply, move the base to HEAD even if it is not an ancestor of HEAD",
    )
    .addOption(shardOption());
  addPlanOptions(command).addOption(common.metrics());
  return addExamples(command, [
    ["Show the plan, ask for approval, and apply it", "apply"],
    ["Apply a saved plan without asking for approval", "plan --out plan.json", "apply plan.json"],
    ["Apply one domain, and save a report", "apply --domain finance --report report.json"],
  ]).action(async (given: string | undefined, options: ApplyOptions) => {
    const path = catalogFor(given, options, io);
    done(await (isFile(path, io) ? applySaved : applyCatalog)(path, options, io));
  });
}
