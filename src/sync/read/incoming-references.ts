/** Searches for entities that refer to other entities, or use them as values. */

import type { Facet } from "../../facets/facet.ts";
import { facetsOf } from "../../facets/index.ts";
import { kindOf, kinds } from "../../kinds/index.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import { chunks } from "../../model/group-by.ts";
import { leavesOf } from "../../model/place.ts";
import type { EntityKey, FacetValue } from "../../model/state.ts";
import { isUrn, keyOf, type Urn } from "../../model/urn.ts";
import { textsIn } from "../../plan/base/values.ts";
import type { Reader } from "../../datahub/client.ts";
import { entityToRead, stateOf } from "./entities-to-read.ts";
import { readLive } from "./live-state.ts";
import type { Abortable, ReadOptions } from "./read-batches.ts";
import { type Found, type Search, searchAll } from "./search.ts";
import { valuesOf } from "../../model/values.ts";

/**
 * Number of entities in a search. It is large because few entities have referrers, and an apply checks all entities that it
 * creates.
 */
const entitiesOfASearch = 500;

/** Maximum number of referrers of each kind in a search. This is enough to show whether the number of references decreases. */
const maxReferrers = 500;

/**
 * Counts the referrers of each entity, even if the entity does not exist. Leaves out entities without referrers. Finds referrers
 * in the search index, and checks them against their own facets. The index lags, and it drops relationships as soon as it drops
 * the entity that they point to (ElasticSearchGraphService.removeNode).
 */
export async function countReferrers(
  reader: Reader,
  entities: readonly EntityKey[],
  options: ReadOptions,
): Promise<ReadonlyMap<Urn, number>> {
  const searches = chunks(entities, entitiesOfASearch).flatMap(searchesFor);
  // One request covers all kinds.
  const found = await searchAll(reader, searches, { ...options, batch: kinds.length });
  const referrers = stateOf(
    found.flatMap(({ urns }) => urns.flatMap((urn) => entityToRead(urn, referringFacetsOf))),
  );
  const wanted = new Set<string>(entities.map(({ urn }) => urn));
  const { state } = await readLive(reader, referrers, options);
  const counts = new Map<Urn, number>();
  for (const { facets } of state.values()) {
    const named = new Set([...facets.values()].flatMap(namedIn).filter((text) => wanted.has(text)));
    for (const urn of named) if (isUrn(urn)) counts.set(urn, (counts.get(urn) ?? 0) + 1);
  }
  return counts;
}

/**
 * Finds the referrers of each entity in the search index, in the order of the entities. Referrers can be of any type, and can be
 * soft-deleted.
 */
export async function searchReferrers(
  reader: Reader,
  entities: readonly EntityKey[],
  options: Abortable,
): Promise<readonly Found[]> {
  const searches = entities.map((entity) =>
    [{ anyOf: conditionsOf([entity]) }, ...usesOf(entity)].map((each): Search => ({
      ...each,
      includesSoftDeleted: true,
    })),
  );
  return await foundByEach(reader, searches, options);
}

/**
 * Finds the entities that use each entity as a value, in the order of the entities. Returns `undefined` for an entity if its uses
 * can be found through its relationships. Returns `undefined` for all entities if a search fails.
 */
export async function searchUses(
  reader: Reader,
  entities: readonly EntityKey[],
  options: Abortable,
): Promise<readonly (Found | undefined)[]> {
  const searches = entities.map((entity) => usesOf(entity).map((each) => ({ ...each, max: maxReferrers })));
  try {
    const found = await foundByEach(reader, searches, options);
    return found.map((each, index) => (searches[index]?.length === 0 ? undefined : each));
  } catch (error) {
    if (error instanceof CatalogError) return entities.map(() => undefined);
    throw error;
  }
}

/** Returns the combined search results for each entity. Searches without a condition find nothing. */
async function foundByEach(
  reader: Reader,
  searches: readonly (readonly Search[])[],
  options: ReadOptions,
): Promise<readonly Found[]> {
  const withConditions = searches.map((own) => own.filter(({ anyOf }) => anyOf.length > 0));
  const found = [...(await searchAll(reader, withConditions.flat(), options))];
  return withConditions.map((own) => {
    const parts = found.splice(0, own.length);
    return {
      urns: [...new Set(parts.flatMap(({ urns }) => urns))],
      total: parts.reduce((sum, { total }) => sum + total, 0),
    };
  });
}

function usesOf({ urn, kind }: EntityKey): readonly Search[] {
  return kindOf(kind).deletion?.usedIn?.(keyOf(urn)) ?? [];
}

/** Creates one search for each kind that can refer to the entities. */
function searchesFor(entities: readonly EntityKey[]): readonly Search[] {
  const anyOf = conditionsOf(entities);
  if (anyOf.length === 0) return [];
  return kinds
    .filter(({ name }) => referringFacetsOf(name).length > 0)
    .map(({ searchType: type }) => ({ type, anyOf, max: maxReferrers }));
}

/** Returns the conditions that find referrers of entities in the index. */
export function conditionsOf(entities: readonly EntityKey[]): Search["anyOf"] {
  const urnsOf = new Map<string, Urn[]>();
  for (const { urn, kind } of entities)
    for (const field of kindOf(kind).deletion?.searchFields ?? [])
      urnsOf.set(field, [...(urnsOf.get(field) ?? []), urn]);
  return [...urnsOf].map(([field, values]) => [{ field, values }]);
}

function referringFacetsOf(kind: string): readonly Facet[] {
  return facetsOf(kind).filter(({ relationship }) => relationship !== undefined);
}

function namedIn(value: FacetValue): readonly string[] {
  return leavesOf(value).flatMap(([, leaf]) => valuesOf(leaf).flatMap(textsIn));
}
