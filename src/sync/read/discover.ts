/** Lists the entities that the server's index contains, page by page. */

import type { CapabilityId } from "../../facets/capabilities.ts";
import type { SearchFilter } from "../../kinds/kind.ts";
import { CatalogError, mayBeTooLarge } from "../../model/catalog-error.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Urn } from "../../model/urn.ts";
import type { Reader } from "../../datahub/client.ts";
import { isRefused, recordRefusal } from "./capabilities.ts";
import { foundUrn } from "./found-urn.ts";
import { scrollLimit } from "./scroll-limit.ts";
import { mapConcurrently } from "./map-concurrently.ts";

/** Number of entities on a page. DataHub's index returns at most 10,000. */
const pageSize = 1000;

/** Minimum page size that is requested after a gateway has rejected larger pages. */
const minPageSize = 50;

/** The query for one page of entities. */
export const discoverDocument = `query Discover($input: ScrollAcrossEntitiesInput!) {
  scrollAcrossEntities(input: $input) { nextScrollId total searchResults { entity { urn } } }
}`;

/**
 * Optional arguments of a scroll, each with a pattern that matches the error of servers that do not support the argument. DataHub
 * 0.13 sorts by at most one field, and lifecycle stages are new in 1.7.
 */
const optional = {
  "sorted-scrolls": /\bsort(?:Input|Criteria)\b/,
  "hidden-stages": /\bincludeHiddenLifecycleStages\b/,
} as const satisfies Partial<Record<CapabilityId, RegExp>>;

type Optional = keyof typeof optional;

/**
 * The order of the pages. With the server's default order, pages can miss entities if other clients write to the catalog at the
 * same time. A scroll id is valid only for requests with the same order.
 */
const byUrn: JsonObject = { sortCriteria: [{ field: "urn", sortOrder: "ASCENDING" }] };

/** A page of entities, and the total number of entities according to the index. */
export interface Page {
  readonly urns: readonly Urn[];
  readonly total: number;
}

/** The entity type to search for, and its name in messages. */
interface SearchedType {
  /** A value of DataHub's enum EntityType. */
  readonly searchType: string;
  readonly plural: string;
}

/** The kind and the filters of a search. */
export interface Discovery {
  readonly kind: SearchedType;
  /** An entity must match all filters in at least one list. Without lists, or with an empty list, the search is unrestricted. */
  readonly anyOf?: readonly (readonly SearchFilter[])[];
}

/**
 * Yields the entities of a kind from the server's index, page by page. Yields each entity once, including soft-deleted entities
 * and those in a hidden lifecycle stage. The index may lag. Continues until a page has no id for the next page, because a page
 * may be short or empty: DataHub leaves out recently deleted entities. Throws `CatalogError` if a request fails, a page is
 * malformed, or the pages do not end.
 */
export async function* discover(
  reader: Reader,
  { kind, anyOf = [] }: Discovery,
  signal?: AbortSignal,
): AsyncGenerator<Page> {
  const limit = scrollLimit();
  // The index may move an entity to a later page between two requests.
  const seen = new Set<Urn>();
  let scrollId: string | undefined;
  let count = pageSize;
  const nextPage = async (): ReturnType<typeof pageOf> => {
    try {
      return await pageOf(reader, { kind, anyOf }, { count, scrollId }, signal);
    } catch (error) {
      if (count <= minPageSize || !mayBeTooLarge(error)) throw error;
      count = Math.ceil(count / 2);
      limit.noteSmaller();
      return await nextPage();
    }
  };
  do {
    const { next, ...page } = await nextPage();
    const urns = [...new Set(page.urns)].filter((urn) => !seen.has(urn));
    for (const urn of urns) seen.add(urn);
    if (urns.length > 0) yield { urns, total: page.total };
    scrollId = next;
    const fault = scrollId === undefined ? undefined : limit.fault(page, scrollId);
    if (fault !== undefined) throw unread(kind, fault);
  } while (scrollId !== undefined);
}

/** Returns the total number of entities according to the index. Throws the same errors as `discover`. */
export async function countOf(
  reader: Reader,
  wanted: readonly Discovery[],
  signal?: AbortSignal,
): Promise<number> {
  const pages = await mapConcurrently(reader, wanted, (each) => pageOf(reader, each, { count: 1 }, signal));
  return pages.reduce((sum, { total }) => sum + total, 0);
}

/** A page's position in a scroll, and its maximum size. */
interface Place {
  readonly count: number;
  readonly scrollId?: string | undefined;
}

/** Reads one page, with all optional arguments that the server supports. */
async function pageOf(
  reader: Reader,
  wanted: Discovery,
  place: Place,
  signal: AbortSignal | undefined,
): Promise<Page & { readonly next: string | undefined }> {
  signal?.throwIfAborted();
  const { kind } = wanted;
  const all = Object.keys(optional) as Optional[];
  const without = new Set(all.filter((id) => isRefused(reader, id)));
  const input = inputOf(wanted, place, without);
  const { data, errors } = await reader.query(discoverDocument, { input }, signal, {
    isWorthRepeating: (error) => place.count <= minPageSize || !mayBeTooLarge(error),
  });
  const refused = all.filter(
    (id) => !without.has(id) && errors.some(({ message }) => optional[id].test(message)),
  );
  if (place.scrollId === undefined && refused.length > 0) {
    for (const id of refused) recordRefusal(reader, id);
    return pageOf(reader, wanted, place, signal);
  }
  const page: unknown = data?.["scrollAcrossEntities"];
  if (errors[0] || !isJsonObject(page)) throw unread(kind, errors[0]?.message);
  const urns = urnsOn(page, kind);
  const total = typeof page["total"] === "number" ? page["total"] : urns.length;
  return { urns, total, next: nextIn(page, kind) };
}

function inputOf(
  { kind, anyOf = [] }: Discovery,
  { count, scrollId }: Place,
  without: ReadonlySet<Optional>,
): JsonObject {
  const orFilters = anyOf.map((filters) => ({ and: filters.map((filter) => ({ ...filter })) }));
  const isRestricted = orFilters.length > 0 && orFilters.every(({ and }) => and.length > 0);
  return {
    types: [kind.searchType],
    query: "*",
    count,
    searchFlags: {
      skipCache: true,
      skipHighlighting: true,
      skipAggregates: true,
      includeSoftDeleted: true,
      ...(!without.has("hidden-stages") && { includeHiddenLifecycleStages: true }),
    },
    ...(isRestricted && { orFilters }),
    ...(scrollId !== undefined && { scrollId }),
    ...(!without.has("sorted-scrolls") && { sortInput: byUrn }),
  };
}

function urnsOn({ searchResults }: JsonObject, kind: Discovery["kind"]): readonly Urn[] {
  if (!Array.isArray(searchResults)) throw unread(kind, "it has no results");
  return searchResults.map((result: unknown) => {
    const urn = foundUrn(result);
    if (urn === undefined) throw unread(kind, "a result has no URN");
    return urn;
  });
}

function nextIn({ nextScrollId: next }: JsonObject, kind: Discovery["kind"]): string | undefined {
  if (next === undefined || next === null || next === "") return undefined;
  if (typeof next === "string") return next;
  throw unread(kind, "the id of the next page is invalid");
}

function unread(
  kind: Discovery["kind"],
  reason = "the server's response does not contain the page",
): CatalogError {
  return new CatalogError("answer", `could not read a page of the list of ${kind.plural}: ${reason}`);
}
