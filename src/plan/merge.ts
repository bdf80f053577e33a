/** Merges the plans of all shards into the full plan. */

import { compareText } from "../model/json.ts";
import type { Change } from "../model/change.ts";
import type { Finding, GuardCounts, Plan } from "../model/plan.ts";
import type { RuleCount } from "../model/rule-count.ts";
import type { Leftovers } from "../model/plan-scope.ts";
import type { PolicyCount } from "../model/catalog-policy.ts";
import { groupBy } from "../model/group-by.ts";
import { fightFindings } from "./notes/fights.ts";
import { addedPolicies, isOfPolicy, policyTotals } from "./policies/findings.ts";
import { byPlace } from "./policies/judge-policies.ts";
import { liftedFindings } from "./policies/no-longer-stopped.ts";
import { guardFindings } from "./checks/guards/index.ts";
import { facetsWithRemovals } from "./checks/guards/removals.ts";
import { namesFor, urnsShown } from "./notes/names.ts";
import { summarize } from "./diff/summary.ts";
import { orderUnmanaged } from "./diff/unmanaged.ts";
import { isShardPlan, mergeFault, type MergeFault } from "./merge-fault.ts";
import { mergedProblems } from "./merged-problems.ts";
import { orderChanges } from "./base/changes.ts";
import { planOf } from "./plan.ts";
import type { Urn } from "../model/urn.ts";

/**
 * Merges the plans of all shards, and checks the guards. All plans must have the same commit, target and settings. Otherwise,
 * returns the reason why they cannot be merged.
 */
export function mergePlans(plans: readonly Plan[]): { readonly plan: Plan } | MergeFault {
  const other = plans.findIndex((plan) => !isShardPlan(plan));
  const shards = plans.filter(isShardPlan);
  const [first] = shards;
  if (!first || other >= 0) return { fault: "no-shard", plan: Math.max(other, 0) };
  const fault = mergeFault(shards, first);
  if (fault) return fault;
  const inOrder = shards.toSorted((a, b) => a.shard.index - b.shard.index);
  return { plan: merged(first, inOrder) };
}

function merged(first: Plan, plans: readonly Plan[]): Plan {
  const { shard: _, limits, ...header } = first;
  const changes = ordered(plans.flatMap((plan) => plan.changes));
  const unmanaged = orderUnmanaged(plans.flatMap((plan) => plan.unmanaged));
  const counts = countsOf(first, plans, facetsWithRemovals(changes));
  const { strictPolicies } = first;
  const lifted = plans.flatMap(({ noLongerStopped = [] }) => noLongerStopped).toSorted(byPlace);
  const findings = [
    ...missingIn(plans),
    ...policyFindingsIn(plans),
    ...liftedFindings(lifted, strictPolicies === true),
    ...fightFindings(changes),
    ...guardFindings({ changes, counts }, limits),
  ];
  const unchanged = sum(plans, ({ summary }) => summary.unchanged);
  const policies = policiesIn(plans);
  const summary = {
    ...summarize(changes, unchanged, unmanaged, findings),
    ...(policies.length > 0 && { policies: policyTotals(policies) }),
  };
  const problems = mergedProblems(plans);
  // The merged plan is only as recent as its oldest shard.
  const createdAt = plans.map((plan) => plan.createdAt).toSorted(compareText)[0] ?? first.createdAt;
  const rules = rulesIn(plans);
  const owners = [...new Set(plans.flatMap((plan) => plan.owners ?? []))].toSorted();
  const content = {
    limits,
    counts,
    summary,
    rules,
    policies,
    ...(lifted.length > 0 && { noLongerStopped: lifted }),
    ...(strictPolicies && { strictPolicies }),
    changes,
    findings,
    unmanaged,
    problems,
  };
  const names = namesFor(urnsShown(content), namesOf(plans));
  return planOf({ ...header, owners, createdAt }, content, { left: leftIn(plans), names });
}

/** Sorts all changes into plan order. Only the first shard contains deletions, and their order is preserved. */
function ordered(changes: readonly Change[]): readonly Change[] {
  const others = changes.filter(({ action }) => action !== "delete");
  return [...orderChanges(others), ...changes.filter(({ action }) => action === "delete")];
}

function countsOf(first: Plan, plans: readonly Plan[], facets: readonly string[]): GuardCounts {
  const of = (facet: string): number => sum(plans, ({ counts }) => counts?.existing?.[facet] ?? 0);
  const existing = Object.fromEntries(facets.map((facet) => [facet, of(facet)]));
  const vanished = first.counts?.vanished;
  return { ...(facets.length > 0 && { existing }), ...(vanished && { vanished }) };
}

/** Merges the `missing` findings of all shards into one finding. */
function missingIn(plans: readonly Plan[]): readonly Finding[] {
  const found = plans.flatMap(({ findings }) => findings.filter((finding) => finding.guard === "missing"));
  const [first] = found;
  if (!first) return [];
  const numbers = Object.keys(first.numbers).map(
    (name) => [name, sum(found, (each) => each.numbers[name] ?? 0)] as const,
  );
  return [{ ...first, numbers: Object.fromEntries(numbers) }];
}

/** Merges the shards' findings about violations into one finding for each policy. No entity is in more than one shard. */
function policyFindingsIn(plans: readonly Plan[]): readonly Finding[] {
  const found = plans
    .flatMap(({ findings }) => findings.filter(isOfPolicy))
    .filter(({ numbers }) => Object.hasOwn(numbers, "violations"));
  return [...groupBy(found, ({ rule }) => rule)]
    .toSorted(([a = ""], [b = ""]) => compareText(a, b))
    .flatMap(([, [first, ...others]]) => {
      if (!first) return [];
      const all = [first, ...others];
      const violations = sum(all, ({ numbers }) => numbers["violations"] ?? 0);
      return [{ ...first, numbers: { violations }, changes: all.flatMap(({ changes }) => changes) }];
    });
}

function policiesIn(plans: readonly Plan[]): readonly PolicyCount[] {
  const all = plans.flatMap(({ policies = [] }) => policies);
  return [...groupBy(all, ({ id }) => id)]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([, counts]) => {
      const [first] = counts;
      return first ? [addedPolicies(first, counts)] : [];
    });
}

/** Adds up the counts of each rule. No asset is in more than one shard, so no asset is counted twice. */
function rulesIn(plans: readonly Plan[]): readonly RuleCount[] {
  const byId = new Map<string, RuleCount>();
  for (const rule of plans.flatMap(({ rules = [] }) => rules)) {
    const before = byId.get(rule.id);
    const { matchedInPart } = rule;
    byId.set(rule.id, before ? addCounts(before, rule) : { ...rule, matched: matchedInPart });
  }
  return [...byId.values()].toSorted((a, b) => compareText(a.id, b.id));
}

function addCounts(first: RuleCount, second: RuleCount): RuleCount {
  const matched = first.matchedInPart + second.matchedInPart;
  return {
    ...first,
    ...second,
    matched,
    matchedInPart: matched,
    changed: first.changed + second.changed,
    // All shards have the same rules, so they list the values in the same order.
    values: first.values.map((value, index) => {
      const other = second.values[index] ?? { on: 0, new: 0, overruled: 0 };
      return {
        ...value,
        on: value.on + other.on,
        new: value.new + other.new,
        overruled: value.overruled + other.overruled,
      };
    }),
  };
}

function leftIn(plans: readonly Plan[]): Leftovers | undefined {
  const all = plans.flatMap(({ scope }) => scope?.left ?? []);
  if (all.length === 0) return undefined;
  const entities = all.flatMap((left) => left.entities).toSorted(compareText);
  const dormant = orderUnmanaged(all.flatMap((left) => left.away ?? []));
  const values = sum(all, (left) => left.values);
  return { entities, values, ...(dormant.length > 0 && { away: dormant }) };
}

function namesOf(plans: readonly Plan[]): ReadonlyMap<Urn, string> {
  // The cast is safe because the keys of `names` are URNs.
  return new Map(plans.flatMap(({ names = {} }) => Object.entries(names) as [Urn, string][]));
}

function sum<T>(all: readonly T[], numberOf: (each: T) => number): number {
  return all.reduce((total, each) => total + numberOf(each), 0);
}
