/** Lists the facets that policies can use for entities and for columns. */

import type { Facet } from "./facet.ts";
import { facetsOf, isDeclarable } from "./index.ts";
import { innerKey, isOfColumns } from "./places.ts";

/** Returns the facets of the entities themselves, without the facets of their columns. */
export function plainFacets(kind: string): readonly Facet[] {
  return facetsOf(kind).filter((facet) => isDeclarable(facet) && !isOfColumns(facet.name));
}

/** Returns the column facets, keyed by the name that manifests use for them under each column. */
export function columnFacets(kind: string): ReadonlyMap<string, Facet> {
  const own = facetsOf(kind).filter((facet) => isDeclarable(facet) && isOfColumns(facet.name));
  return new Map(own.map((facet) => [innerKey(facet) ?? facet.name, facet]));
}

/** Whether the values of a facet have a key in addition to the column. */
export function hasKeys(facet: Facet): boolean {
  return facet.shape === "map" && facet.keys.length > (isOfColumns(facet.name) ? 1 : 0);
}
