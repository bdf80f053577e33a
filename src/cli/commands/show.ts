import { Command } from "commander";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { formatOption } from "../options/options.ts";
import type { Format } from "../../library/render.ts";
import { printPlan } from "../output/print.ts";
import { readSavedPlan } from "../run/saved-plan.ts";

/** `show`: prints a saved plan. */
export function showCommand(io: Io, done: (code: ExitCode) => void): Command {
  return new Command("show")
    .description("print a plan saved with plan --out")
    .argument("<plan.json>", "saved plan")
    .addOption(formatOption())
    .action(async (file: string, { format }: { readonly format: Format }) => {
      printPlan(await readSavedPlan(file, io), format, io);
      done(exitCodes.done);
    });
}
