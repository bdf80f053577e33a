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

/** `plan`: shows what apply would change. It gets a client that cannot write. */
export function planCommand(io: Io, done: (code: ExitCode) => void): Command {
  return addPlanOptions(new Command("plan"))
    .description("show what would change; changes nothing")
    .argument("[dir]", "catalog directory", defaultDirectory)
    .option("--out <file>", "write the plan as JSON, too")
    .option("--detailed-exitcode", "exit with 2 when there are changes")
    .action(async (dir: string, options: Options) => {
      const { plan } = await withPlan({ dir, options, writes: false }, io, async (planned) => planned);
      if (options.out !== undefined) {
        await writePrivately(options.out, planAsJson(plan, io), io);
        if (options.quiet !== true) io.stderr.write(`Plan written to ${options.out}\n`);
      }
      await writeReports(options.report, (format) => planAs(plan, format, io), io);
      printPlan(plan, options.format, io);
      done(exitCodeOfPlan(plan, options.detailedExitcode));
    });
}
