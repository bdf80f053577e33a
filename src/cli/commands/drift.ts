/** Defines the command `drift`, which shows how the catalog differs from the manifests, and why. */

import { Command } from "commander";
import { type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogFor, catalogHelp } from "../options/catalog.ts";
import { addDriftOptions, common } from "../options/options.ts";
import { type PlanOptions } from "../run/plan-run.ts";
import { showDrift } from "../run/show-drift.ts";

/** Defines the command, which uses a client that can only read. */
export function driftCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("drift").argument("[dir]", catalogHelp);
  return addDriftOptions(command)
    .addOption(common.open())
    .addOption(common.metrics())
    .action(async (dir: string | undefined, options: PlanOptions) => {
      done(await showDrift(catalogFor(dir, options, io), options, io));
    });
}
