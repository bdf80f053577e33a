import { Command, Option } from "commander";
import { explanationFormats } from "../../report/format.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogFor, catalogHelp } from "../options/catalog.ts";
import {
  addTargetOptions,
  environmentOption,
  pagerOption,
  quietOption,
  settingsOption,
} from "../options/options.ts";
import { type ExplainOptions, runExplain } from "../run/explain-run.ts";

/** `explain`: prints why an entity is declared as it is, and which rules match it. Its client can only read. */
export function explainCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("explain")
    .argument("<name>", "URN of the entity, or a name or id that it alone has")
    .argument("[dir]", catalogHelp)
    .option("--column <name>", "explain only this column: its plain name or its full path")
    .addOption(
      new Option(
        "--snapshot <file>",
        "use a live state saved by export --snapshot, without a server",
      ).conflicts(["server", "local", "data"]),
    );
  addTargetOptions(command)
    .optionsGroup("Scope:")
    .addOption(settingsOption())
    .addOption(environmentOption())
    .option("--base <ref>", "Git ref of the last applied commit (default: `base` in the settings)")
    .optionsGroup("Output:")
    .addOption(new Option("--format <format>", "output format").choices(explanationFormats).default("text"))
    .addOption(pagerOption())
    .addOption(quietOption("do not print notes"));
  return command.action(async (entity: string, dir: string | undefined, options: ExplainOptions) => {
    done(await runExplain({ entity, dir: catalogFor(dir, options, io), options }, io));
  });
}
