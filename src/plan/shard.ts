import { hash } from "node:crypto";
import { isDefinitionKind, kindOfType } from "../kinds/index.ts";
import type { Plan, Shard } from "../model/plan.ts";
import { entityTypeOf, type Urn } from "../model/urn.ts";
import { summarise } from "./diff/summary.ts";
import { makesReferenceable, neededBy } from "./part.ts";
import { digestOf } from "./plan.ts";

/** The shard that creates and deletes: all definitions, with their memberships, are in it. */
const firstShard = 1;

/**
 * The shard of an entity, of so many. All definitions are in the first one, because the order of their changes matters;
 * the others are spread evenly by SHA-256 of the URN, wherever and whenever it is asked.
 */
export function shardOf(urn: Urn, of: number): number {
  if (isDefinitionUrn(urn)) return firstShard;
  // 48 bits: JavaScript has such a number exactly.
  return (Number.parseInt(hash("sha256", urn, "hex").slice(0, 12), 16) % of) + 1;
}

/** Whether a shard has the definitions and memberships. */
export function hasDefinitions({ index }: Shard): boolean {
  return index === firstShard;
}

/**
 * Says of any URN whether it belongs to a shard of which all declared entities were `selected`. No manifest need declare a
 * definition for that: a group that only users name belongs to the first shard, too.
 */
export function isInShard(shard: Shard, selected: ReadonlySet<Urn>): (urn: Urn) => boolean {
  return (urn) => (isDefinitionUrn(urn) ? hasDefinitions(shard) : selected.has(urn));
}

/**
 * What a plan changes in one shard, as a plan. What guards found is about the complete plan, and so is the number of unchanged
 * entities: a plan does not name them.
 */
export function shardOfPlan(plan: Plan, { index, of }: Shard): Plan {
  const isInside = ({ urn }: { readonly urn: Urn }): boolean => shardOf(urn, of) === index;
  const changes = plan.changes.filter(isInside);
  const unmanaged = plan.unmanaged.filter(isInside);
  const summary = summarise(changes, plan.summary.unchanged, unmanaged, plan.findings);
  const cut = { ...plan, shard: { index, of }, changes, unmanaged, summary };
  return { ...cut, digest: digestOf(cut) };
}

/** What changes of a shard refer to, and changes of other shards create or restore: they must be applied before. */
export function awaitedBy(shard: Pick<Plan, "changes">, all: Pick<Plan, "changes">): ReadonlySet<Urn> {
  const own = new Set(shard.changes);
  const others = all.changes.filter((change) => !own.has(change));
  const coming = new Set(others.filter(makesReferenceable).map(({ urn }) => urn));
  return new Set(shard.changes.flatMap(neededBy).filter((urn) => coming.has(urn)));
}

function isDefinitionUrn(urn: Urn): boolean {
  const kind = kindOfType(entityTypeOf(urn));
  return kind !== undefined && isDefinitionKind(kind.name);
}
