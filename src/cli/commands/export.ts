/** Defines the command `export`, which writes manifests for the catalog's content, or saves a snapshot of its live state. */

import { Command, Option } from "commander";
import { UsageError } from "../errors.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addExamples } from "../options/examples.ts";
import { facetHelp, parseFacet } from "../options/names.ts";
import { addGroup, addTargetOptions, common, defaultDirectory } from "../options/options.ts";
import { addNarrowingOptions } from "../options/scope.ts";
import { type ExportOptions, runExport } from "../run/export-run.ts";
import type { PlanOptions } from "../run/plan-run.ts";

interface Options extends ExportOptions, Pick<PlanOptions, "base" | "format"> {
  readonly snapshot?: string;
  readonly redact?: boolean;
}

/** Defines the command, which uses a read-only client. */
export function exportCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("export")
    .argument("[dir]", "catalog directory", defaultDirectory)
    .option("--force", "overwrite manifest edits that were not applied, and restore deleted manifests");
  addGroup(addTargetOptions(command), "Scope:", [common.settings(), common.environment()]);
  addNarrowingOptions(command, "only assets that are in this domain in the catalog (repeatable)")
    .option("--facet <facet>", facetHelp, parseFacet)
    .optionsGroup("Snapshot:")
    .addOption(
      new Option(
        "--snapshot <file>",
        "instead of writing manifests, save a snapshot for plan --snapshot and other commands",
      ),
    )
    .option("--redact", "replace user profiles and email addresses in the snapshot with hashes")
    .option(
      "--base <ref>",
      "with --snapshot: Git ref of the last applied commit (default: `base` in the settings)",
    )
    .optionsGroup("Output:")
    .addOption(common.quiet())
    .option("--verbose", "list each entity and field that is skipped");
  addExamples(command, [
    ["Write manifests for the entire catalog", "export"],
    ["Write manifests only for assets in one domain", "export --domain finance"],
    [
      "Save a snapshot, and plan without a server",
      "export --snapshot snapshot.json",
      "plan --snapshot snapshot.json",
    ],
  ]);
  return command.action(async (dir: string, options: Options) => {
    const { snapshot: file, redact = false, base } = options;
    if (file !== undefined) {
      refuseScope(options);
      const { saveSnapshot } = await import("../run/snapshot.ts");
      done(await saveSnapshot({ dir, options, writes: false, file, redact }, io));
      return;
    }
    if (redact || base !== undefined)
      throw new UsageError(`${redact ? "--redact" : "--base"} needs --snapshot`);
    done(await runExport(dir, options, io));
  });
}

// A snapshot always contains everything that the manifests refer to, so options that restrict the export are rejected.
function refuseScope({ force, target, exclude, platform, domain, kind, facet }: Options): void {
  if ([force, target, exclude, platform, domain, kind, facet].every((each) => each === undefined)) return;
  throw new UsageError(
    "--snapshot saves everything that the manifests refer to; use it without --force and without options such as --target",
  );
}
