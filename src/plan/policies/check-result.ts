/** Summarizes the results of checking a catalog against all policies, and determines which policies fail. */

import type { PolicyCount, Waiver } from "../../model/catalog-policy.ts";
import type { PolicyTotals } from "../../model/plan.ts";
import type { PlanProblem } from "../../model/problem.ts";
import { isRestricted } from "../../model/restricted.ts";
import { isViolated, percentOf, type PolicyResult } from "./judge-policies.ts";
import { policyTotals } from "./findings.ts";

/** The verdicts of all policies for a catalog. */
export interface CheckResult {
  /** The server's identifier, in the same form as in plans. */
  readonly target: string;
  /** The time when the snapshot was created, in ISO 8601. Absent if no snapshot was checked. */
  readonly snapshot?: string;
  /** The URL of DataHub's web interface, if it is configured in the settings. */
  readonly links?: string;
  /** The time of the check, in ISO 8601. */
  readonly at: string;
  /** The results, one for each policy, sorted by policy id. */
  readonly policies: readonly PolicyResult[];
  readonly problems: readonly PlanProblem[];
}

/** The totals of all policies' verdicts, including the total number of verdicts and the number of passing verdicts. */
export interface CheckTotals extends PolicyTotals {
  readonly matched: number;
  readonly passes: number;
}

/** Computes the totals of a check from the counts of its policies. */
export function checkTotals(counts: readonly PolicyCount[]): CheckTotals {
  return {
    matched: counts.reduce((sum, { matched }) => sum + matched, 0),
    passes: counts.reduce((sum, { passes }) => sum + passes, 0),
    ...policyTotals(counts),
  };
}

/** Counts the entities that could not be evaluated because the token may not view them. */
export function restrictedOf({ policies }: CheckResult): number {
  const unknown = policies.flatMap((result) => result.unknown);
  return new Set(unknown.filter(({ reasons }) => reasons.some(isRestricted)).map(({ urn }) => urn)).size;
}

/** Whether the percentage of entities that pass a policy with the severity `error` is lower than the policy requires. */
export function isBelow(result: PolicyResult): boolean {
  const { severity, minPercent } = result.policy;
  return severity === "error" && minPercent !== undefined && percentOf(result) < minPercent;
}

/**
 * Whether a policy fails a check. It fails if there are introduced violations, if there are any violations and it has `fail_on:
 * any`, or if its coverage is too low.
 */
export function isFailed(result: PolicyResult): boolean {
  return isViolated(result) || isBelow(result);
}

/** Returns the unexpired waivers that do not waive any violation. `day` is a date in UTC. */
export function idleWaivers(
  waivers: readonly Waiver[],
  results: readonly PolicyResult[],
  day: string,
): readonly Waiver[] {
  const used = new Set(results.flatMap(({ waived }) => waived.map(({ waiver }) => waiver)));
  return waivers.filter((waiver) => waiver.expires >= day && !used.has(waiver));
}
