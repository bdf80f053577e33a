import type { UseSearch } from "../../kinds/kind.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import { chunks } from "../../model/group-by.ts";
import { isJsonList, isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Urn } from "../../model/urn.ts";
import type { Answer, Reader } from "../../datahub/client.ts";
import { askInParts, createBatchSize } from "../../datahub/http/batch-size.ts";
import { foundUrn } from "./found-urn.ts";
import type { ReadOptions } from "./read-batches.ts";
import { mapConcurrently } from "./map-concurrently.ts";

/** A search, which may be for more than the default number of entities. */
export interface Search extends UseSearch {
  /** How many entities it finds at most, where it replaces several searches. */
  readonly most?: number;
  /** How many of the entities it leaves out, from the first on. */
  readonly start?: number;
  /** Whether it finds soft-deleted entities, too. */
  readonly includesSoftDeleted?: true;
}

/** How many searches a request has. */
const searchBatch = 10;

/** How many entities a search finds by default. */
export const maxFound = 50;

/** The query for a number of searches; its variables are those of `searchVariables`. */
export function searchDocument(number: number): string {
  const indices = Array.from({ length: number }, (_, index) => index);
  const variables = indices.map((index) => `$i${index}: SearchAcrossEntitiesInput!`).join(", ");
  const fields = indices.map(
    (index) =>
      `s${index}: searchAcrossEntities(input: $i${index}) { total searchResults { entity { urn } } }`,
  );
  return `query Search(${variables}) { ${fields.join(" ")} }`;
}

/** Each search as `i0`, `i1`, …. */
export function searchVariables(searches: readonly Search[]): JsonObject {
  const inputs = searches.map(({ type, anyOf, most = maxFound, start = 0, includesSoftDeleted }, index) => {
    const orFilters = anyOf.map((filters) => ({ and: filters.map((filter) => ({ ...filter })) }));
    const searchFlags = {
      skipHighlighting: true,
      skipAggregates: true,
      ...(includesSoftDeleted && { includeSoftDeleted: true }),
    };
    const types = type === undefined ? [] : [type];
    return [`i${index}`, { types, query: "*", start, count: most, orFilters, searchFlags }];
  });
  return Object.fromEntries(inputs) as JsonObject;
}

/** The results of searches for suggestions: the index may lag. A search that fails finds nothing. Throws only the reason of a signal. */
export async function search(
  reader: Reader,
  searches: readonly Search[],
  options: Omit<ReadOptions, "onProgress"> = {},
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

/** What a search finds, and how much there is in all. */
export interface Found {
  readonly urns: readonly Urn[];
  readonly total: number;
}

/**
 * What each of some searches finds, where that decides. The index may lag. Throws `CatalogError` where one of them fails, and
 * the reason of a signal.
 */
export async function searchAll(
  reader: Reader,
  searches: readonly Search[],
  options: Omit<ReadOptions, "onProgress"> = {},
): Promise<readonly Found[]> {
  const found = await answersTo(reader, searches, options, async (asked) => {
    const answer = await asked;
    if (answer.errors[0]) throw new CatalogError("answer", `a search failed: ${answer.errors[0].message}`);
    return answer;
  });
  return found.map((results) => {
    const total = isJsonObject(results) ? results["total"] : undefined;
    if (typeof total === "number") return { urns: urnsIn(results), total };
    throw new CatalogError("answer", "a search failed: the answer of the server does not include it");
  });
}

/** The answer to each search, as `settle` takes those of requests. */
async function answersTo(
  reader: Reader,
  searches: readonly Search[],
  { batch = searchBatch, signal }: Omit<ReadOptions, "onProgress">,
  settle: (asked: Promise<Results>) => Promise<Results>,
): Promise<readonly unknown[]> {
  const found = await mapConcurrently(reader, chunks(searches, batch), async (some) => {
    signal?.throwIfAborted();
    const { results } = await settle(resultsOf(reader, some, signal));
    return some.map((_, index) => results[index]);
  });
  return found.flat();
}

/** What was answered to several searches, in their order. */
interface Results extends Pick<Answer, "errors"> {
  readonly results: readonly unknown[];
}

async function resultsOf(
  reader: Reader,
  searches: readonly Search[],
  signal: AbortSignal | undefined,
): Promise<Results> {
  const { batchSize = createBatchSize() } = reader;
  const parts = await askInParts(batchSize, searches, async (some, isWorthRepeating): Promise<Results> => {
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
