import type { SearchFilter } from "../../kinds/kind.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import { chunks } from "../../model/group-by.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Urn } from "../../model/urn.ts";
import type { Reader } from "../../datahub/client.ts";
import { foundUrn } from "./found-urn.ts";
import type { ReadOptions } from "./read-batches.ts";
import { sideBySide } from "./side-by-side.ts";

/** A search for entities of one type: all filters of at least one list hold. */
export interface Search {
  /** A value of DataHub's enum EntityType. */
  readonly type: string;
  readonly anyOf: readonly (readonly SearchFilter[])[];
  /** How many entities it finds at most, where it stands for several searches. */
  readonly most?: number;
}

/** How many searches a request holds. */
const searchBatch = 10;

/** How many entities a search finds at most unless it says otherwise. */
export const mostFound = 50;

/** The query for a number of searches; its variables are those of `searchVariables`. */
export function searchDocument(number: number): string {
  const indices = Array.from({ length: number }, (_, index) => index);
  const variables = indices.map((index) => `$i${index}: SearchAcrossEntitiesInput!`).join(", ");
  const fields = indices.map(
    (index) => `s${index}: searchAcrossEntities(input: $i${index}) { searchResults { entity { urn } } }`,
  );
  return `query Search(${variables}) { ${fields.join(" ")} }`;
}

/** Each search as `i0`, `i1`, …. */
export function searchVariables(searches: readonly Search[]): JsonObject {
  const inputs = searches.map(({ type, anyOf, most = mostFound }, index) => {
    const orFilters = anyOf.map((filters) => ({ and: filters.map((filter) => ({ ...filter })) }));
    const searchFlags = { skipHighlighting: true, skipAggregates: true };
    return [`i${index}`, { types: [type], query: "*", start: 0, count: most, orFilters, searchFlags }];
  });
  return Object.fromEntries(inputs) as JsonObject;
}

/**
 * What each of some searches finds in the server's index, which may lag: good to suggest, not to decide by. A search that
 * fails finds nothing. Throws only the reason of a signal.
 */
export async function search(
  reader: Reader,
  searches: readonly Search[],
  { batch = searchBatch, signal }: Omit<ReadOptions, "onProgress"> = {},
): Promise<readonly (readonly Urn[])[]> {
  const found = await sideBySide(reader, chunks(searches, batch), async (some) => {
    signal?.throwIfAborted();
    const data = await answerTo(reader, some, signal);
    return some.map((_, index) => urnsIn(data[`s${index}`]));
  });
  return found.flat();
}

async function answerTo(
  reader: Reader,
  searches: readonly Search[],
  signal: AbortSignal | undefined,
): Promise<JsonObject> {
  try {
    const [document, variables] = [searchDocument(searches.length), searchVariables(searches)];
    return (await reader.query(document, variables, signal)).data ?? {};
  } catch (error) {
    if (error instanceof CatalogError) return {};
    throw error;
  }
}

function urnsIn(results: unknown): readonly Urn[] {
  const hits: unknown = isJsonObject(results) ? results["searchResults"] : undefined;
  return (Array.isArray(hits) ? hits : []).flatMap((hit: unknown) => foundUrn(hit) ?? []);
}
