/** Provides the entities to list, page by page, from the server's index. */

import type { Reader } from "../../datahub/client.ts";
import { displayNamesOf } from "../../facets/display-names.ts";
import type { ListOption } from "../../facets/facet.ts";
import { listedFacets } from "../../facets/index.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import type { Kind, SearchFilter } from "../../kinds/kind.ts";
import { appendTo } from "../../model/append.ts";
import { urnOfId } from "../../model/identifier.ts";
import type { ListFilter } from "../../model/listing.ts";
import type { Condition } from "../../model/rule.ts";
import type { Urn } from "../../model/urn.ts";
import { kindsIn } from "../../plan/listing/filter.ts";
import type { PlannedEntities } from "../../plan/listing/planned.ts";
import { type AssetQuestion, indexFilters } from "./assets/index-filters.ts";
import { prefetchFirst } from "./prefetch-first.ts";
import { countOf, discover, type Discovery, type Page as Found } from "./discover.ts";
import type { ReadOptions, ReportingOptions } from "./read-batches.ts";
import { mapConcurrently } from "./map-concurrently.ts";

/** Provides the entities of a kind, page by page, and a reader for them. */
export interface EntitySource {
  readonly reader: Reader;
  readonly pages: (kind: Kind) => AsyncIterable<readonly Urn[]> | Iterable<readonly Urn[]>;
}

/** Finds entities with display names. */
export interface NamedEntities {
  /** Returns all entities of a type that have display names. `entityType` is the type in a URN, such as `glossaryTerm`. */
  readonly named: (entityType: string) => Promise<readonly Urn[]>;
}

interface SourceOptions extends ReportingOptions {
  /** The planned entities, if the list shows the state after a plan. */
  readonly planned?: PlannedEntities | undefined;
}

/**
 * Creates a source that searches the server's index. It filters assets by platform, environment, container and domain if the
 * filter specifies them. With `onProgress`, it counts all entities first.
 */
export async function serverSource(
  reader: Reader,
  filter: ListFilter,
  { signal, onProgress, planned }: SourceOptions,
): Promise<EntitySource> {
  // The index does not contain planned values.
  const indexed = planned ? { ...filter, values: new Map() } : filter;
  const kinds = kindsIn(filter);
  const searches = await mapConcurrently(reader, kinds, (kind) => discoveryOf(reader, kind, indexed, signal));
  const discoveries = new Map(kinds.map((kind, index) => [kind, searches[index] ?? { kind }]));
  const total = onProgress ? await countOf(reader, [...discoveries.values()], signal) : 0;
  let read = 0;
  const found = (kind: Kind): AsyncGenerator<Found> =>
    discover(reader, discoveries.get(kind) ?? { kind }, signal);
  // Request the first pages of all kinds at the same time.
  let begun: Map<Kind, AsyncIterable<Found>> | undefined;
  async function* pages(kind: Kind): AsyncGenerator<readonly Urn[]> {
    begun ??= new Map(kinds.map((each) => [each, prefetchFirst(found(each))]));
    const own = begun.get(kind) ?? found(kind);
    begun.delete(kind);
    for await (const { urns } of own) {
      yield urns;
      read += urns.length;
      onProgress?.(read, Math.max(read, total));
    }
  }
  return { reader, pages };
}

/** Finds entities with display names in the server's index. */
export function namedOnServer(reader: Reader, { signal }: ReadOptions): NamedEntities {
  return {
    named: async (entityType) => {
      const kind = displayNamesOf(entityType);
      const found: Urn[] = [];
      if (kind) for await (const { urns } of discover(reader, { kind }, signal)) appendTo(found, urns);
      return found;
    },
  };
}

async function discoveryOf(
  reader: Reader,
  kind: Kind,
  filter: ListFilter,
  signal: AbortSignal | undefined,
): Promise<Discovery> {
  if (isDefinitionKind(kind.name)) return { kind };
  const lists = await indexFilters(reader, kind, {
    questions: [questionOf(kind, filter.conditions)],
    signal,
  });
  const own = listedFacets.flatMap((facet) => searchFilter(facet, filter));
  if (own.length === 0) return { kind, anyOf: lists };
  return { kind, anyOf: (lists.length > 0 ? lists : [[]]).map((list) => [...list, ...own]) };
}

/**
 * Returns the index filter for a facet's values. Returns none if the index has no field for the facet or a value is a pattern.
 */
function searchFilter(
  { name, searchField: field, refersTo: [entityType = ""], listing }: (typeof listedFacets)[number],
  { values }: ListFilter,
): readonly SearchFilter[] {
  const [option]: readonly ListOption[] = listing.options;
  const texts = option && values.get(name)?.get(option.name);
  if (field === undefined || !texts || texts.some((text) => text.includes("*"))) return [];
  const results = texts.map((text) => urnOfId(entityType, text));
  const urns = results.flatMap((result) => ("urn" in result ? [result.urn] : []));
  return urns.length > 0 ? [{ field, values: urns.toSorted() }] : [];
}

/** Creates an asset question from conditions on assets of a kind. */
export function questionOf({ name }: Kind, conditions: readonly Condition[]): AssetQuestion {
  return { kind: name, conditions, exclusions: [], columns: [] };
}
