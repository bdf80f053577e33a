/** Defines the command `check`, which evaluates each policy for all entities that the policy applies to. */

import { Command, Option } from "commander";
import { type ExitCode, highestPrecedence } from "../exit-code.ts";
import { exitCodeOfCheck } from "../result-exit-code.ts";
import type { Io } from "../io.ts";
import { catalogFor, catalogHelp } from "../options/catalog.ts";
import { addExamples } from "../options/examples.ts";
import { addGroup, addResultOptions, addTargetOptions, common, snapshotOption } from "../options/options.ts";
import { printResult, writeReports } from "../output/print.ts";
import { type CheckRunOptions, runCheck } from "../run/check-run.ts";

/** Defines the command, which uses a read-only client. */
export function checkCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("check").argument("[dir]", catalogHelp);
  addGroup(command, "Server:", [snapshotOption()]);
  addTargetOptions(command);
  addGroup(command, "Scope:", [
    common.settings(),
    common.environment(),
    new Option("--live", "check the catalog as it is now, not as it will be after an apply"),
  ]);
  addGroup(addResultOptions(command), "Output:", [common.open(), common.pager()]);
  addExamples(command, [
    ["Check the catalog as it will be after apply", "check"],
    ["Check the catalog as it is now", "check --live"],
    ["Save the result as an HTML page", "check --report check.html"],
  ]);
  return command.action(async (dir: string | undefined, options: CheckRunOptions) => {
    const check = await runCheck(catalogFor(dir, options, io), options, io);
    const reported = await writeReports({ check }, options, io);
    await printResult({ check }, options, io);
    done(highestPrecedence([exitCodeOfCheck(check), reported]));
  });
}
