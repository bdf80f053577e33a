/** Defines the command `import`, which writes manifests for files in other formats. */

import { Command, Option } from "commander";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { common } from "../options/options.ts";
import { type ImportRunOptions, runImport } from "../run/import-run.ts";

/** Defines the command. It needs no server. */
export function importCommand(io: Io, done: (code: ExitCode) => void): Command {
  return new Command("import")
    .argument(
      "<file...>",
      "files of DataHub's business glossary source, or of `datahub properties` and `datahub dataproduct`",
    )
    .option(
      "--out <dir>",
      "catalog directory to write to (default: catalog, here or above in the repository)",
    )
    .option(
      "--enable-auto-id",
      "make hashes as ids, as the ingestion source does with `enable_auto_id: true`",
    )
    .addOption(
      new Option("--keep <which>", "which of different entries of one id counts").choices(["first", "last"]),
    )
    .option("--force", "overwrite files that were edited and not applied, and write deleted ones again")
    .addOption(common.settings())
    .addOption(common.environment())
    .action(async (files: readonly string[], options: ImportRunOptions) =>
      done(await runImport(files, options, io)),
    );
}
