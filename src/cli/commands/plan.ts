import { Command, Option } from "commander";
import type { Plan } from "../../model/plan.ts";
import { refusingProblems } from "../../plan/plan.ts";
import { type ExitCode, exitCodeOfPlan, exitCodes, worst } from "../exit-code.ts";
import type { Io } from "../io.ts";
import type { Format } from "../../library/render.ts";
import { addPlanOptions, defaultDirectory } from "../options/options.ts";
import { type PlanOptions, withPlan } from "../run/plan-run.ts";
import { planAs, planAsJson, printPlan } from "../output/print.ts";
import { note } from "../output/say.ts";
import { writeResult, writeReports } from "../output/report-files.ts";

interface Options extends PlanOptions {
  readonly out?: string;
  readonly detailedExitcode?: boolean;
  readonly snapshot?: string;
}

/** `plan`: shows what `apply` would change. Its client can only read. */
export function planCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("plan")
    .argument("[dir]", "catalog directory", defaultDirectory)
    .option("--out <file>", "save the plan as JSON")
    .option("--detailed-exitcode", "exit with 2 if there are changes")
    .addOption(
      new Option(
        "--snapshot <file>",
        "compare with a live state saved by export --snapshot, without a server",
      ).conflicts(["server", "local", "data"]),
    );
  return addPlanOptions(command).action(async (dir: string, options: Options) => {
    const plan = await planAsked(dir, options, io);
    const saved = await save(plan, options, io);
    const textAs = (format: Format): string => planAs(plan, { ...options, format }, io);
    const reported = await writeReports(options.report, textAs, io);
    printPlan(plan, options, io);
    done(worst([exitCodeOfPlan(plan, options.detailedExitcode), saved, reported]));
  });
}

async function planAsked(dir: string, options: Options, io: Io): Promise<Plan> {
  const request = { dir, options, writes: false };
  if (options.snapshot !== undefined) {
    const { planOfSnapshot } = await import("../run/snapshot.ts");
    return await planOfSnapshot(options.snapshot, request, io);
  }
  return await withPlan(request, io, async ({ plan }) => plan);
}

async function save(plan: Plan, { out, quiet }: Options, io: Io): Promise<ExitCode> {
  if (out === undefined) return exitCodes.done;
  const code = await writeResult(out, planAsJson(plan, io), io);
  const words = refusingProblems(plan).length > 0 ? "The refused plan was saved to" : "Plan saved to";
  if (code === exitCodes.done && quiet !== true) note(`${words} ${out}`, io);
  return code;
}
