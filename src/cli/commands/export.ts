import { Command, InvalidArgumentError, Option } from "commander";
import { plannedFacets } from "../../facets/index.ts";
import { kinds } from "../../kinds/index.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import {
  addTargetOptions,
  collect,
  defaultDirectory,
  quietOption,
  settingsOption,
} from "../options/options.ts";
import { type ExportOptions, runExport } from "../run/export-run.ts";

/** `export`: writes manifests that declare what is in the catalog. Its client can only read. */
export function exportCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("export")
    .description("write manifests that declare what is in the catalog, one file for each entity")
    .argument("[dir]", "catalog directory", defaultDirectory)
    .option("--force", "overwrite files whose data was edited since the last export");
  addTargetOptions(command)
    .optionsGroup("Scope:")
    .addOption(settingsOption())
    .option(
      "--target <pattern>",
      "export only entities whose URN matches; * matches any text (repeatable)",
      collect,
    )
    .option("--platform <id>", "export only assets of a data platform (repeatable)", collect)
    .option("--domain <id>", "export only assets in a domain (repeatable)", collect)
    .addOption(choice("--kind <kind>", "export only entities of a kind (repeatable)", kinds))
    .addOption(choice("--facet <facet>", "export only a facet of entities (repeatable)", plannedFacets))
    .optionsGroup("Output:")
    .addOption(quietOption())
    .option("--verbose", "name each entity and facet that is left out");
  return command.action(async (dir: string, options: ExportOptions) => {
    done(await runExport(dir, options, io));
  });
}

// Commander's own choices take one value: it would be the last.
function choice(flags: string, description: string, of: readonly { readonly name: string }[]): Option {
  const names = of.map(({ name }) => name);
  return new Option(flags, description)
    .choices(names)
    .argParser((text: string, before?: readonly string[]) => {
      if (names.includes(text)) return [...(before ?? []), text];
      throw new InvalidArgumentError(`Allowed choices are ${names.join(", ")}.`);
    });
}
