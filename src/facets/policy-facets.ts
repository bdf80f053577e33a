import type { Facet } from "./facet.ts";
import { facetsOf } from "./index.ts";
import { innerKey, isOfColumns } from "./places.ts";

/** The facets of a kind that policies can name: those that manifests can declare. */
function policyFacets(kind: string): readonly Facet[] {
  return facetsOf(kind).filter(({ schema }) => schema !== undefined);
}

/** The facets that policies can name of entities of a kind themselves, and not of their columns. */
export function plainFacets(kind: string): readonly Facet[] {
  return policyFacets(kind).filter(({ name }) => !isOfColumns(name));
}

/** The facets of columns that policies can name, by their keys below each column. */
export function columnFacets(kind: string): ReadonlyMap<string, Facet> {
  const own = policyFacets(kind).filter(({ name }) => isOfColumns(name));
  return new Map(own.map((facet) => [innerKey(facet) ?? facet.name, facet]));
}

/** Whether values of a facet have a key each, beside those of columns. */
export function hasKeys(facet: Facet): boolean {
  return facet.shape === "map" && facet.keys.length > (isOfColumns(facet.name) ? 1 : 0);
}
