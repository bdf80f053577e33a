/**
 * Reads columns that documents refer to by plain name and other declarations refer to by exact key, to determine whether both
 * refer to the same column.
 */

import type { Reader } from "../../datahub/client.ts";
import { namesOfPlace } from "../../facets/places.ts";
import { type Change, isFacetChange } from "../../model/change.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import type { Entity, FacetValue, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { readLive } from "../../sync/read/live-state.ts";
import type { ReadOptions } from "../../sync/read/read-batches.ts";
import type { DocumentsAndRules } from "./split-rule-values.ts";

/**
 * Reads live values for facets in which a document contains the plain name of a column, and a document or rule contains an exact
 * key with the same plain name. Only the catalog shows whether both refer to the same column. Throws `CatalogError` if the
 * columns cannot be read.
 */
export async function readAmbiguousColumns(
  reader: Reader,
  changes: readonly Change[],
  declared: DocumentsAndRules,
  options: ReadOptions,
): Promise<State> {
  const wanted = ambiguousColumns(changes, declared);
  if (wanted.size === 0) return wanted;
  const { state, unreadable } = await readLive(reader, wanted, options);
  for (const [urn, error] of unreadable)
    throw new CatalogError("answer", `cannot read the columns of ${urn}: ${error}`);
  return state;
}

function ambiguousColumns(changes: readonly Change[], { state, ruled }: DocumentsAndRules): State {
  const wanted = new Map<Urn, Entity>();
  for (const change of changes.filter(isFacetChange)) {
    const { urn, kind, facet, path: [key = ""] = [] } = change;
    const documents = state.get(urn)?.facets.get(facet);
    const isExact = hasKey(documents, key) || hasKey(ruled.get(urn)?.get(facet), key);
    const others = namesOfPlace(change).flatMap(({ path: [name = ""] = [] }) => (name === key ? [] : [name]));
    if (!documents || !isExact || !others.some((name) => hasKey(documents, name))) continue;
    const facets = new Map([...(wanted.get(urn)?.facets ?? []), [facet, documents] as const]);
    wanted.set(urn, { urn, kind, facets });
  }
  return wanted;
}

function hasKey(value: FacetValue | undefined, key: string): boolean {
  return value?.shape === "map" && value.entries.has(key);
}
