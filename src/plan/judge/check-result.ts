import type { Waiver } from "../../model/catalog-policy.ts";
import type { PolicyTotals } from "../../model/plan.ts";
import type { PlanProblem } from "../../model/problem.ts";
import { isRestricted } from "../../model/restricted.ts";
import { countOf, isViolated, percentOf, type PolicyResult } from "./judge-policies.ts";
import { policyTotals } from "./findings.ts";

/** What all policies say of a catalog. */
export interface CheckResult {
  /** The server, as plans name it. */
  readonly target: string;
  /** Where a snapshot was judged, when it was taken, as an ISO 8601 instant. */
  readonly snapshot?: string;
  /** The address of DataHub's web interface, where the settings name it. */
  readonly links?: string;
  /** The instant of the check, in ISO 8601. */
  readonly at: string;
  /** One for each policy, in the order of their ids. */
  readonly policies: readonly PolicyResult[];
  readonly problems: readonly PlanProblem[];
}

/** The verdicts of all policies together, and how many there are. */
export interface CheckTotals extends PolicyTotals {
  readonly matched: number;
  readonly passes: number;
}

/** The verdicts of a check together. */
export function checkTotals({ policies }: Pick<CheckResult, "policies">): CheckTotals {
  const counts = policies.map(countOf);
  return {
    matched: counts.reduce((sum, { matched }) => sum + matched, 0),
    passes: counts.reduce((sum, { passes }) => sum + passes, 0),
    ...policyTotals(counts),
  };
}

/** How many entities no policy could judge, because the token may not view them. */
export function restrictedOf({ policies }: Pick<CheckResult, "policies">): number {
  const unknown = policies.flatMap((result) => result.unknown);
  return new Set(unknown.filter(({ reasons }) => reasons.some(isRestricted)).map(({ urn }) => urn)).size;
}

/** Whether fewer pass than a policy requires. */
export function isBelow(result: PolicyResult): boolean {
  const { severity, minPercent } = result.policy;
  return severity === "error" && minPercent !== undefined && percentOf(result) < minPercent;
}

/** Whether a policy makes a check fail: by what is introduced, by any violation where it says so, or by its coverage. */
export function isFailed(result: PolicyResult): boolean {
  return isViolated(result) || isBelow(result);
}

/** The waivers that waive nothing, though they have not expired. `day` is in UTC. */
export function idleWaivers(
  waivers: readonly Waiver[],
  results: readonly PolicyResult[],
  day: string,
): readonly Waiver[] {
  const used = new Set(results.flatMap(({ waived }) => waived.map(({ waiver }) => waiver)));
  return waivers.filter((waiver) => waiver.expires >= day && !used.has(waiver));
}
