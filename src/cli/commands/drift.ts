/** Defines the command `drift`, which shows how the catalog differs from the manifests and why. */

import { Command } from "commander";
import { type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogFor, catalogHelp } from "../options/catalog.ts";
import { addExamples } from "../options/examples.ts";
import { addDriftOptions, common } from "../options/options.ts";
import { type PlanOptions } from "../run/plan-run.ts";
import { showDrift } from "../run/show-drift.ts";

/** Defines the command, which uses a read-only client. */
export function driftCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("drift").argument("[dir]", catalogHelp);
  addDriftOptions(command).addOption(common.open()).addOption(common.metrics());
  return addExamples(command, [
    ["Show changes made outside Git", "drift"],
    ["Show drift only for assets in one domain", "drift --domain finance"],
    ["Save the result for github drift-issue", "drift --report drift.json"],
  ]).action(async (dir: string | undefined, options: PlanOptions) => {
    done(await showDrift(catalogFor(dir, options, io), options, io));
  });
}
