/** Defines the command `runs`, which lists, shows and pushes the applies that are recorded in the repository. */

import { Command, Option } from "commander";
import { type ExplanationFormat, explanationFormats } from "../../report/format.ts";
import { runsPrinters } from "../../report/printers.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogHelp } from "../options/catalog.ts";
import { common } from "../options/options.ts";
import { print, printResult, type ResultOptions } from "../output/print.ts";
import { listRuns, pushKeptRuns, readRun, type RunsOptions } from "../run/kept-runs.ts";

type Done = (code: ExitCode) => void;

/** Defines the commands. They use only Git, and need no server. */
export function runsCommand(io: Io, done: Done): Command {
  return new Command("runs")
    .description("list the applies that are kept in the repository, and show one")
    .addCommand(listCommand(io, done))
    .addCommand(showCommand(io, done))
    .addCommand(pushCommand(io, done));
}

interface ListOptions extends RunsOptions {
  readonly format: ExplanationFormat;
  readonly pager?: boolean;
}

function listCommand(io: Io, done: Done): Command {
  return new Command("list")
    .description("list the applies that wrote something, the newest first")
    .argument("[dir]", catalogHelp)
    .addOption(common.settings())
    .addOption(new Option("--format <format>", "output format").choices(explanationFormats).default("text"))
    .addOption(common.pager())
    .action(async (dir: string | undefined, options: ListOptions) => {
      const runs = await listRuns(dir, options, io);
      await print(() => [runsPrinters[options.format](runs)], options, io);
      done(exitCodes.done);
    });
}

function showCommand(io: Io, done: Done): Command {
  return new Command("show")
    .description("print the report of an apply")
    .argument("<run>", "name of a run, as runs list shows it")
    .argument("[dir]", catalogHelp)
    .addOption(common.settings())
    .addOption(common.format())
    .addOption(common.all())
    .addOption(common.pager())
    .addOption(common.unmanaged())
    .action(async (name: string, dir: string | undefined, options: RunsOptions & ResultOptions) => {
      const { report } = await readRun(name, dir, options, io);
      await printResult({ report }, options, io, { withPlan: true });
      done(exitCodes.done);
    });
}

function pushCommand(io: Io, done: Done): Command {
  return new Command("push")
    .description("push the applies that are kept; those that others have pushed meanwhile stay")
    .argument("[remote]", "remote of Git, by its name or address", "origin")
    .argument("[dir]", catalogHelp)
    .addOption(common.settings())
    .addOption(common.quiet())
    .action(async (remote: string, dir: string | undefined, options: RunsOptions) => {
      await pushKeptRuns(remote, dir, options, io);
      done(exitCodes.done);
    });
}
