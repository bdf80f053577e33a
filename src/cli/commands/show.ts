import { Command } from "commander";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { formatOption, showUnmanagedOption } from "../options/options.ts";
import { printPlan, printWholeReport, type ResultOptions } from "../output/print.ts";
import { readSaved } from "../run/saved-file.ts";

/** `show`: prints a saved plan, or the report of an apply. */
export function showCommand(io: Io, done: (code: ExitCode) => void): Command {
  return new Command("show")
    .description("print a plan saved with plan --out, or a report saved with --report")
    .argument("<file.json>", "saved plan or report")
    .addOption(formatOption())
    .addOption(showUnmanagedOption())
    .action(async (file: string, options: ResultOptions) => {
      const saved = await readSaved(file, io);
      if ("plan" in saved) printPlan(saved.plan, options, io);
      else printWholeReport(saved.report, options, io);
      done(exitCodes.done);
    });
}
