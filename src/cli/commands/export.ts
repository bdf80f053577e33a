import { Command, InvalidArgumentError } from "commander";
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
import { parseFacet } from "../options/facets.ts";
import { closest } from "../../text/suggestion.ts";
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
    .option("--kind <kind>", "export only entities of a kind (repeatable)", parseKind)
    .option("--facet <facet>", "export only a facet of entities (repeatable)", parseFacet)
    .optionsGroup("Output:")
    .addOption(quietOption())
    .option("--verbose", "name each entity and facet that is left out");
  return command.action(async (dir: string, options: ExportOptions) => {
    done(await runExport(dir, options, io));
  });
}

// Commander's own choices take one value: it would be the last.
function parseKind(text: string, before: readonly string[] = []): readonly string[] {
  const names: readonly string[] = kinds.map(({ name }) => name);
  if (names.includes(text)) return [...before, text];
  const meant = closest(text, names);
  const hint = meant === undefined ? `It must be one of ${names.join(", ")}.` : `Did you mean ${meant}?`;
  throw new InvalidArgumentError(hint);
}
