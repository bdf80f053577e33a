/** Turns policy results into findings and totals for a plan, and determines whether policies stop the plan. */

import type { PolicyCount } from "../../model/catalog-policy.ts";
import type { Finding, PolicyTotals } from "../../model/plan.ts";
import { byPlace, type PolicyResult, stoppingIn } from "./judge-policies.ts";

/** The guard name in findings about policies. */
export const policyGuard = "policy";

/** Whether a finding was produced by a policy. */
export function isOfPolicy({ guard }: Finding): boolean {
  return guard === policyGuard;
}

/** Adds up the counts of one policy in several plans. No entity is in more than one plan. */
export function addedPolicies(first: PolicyCount, all: readonly PolicyCount[]): PolicyCount {
  const total = (numberOf: (policy: PolicyCount) => number): number =>
    all.reduce((sum, policy) => sum + numberOf(policy), 0);
  return {
    ...first,
    matched: total(({ matched }) => matched),
    passes: total(({ passes }) => passes),
    introduced: all.flatMap(({ introduced }) => introduced).toSorted(byPlace),
    fixed: all.flatMap(({ fixed }) => fixed).toSorted(byPlace),
    existing: total(({ existing }) => existing),
    waived: total(({ waived }) => waived),
    unknown: total(({ unknown }) => unknown),
    unknownEntities: all.flatMap(({ unknownEntities = [] }) => unknownEntities).toSorted(byPlace),
  };
}

/** Whether policies stop a plan. */
export function isStopped({ findings }: { readonly findings: readonly Finding[] }): boolean {
  return findings.some((finding) => isOfPolicy(finding) && finding.severity === "error");
}

/**
 * Whether the policy verdicts on a plan are incomplete, because a policy that can stop the plan could not be evaluated for some
 * entities.
 */
export function isUndecided({ policies = [] }: { readonly policies?: readonly PolicyCount[] }): boolean {
  return policies.some(({ severity, unknown }) => severity === "error" && unknown > 0);
}

/** Adds up the verdicts of all policies. */
export function policyTotals(policies: readonly PolicyCount[]): PolicyTotals {
  const total = (numberOf: (policy: PolicyCount) => number): number =>
    policies.reduce((sum, policy) => sum + numberOf(policy), 0);
  return {
    introduced: total(({ introduced }) => introduced.length),
    fixed: total(({ fixed }) => fixed.length),
    existing: total(({ existing }) => existing),
    waived: total(({ waived }) => waived),
    unknown: total(({ unknown }) => unknown),
  };
}

/** Returns a finding for each policy that stops a plan, with the number of violations and the violating entities. */
export function policyFindings(results: readonly PolicyResult[]): readonly Finding[] {
  return results.flatMap((result): readonly Finding[] => {
    const stopping = stoppingIn(result);
    if (stopping.length === 0) return [];
    const changes = [...new Set(stopping.map(({ urn }) => urn))].map((urn) => ({ urn }));
    const numbers = { violations: stopping.length };
    const rule = result.policy.id;
    return [{ guard: policyGuard, severity: "error", rule, numbers, flag: "", setting: "", changes }];
  });
}
