/** Assigns entities to shards by a hash of their URNs, and extracts the plan of one shard from a full plan. */

import { hash } from "node:crypto";
import type { PlannedChanges, Plan, Shard } from "../model/plan.ts";
import type { Urn } from "../model/urn.ts";
import { summarize } from "./diff/summary.ts";
import { createsOrRestores, entitiesNeededBy } from "./diff/part.ts";
import { isDefinitionUrn } from "./base/definitions.ts";
import { digestOf } from "./base/hash.ts";

/** The shard that creates and deletes entities. It contains all definitions and their memberships. */
export const definitionsShard = 1;

/**
 * Returns the shard of an entity. Definitions are in the first shard, because their changes must be applied in order. All other
 * entities are assigned by the SHA-256 digest of their URNs.
 */
export function shardOf(urn: Urn, of: number): number {
  if (isDefinitionUrn(urn)) return definitionsShard;
  // Uses 48 bits, which a JavaScript number can represent exactly.
  return (Number.parseInt(hash("sha256", urn, "hex").slice(0, 12), 16) % of) + 1;
}

/** Whether a shard contains the definitions and memberships. */
export function hasDefinitions({ index }: Shard): boolean {
  return index === definitionsShard;
}

/**
 * Returns a function that tests whether a URN belongs to a shard. `selected` contains the shard's assets. The first shard
 * contains every definition, whether declared or not.
 */
export function isInShard(shard: Shard, selected: ReadonlySet<Urn>): (urn: Urn) => boolean {
  return (urn) => (isDefinitionUrn(urn) ? hasDefinitions(shard) : selected.has(urn));
}

/** Returns the changes of one shard as a plan, with the full plan's findings and count of unchanged entities. */
export function shardOfPlan(plan: Plan, { index, of }: Shard): Plan {
  const isInside = ({ urn }: { readonly urn: Urn }): boolean => shardOf(urn, of) === index;
  const changes = plan.changes.filter(isInside);
  const unmanaged = plan.unmanaged.filter(isInside);
  const { policies, unchanged } = plan.summary;
  const counted = summarize(changes, unchanged, unmanaged, plan.findings);
  const summary = { ...counted, ...(policies && { policies }) };
  const cut = { ...plan, shard: { index, of }, changes, unmanaged, summary };
  return { ...cut, digest: digestOf(cut) };
}

/**
 * Returns the entities that this shard's changes need and that other shards create or restore. Those shards must be applied
 * first.
 */
export function awaitedBy(shard: PlannedChanges, all: PlannedChanges): ReadonlySet<Urn> {
  const own = new Set(shard.changes);
  const others = all.changes.filter((change) => !own.has(change));
  const coming = new Set(others.filter(createsOrRestores).map(({ urn }) => urn));
  return new Set(shard.changes.flatMap(entitiesNeededBy).filter((urn) => coming.has(urn)));
}
