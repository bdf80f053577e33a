import { Command } from "commander";
import { type ExitCode, exitCodeOfDrift } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addDriftOptions, defaultDirectory } from "../options/options.ts";
import { driftAs, printDrift } from "../output/print.ts";
import { writeReports } from "../output/report-files.ts";
import { type PlanOptions, withPlan } from "../run/plan-run.ts";

/** `drift`: shows how the catalog differs from the manifests, and why. Its client can only read. */
export function driftCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("drift")
    .description("show what others changed in the catalog, without changing anything")
    .argument("[dir]", "catalog directory", defaultDirectory);
  return addDriftOptions(command).action(async (dir: string, options: PlanOptions) => {
    const request = { dir, options, writes: false, tellsDrift: true };
    const { plan } = await withPlan(request, io, async (planned) => planned);
    await writeReports(options.report, (format) => driftAs(plan, { ...options, format }, io), io);
    printDrift(plan, options, io);
    done(exitCodeOfDrift(plan));
  });
}
