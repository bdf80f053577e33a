import type { Plan } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import type { KeptRuns } from "../../model/settings.ts";
import type { Urn } from "../../model/urn.ts";
import { applyPlan, applySavedPlan, type Refusal, refusalOf } from "../../library/apply-plan.ts";
import { isStopped } from "../../plan/judge/findings.ts";
import { partitionHeldBack } from "../../plan/diff/held-back.ts";
import { policyLine, policyRows, unknownRows } from "../../report/document/policies.ts";
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
import { noteRun } from "./runs.ts";

/** The options of `apply`. */
export interface ApplyOptions extends PlanOptions, ApprovalOptions {
  readonly dryRun?: boolean;
  /** Whether stale changes of a saved plan are skipped; otherwise one refuses the plan. */
  readonly allowPartial?: boolean;
  /** Whether the ref of the last applied commit also moves where that is not forward. */
  readonly moveBase?: boolean;
  /** Whether what was applied is read back. */
  readonly verify?: boolean;
}

/** A plan that is to be applied, and its target, open. */
export interface ToApply {
  readonly plan: Plan;
  readonly target: Target;
  /** `undefined` where no commit can be noted as applied. */
  readonly scope: AppliedScope | undefined;
  /** Whether the run is kept, as the settings say. */
  readonly runs: KeptRuns | undefined;
  /** Whether the plan was approved before the command began. */
  readonly isSaved?: true;
  /** The plan with verdicts of policies by the catalog as it is now. */
  readonly judged?: () => Promise<Plan>;
  /** Where the plan is a shard of a saved one: what other shards are to create and it refers to. */
  readonly awaited?: ReadonlySet<Urn>;
}

/** Shows a plan, asks for approval unless there is one, carries the plan out, and notes its commit as applied. */
export async function applyPlanned(planned: ToApply, options: ApplyOptions, io: Io): Promise<ExitCode> {
  const { isSaved } = planned;
  if (options.dryRun === true) {
    const { plan } = planned;
    const reported = await writeReports({ plan }, options, io);
    await printResult({ plan }, options, io);
    return worst([exitCodeOfPlan(plan), reported]);
  }
  const { plan, isApproval } = await approved(planned, options, io);
  const planCode = exitCodeOfPlan(plan);
  const refusal = refusalOf(plan);
  const idle = plan.changes.length === 0 || refusal !== undefined;
  const startedAt = io.now();
  const { awaited } = planned;
  const send = isSaved ? applySavedPlan : applyPlan;
  const ways = { ...options, ...(awaited && { awaited }) };
  const ended: Report = idle ? { plan, outcomes: [] } : await carryOut({ ...planned, plan }, send, ways, io);
  if (isSaved && isRefused(ended)) io.stderr.write(`${refusedText}\n`);
  const interrupted = io.interrupted.aborted ? exitCodes.interrupted : exitCodes.done;
  const code = worst([planCode, exitCodeOfReport(ended), interrupted]);
  const way = isSaved ? "saved-plan" : options.autoApprove === true ? "auto-approve" : "answer";
  const approval = isApproval ? approvalOf(way, options, io) : {};
  const report = withRun(ended, { startedAt, code, approval }, io);
  io.measure?.({ plan, report, traffic: planned.target.connection.traffic.counts() });
  await (idle ? printIdle : printOutcomes)(report, options, io);
  const reported = await writeReports({ report }, options, io, { withPlan: true });
  if (planned.scope) await noteRun(planned.scope.repository, { report, runs: planned.runs }, options, io);
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
  policy: "the plan violates a policy",
};

/** Shows a plan, and asks for approval where there is none. What was approved is judged by the policies again. */
async function approved(
  planned: ToApply,
  options: ApplyOptions,
  io: Io,
): Promise<{ readonly plan: Plan; readonly isApproval: boolean }> {
  const { plan, isSaved, judged } = planned;
  const isAsked = !isSaved && options.autoApprove !== true;
  if (options.format === "text")
    await printResult({ plan }, { ...options, pager: isAsked && options.pager === true }, io);
  const idle = noteRefusal(plan, io) || plan.changes.length === 0;
  if (!idle) requireStdout("nothing was applied", io);
  const isApproval = !idle && partitionHeldBack(plan).pending.length > 0;
  if (!isApproval || !isAsked) return { plan, isApproval };
  await confirm(plan, options, io);
  const again = (await judged?.()) ?? plan;
  if (noteRefusal(again, io))
    for (const row of [...policyRows(again), ...unknownRows(again)]) io.stderr.write(`${policyLine(row)}\n`);
  return { plan: again, isApproval };
}

/** Says why nothing of a plan is applied, and returns whether that is so. */
function noteRefusal(plan: Plan, io: Io): boolean {
  const refusal = refusalOf(plan);
  if (refusal === undefined) return false;
  const isUnknown = refusal === "policy" && !isStopped(plan);
  const why = isUnknown ? "it is unknown whether the plan violates a policy" : obstacles[refusal];
  io.stderr.write(`Nothing was applied: ${why}.\n`);
  return true;
}

/** Whether a saved plan was refused: some of it is stale, and the other outcomes are what could not be read again. */
function isRefused({ outcomes }: Report): boolean {
  const statuses = new Set(outcomes.map(({ status }) => status));
  return statuses.has("stale") && !statuses.has("applied") && !statuses.has("skipped");
}

const refusedText =
  "Nothing was applied: the catalog has changed since the plan was saved. Save a new plan, or use --allow-partial to apply the rest.";

async function confirm(plan: Plan, options: ApplyOptions, io: Io): Promise<void> {
  if (options.format !== "text") io.stderr.write(`${summaryLine(plan.summary)}\n`);
  const answer = await io.ask(`Apply these changes to ${serverName(plan)}? Only "yes" is accepted: `);
  if (answer.trim() !== "yes")
    throw new RunError("nothing was applied: the plan was not approved", "not-approved");
}
