import { Command } from "commander";
import type { Plan } from "../../model/plan.ts";
import { summaryLine } from "../../report/text.ts";
import { carryOut } from "../carry-out.ts";
import { RunError, UsageError } from "../errors.ts";
import { type ExitCode, exitCodeOfReport, exitCodeOfPlan, exitCodes, worst } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addPlanOptions } from "../options.ts";
import { type Planned, type PlanOptions, withPlan } from "../plan-run.ts";
import { printPlan, printReport } from "../print.ts";
import { defaultDirectory } from "../repository.ts";

interface Options extends PlanOptions {
  readonly autoApprove?: boolean;
  readonly dryRun?: boolean;
}

/** `apply`: shows the plan, asks, and carries it out. */
export function applyCommand(io: Io, done: (code: ExitCode) => void): Command {
  return addPlanOptions(new Command("apply"))
    .description("show what would change, ask, and change it")
    .argument("[dir]", "catalog directory", defaultDirectory)
    .option("--auto-approve", "do not ask")
    .option("--dry-run", "show the plan and change nothing")
    .action(async (dir: string, options: Options) => {
      const dryRun = options.dryRun === true;
      if (!dryRun && options.autoApprove !== true && !io.isInteractive) {
        throw new UsageError(
          "apply asks before it writes and there is no terminal to ask on: give --auto-approve",
        );
      }
      done(await withPlan(dir, options, !dryRun, io, (planned) => applyPlanned(planned, options, io)));
    });
}

async function applyPlanned({ plan, server, target }: Planned, options: Options, io: Io): Promise<ExitCode> {
  const planCode = exitCodeOfPlan(plan);
  if (options.dryRun === true) {
    printPlan(plan, options.format, io);
    return planCode;
  }
  const idle = plan.changes.length === 0 || planCode === exitCodes.invalid;
  if (options.format === "text") printPlan(plan, "text", io);
  if (planCode === exitCodes.invalid) io.stderr.write("Nothing was applied: resolve the problems first.\n");
  if (!idle && options.autoApprove !== true) await confirm(plan, options, io);
  if (idle) {
    if (options.format === "json") printReport({ plan, outcomes: [] }, "json", io);
    return planCode;
  }
  const report = await carryOut({ plan, server, target }, options, io);
  const interrupted = io.interrupted.aborted ? exitCodes.interrupted : exitCodes.done;
  return worst([planCode, exitCodeOfReport(report), interrupted]);
}

async function confirm(plan: Plan, options: Options, io: Io): Promise<void> {
  if (options.format === "json") io.stderr.write(`${summaryLine(plan.summary)}\n`);
  const answer = await io.ask(`Apply these changes to ${plan.target}? Only "yes" goes on: `);
  if (answer.trim() !== "yes")
    throw new RunError("nothing was applied: the question was not answered with yes");
}
