import { facetsOf } from "../../facets/index.ts";
import { kindOf, kindOfType, kinds } from "../../kinds/index.ts";
import { chunks } from "../../model/group-by.ts";
import { leavesOf } from "../../model/place.ts";
import { type Entity, type FacetValue, scalarOf } from "../../model/state.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";
import { textsIn, valuesOf } from "../../plan/diff/values.ts";
import type { Reader } from "../../datahub/client.ts";
import { readLive } from "./live-state.ts";
import type { ReadOptions } from "./read-batches.ts";
import { type Found, type Search, searchAll } from "./search.ts";

/** They seldom have any references, and an apply asks for all that it creates. */
const entitiesOfASearch = 500;

/** So many of what refers to them show whether references become fewer. */
const mostHolders = 500;

/**
 * How many entities refer to each of these, which need not exist; those without any are left out. The search index names whom
 * to read, and their own facets decide: the index lags, and relationships leave it with the entity that they lead to
 * (ElasticSearchGraphService.removeNode). Throws `CatalogError` when the server cannot be asked, and the reason of a signal.
 */
export async function countHolders(
  reader: Reader,
  entities: readonly Pick<Entity, "urn" | "kind">[],
  { signal, batch }: ReadOptions,
): Promise<ReadonlyMap<Urn, number>> {
  const options = { ...(signal && { signal }), ...(batch !== undefined && { batch }) };
  const searches = chunks(entities, entitiesOfASearch).flatMap(searchesFor);
  const found = await searchAll(reader, searches, options);
  const holders = new Map(
    found.flatMap(({ urns }) => urns.flatMap(holderOf)).map((each) => [each.urn, each]),
  );
  if (holders.size === 0) return new Map();
  const wanted = new Set<string>(entities.map(({ urn }) => urn));
  const { state } = await readLive(reader, holders, options);
  const counts = new Map<Urn, number>();
  for (const { facets } of state.values()) {
    const named = new Set([...facets.values()].flatMap(namedIn).filter((text) => wanted.has(text)));
    for (const urn of named) if (isUrn(urn)) counts.set(urn, (counts.get(urn) ?? 0) + 1);
  }
  return counts;
}

/** For what is deleted, in order, what the search index knows to refer to it, of any type. Throws as `countHolders` does. */
export async function searchHolders(
  reader: Reader,
  entities: readonly Pick<Entity, "urn" | "kind">[],
  options: Pick<ReadOptions, "signal">,
): Promise<readonly Found[]> {
  const searches = entities.map((entity) => ({ anyOf: conditionsOf([entity]) }));
  return await searchAll(reader, searches, options);
}

/** One search for each kind that can refer to them. */
function searchesFor(entities: readonly Pick<Entity, "urn" | "kind">[]): readonly Search[] {
  const anyOf = conditionsOf(entities);
  if (anyOf.length === 0) return [];
  return kinds
    .filter(({ name }) => holdingFacets(name).length > 0)
    .map(({ searchType: type }) => ({ type, anyOf, most: mostHolders }));
}

/** The conditions by which the index finds what refers to some entities. */
function conditionsOf(entities: readonly Pick<Entity, "urn" | "kind">[]): Search["anyOf"] {
  const urnsOf = new Map<string, Urn[]>();
  for (const { urn, kind } of entities)
    for (const field of kindOf(kind).deletion?.searchFields ?? [])
      urnsOf.set(field, [...(urnsOf.get(field) ?? []), urn]);
  return [...urnsOf].map(([field, values]) => [{ field, values }]);
}

function holdingFacets(kind: string): readonly string[] {
  return facetsOf(kind).flatMap(({ name, relationship }) => (relationship === undefined ? [] : [name]));
}

function holderOf(urn: Urn): readonly Entity[] {
  const kind = kindOfType(entityTypeOf(urn))?.name;
  if (kind === undefined) return [];
  return [{ urn, kind, facets: new Map(holdingFacets(kind).map((name) => [name, scalarOf(null)])) }];
}

function namedIn(value: FacetValue): readonly string[] {
  return leavesOf(value).flatMap(([, leaf]) => valuesOf(leaf).flatMap(textsIn));
}
