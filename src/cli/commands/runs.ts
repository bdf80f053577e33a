/** Defines the command `runs`, which lists, shows and pushes the applies recorded in the repository. */

import { Command } from "commander";
import type { ExplanationFormat } from "../../report/format.ts";
import { runsPrinters } from "../../report/printers.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogHelp } from "../options/catalog.ts";
import { addExamples } from "../options/examples.ts";
import { common } from "../options/options.ts";
import { print, printResult, type ResultOptions } from "../output/print.ts";
import { listRuns, pushKeptRuns, readRun, type RunsOptions } from "../run/kept-runs.ts";

type Done = (code: ExitCode) => void;

/** Defines the commands. They use only Git and do not need a server. */
export function runsCommand(io: Io, done: Done): Command {
  const command = new Command("runs");
  addExamples(command, [
    ["Show what was applied and when", "runs list"],
    ["Share the recorded applies with your team", "runs push"],
  ]);
  return command
    .addCommand(listCommand(io, done))
    .addCommand(showCommand(io, done))
    .addCommand(pushCommand(io, done));
}

interface ListOptions extends RunsOptions {
  readonly format: ExplanationFormat;
  readonly pager?: boolean;
}

function listCommand(io: Io, done: Done): Command {
  const command = new Command("list")
    .description("list recorded applies, newest first")
    .argument("[dir]", catalogHelp)
    .addOption(common.settings())
    .addOption(common.shortFormat())
    .addOption(common.pager());
  return addExamples(command, [
    ["Show what was applied and when", "runs list"],
    ["Print the list as JSON for other programs", "runs list --format json"],
  ]).action(async (dir: string | undefined, options: ListOptions) => {
    const runs = await listRuns(dir, options, io);
    await print(() => [runsPrinters[options.format](runs)], options, io);
    done(exitCodes.done);
  });
}

function showCommand(io: Io, done: Done): Command {
  const command = new Command("show")
    .description("print the report of a recorded apply")
    .argument("<run>", "id of the run (see runs list)")
    .argument("[dir]", catalogHelp)
    .addOption(common.settings())
    .addOption(common.format())
    .addOption(common.all())
    .addOption(common.pager())
    .addOption(common.unmanaged());
  return addExamples(command, [
    [
      "Print the report of the last apply",
      "$ run=$(git rev-parse refs/datahub-gitops/runs)",
      "runs show $run",
    ],
    ["Save the report as an HTML page", "runs show $run --format html > run.html"],
  ]).action(async (name: string, dir: string | undefined, options: RunsOptions & ResultOptions) => {
    const { report } = await readRun(name, dir, options, io);
    await printResult({ report }, options, io, { withPlan: true });
    done(exitCodes.done);
  });
}

function pushCommand(io: Io, done: Done): Command {
  const command = new Command("push")
    .description("push recorded applies, keeping those already on the remote")
    .argument("[remote]", "name or URL of the Git remote", "origin")
    .argument("[dir]", catalogHelp)
    .addOption(common.settings())
    .addOption(common.quiet());
  return addExamples(command, [
    ["Apply, and push the record", "apply", "runs push"],
    ["Push to a specific remote", "runs push origin --quiet"],
  ]).action(async (remote: string, dir: string | undefined, options: RunsOptions) => {
    await pushKeptRuns(remote, dir, options, io);
    done(exitCodes.done);
  });
}
