/** In the values that rules declare, replaces column paths with the column names that the asset's documents use. */

import { isOfColumns } from "../../facets/places.ts";
import type { Asset } from "../../model/rule.ts";
import type { Entity, FacetValue } from "../../model/state.ts";

/**
 * Returns the values that rules declare, with the column names used in the asset's documents. Rules and documents then use the
 * same name for a column.
 */
export function withColumnsAsDocumented(
  facets: ReadonlyMap<string, FacetValue>,
  { facets: written }: Entity,
  { columns = [] }: Asset,
): ReadonlyMap<string, FacetValue> {
  const named = [...facets].flatMap(([facet, value]): readonly [string, FacetValue][] => {
    const own = written.get(facet);
    if (!isOfColumns(facet) || value.shape !== "map" || own?.shape !== "map") return [];
    const names = namesOf([...own.entries.keys()], columns);
    if ([...value.entries.keys()].every((path) => (names.get(path) ?? path) === path)) return [];
    const entries = [...value.entries].map(([path, entry]) => [names.get(path) ?? path, entry] as const);
    return [[facet, { shape: "map", entries: new Map(entries) }]];
  });
  // Most assets can share the values of their rules, so the values are not copied.
  return named.length === 0 ? facets : new Map([...facets, ...named]);
}

/**
 * Returns the documents' name for each column path. A name refers to the column with the same path, or otherwise to the only
 * column with the same plain name.
 */
function namesOf(
  written: readonly string[],
  columns: NonNullable<Asset["columns"]>,
): ReadonlyMap<string, string> {
  const paths = new Set(columns.map(({ path }) => path));
  const names = new Map<string, string>();
  for (const name of written) {
    const candidates = paths.has(name)
      ? [name]
      : columns.flatMap((each) => (each.name === name ? [each.path] : []));
    const [path, ...more] = candidates;
    if (path !== undefined && more.length === 0 && !names.has(path)) names.set(path, name);
  }
  return names;
}
