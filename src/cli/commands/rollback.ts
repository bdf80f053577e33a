/** Defines the command `rollback`, which plans how to reverse an earlier apply, asks for approval and applies the plan. */

import { Command, Option } from "commander";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogHelp } from "../options/catalog.ts";
import { addExamples } from "../options/examples.ts";
import { addLimitOptions } from "../options/limits.ts";
import { addGroup, addResultOptions, addTargetOptions, common } from "../options/options.ts";
import { patternOptions } from "../options/scope.ts";
import { parseName } from "../run/approval.ts";
import { rollBack, type RollbackOptions } from "../run/rollback-run.ts";

/** Defines the command, which passes its exit code to `done`. */
export function rollbackCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("rollback")
    .argument("<run>", "id of a run (see runs list), or a report saved with apply --report")
    .argument("[dir]", catalogHelp)
    .option("--auto-approve", "do not ask for approval")
    .option(
      "--approved-by <name>",
      "approver to record in the report (default: the user who started the CI run)",
      parseName,
    )
    .option("--dry-run", "show the plan without applying it")
    .addOption(new Option("--out <file>", "save the plan as JSON without applying it"))
    .option("--prune", "also delete entities that the run created, unless they have changed since")
    .option("--no-verify", "do not verify the result by reading it back");
  addGroup(addTargetOptions(command), "Scope:", [
    ...patternOptions(),
    common.settings(),
    common.environment(),
  ]);
  addLimitOptions(command);
  addGroup(addResultOptions(command), "Output:", [common.pager()]);
  return addExamples(command, [
    ["Undo an apply, using its report", "apply --report report.json", "rollback report.json"],
    ["Undo the last recorded apply", "$ run=$(git rev-parse refs/datahub-gitops/runs)", "rollback $run"],
    ["Show what would change", "rollback report.json --dry-run"],
  ]).action(async (name: string, dir: string | undefined, options: RollbackOptions) => {
    done(await rollBack(name, dir, options, io));
  });
}
