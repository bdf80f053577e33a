import type { Plan } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import type { Urn } from "../../model/urn.ts";
import { applyPlan, applySavedPlan, type Refusal, refusalOf } from "../../library/apply-plan.ts";
import type { ServerInfo } from "../../datahub/server-config.ts";
import { partitionConflicts } from "../../plan/diff/conflicts.ts";
import { serverName, summaryLine } from "../../report/document/notes.ts";
import type { AppliedScope } from "../../scope/record-applied.ts";
import { RunError } from "../errors.ts";
import { type ExitCode, exitCodes, worst } from "../exit-code.ts";
import { exitCodeOfReport, exitCodeOfPlan } from "../result-exit-code.ts";
import type { Io } from "../io.ts";
import type { Target } from "../options/target.ts";
import { requireStdout } from "../output/lost-output.ts";
import { printIdle, printResult, printToStderrIfStdoutFailed, writeReports } from "../output/print.ts";
import { carryOut, printOutcomes } from "./apply-plan.ts";
import { type ApprovalOptions, approvalOf, withRun } from "./approval.ts";
import type { PlanOptions } from "./plan-run.ts";
import { noteApplied, noteInterrupted } from "./record-applied.ts";

/** The options of `apply`. */
export interface ApplyOptions extends PlanOptions, ApprovalOptions {
  readonly dryRun?: boolean;
  /** Whether stale changes of a saved plan are skipped; otherwise one refuses the plan. */
  readonly allowPartial?: boolean;
  /** Whether what was applied is read back. */
  readonly verify?: boolean;
}

/** A plan that is to be applied, and its target, open. */
export interface ToApply {
  readonly plan: Plan;
  readonly server: ServerInfo;
  readonly target: Target;
  /** `undefined` where no commit can be noted as applied. */
  readonly scope: AppliedScope | undefined;
  /** Whether the plan was approved before the command began. */
  readonly isSaved?: true;
  /** Where the plan is a shard of a saved one: what other shards are to create and it refers to. */
  readonly awaited?: ReadonlySet<Urn>;
}

/** Shows a plan, asks for approval unless there is one, carries the plan out, and notes its commit as applied. */
export async function applyPlanned(planned: ToApply, options: ApplyOptions, io: Io): Promise<ExitCode> {
  const { plan, isSaved } = planned;
  const planCode = exitCodeOfPlan(plan);
  if (options.dryRun === true) {
    const reported = await writeReports({ plan }, options, io);
    await printResult({ plan }, options, io);
    return worst([planCode, reported]);
  }
  const refusal = refusalOf(plan);
  const idle = plan.changes.length === 0 || refusal !== undefined;
  const isAsked = !isSaved && options.autoApprove !== true;
  if (options.format === "text")
    await printResult({ plan }, { ...options, pager: isAsked && options.pager === true }, io);
  if (refusal !== undefined) io.stderr.write(`Nothing was applied: ${obstacles[refusal]}.\n`);
  if (!idle) requireStdout("nothing was applied", io);
  const isApproval = !idle && partitionConflicts(plan).pending.length > 0;
  if (isApproval && isAsked) await confirm(plan, options, io);
  const startedAt = io.now();
  const { awaited } = planned;
  const send = isSaved ? applySavedPlan : applyPlan;
  const ways = { ...options, ...(awaited && { awaited }) };
  const ended: Report = idle ? { plan, outcomes: [] } : await carryOut(planned, send, ways, io);
  if (isSaved && isRefused(ended)) io.stderr.write(`${refusedText}\n`);
  const interrupted = io.interrupted.aborted ? exitCodes.interrupted : exitCodes.done;
  const code = worst([planCode, exitCodeOfReport(ended), interrupted]);
  const way = isSaved ? "saved-plan" : options.autoApprove === true ? "auto-approve" : "answer";
  const approval = isApproval ? approvalOf(way, options, io) : {};
  const report = withRun(ended, { startedAt, code, approval }, io);
  io.measure?.({ plan, report, traffic: planned.target.connection.traffic.counts() });
  await (idle ? printIdle : printOutcomes)(report, options, io);
  const reported = await writeReports({ report }, options, io, { withPlan: true });
  const isThrough = code === exitCodes.done || code === exitCodes.conflict;
  if (isThrough && refusal === undefined && planned.scope)
    await noteApplied(planned.scope, report, options, io);
  else if (io.interrupted.aborted) noteInterrupted(planned.scope, options, io);
  await printToStderrIfStdoutFailed(report, options, io);
  return worst([code, reported]);
}

/** Why nothing of a plan can be applied. */
const obstacles: Readonly<Record<Refusal, string>> = {
  problems: "fix the problems first",
  guard: "a guard blocks the plan",
};

/** Whether a saved plan was refused: then every outcome is stale. */
function isRefused({ outcomes }: Report): boolean {
  return outcomes.length > 0 && outcomes.every(({ status }) => status === "stale");
}

const refusedText =
  "Nothing was applied: the catalog has changed since the plan was saved. Save a new plan, or use --allow-partial to apply the rest.";

async function confirm(plan: Plan, options: ApplyOptions, io: Io): Promise<void> {
  if (options.format !== "text") io.stderr.write(`${summaryLine(plan.summary)}\n`);
  const answer = await io.ask(`Apply these changes to ${serverName(plan)}? Only "yes" is accepted: `);
  if (answer.trim() !== "yes")
    throw new RunError("nothing was applied: the plan was not approved", "not-approved");
}
