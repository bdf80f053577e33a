/** Defines the command `init`, which sets up a manifest repository for a catalog. */

import { Command, Option } from "commander";
import { modes } from "../../model/settings.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addExamples } from "../options/examples.ts";
import { choiceOption } from "../options/names.ts";
import { addGroup, addTargetOptions, common } from "../options/options.ts";
import { type InitOptions, runInit } from "../run/init-run.ts";
import { parseAction } from "../run/workflow-files.ts";

/** Defines the command. It uses a read-only client and never overwrites a file. */
export function initCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("init")
    .argument("[dir]", "catalog directory (default: catalog)")
    .addOption(common.environment())
    .addOption(
      choiceOption(
        "--mode <mode>",
        "what apply does with undeclared values (default: the mode recommended for the catalog)",
        modes,
      ),
    )
    .option("--workflows", "write workflows for GitHub Actions")
    .addOption(
      new Option(
        "--action <action>",
        "action that the workflows use, as OWNER/NAME@COMMIT (default: determined from the clone that datahub-gitops runs from)",
      ).argParser(parseAction),
    )
    .option("--no-workflows", "do not write workflows for GitHub Actions")
    .option("--export", "export the catalog to manifests")
    .option("--no-export", "do not export the catalog to manifests")
    .option("--yes", "do not ask questions; use the recommended answers");
  addGroup(addTargetOptions(command), "Output:", [common.quiet()]);
  addExamples(command, [
    ["Set up the repository by answering a few questions", "init"],
    ["Skip the prompts, and write GitHub Actions workflows", "init --yes --workflows"],
    ["Try init with the demo's sample data", "demo --fill .datahub-gitops/catalog", "init --local --yes"],
  ]);
  return command.action(async (dir: string | undefined, options: InitOptions) => {
    done(await runInit(dir, options, io));
  });
}
