/**
 * Shows a plan, asks for approval, applies the plan, and records the run and the applied commit. Used for `apply`, saved plans
 * and `rollback`.
 */

import type { Plan } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import type { RunRetention } from "../../model/settings.ts";
import type { Urn } from "../../model/urn.ts";
import { applyPlan, applySavedPlan, type Refusal, refusalOf } from "../../workflow/apply-saved.ts";
import { isStopped } from "../../plan/policies/findings.ts";
import { pendingIn } from "../../model/held-back.ts";
import { policyRows, unknownRows } from "../../report/document/policies.ts";
import { serverName, summaryLine } from "../../report/document/notes.ts";
import { paintWith } from "../../report/text/paint.ts";
import { rowText } from "../../report/text/rows.ts";
import type { AppliedScope } from "../../workflow/scope/record-applied.ts";
import { RunError } from "../errors.ts";
import { type ExitCode, exitCodes, highestPrecedence } from "../exit-code.ts";
import { exitCodeOfReport, exitCodeOfPlan } from "../result-exit-code.ts";
import type { Io } from "../io.ts";
import { requireStdout } from "../output/lost-output.ts";
import { printIdle, printResult, printToStderrIfStdoutFailed, writeReports } from "../output/print.ts";
import { type Approved, carryOut, printOutcomes } from "./apply-plan.ts";
import { type ApprovalOptions, approvalOf, withRun } from "./approval.ts";
import type { PlanOptions } from "./plan-run.ts";
import { noteApplied, noteInterrupted } from "./record-applied.ts";
import { keepRunOf } from "./kept-runs.ts";

/** The options for `apply`. */
export interface ApplyOptions extends PlanOptions, ApprovalOptions {
  readonly dryRun?: boolean;
  /** Whether to skip stale changes in a saved plan. Otherwise, a plan with stale changes is not applied. */
  readonly allowPartial?: boolean;
  /** Whether to move the base to HEAD even if the base is not an ancestor of HEAD. */
  readonly moveBase?: boolean;
  /** Whether to verify the applied changes by reading them back. */
  readonly verify?: boolean;
}

/** A plan to apply, its open target, and the scope and settings for recording the apply. */
export interface ApplyRequest extends Approved {
  /** The scope whose commit is recorded as applied, or `undefined` if no commit can be recorded. */
  readonly scope: AppliedScope | undefined;
  /** The settings for recorded runs. */
  readonly runs: RunRetention | undefined;
  /** Whether the plan is a saved plan, which needs no further approval. */
  readonly isSaved?: true;
  /** Reevaluates the policies against the current catalog, and returns the plan with the new verdicts. */
  readonly judged?: () => Promise<Plan>;
  /** For a shard of a saved plan, the referenced entities that other shards create. */
  readonly awaited?: ReadonlySet<Urn> | undefined;
}

/** Shows a plan, asks for approval if needed, applies the plan, and records the run and the applied commit. */
export async function applyPlanned(planned: ApplyRequest, options: ApplyOptions, io: Io): Promise<ExitCode> {
  const { isSaved } = planned;
  if (options.dryRun === true) {
    const { plan } = planned;
    const reported = await writeReports({ plan }, options, io);
    await printResult({ plan }, options, io);
    return highestPrecedence([exitCodeOfPlan(plan), reported]);
  }
  const { plan, isApproval } = await approved(planned, options, io);
  const refusal = refusalOf(plan);
  const idle = plan.changes.length === 0 || refusal !== undefined;
  const startedAt = io.now();
  const { target, awaited } = planned;
  const send = isSaved ? applySavedPlan : applyPlan;
  const ended: Report = idle
    ? { plan, outcomes: [] }
    : await carryOut({ plan, target }, send, { ...options, awaited }, io);
  if (isSaved && isRefused(ended)) io.stderr.write(`${refusedText}\n`);
  const interrupted = io.interrupted.aborted && exitCodes.interrupted;
  const code = highestPrecedence([exitCodeOfPlan(plan), exitCodeOfReport(ended), interrupted]);
  const kind = isSaved ? "saved-plan" : options.autoApprove === true ? "auto-approve" : "answer";
  const approval = isApproval ? approvalOf(kind, options, io) : {};
  const report = withRun(ended, { startedAt, code, approval }, io);
  io.measure?.({ plan, report, traffic: target.connection.traffic.counts() });
  await (idle ? printIdle : printOutcomes)(report, options, io);
  const reported = await writeReports({ report }, options, io, { withPlan: true });
  if (planned.scope) await keepRunOf(planned.scope.repository, { report, runs: planned.runs }, options, io);
  const isComplete = code === exitCodes.done || code === exitCodes.conflict;
  if (isComplete && refusal === undefined && planned.scope)
    await noteApplied(planned.scope, report, options, io);
  else if (io.interrupted.aborted) noteInterrupted(planned.scope, options, io);
  await printToStderrIfStdoutFailed(report, options, io);
  return highestPrecedence([code, reported]);
}

/** Messages that explain why a plan cannot be applied. */
const obstacles: Readonly<Record<Refusal, string>> = {
  problems: "fix the problems first",
  guard: "a guard blocks the plan",
  policy: "the plan violates a policy",
};

/** Shows a plan, and asks for approval if needed. After the approval, reevaluates the policies. */
async function approved(
  planned: ApplyRequest,
  options: ApplyOptions,
  io: Io,
): Promise<{ readonly plan: Plan; readonly isApproval: boolean }> {
  const { plan, isSaved, judged } = planned;
  const isAsked = !isSaved && options.autoApprove !== true;
  if (options.format === "text")
    await printResult({ plan }, { ...options, pager: isAsked && options.pager === true }, io);
  const idle = noteRefusal(plan, io) || plan.changes.length === 0;
  if (!idle) requireStdout("nothing was applied", io);
  const isApproval = !idle && pendingIn(plan.changes).length > 0;
  if (!isApproval || !isAsked) return { plan, isApproval };
  await confirm(plan, options, io);
  const again = (await judged?.()) ?? plan;
  if (noteRefusal(again, io))
    for (const row of [...policyRows(again), ...unknownRows(again)])
      io.stderr.write(rowText(row, paintWith(false)));
  return { plan: again, isApproval };
}

/** If a plan is refused, prints the reason. Returns whether the plan is refused. */
function noteRefusal(plan: Plan, io: Io): boolean {
  const refusal = refusalOf(plan);
  if (refusal === undefined) return false;
  const isUnknown = refusal === "policy" && !isStopped(plan);
  const why = isUnknown ? "could not determine whether the plan violates a policy" : obstacles[refusal];
  io.stderr.write(`Nothing was applied: ${why}.\n`);
  return true;
}

/** Whether a saved plan was refused: at least one operation is stale, and no operation was applied or skipped. */
function isRefused({ outcomes }: Report): boolean {
  const statuses = new Set(outcomes.map(({ status }) => status));
  return statuses.has("stale") && !statuses.has("applied") && !statuses.has("skipped");
}

const refusedText =
  "Nothing was applied: the catalog has changed since the plan was saved. Save a new plan, or use --allow-partial to apply only the changes that are not stale.";

async function confirm(plan: Plan, options: ApplyOptions, io: Io): Promise<void> {
  if (options.format !== "text") io.stderr.write(`${summaryLine(plan.summary)}\n`);
  const answer = await io.ask(`Apply these changes to ${serverName(plan)}? Only "yes" is accepted: `);
  if (answer.trim() !== "yes")
    throw new RunError("nothing was applied: the plan was not approved", "not-approved");
}
