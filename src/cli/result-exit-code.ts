/** Computes exit codes for plans, checks, drift, pulls and reports. */

import { isError, traitOf } from "../model/problem.ts";
import type { Plan, PlanProblems } from "../model/plan.ts";
import type { Outcome, Report } from "../model/report.ts";
import { hasOpenConflict } from "../model/conflicts.ts";
import { planHasValuesHeldBack, pendingIn } from "../model/held-back.ts";
import { isBlocked, isOfGuard } from "../plan/checks/guards/index.ts";
import { type CheckResult, isFailed } from "../plan/policies/check-result.ts";
import { isOfFight } from "../plan/notes/fights.ts";
import { isStopped } from "../plan/policies/findings.ts";
import { refusingProblems } from "../plan/plan.ts";
import { countDrift } from "../report/document/notes.ts";
import { type ExitCode, exitCodes, highestPrecedence } from "./exit-code.ts";

/**
 * Returns the exit code for a plan. The code shows whether anything blocks an apply and, with `detailed`, whether there are
 * changes to apply.
 */
export function exitCodeOfPlan(plan: Plan, detailed = false): ExitCode {
  return highestPrecedence([
    exitCodeOfProblems(plan),
    (hasOpenConflict(plan) || planHasValuesHeldBack(plan) || hasMoved(plan)) && exitCodes.conflict,
    isBlocked(plan) && exitCodes.blocked,
    isStopped(plan) && exitCodes.violated,
    (plan.summary.policies?.unknown ?? 0) > 0 && exitCodes.error,
    detailed && pendingIn(plan.changes).length > 0 && exitCodes.changes,
  ]);
}

/** Whether a rollback keeps a value because someone changed it after the run. */
function hasMoved({ problems = [] }: Plan): boolean {
  return problems.some(({ code }) => traitOf(code) === "moved");
}

/** Returns the exit code for a check: 4 if a policy fails, 1 if a result is unknown. */
export function exitCodeOfCheck({ policies, problems }: CheckResult): ExitCode {
  return highestPrecedence([
    exitCodeOfProblems({ problems }),
    policies.some(({ unknown }) => unknown.length > 0) && exitCodes.error,
    policies.some(isFailed) && exitCodes.violated,
  ]);
}

/** Returns the exit code for drift: 2 if anything has changed or is missing. Ignores guards and conflicts. */
export function exitCodeOfDrift(plan: Plan): ExitCode {
  const { changed, missing } = countDrift(plan.changes);
  return highestPrecedence([exitCodeOfProblems(plan), changed + missing > 0 && exitCodes.changes]);
}

/** Returns the exit code for a pull: 6 if anything was skipped, such as an entity that is missing from the catalog. */
export function exitCodeOfPull(plan: Plan, hasLeft: boolean): ExitCode {
  const isPartial = hasLeft || plan.findings.some((finding) => !isOfGuard(finding) && !isOfFight(finding));
  return highestPrecedence([exitCodeOfProblems(plan), isPartial && exitCodes.conflict]);
}

/** Returns the exit code for a plan's problems: 3 if they make the plan unusable, 1 if the plan is incomplete. */
export function exitCodeOfProblems(plan: PlanProblems): ExitCode {
  if (refusingProblems(plan).length > 0) return exitCodes.invalid;
  return plan.problems?.some(isError) ? exitCodes.error : exitCodes.done;
}

/**
 * Returns the exit code for a report: 1 if the apply stopped or was not verified, 7 for failed operations, 6 for stale or
 * deferred operations.
 */
export function exitCodeOfReport({ outcomes, stopped, unproved }: Report): ExitCode {
  const has = (status: Outcome["status"]): boolean => outcomes.some((outcome) => outcome.status === status);
  return highestPrecedence([
    (stopped !== undefined || unproved !== undefined) && exitCodes.error,
    has("failed") && exitCodes.failed,
    (has("stale") || outcomes.some(isAwaiting)) && exitCodes.conflict,
  ]);
}

function isAwaiting(outcome: Outcome): boolean {
  return outcome.status === "skipped" && outcome.isAwaiting === true;
}
