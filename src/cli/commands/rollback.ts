/** Defines the command `rollback`, which plans the reversal of an earlier apply, asks for approval and applies it. */

import { Command, Option } from "commander";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogHelp } from "../options/catalog.ts";
import { addLimitOptions } from "../options/limits.ts";
import { addGroup, addResultOptions, addTargetOptions, common } from "../options/options.ts";
import { patternOptions } from "../options/scope.ts";
import { parseName } from "../run/approval.ts";
import { rollBack, type RollbackOptions } from "../run/rollback-run.ts";

/** Defines the command. `done` receives the exit code. */
export function rollbackCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("rollback")
    .argument("<run>", "name of a run, as runs list shows it, or a report saved with apply --report")
    .argument("[dir]", catalogHelp)
    .option("--auto-approve", "roll back without asking for approval")
    .option(
      "--approved-by <name>",
      "name in the report who approved (default: who started the CI run)",
      parseName,
    )
    .option("--dry-run", "show the plan and do not apply it")
    .addOption(new Option("--out <file>", "save the plan as JSON for apply, and do not apply it"))
    .option("--prune", "also delete what the run created, where it is still as the run left it")
    .option("--no-verify", "do not read back what was applied");
  addGroup(addTargetOptions(command), "Scope:", [
    ...patternOptions("roll back"),
    common.settings(),
    common.environment(),
  ]);
  addLimitOptions(command);
  return addGroup(addResultOptions(command), "Output:", [common.pager()]).action(
    async (name: string, dir: string | undefined, options: RollbackOptions) => {
      done(await rollBack(name, dir, options, io));
    },
  );
}
