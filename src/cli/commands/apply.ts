/** Defines the command `apply`, which shows the plan, asks for approval and carries it out, or carries out a saved plan. */

import { Command } from "commander";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogFor, catalogHelp } from "../options/catalog.ts";
import { addPlanOptions, common } from "../options/options.ts";
import { shardOption } from "../options/scope.ts";
import { type ApplyOptions } from "../run/apply-run.ts";
import { applySaved } from "../run/apply-saved.ts";
import { parseName } from "../run/approval.ts";
import { isFile } from "../run/saved-file.ts";
import { applyCatalog } from "../run/apply-catalog.ts";

/** Defines the command. `done` receives the exit code. */
export function applyCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("apply")
    .argument("[path]", `${catalogHelp}, or a plan saved with plan --out`)
    .option("--auto-approve", "apply without asking for approval")
    .option(
      "--approved-by <name>",
      "name in the report who approved (default: who started the CI run)",
      parseName,
    )
    .option("--dry-run", "show the plan and do not apply it")
    .option("--no-verify", "do not read back what was applied")
    .option("--allow-partial", "skip stale changes of a saved plan and apply the rest")
    .option(
      "--allow-older-commit",
      "apply though later commits were applied, and take back what they declare",
    )
    .option(
      "--move-base",
      "after a complete apply move the base to HEAD, also where HEAD does not contain it",
    )
    .addOption(shardOption("apply only one of n shards of a saved plan"));
  return addPlanOptions(command)
    .addOption(common.metrics())
    .action(async (given: string | undefined, options: ApplyOptions) => {
      const path = catalogFor(given, options, io);
      done(await (isFile(path, io) ? applySaved : applyCatalog)(path, options, io));
    });
}
