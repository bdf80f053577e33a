import { Command } from "commander";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { formatOption } from "../options/options.ts";
import type { Format } from "../../library/render.ts";
import { printPlan, printWholeReport } from "../output/print.ts";
import { readSaved } from "../run/saved-file.ts";

/** `show`: prints a saved plan, or the report of an apply. */
export function showCommand(io: Io, done: (code: ExitCode) => void): Command {
  return new Command("show")
    .description("print a plan saved with plan --out, or a report saved with --report")
    .argument("<file.json>", "saved plan or report")
    .addOption(formatOption())
    .action(async (file: string, { format }: { readonly format: Format }) => {
      const saved = await readSaved(file, io);
      if ("plan" in saved) printPlan(saved.plan, format, io);
      else printWholeReport(saved.report, format, io);
      done(exitCodes.done);
    });
}
