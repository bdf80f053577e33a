import { Command } from "commander";
import { type ExitCode, exitCodeOfPlan } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addPlanOptions, defaultDirectory } from "../options/options.ts";
import { type PlanOptions, withPlan } from "../run/plan-run.ts";
import { planAs, planAsJson, printPlan } from "../output/print.ts";
import { writePrivately, writeReports } from "../output/report-files.ts";

interface Options extends PlanOptions {
  readonly out?: string;
  readonly detailedExitcode?: boolean;
}

/** `plan`: shows what `apply` would change. Its client can only read. */
export function planCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("plan")
    .description("show what apply would change, without changing anything")
    .argument("[dir]", "catalog directory", defaultDirectory)
    .option("--out <file>", "save the plan as JSON")
    .option("--detailed-exitcode", "exit with 2 if there are changes");
  return addPlanOptions(command).action(async (dir: string, options: Options) => {
    const { plan } = await withPlan({ dir, options, writes: false }, io, async (planned) => planned);
    if (options.out !== undefined) {
      await writePrivately(options.out, planAsJson(plan, io), io);
      if (options.quiet !== true) io.stderr.write(`Plan saved to ${options.out}\n`);
    }
    await writeReports(options.report, (format) => planAs(plan, { ...options, format }, io), io);
    printPlan(plan, options, io);
    done(exitCodeOfPlan(plan, options.detailedExitcode));
  });
}
