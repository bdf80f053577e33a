/** Defines the command `init`, which sets up a repository of manifests for a catalog. */

import { Command, Option } from "commander";
import { modes } from "../../model/settings.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addGroup, addTargetOptions, common } from "../options/options.ts";
import { type InitOptions, runInit } from "../run/init-run.ts";
import { parseAction } from "../run/workflow-files.ts";

/** Defines the command. It never overwrites a file, and uses a client that can only read. */
export function initCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("init")
    .argument("[dir]", "catalog directory (default: catalog)")
    .addOption(common.environment())
    .addOption(
      new Option(
        "--mode <mode>",
        "what to do with live values that are not declared (default: recommended after a look at the catalog)",
      ).choices(modes),
    )
    .option("--workflows", "write the workflows for GitHub Actions")
    .addOption(
      new Option(
        "--action <action>",
        "action of the workflows, as OWNER/NAME@COMMIT (default: the clone that datahub-gitops runs from)",
      ).argParser(parseAction),
    )
    .option("--no-workflows", "do not write the workflows for GitHub Actions")
    .option("--export", "export the catalog to manifests")
    .option("--no-export", "do not export the catalog to manifests")
    .option("--yes", "do not ask: take what is recommended for all that no option says");
  addGroup(addTargetOptions(command), "Output:", [common.quiet()]);
  return command.action(async (dir: string | undefined, options: InitOptions) => {
    done(await runInit(dir, options, io));
  });
}
