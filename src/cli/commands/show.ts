import { Command } from "commander";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { formatOption, showUnmanagedOption } from "../options/options.ts";
import { printPlan, type ResultOptions } from "../output/print.ts";
import { readSavedPlan } from "../run/saved-plan.ts";

/** `show`: prints a saved plan. */
export function showCommand(io: Io, done: (code: ExitCode) => void): Command {
  return new Command("show")
    .description("print a plan saved with plan --out")
    .argument("<plan.json>", "saved plan")
    .addOption(formatOption())
    .addOption(showUnmanagedOption())
    .action(async (file: string, options: ResultOptions) => {
      printPlan(await readSavedPlan(file, io), options, io);
      done(exitCodes.done);
    });
}
