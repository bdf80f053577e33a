/** Queries that search for entities, page by page or by scrolling. */

import { isChildOf } from "../entities/glossary.ts";
import { entitySource, type EntitySource } from "../entities/source.ts";
import { badRequest, serverError } from "../errors.ts";
import type { RequestContext } from "../request-context.ts";
import {
  type SearchFlags,
  compareSortKeys,
  existingHits,
  filtersOf,
  find,
  type Hit,
  type Search,
  type SortCriterion,
} from "../../search/find.ts";
import type { AndFilter, FacetFilter } from "../../search/filter.ts";
import { isRemoved } from "../../store/hidden-values.ts";
import { searchedTypes } from "../../registry/graphql-types.ts";

interface SearchInput {
  readonly types?: readonly string[] | null;
  readonly query: string;
  readonly count?: number | null;
  readonly filters?: readonly FacetFilter[] | null;
  readonly orFilters?: readonly AndFilter[] | null;
  readonly searchFlags?: SearchFlags | null;
  readonly sortInput?: {
    readonly sortCriterion?: SortCriterion | null;
    readonly sortCriteria?: readonly SortCriterion[] | null;
  } | null;
}

interface SearchArgs {
  readonly input: SearchInput & { readonly start?: number | null };
}

interface ScrollArgs {
  readonly input: SearchInput & { readonly scrollId?: string | null };
}

// The limits in DataHub's search service (application.yaml).
const limits = { defaultCount: 10, maxCount: 10_000, countAboveMax: 5_000, window: 10_000 } as const;

/** Resolves searches and scrolls (SearchAcrossEntitiesResolver.java, ScrollAcrossEntitiesResolver.java). */
export const searchQueries = {
  searchAcrossEntities(_source: unknown, { input }: SearchArgs, { store, index }: RequestContext) {
    const start = Math.max(0, input.start ?? 0);
    const count = allowedCount(input.count);
    if (start + count > limits.window)
      throw serverError(
        `Failed to execute search: start ${start} plus count ${count} exceeds the limit of ${limits.window} results`,
      );
    const hits = find(allowed(searchOf(input), store), index);
    const page = results(existingHits(hits.slice(start, start + count), store));
    return { start, count, total: hits.length, searchResults: page, facets: [], suggestions: [] };
  },

  scrollAcrossEntities: (_source: unknown, { input }: ScrollArgs, context: RequestContext) =>
    scroll(searchOf(input), input, context),
};

/** Scrolls through the terms and nodes directly under a glossary node (GlossaryChildrenSearchResolver.java). */
export function glossaryChildrenSearch(
  { urn }: EntitySource,
  { input }: ScrollArgs,
  context: RequestContext,
): object {
  return scroll({ ...searchOf(input), filters: [isChildOf(urn)] }, input, context);
}

function scroll(
  search: Search,
  { count: requested, scrollId }: ScrollArgs["input"],
  { store, index }: RequestContext,
): object {
  const count = allowedCount(requested);
  const sort = search.sort ?? [];
  const after = placeOf(scrollId, sort.length + 1);
  const hits = find(allowed(search, store), index);
  const rest = after ? hits.filter(({ place }) => compareSortKeys(place, after, sort) > 0) : hits;
  const page = rest.slice(0, count);
  const last = page.at(-1);
  // A full page always has a next page, even if that page is empty.
  const nextScrollId = last && page.length === count ? scrollIdAfter(last) : null;
  const searchResults = results(existingHits(page, store));
  return { nextScrollId, count, total: hits.length, searchResults, facets: [] };
}

function searchOf({ types, query, filters, orFilters, searchFlags, sortInput }: SearchInput): Search {
  const { sortCriteria, sortCriterion } = sortInput ?? {};
  return {
    types: searchedTypes(types),
    query,
    filters,
    orFilters,
    includeSoftDeleted: searchFlags?.includeSoftDeleted,
    includeHiddenLifecycleStages: searchFlags?.includeHiddenLifecycleStages,
    sort: sortCriteria ?? (sortCriterion ? [sortCriterion] : []),
  };
}

/**
 * Returns the search unchanged if it does not filter on a soft-deleted structured property (StructuredPropertyUtils.java,
 * validateFilter).
 * @throws GraphQLError when the search filters on such a property.
 */
function allowed(search: Search, store: RequestContext["store"]): Search {
  const removed = filtersOf(search).flatMap(({ field }) => {
    const id = /^structuredProperties\.(.+)$/.exec(field.replace(/\.(?:keyword|delimited)/g, ""))?.[1];
    const urn = `urn:li:structuredProperty:${id}`;
    return id !== undefined && isRemoved(urn, store) ? [urn] : [];
  });
  if (removed.length > 0)
    throw badRequest(`Cannot filter on deleted Structured Property [${[...new Set(removed)].join(", ")}]`);
  return search;
}

function allowedCount(count: number | null | undefined): number {
  const requested = Math.max(0, count ?? limits.defaultCount);
  return requested > limits.maxCount ? limits.countAboveMax : requested;
}

function results(hits: readonly Hit[]): readonly object[] {
  return hits.map(({ urn }) => ({
    entity: entitySource(urn),
    insights: [],
    matchedFields: [],
    extraProperties: [],
  }));
}

// A scroll continues after the previous page's last entity, so that concurrent writes do not shift the pages.
function scrollIdAfter({ place }: Hit): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function placeOf(scrollId: string | null | undefined, length: number): readonly string[] | undefined {
  if (scrollId === null || scrollId === undefined) return undefined;
  try {
    const place: unknown = JSON.parse(Buffer.from(scrollId, "base64url").toString());
    if (Array.isArray(place) && place.length === length) return place.map(String);
  } catch {
    // The error below also covers a scroll id that cannot be parsed.
  }
  throw serverError(`Failed to execute search: ${scrollId} is not a valid scroll id for this search`);
}
