/** Defines the command `import`, which converts files in other formats into manifests. */

import { Command } from "commander";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addExamples } from "../options/examples.ts";
import { common } from "../options/options.ts";
import { choiceOption } from "../options/names.ts";
import { type ImportRunOptions, runImport } from "../run/import-run.ts";

/** Defines the command, which does not need a server. */
export function importCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("import")
    .argument("<file...>", "YAML files for DataHub's own tools, such as a business glossary")
    .option(
      "--out <dir>",
      "catalog directory to write to (default: the nearest `catalog`, here or in a parent directory)",
    )
    .option("--enable-auto-id", "use hashes as ids, as DataHub does with `enable_auto_id: true`")
    .addOption(
      choiceOption("--keep <which>", "which entry to keep if several have the same id", ["first", "last"]),
    )
    .option("--force", "overwrite manifest edits that were not applied, and restore deleted manifests")
    .addOption(common.settings())
    .addOption(common.environment());
  return addExamples(command, [
    ["Convert a data product", "$ echo '{ id: net, domain: finance, assets: [] }' > p.yaml", "import p.yaml"],
    ["Write to a different directory", "import p.yaml --out imported"],
  ]).action(async (files: readonly string[], options: ImportRunOptions) =>
    done(await runImport(files, options, io)),
  );
}
