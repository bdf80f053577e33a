import { Command } from "commander";
import type { Plan } from "../../model/plan.ts";
import { type ExitCode, exitCodeOfPlan, exitCodes, worst } from "../exit-code.ts";
import type { Io } from "../io.ts";
import type { Format } from "../../library/render.ts";
import { addPlanOptions, defaultDirectory } from "../options/options.ts";
import { type PlanOptions, withPlan } from "../run/plan-run.ts";
import { planAs, planAsJson, printPlan } from "../output/print.ts";
import { note } from "../output/say.ts";
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
    const saved = await save(plan, options, io);
    const textAs = (format: Format): string => planAs(plan, { ...options, format }, io);
    const reported = await writeReports(options.report, textAs, io);
    printPlan(plan, options, io);
    done(worst([exitCodeOfPlan(plan, options.detailedExitcode), saved, reported]));
  });
}

async function save(plan: Plan, { out, quiet }: Options, io: Io): Promise<ExitCode> {
  if (out === undefined) return exitCodes.done;
  const code = await writePrivately(out, planAsJson(plan, io), io);
  if (code === exitCodes.done && quiet !== true) note(`Plan saved to ${out}`, io);
  return code;
}
