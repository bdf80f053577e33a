/** Reports violations that would have stopped a plan under the earlier policies but do not stop it under the current policies. */

import type { LiftedViolation } from "../../model/catalog-policy.ts";
import type { Finding } from "../../model/plan.ts";
import { groupBy } from "../../model/group-by.ts";
import { policyGuard } from "./findings.ts";
import { byPlace, type PolicyResult, stoppingIn } from "./judge-policies.ts";

/** Returns violations that stop a plan under the earlier policies but not under the current policies. */
export function noLongerStoppedViolations(
  before: readonly PolicyResult[],
  now: readonly PolicyResult[],
): readonly LiftedViolation[] {
  const stopping = new Set(now.flatMap(liftableIn).map(placeKey));
  return before
    .flatMap(liftableIn)
    .filter((each) => !stopping.has(placeKey(each)))
    .toSorted(byPlace);
}

function liftableIn(result: PolicyResult): readonly LiftedViolation[] {
  return stoppingIn(result).map((violation) => ({ ...violation, policy: result.policy.id }));
}

function placeKey({ policy, urn, column }: LiftedViolation): string {
  return JSON.stringify([policy, urn, column]);
}

/** Returns a finding for each policy that would have stopped the plan, with the number of violations. */
export function liftedFindings(lifted: readonly LiftedViolation[], isStrict: boolean): readonly Finding[] {
  return [...groupBy(lifted, ({ policy }) => policy)].map(([rule, own]) => ({
    guard: policyGuard,
    severity: isStrict ? "error" : "warning",
    rule,
    numbers: { noLongerStopped: own.length },
    flag: "",
    setting: "policies.strict",
    changes: [...new Set(own.map(({ urn }) => urn))].map((urn) => ({ urn })),
  }));
}
