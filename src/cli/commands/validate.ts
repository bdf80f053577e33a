import { Command, Option } from "commander";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogFor, catalogHelp } from "../options/catalog.ts";
import { addTargetOptions, environmentOption, formatOption, settingsOption } from "../options/options.ts";
import { runValidate, type ValidateOptions } from "../run/validate-run.ts";

/** `validate`: checks settings and manifests, without a server unless it is strict. Its client can only read. */
export function validateCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("validate")
    .argument("[dir]", catalogHelp)
    .addOption(settingsOption())
    .addOption(environmentOption())
    .addOption(formatOption())
    .option("--strict", "check also against the catalog, and warn of patterns that match no column")
    .addOption(
      new Option(
        "--snapshot <file>",
        "with --strict: use a live state saved by export --snapshot, without a server",
      ).conflicts(["server", "local", "data"]),
    );
  return addTargetOptions(command).action(async (dir: string | undefined, options: ValidateOptions) => {
    done(await runValidate(catalogFor(dir, options, io), options, io));
  });
}
