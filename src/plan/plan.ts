/** Builds a plan from a comparison. Applies guards and policies, and adds the header, the summary and the digest. */

import type { LiftedViolation } from "../model/catalog-policy.ts";
import type {
  CountedChanges,
  CountedRules,
  Finding,
  GuardCounts,
  Plan,
  PlanHeader,
  PlanProblems,
} from "../model/plan.ts";
import type { Leftovers } from "../model/plan-scope.ts";
import type { LimitsByGuard } from "../model/settings.ts";
import { isRefusing, type PlanProblem, sortProblems } from "../model/problem.ts";
import type { Comparison } from "./compare.ts";
import { blockedBy, summarize } from "./diff/summary.ts";
import { digestOf } from "./base/hash.ts";
import { guardFindings, isOfGuard, withoutDefaults } from "./checks/guards/index.ts";
import { fightFindings, isOfFight, withMoreFights } from "./notes/fights.ts";
import { isOfPolicy, policyFindings, policyTotals } from "./policies/findings.ts";
import { liftedFindings } from "./policies/no-longer-stopped.ts";
import { countOf, type PolicyResult } from "./policies/judge-policies.ts";
import { applyMissingRule } from "./checks/missing.ts";
import type { FightRules, Refusals, PlannedPart } from "./base/policy.ts";

/** A plan without its header and digest. */
export interface PlanContent extends CountedChanges {
  readonly counts: GuardCounts;
  readonly problems: readonly PlanProblem[];
}

/** The policies' verdicts on the changes in a plan. */
export interface PolicyVerdicts {
  readonly results: readonly PolicyResult[];
  /**
   * Violations for which only the earlier policies would have stopped the plan. `isStrict` determines whether they still stop it.
   */
  readonly lifted?: readonly LiftedViolation[];
  readonly isStrict?: boolean | undefined;
}

/**
 * Applies the policies and, unless the plan is for a shard, the guards. If the `missing` rule is `skip`, problems about missing
 * entities become warnings.
 */
export function applyGuards(
  { counts, changes, unchanged, unmanaged, problems: found, rules = [] }: Comparison & CountedRules,
  { missing, limits, shard }: Refusals & PlannedPart,
  { results, lifted = [], isStrict = false }: PolicyVerdicts = { results: [] },
): PlanContent {
  const { problems, findings: absent } = applyMissingRule(sortProblems(found), missing);
  const ofGuards = shard ? [] : guardFindings({ changes, counts }, limits);
  const ofPolicies = [...policyFindings(results), ...liftedFindings(lifted, isStrict)];
  const findings = [...absent, ...ofPolicies, ...fightFindings(changes), ...ofGuards];
  const policies = results.map(countOf);
  const summary = {
    ...summarize(changes, unchanged, unmanaged, findings),
    ...(policies.length > 0 && { policies: policyTotals(policies) }),
  };
  return {
    limits: withoutDefaults(limits),
    summary,
    rules,
    policies,
    ...(lifted.length > 0 && { noLongerStopped: lifted }),
    ...(isStrict && { strictPolicies: true }),
    changes,
    counts,
    findings,
    unmanaged,
    problems,
  };
}

/** The leftovers and display names that a plan shows in addition to its content. The digest does not cover them. */
interface Supplements {
  readonly left?: Leftovers | undefined;
  readonly names?: Plan["names"];
}

/** Combines a header and content into a plan, and adds the digest. */
export function planOf(header: PlanHeader, content: PlanContent, { left, names }: Supplements = {}): Plan {
  const { tool, createdAt, target, git, scope, writes, shard, links, owners = [] } = header;
  const { settingsChanges, policyChanges } = header;
  const {
    limits,
    counts,
    summary,
    rules = [],
    policies = [],
    noLongerStopped,
    strictPolicies,
    changes,
    findings,
    unmanaged,
    problems,
  } = content;
  return {
    formatVersion: "1",
    tool,
    createdAt,
    target,
    git,
    ...(scope && { scope: left ? { ...scope, left } : scope }),
    ...(writes && { writes }),
    ...(shard && { shard }),
    ...(links !== undefined && { links }),
    ...(owners.length > 0 && { owners }),
    limits,
    ...(Object.keys(counts).length > 0 && { counts }),
    digest: digestOf({ formatVersion: "1", target, limits, changes, findings, policies }),
    summary,
    ...(rules.length > 0 && { rules }),
    ...(policies.length > 0 && { policies }),
    ...(noLongerStopped && { noLongerStopped }),
    ...(strictPolicies && { strictPolicies }),
    changes,
    findings,
    unmanaged,
    ...(problems.length > 0 && { problems }),
    ...(names && { names }),
    ...(settingsChanges && { settingsChanges }),
    ...(policyChanges && { policyChanges }),
  };
}

/** Checks a plan against different guard limits, and returns the plan with the new findings. */
export function withLimits(given: LimitsByGuard, plan: Plan): Plan {
  const limits = withoutDefaults(given);
  const { changes, counts = {} } = plan;
  const findings = withFindings(plan, isOfGuard, guardFindings({ changes, counts }, limits));
  const judged = { ...plan, limits, findings, summary: { ...plan.summary, blocked: blockedBy(findings) } };
  return { ...judged, digest: digestOf(judged) };
}

/** Returns the plan with different policy verdicts. */
export function withVerdicts(results: readonly PolicyResult[], plan: Plan): Plan {
  const { noLongerStopped = [], strictPolicies = false } = plan;
  const ofPolicies = [...policyFindings(results), ...liftedFindings(noLongerStopped, strictPolicies)];
  const findings = withFindings(plan, isOfPolicy, ofPolicies);
  const policies = results.map(countOf);
  const totals = { ...plan.summary, blocked: blockedBy(findings), policies: policyTotals(policies) };
  const judged = { ...plan, findings, policies, summary: totals };
  return { ...judged, digest: digestOf(judged) };
}

/** Returns a plan in which values that are now part of a fight are also held back. The plan can be new or saved. */
export function withFightsNow(rules: FightRules, plan: Plan): Plan {
  const changes = withMoreFights(plan, rules);
  const { summary } = plan;
  const findings = withFindings(plan, isOfFight, fightFindings(changes));
  const counted = summarize(changes, summary.unchanged, plan.unmanaged, findings);
  const judged = { ...plan, changes, findings, summary: { ...summary, ...counted } };
  return { ...judged, digest: digestOf(judged) };
}

/** Replaces all findings of one type. Preserves the order of findings in plans. */
function withFindings(
  { findings }: Plan,
  isOfSort: (finding: Finding) => boolean,
  others: readonly Finding[],
): readonly Finding[] {
  const all = [...findings.filter((finding) => !isOfSort(finding)), ...others];
  const sorts = [isOfPolicy, isOfFight, isOfGuard];
  const absent = all.filter((finding) => !sorts.some((isOf) => isOf(finding)));
  return [...absent, ...sorts.flatMap((isOf) => all.filter(isOf))];
}

/**
 * Returns the problems that prevent an apply. Problems about unreadable entities are not included, because they do not affect
 * other entities.
 */
export function refusingProblems({ problems = [] }: PlanProblems): readonly PlanProblem[] {
  return problems.filter(isRefusing);
}
