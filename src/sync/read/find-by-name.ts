/**
 * Finds the entities that a name may mean: definitions with this id, entities with a similar display name, and assets with a URN
 * that contains the name.
 */

import { displayNamesOf } from "../../facets/display-names.ts";
import { kinds } from "../../kinds/index.ts";
import type { Kind, SearchFilter } from "../../kinds/kind.ts";
import { urnOfId } from "../../model/identifier.ts";
import type { Urn } from "../../model/urn.ts";
import type { Reader } from "../../datahub/client.ts";
import { readExistence } from "./existence.ts";
import type { ReadOptions } from "./read-batches.ts";
import { type Search, search } from "./search.ts";

/**
 * Finds entities by id, and searches the server's index by name. The results may include entities with different names. Recently
 * created entities may be missing.
 */
export async function findByName(
  reader: Reader,
  text: string,
  options: ReadOptions = {},
): Promise<readonly Urn[]> {
  const byId = kinds.flatMap(({ entityType, asset }) => {
    const result = asset ? undefined : urnOfId(entityType, text);
    return result && "urn" in result ? [result.urn] : [];
  });
  const existence = await readExistence(reader, byId, options);
  const found = await search(
    reader,
    kinds.flatMap((kind) => searchFor(kind, text) ?? []),
    options,
  );
  const existing = byId.filter((urn) => existence.get(urn)?.status !== "absent");
  return [...new Set([...existing, ...found.flat()])];
}

/** Finds the assets whose URNs contain a given string, using the server's index. */
export async function findAssetsLike(
  reader: Reader,
  text: string,
  options: ReadOptions = {},
): Promise<readonly Urn[]> {
  const condition = { field: "urn", condition: "CONTAIN" } as const;
  // Older servers are case-sensitive, and most names are stored in lower case.
  const anyOf = [...new Set([text, text.toLowerCase()])].map((each) => [{ ...condition, values: [each] }]);
  const searches = kinds.filter(({ asset }) => asset).map(({ searchType: type }) => ({ type, anyOf }));
  return [...new Set((await search(reader, searches, options)).flat())];
}

function searchFor({ entityType, searchType: type, asset }: Kind, text: string): Search | undefined {
  return asset ? { type, anyOf: asset.called(text) } : searchByDisplayName(entityType, text);
}

/** Returns the search for a display name. The index field has the same name as the aspect field. */
export function searchByDisplayName(type: string, name: string): Search | undefined {
  const { searchType, path } = displayNamesOf(type) ?? {};
  const field = path?.at(-1);
  if (searchType === undefined || field === undefined) return undefined;
  const exact: SearchFilter = { field, values: [name] };
  // The second condition is needed to find names that differ only in case. It also finds other entities.
  return { type: searchType, anyOf: [[exact], [{ ...exact, condition: "CONTAIN" }]] };
}
