import type { KindName } from "../model/state.ts";
import { columnTags } from "./column-tags.ts";
import { domain } from "./domain.ts";
import type { Facet } from "./facet.ts";
import { owners } from "./owners.ts";
import { tags } from "./tags.ts";

/** Every facet. A new one is a file in this folder and a name in this list. */
export const facets: readonly Facet[] = [domain, owners, tags, columnTags];

const byName: ReadonlyMap<string, Facet> = new Map(facets.map((facet) => [facet.name, facet]));

/** The facets that entities of a kind have. */
export function facetsOf(kind: KindName): readonly Facet[] {
  return facets.filter((facet) => facet.on.includes(kind));
}

/** The facet of that name. A change that names another was not made by this version: an error. */
export function facetNamed(name: string): Facet {
  const facet = byName.get(name);
  if (!facet) throw new Error(`no facet is named ${name}`);
  return facet;
}
