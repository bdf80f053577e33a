import { hash } from "node:crypto";
import { isDefinitionKind, kindOfType } from "../kinds/index.ts";
import type { Shard } from "../model/plan.ts";
import { entityTypeOf, type Urn } from "../model/urn.ts";

/** The shard that creates and deletes: all definitions, with their memberships, are in it. */
const firstShard = 1;

/**
 * The shard of an entity, of so many. All definitions are in the first one, because the order of their changes matters;
 * the others are spread evenly by SHA-256 of the URN, wherever and whenever it is asked.
 */
export function shardOf(urn: Urn, of: number): number {
  if (isDefinitionUrn(urn)) return firstShard;
  // 48 bits: a number that JavaScript holds exactly.
  return (Number.parseInt(hash("sha256", urn, "hex").slice(0, 12), 16) % of) + 1;
}

/** Whether a shard holds the definitions and memberships. */
export function holdsDefinitions({ index }: Shard): boolean {
  return index === firstShard;
}

/**
 * Says of any URN whether it belongs to a shard of which all declared entities were `selected`. No manifest need declare a
 * definition for that: a group that only users name belongs to the first shard, too.
 */
export function heldBy(shard: Shard, selected: ReadonlySet<Urn>): (urn: Urn) => boolean {
  return (urn) => (isDefinitionUrn(urn) ? holdsDefinitions(shard) : selected.has(urn));
}

function isDefinitionUrn(urn: Urn): boolean {
  const kind = kindOfType(entityTypeOf(urn));
  return kind !== undefined && isDefinitionKind(kind.name);
}
