import { Command } from "commander";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addTargetOptions, defaultDirectory, quietOption, settingsOption } from "../options/options.ts";
import type { PlanOptions } from "../run/plan-run.ts";
import { saveSnapshot } from "../run/snapshot.ts";

interface Options extends PlanOptions {
  readonly snapshot: string;
  readonly redact?: boolean;
}

/** `export`: writes the live state that manifests name to a file. Its client can only read. */
export function exportCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("export")
    .description("save the live state that the manifests name, for plan --snapshot")
    .argument("[dir]", "catalog directory", defaultDirectory)
    .requiredOption("--snapshot <file>", "file to save the live state to, as JSON")
    .option("--redact", "replace user profiles and e-mail addresses by hashes, against casual readers")
    .addOption(settingsOption())
    .option("--base <ref>", "Git ref of the last applied commit (default: `base` in the settings)")
    .addOption(quietOption());
  return addTargetOptions(command).action(async (dir: string, options: Options) => {
    const { snapshot: file, redact = false } = options;
    done(await saveSnapshot({ dir, options, writes: false, file, redact }, io));
  });
}
