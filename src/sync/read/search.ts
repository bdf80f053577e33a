/** Searches the server's index, with several searches in each request. */

import type { UseSearch } from "../../kinds/kind.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import { chunks } from "../../model/group-by.ts";
import { isJsonList, isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Urn } from "../../model/urn.ts";
import type { Answer, Reader } from "../../datahub/client.ts";
import { requestInBatches } from "../../datahub/http/batch-size.ts";
import { foundUrn } from "./found-urn.ts";
import type { ReadOptions } from "./read-batches.ts";
import { mapConcurrently } from "./map-concurrently.ts";

/** A search, optionally with a different maximum number of results. */
export interface Search extends UseSearch {
  /** Maximum number of results, for a search that replaces several searches. */
  readonly max?: number;
  /** Number of results to skip. */
  readonly start?: number;
  /** Whether to include soft-deleted entities. */
  readonly includesSoftDeleted?: true;
}

/** Number of searches in a request. */
const searchBatch = 10;

/** Default maximum number of results for a search. */
export const maxFound = 50;

/** Builds the query for the given number of searches. `searchVariables` returns its variables. */
export function searchDocument(number: number): string {
  const indices = Array.from({ length: number }, (_, index) => index);
  const variables = indices.map((index) => `$i${index}: SearchAcrossEntitiesInput!`).join(", ");
  const fields = indices.map(
    (index) =>
      `s${index}: searchAcrossEntities(input: $i${index}) { total searchResults { entity { urn } } }`,
  );
  return `query Search(${variables}) { ${fields.join(" ")} }`;
}

/** Returns variables `i0`, `i1`, …, one for each search. */
export function searchVariables(searches: readonly Search[]): JsonObject {
  const inputs = searches.map(
    ({ type, anyOf, max: most = maxFound, start = 0, includesSoftDeleted }, index) => {
      const orFilters = anyOf.map((filters) => ({ and: filters.map((filter) => ({ ...filter })) }));
      const searchFlags = {
        skipHighlighting: true,
        skipAggregates: true,
        ...(includesSoftDeleted && { includeSoftDeleted: true }),
      };
      const types = type === undefined ? [] : [type];
      return [`i${index}`, { types, query: "*", start, count: most, orFilters, searchFlags }];
    },
  );
  return Object.fromEntries(inputs) as JsonObject;
}

/** Finds results for suggestions. The index may lag. A failed search finds nothing. Throws only if the signal is aborted. */
export async function search(
  reader: Reader,
  searches: readonly Search[],
  options: ReadOptions = {},
): Promise<readonly (readonly Urn[])[]> {
  const nothing: Results = { results: [], errors: [] };
  const found = await answersTo(reader, searches, options, (answer) =>
    answer.catch((error: unknown) => {
      if (error instanceof CatalogError) return nothing;
      throw error;
    }),
  );
  return found.map(urnsIn);
}

/** The results of a search, and their total number. */
export interface Found {
  readonly urns: readonly Urn[];
  readonly total: number;
}

/**
 * Returns search results that must be complete, because a plan depends on them. The index may lag. Throws `CatalogError` if a
 * search fails, or the signal's reason if it is aborted.
 */
export async function searchAll(
  reader: Reader,
  searches: readonly Search[],
  options: ReadOptions = {},
): Promise<readonly Found[]> {
  const found = await answersTo(reader, searches, options, async (request) => {
    const answer = await request;
    if (answer.errors[0]) throw new CatalogError("answer", `a search failed: ${answer.errors[0].message}`);
    return answer;
  });
  return found.map((results) => {
    const total = isJsonObject(results) ? results["total"] : undefined;
    if (typeof total === "number") return { urns: urnsIn(results), total };
    throw new CatalogError("answer", "a search failed: the server's response does not contain its result");
  });
}

/** Returns the result of each search. `settle` handles a failed request. */
async function answersTo(
  reader: Reader,
  searches: readonly Search[],
  { batch = searchBatch, signal }: ReadOptions,
  settle: (request: Promise<Results>) => Promise<Results>,
): Promise<readonly unknown[]> {
  const found = await mapConcurrently(reader, chunks(searches, batch), async (some) => {
    signal?.throwIfAborted();
    const { results } = await settle(resultsOf(reader, some, signal));
    return some.map((_, index) => results[index]);
  });
  return found.flat();
}

/** The results of several searches, in the order of the searches. */
interface Results {
  readonly errors: Answer["errors"];
  readonly results: readonly unknown[];
}

async function resultsOf(
  reader: Reader,
  searches: readonly Search[],
  signal: AbortSignal | undefined,
): Promise<Results> {
  const parts = await requestInBatches(reader, searches, async (some, isWorthRepeating): Promise<Results> => {
    const [document, variables] = [searchDocument(some.length), searchVariables(some)];
    const { data, errors } = await reader.query(document, variables, signal, { isWorthRepeating });
    return { results: some.map((_, index) => data?.[`s${index}`]), errors };
  });
  return {
    results: parts.flatMap(({ results }) => results),
    errors: parts.flatMap(({ errors }) => errors),
  };
}

function urnsIn(results: unknown): readonly Urn[] {
  const hits = isJsonObject(results) ? results["searchResults"] : undefined;
  if (!isJsonList(hits)) return [];
  return hits.flatMap((hit) => foundUrn(hit) ?? []);
}
