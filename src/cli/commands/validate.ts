import { Command } from "commander";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { defaultDirectory, environmentOption, formatOption, settingsOption } from "../options/options.ts";
import { runValidate, type ValidateOptions } from "../run/validate-run.ts";

/** `validate`: checks settings and manifests without a server. */
export function validateCommand(io: Io, done: (code: ExitCode) => void): Command {
  return new Command("validate")
    .argument("[dir]", "catalog directory", defaultDirectory)
    .addOption(settingsOption())
    .addOption(environmentOption())
    .addOption(formatOption())
    .action(async (dir: string, options: ValidateOptions) => {
      done(await runValidate(dir, options, io));
    });
}
