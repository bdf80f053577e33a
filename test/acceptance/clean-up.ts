import { existsSync, rmSync } from "node:fs";
import { kinds } from "../../src/kinds/index.ts";
import { isJsonObject, type Json } from "../../src/model/json.ts";
import { journalsLeft } from "./journal.ts";
import { prefix, runIdIn, startOf } from "./run-id.ts";
import type { StoredCatalog } from "./stored-catalog.ts";
import { until } from "./until.ts";

/** A run may take so long: what is younger may be that of one which goes on elsewhere. */
const longestRun = 2 * 60 * 60 * 1000;

const search = `query FindLeft($input: ScrollAcrossEntitiesInput!) {
  scrollAcrossEntities(input: $input) { nextScrollId searchResults { entity { urn } } }
}`;

/** The entities in whose URN a text stands, as far as the index shows them. */
export async function indexedWith(catalog: StoredCatalog, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  const filter = { field: "urn", condition: "CONTAIN", values: [text] };
  let scrollId: Json | undefined;
  do {
    const input = {
      types: kinds.map(({ searchType }) => searchType),
      query: "*",
      count: 500,
      orFilters: [{ and: [filter] }],
      searchFlags: { includeSoftDeleted: true, skipCache: true },
      ...(scrollId !== undefined && { scrollId }),
    };
    const { scrollAcrossEntities: page } = await catalog.graphql(search, { input });
    const { nextScrollId, searchResults }: Record<string, unknown> = isJsonObject(page) ? page : {};
    found.push(...urnsIn(searchResults));
    scrollId = typeof nextScrollId === "string" ? nextScrollId : undefined;
  } while (scrollId !== undefined);
  return found;
}

function urnsIn(results: unknown): readonly string[] {
  if (!Array.isArray(results)) throw new Error("a page of a search has no results");
  return results.map(({ entity }: { readonly entity: { readonly urn: string } }) => entity.urn);
}

/**
 * Deletes entities that runs have made, and looks until nothing is stored of them, and the index shows none of `runId`: a
 * server that takes references away later may write what it has deleted. Throws on a URN that no run has made, before it
 * deletes anything.
 */
export async function takeAway(
  catalog: StoredCatalog,
  urns: Iterable<string>,
  runId: string | undefined,
): Promise<void> {
  const made = [...new Set(urns)];
  const foreign = made.find((urn) => runIdIn(urn) === undefined);
  if (foreign !== undefined) throw new Error(`not deleted, because no run has made it: ${foreign}`);
  let left: readonly string[] = made;
  await until("everything that was made has been taken away", async () => {
    for (const urn of left) await catalog.remove(urn);
    const stored = await Promise.all(made.map((urn) => catalog.aspects(urn)));
    const indexed = runId === undefined ? [] : await indexedWith(catalog, runId);
    left = [...made.filter((_, index) => Object.keys(stored[index] ?? {}).length > 0), ...indexed];
    return left.length === 0;
  });
}

/**
 * Takes away what earlier runs left: by their journals, and by the index what is old enough that its run has ended elsewhere.
 * Answers how many entities that were.
 */
export async function takeAwayLeft(catalog: StoredCatalog, folder: string): Promise<number> {
  let count = 0;
  const journals = existsSync(folder) ? journalsLeft(folder, catalog.address) : [];
  for (const { file, directory, urns } of journals) {
    await takeAway(catalog, urns, urns[0] && runIdIn(urns[0]));
    rmSync(directory, { recursive: true, force: true });
    rmSync(file);
    count += urns.length;
  }
  const indexed = await indexedWith(catalog, prefix);
  const made = indexed.filter((urn) => {
    const runId = runIdIn(urn);
    return runId !== undefined && startOf(runId) < Date.now() - longestRun;
  });
  if (made.length > 0) await takeAway(catalog, made, undefined);
  return count + made.length;
}
