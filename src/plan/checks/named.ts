import { groupBy } from "../../model/group-by.ts";
import { entityTypeOf, keyOf, plainKeyOf, type Urn } from "../../model/urn.ts";

/** Entities by type and display name. */
export type EntitiesByName = ReadonlyMap<string, readonly Urn[]>;

/** Entities by the display names that they have. Case, and white space around a name, do not count. */
export function entitiesByName(names: Iterable<readonly [Urn, string]>): EntitiesByName {
  const entries = groupBy([...names], ([urn, name]) => key(urn, name));
  return new Map([...entries].map(([name, those]) => [name, those.map(([urn]) => urn)]));
}

/**
 * What a problem tells of a reference that leads nowhere, where a display name was written in place of an id: which ids
 * have it. It is the suggestion where there is one.
 */
export function namedAs(
  urn: Urn,
  entities: EntitiesByName,
): { readonly named?: readonly string[]; readonly suggestion?: string } {
  const named = (entities.get(key(urn, plainKeyOf(urn))) ?? []).map(keyOf).toSorted();
  const [id, ...others] = named;
  if (id === undefined) return {};
  return others.length === 0 ? { named, suggestion: id } : { named };
}

function key(urn: Urn, name: string): string {
  return `${entityTypeOf(urn)} ${name.trim().toLowerCase()}`;
}
