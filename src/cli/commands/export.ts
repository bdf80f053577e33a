/** Defines the command `export`, which writes manifests from the catalog, or saves a snapshot of the live state. */

import { Command, Option } from "commander";
import { UsageError } from "../errors.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { parseFacet } from "../options/names.ts";
import { addGroup, addTargetOptions, common, defaultDirectory } from "../options/options.ts";
import { addNarrowingOptions } from "../options/scope.ts";
import { type ExportOptions, runExport } from "../run/export-run.ts";
import type { PlanOptions } from "../run/plan-run.ts";

interface Options extends ExportOptions, Pick<PlanOptions, "base" | "format"> {
  readonly snapshot?: string;
  readonly redact?: boolean;
}

/** Defines the command, which uses a client that can only read. */
export function exportCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("export")
    .argument("[dir]", "catalog directory", defaultDirectory)
    .option("--force", "overwrite files that were edited and not applied, and write deleted ones again");
  addGroup(addTargetOptions(command), "Scope:", [common.settings(), common.environment()]);
  addNarrowingOptions(command, {
    verb: "export",
    ofPlatform: "of a data platform",
    inDomain: "in a domain",
  })
    .option("--facet <facet>", "export only a facet of entities (repeatable)", parseFacet)
    .optionsGroup("Snapshot:")
    .addOption(
      new Option(
        "--snapshot <file>",
        "instead of manifests, save the live state that the manifests name, for plan --snapshot",
      ),
    )
    .option("--redact", "in a snapshot, replace user profiles and e-mail addresses by hashes")
    .option(
      "--base <ref>",
      "for a snapshot: Git ref of the last applied commit (default: `base` in the settings)",
    )
    .optionsGroup("Output:")
    .addOption(common.quiet())
    .option("--verbose", "name each entity and facet that is left out");
  return command.action(async (dir: string, options: Options) => {
    const { snapshot: file, redact = false, base } = options;
    if (file !== undefined) {
      refuseScope(options);
      const { saveSnapshot } = await import("../run/snapshot.ts");
      done(await saveSnapshot({ dir, options, writes: false, file, redact }, io));
      return;
    }
    if (redact || base !== undefined)
      throw new UsageError(
        `${redact ? "--redact" : "--base"} needs --snapshot: manifests are written as they are`,
      );
    done(await runExport(dir, options, io));
  });
}

// A snapshot always contains everything that the manifests name.
function refuseScope({ force, target, exclude, platform, domain, kind, facet }: Options): void {
  if ([force, target, exclude, platform, domain, kind, facet].every((each) => each === undefined)) return;
  throw new UsageError("--snapshot saves all that the manifests name: it takes no scope and no --force");
}
