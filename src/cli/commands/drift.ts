/** The command `drift`: shows how the catalog differs from the manifests, and why. */

import { Command } from "commander";
import { type ExitCode, worst } from "../exit-code.ts";
import { exitCodeOfDrift } from "../result-exit-code.ts";
import type { Io } from "../io.ts";
import { catalogFor, catalogHelp } from "../options/catalog.ts";
import { addDriftOptions, common } from "../options/options.ts";
import { printResult, writeReports } from "../output/print.ts";
import { type PlanOptions, withPlan } from "../run/plan-run.ts";

/** Defines the command. Its client can only read. */
export function driftCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("drift").argument("[dir]", catalogHelp);
  return addDriftOptions(command)
    .addOption(common.open())
    .addOption(common.metrics())
    .action(async (dir: string | undefined, options: PlanOptions) => {
      done(await showDrift(catalogFor(dir, options, io), options, io));
    });
}

/** Shows the drift of a catalog directory. Throws if it cannot be read or compared. */
export async function showDrift(dir: string, options: PlanOptions, io: Io): Promise<ExitCode> {
  const request = { dir, options, writes: false, classifyDrift: true };
  const { plan } = await withPlan(request, io, async (planned) => planned);
  const reported = await writeReports({ drift: plan }, options, io);
  await printResult({ drift: plan }, options, io);
  return worst([exitCodeOfDrift(plan), reported]);
}
