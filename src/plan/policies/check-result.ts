/** Summarizes the results of checking all policies against a catalog, and decides which policies fail. */

import type { Waiver } from "../../model/catalog-policy.ts";
import type { PolicyTotals } from "../../model/plan.ts";
import type { PlanProblem } from "../../model/problem.ts";
import { isRestricted } from "../../model/restricted.ts";
import { countOf, isViolated, percentOf, type PolicyResult } from "./judge-policies.ts";
import { policyTotals } from "./findings.ts";

/** All policies' verdicts about a catalog. */
export interface CheckResult {
  /** The server, as plans name it. */
  readonly target: string;
  /** If a snapshot was checked, the time when it was created, in ISO 8601. */
  readonly snapshot?: string;
  /** The address of DataHub's web interface, if the settings name it. */
  readonly links?: string;
  /** The time of the check, in ISO 8601. */
  readonly at: string;
  /** The results, one for each policy, sorted by id. */
  readonly policies: readonly PolicyResult[];
  readonly problems: readonly PlanProblem[];
}

/** The total verdicts of all policies, including the number of all verdicts and of passing verdicts. */
export interface CheckTotals extends PolicyTotals {
  readonly matched: number;
  readonly passes: number;
}

/** Computes a check's totals. */
export function checkTotals({ policies }: { readonly policies: readonly PolicyResult[] }): CheckTotals {
  const counts = policies.map(countOf);
  return {
    matched: counts.reduce((sum, { matched }) => sum + matched, 0),
    passes: counts.reduce((sum, { passes }) => sum + passes, 0),
    ...policyTotals(counts),
  };
}

/** Counts the entities that no policy could evaluate, because the token may not view them. */
export function restrictedOf({ policies }: CheckResult): number {
  const unknown = policies.flatMap((result) => result.unknown);
  return new Set(unknown.filter(({ reasons }) => reasons.some(isRestricted)).map(({ urn }) => urn)).size;
}

/** Whether fewer entities pass than a policy with the severity `error` requires. */
export function isBelow(result: PolicyResult): boolean {
  const { severity, minPercent } = result.policy;
  return severity === "error" && minPercent !== undefined && percentOf(result) < minPercent;
}

/** Whether a policy fails a check: by introduced violations, by any violation with `fail_on: any`, or by its coverage. */
export function isFailed(result: PolicyResult): boolean {
  return isViolated(result) || isBelow(result);
}

/** Returns the waivers that waive nothing although they have not expired. `day` is in UTC. */
export function idleWaivers(
  waivers: readonly Waiver[],
  results: readonly PolicyResult[],
  day: string,
): readonly Waiver[] {
  const used = new Set(results.flatMap(({ waived }) => waived.map(({ waiver }) => waiver)));
  return waivers.filter((waiver) => waiver.expires >= day && !used.has(waiver));
}
