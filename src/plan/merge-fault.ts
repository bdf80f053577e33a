/** Checks whether the plans of shards can be merged: whether no shard is missing, and whether their inputs are the same. */

import { canonicalJson, compareText, isJsonObject } from "../model/json.ts";
import type { Plan, PlanShard } from "../model/plan.ts";
import { limitsFrom } from "./checks/guards/index.ts";
import { blocksDeletions } from "./merged-problems.ts";

/** The reason why plans cannot be merged. `plan` and `plans` are positions in the list of plans. */
export type MergeFault =
  | { readonly fault: "no-shard"; readonly plan: number }
  | { readonly fault: "other-number"; readonly plan: number; readonly of: readonly [number, number] }
  | { readonly fault: "twice"; readonly plans: readonly [number, number]; readonly shard: PlanShard }
  | { readonly fault: "missing"; readonly shards: readonly number[]; readonly of: number }
  | { readonly fault: "different"; readonly plan: number; readonly difference: Difference }
  | { readonly fault: "held"; readonly plan: number };

/** A key path at which two plans differ but must not, and the JSON text of both values. */
export interface Difference {
  readonly at: string;
  readonly first: string;
  readonly other: string;
}

/** The plan of a shard that was planned on its own rather than extracted from a full plan. */
type ShardPlan = Plan & { readonly shard: Required<PlanShard> };

/** Whether a plan is the plan of a shard. */
export function isShardPlan(plan: Plan): plan is ShardPlan {
  return plan.shard?.inputs !== undefined;
}

/** Returns the reason why the plans of shards cannot be merged with the first of them. */
export function mergeFault(plans: readonly ShardPlan[], first: ShardPlan): MergeFault | undefined {
  const { of } = first.shard;
  return ofOtherNumber(plans, of) ?? incomplete(plans, of) ?? different(plans, first);
}

function ofOtherNumber(plans: readonly ShardPlan[], of: number): MergeFault | undefined {
  const plan = plans.findIndex(({ shard }) => shard.of !== of);
  const other = plans[plan];
  return other && { fault: "other-number", plan, of: [of, other.shard.of] };
}

function incomplete(plans: readonly ShardPlan[], of: number): MergeFault | undefined {
  const places = new Map<number, number>();
  for (const [plan, { shard }] of plans.entries()) {
    const before = places.get(shard.index);
    if (before !== undefined) return { fault: "twice", plans: [before, plan], shard };
    places.set(shard.index, plan);
  }
  const shards = Array.from({ length: of }, (_, at) => at + 1).filter((index) => !places.has(index));
  return shards.length > 0 ? { fault: "missing", shards, of } : undefined;
}

function different(plans: readonly ShardPlan[], first: ShardPlan): MergeFault | undefined {
  for (const [plan, other] of plans.entries()) {
    const difference = differenceIn(commonIn(first), commonIn(other), "");
    if (difference) return { fault: "different", plan, difference };
  }
  // Unread entities in one shard may refer to entities that a different shard deletes.
  const plan = plans.findIndex(blocksDeletions);
  return plan >= 0 && !plans.every(blocksDeletions) ? { fault: "held", plan } : undefined;
}

/** Returns the fields that must be equal in all shards of a plan. */
function commonIn(plan: ShardPlan): object {
  const {
    createdAt: _at,
    digest: _digest,
    changes: _changes,
    findings: _findings,
    names: _names,
    rules: _rules,
    policies: _policies,
    noLongerStopped: _noLongerStopped,
    owners: _owners,
    ...more
  } = plan;
  const { summary: _summary, unmanaged: _unmanaged, problems: _problems, counts, shard, ...header } = more;
  const { left: _left, ...scope } = header.scope ?? {};
  const limits = limitsFrom(header.limits);
  return { ...header, limits, scope, inputs: shard.inputs, vanished: counts?.vanished };
}

function differenceIn(first: unknown, other: unknown, at: string): Difference | undefined {
  if (isJsonObject(first) && isJsonObject(other)) {
    const keys = [...new Set([...Object.keys(first), ...Object.keys(other)])].toSorted(compareText);
    for (const key of keys) {
      const found = differenceIn(first[key], other[key], at === "" ? key : `${at}.${key}`);
      if (found) return found;
    }
    return undefined;
  }
  const [one, two] = [canonicalJson(first ?? null), canonicalJson(other ?? null)];
  return one === two ? undefined : { at, first: one, other: two };
}
