import type { Plan, Shard } from "../model/plan.ts";
import type { Urn } from "../model/urn.ts";
import { summarise } from "./diff/summary.ts";
import { makesReferenceable, neededBy } from "./part.ts";
import { digestOf } from "./plan.ts";
import { shardOf } from "./shard.ts";

/**
 * What a plan changes in one shard, as a plan. What guards found is about the whole, and so is the number of unchanged
 * entities: a plan does not name them.
 */
export function shardOfPlan(plan: Plan, { index, of }: Shard): Plan {
  const isHeld = ({ urn }: { readonly urn: Urn }): boolean => shardOf(urn, of) === index;
  const changes = plan.changes.filter(isHeld);
  const unmanaged = plan.unmanaged.filter(isHeld);
  const summary = summarise(changes, plan.summary.unchanged, unmanaged, plan.findings);
  const cut = { ...plan, shard: { index, of }, changes, unmanaged, summary };
  return { ...cut, digest: digestOf(cut) };
}

/** What changes of a shard refer to, and changes of other shards create or restore: they must be applied before. */
export function awaitedBy(shard: Pick<Plan, "changes">, whole: Pick<Plan, "changes">): ReadonlySet<Urn> {
  const own = new Set(shard.changes);
  const others = whole.changes.filter((change) => !own.has(change));
  const coming = new Set(others.filter(makesReferenceable).map(({ urn }) => urn));
  return new Set(shard.changes.flatMap(neededBy).filter((urn) => coming.has(urn)));
}
