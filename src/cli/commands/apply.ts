import { Command } from "commander";
import type { Plan } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import { applyPlan, type Refusal, refusalOf } from "../../library/apply-plan.ts";
import type { Format } from "../../library/render.ts";
import { partitionConflicts } from "../../plan/diff/conflicts.ts";
import { summaryLine } from "../../report/text/plan-text.ts";
import { carryOut } from "../run/apply-plan.ts";
import { RunError, UsageError } from "../errors.ts";
import { type ExitCode, exitCodeOfReport, exitCodeOfPlan, exitCodes, worst } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addPlanOptions, defaultDirectory } from "../options/options.ts";
import { type Planned, type PlanOptions, withPlan } from "../run/plan-run.ts";
import { planAs, printIdle, printPlan, reportAs } from "../output/print.ts";
import { noteApplied } from "../run/record-applied.ts";
import { writeReports } from "../output/report-files.ts";

interface Options extends PlanOptions {
  readonly autoApprove?: boolean;
  readonly dryRun?: boolean;
  readonly verify?: boolean;
}

/** `apply`: shows the plan, asks for approval, and carries the plan out. */
export function applyCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("apply")
    .description("show the plan, ask for approval, and apply it")
    .argument("[dir]", "catalog directory", defaultDirectory)
    .option("--auto-approve", "apply without asking for approval")
    .option("--dry-run", "show the plan and do not apply it")
    .option("--no-verify", "do not read back what was applied");
  return addPlanOptions(command).action(async (dir: string, options: Options) => {
    const dryRun = options.dryRun === true;
    if (!dryRun && options.autoApprove !== true && !io.isInteractive) {
      throw new UsageError("apply cannot ask for approval without a terminal; use --auto-approve");
    }
    const request = { dir, options, writes: !dryRun };
    done(await withPlan(request, io, (planned) => applyPlanned(planned, options, io)));
  });
}

async function applyPlanned(planned: Planned, options: Options, io: Io): Promise<ExitCode> {
  const { plan } = planned;
  const planCode = exitCodeOfPlan(plan);
  if (options.dryRun === true) {
    await writeReports(options.report, (format) => planAs(plan, format, io), io);
    printPlan(plan, options.format, io);
    return planCode;
  }
  const refusal = refusalOf(plan);
  const idle = plan.changes.length === 0 || refusal !== undefined;
  if (options.format === "text") printPlan(plan, "text", io);
  if (refusal !== undefined) io.stderr.write(`Nothing was applied: ${obstacles[refusal]}.\n`);
  const isAsked = !idle && partitionConflicts(plan).pending.length > 0;
  if (isAsked && options.autoApprove !== true) await confirm(plan, options, io);
  if (idle) printIdle(plan, options.format, io);
  const report: Report = idle ? { plan, outcomes: [] } : await carryOut(planned, applyPlan, options, io);
  await writeReports(options.report, (format) => wholeReportAs(report, format, io), io);
  const interrupted = io.interrupted.aborted ? exitCodes.interrupted : exitCodes.done;
  const code = worst([planCode, exitCodeOfReport(report), interrupted]);
  const isThrough = code === exitCodes.done || code === exitCodes.conflict;
  if (isThrough && refusal === undefined) await noteApplied(planned.scope, report, options, io);
  return code;
}

// A text report begins with the plan, as on the terminal.
function wholeReportAs(report: Report, format: Format, io: Io): string {
  const text = reportAs(report, format, io);
  return format === "text" ? planAs(report.plan, format, io) + text : text;
}

/** Why nothing of a plan can be applied. */
const obstacles: Readonly<Record<Refusal, string>> = {
  problems: "fix the problems first",
  guard: "a guard blocks the plan",
};

async function confirm(plan: Plan, options: Options, io: Io): Promise<void> {
  if (options.format !== "text") io.stderr.write(`${summaryLine(plan.summary)}\n`);
  const answer = await io.ask(`Apply these changes to ${plan.target}? Only "yes" is accepted: `);
  if (answer.trim() !== "yes")
    throw new RunError("nothing was applied: the plan was not approved", "not-approved");
}
