/** Merges the problems of several shards, and determines whether a plan's problems block deletions. */

import { canonicalJson } from "../model/json.ts";
import type { PlanProblems } from "../model/plan.ts";
import { type PlanProblem, sortProblems, traitOf } from "../model/problem.ts";

/** Merges the problems of all shards. A problem or reference that several shards report is included only once. */
export function mergedProblems(plans: readonly PlanProblems[]): readonly PlanProblem[] {
  const shardOf = new Map<PlanProblem, number>();
  for (const [shard, { problems = [] }] of plans.entries())
    for (const problem of problems) shardOf.set(problem, shard);
  const shardWith = new Map<string, number | undefined>();
  // Equal problems from the same shard are separate problems, because a shard never reports the same problem twice.
  return sortProblems([...shardOf.keys()]).filter((problem) => {
    const key = keyOf(problem);
    const shard = shardOf.get(problem);
    if (!shardWith.has(key)) shardWith.set(key, shard);
    return shardWith.get(key) === shard;
  });
}

/** Whether a plan contains no deletions because an entity could not be read. */
export function blocksDeletions({ problems = [] }: PlanProblems): boolean {
  return problems.some(({ code }) => traitOf(code) === "held-deletion");
}

/** Returns a key that identifies a problem: its reference, ignoring the position, if it has one; otherwise its content. */
function keyOf({ code, args, origin, related }: PlanProblem): string {
  const trait = traitOf(code);
  const isReference =
    trait === "absent-reference" || trait === "soft-deleted-reference" || trait === "unread";
  if (!isReference) return canonicalJson({ code, args, origin, related });
  const about: PlanProblem["args"] = args;
  const { urn = null, kind = null } = about as Readonly<Record<string, string | undefined>>;
  return canonicalJson({ code, urn, kind });
}
