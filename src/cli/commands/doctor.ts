/** Defines the command `doctor`, which checks the setup and suggests fixes. */

import { Command } from "commander";
import type { ExplanationFormat } from "../../report/format.ts";
import { diagnosisPrinters } from "../../report/printers.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogHelp } from "../options/catalog.ts";
import { addExamples } from "../options/examples.ts";
import { addGroup, addTargetOptions, common } from "../options/options.ts";
import { print } from "../output/print.ts";
import { diagnose, type DoctorOptions } from "../run/doctor/doctor-run.ts";

/** Defines the command, which uses a read-only client. */
export function doctorCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("doctor").argument("[dir]", catalogHelp);
  addGroup(addTargetOptions(command), "Scope:", [common.settings(), common.environment()]);
  addGroup(command, "Output:", [common.shortFormat(), common.pager()]);
  return addExamples(command, [
    ["Check the setup", "doctor"],
    ["Print the result as JSON for other programs", "doctor --format json"],
  ]).action(
    async (
      dir: string | undefined,
      options: DoctorOptions & { readonly format: ExplanationFormat; readonly pager?: boolean },
    ) => {
      const diagnosis = await diagnose(dir, options, io);
      await print(() => [diagnosisPrinters[options.format](diagnosis)], options, io);
      done(diagnosis.checks.some(({ status }) => status === "problem") ? exitCodes.error : exitCodes.done);
    },
  );
}
