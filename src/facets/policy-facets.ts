/** The facets that policies can name: of entities, and of columns. */

import type { Facet } from "./facet.ts";
import { facetsOf } from "./index.ts";
import { innerKey, isOfColumns } from "./places.ts";

/** The facets of a kind that manifests can declare. */
function policyFacets(kind: string): readonly Facet[] {
  return facetsOf(kind).filter(({ schema }) => schema !== undefined);
}

/** The facets of entities themselves, not of their columns. */
export function plainFacets(kind: string): readonly Facet[] {
  return policyFacets(kind).filter(({ name }) => !isOfColumns(name));
}

/** The facets of columns, by their keys below each column. */
export function columnFacets(kind: string): ReadonlyMap<string, Facet> {
  const own = policyFacets(kind).filter(({ name }) => isOfColumns(name));
  return new Map(own.map((facet) => [innerKey(facet) ?? facet.name, facet]));
}

/** Whether each value of a facet has a key, apart from the column. */
export function hasKeys(facet: Facet): boolean {
  return facet.shape === "map" && facet.keys.length > (isOfColumns(facet.name) ? 1 : 0);
}
