/** Finds facets by name, by kind and by role, and the edges that two facets declare. */

import { kindOf, kinds } from "../kinds/index.ts";
import type { Kind } from "../kinds/kind.ts";
import type { KindName } from "../model/state.ts";
import type { Edges, Facet, Listing, StoredByMembers } from "./facet.ts";
import { facets } from "./list.ts";

export { facets };

const byName: ReadonlyMap<string, Facet> = new Map(facets.map((facet) => [facet.name, facet]));

const byKind: ReadonlyMap<KindName, readonly Facet[]> = new Map(
  kinds.map((kind) => [kind.name, facets.filter((facet) => facet.kinds.includes(kind.name))]),
);

/** The facets that entities of a kind have. */
export function facetsOf(kind: KindName): readonly Facet[] {
  return byKind.get(kind) ?? [];
}

/** The facet of that name. Throws if there is none: no version of this program plans such a change. */
export function facetNamed(text: string): Facet {
  const facet = byName.get(text);
  if (!facet) throw new Error(`no facet is named ${text}`);
  return facet;
}

/**
 * Edges between groups and their members that either end can declare: users are in groups, assets in data products. Plans show them
 * as `facet` of the group.
 */
export interface EdgeSet extends Edges {
  readonly facet: string;
  /** The kind of the groups. */
  readonly kind: Kind;
  /** The kinds of the members, whose facet is `inverse`. */
  readonly inverseKinds: readonly Kind[];
}

/** All edges that manifests can declare from either end. */
export const edgeSets: readonly EdgeSet[] = facets.flatMap((facet) => {
  const edges = facet.shape === "set" ? facet.edges : undefined;
  if (!edges) return [];
  const [kind, ...others] = facet.kinds.map(kindOf);
  if (!kind || others.length > 0) throw new Error(`exactly one kind has the facet ${facet.name}`);
  const inverseKinds = facetNamed(edges.inverse).kinds.map(kindOf);
  return [{ ...edges, facet: facet.name, kind, inverseKinds }];
});

/** Edges that members store. */
export interface EdgesOfMembers extends EdgeSet {
  readonly storedByMembers: StoredByMembers;
}

/** The edges that members store. Groups store the others. */
export const edgesOfMembers: readonly EdgesOfMembers[] = edgeSets.filter(isStoredByMembers);

/** Whether members store the edges. */
export function isStoredByMembers(edges: EdgeSet): edges is EdgesOfMembers {
  return edges.storedByMembers !== undefined;
}

const edgesByFacet: ReadonlyMap<string, EdgeSet> = new Map(edgeSets.map((edges) => [edges.facet, edges]));

const edgesByInverse: ReadonlyMap<string, EdgeSet> = new Map(edgeSets.map((edges) => [edges.inverse, edges]));

/** The edges that plans show as a facet. */
export function edgeSetOf(facet: string): EdgeSet | undefined {
  return edgesByFacet.get(facet);
}

/** The edges that a facet of members declares. */
export function edgeSetOfInverse(inverse: string): EdgeSet | undefined {
  return edgesByInverse.get(inverse);
}

/** The facet at the other end of the edges that a facet declares, if it declares edges. */
export function otherEndOf(facet: string): string | undefined {
  return edgeSetOf(facet)?.inverse ?? edgeSetOfInverse(facet)?.facet;
}

/** The relationship of DataHub's graph that leads to the children of a kind, if its entities form a tree. */
export function relationshipBelow({ parentFacet }: Kind): string | undefined {
  return parentFacet === undefined ? undefined : facetNamed(parentFacet).relationship;
}

/** The facets that plans show. The others declare edges from the other end. */
export const plannedFacets: readonly Facet[] = facets.filter(({ name: each }) => !edgeSetOfInverse(each));

/** A facet by which `list` finds entities. */
export type ListedFacet = Facet & { readonly listing: Listing };

/** The facets by which `list` finds entities. */
export const listedFacets: readonly ListedFacet[] = facets.filter(
  (facet): facet is ListedFacet => facet.listing !== undefined,
);

/** The facets whose values `list` shows. */
export const listedColumns: readonly ListedFacet[] = listedFacets.filter(({ listing }) => listing.isColumn);

/** The facets that `coverage` reports: it counts the assets with a value. */
export const countedFacets: readonly ListedFacet[] = listedFacets.filter(({ listing }) => listing.isCounted);

const deciding: ReadonlySet<string> = new Set(
  facets.flatMap((facet) => (facet.shape === "map" ? (facet.definitions?.decidedBy ?? []) : [])),
);

/** Whether a facet of a definition decides which values are valid on other entities. */
export function decidesAboutValues(facet: string): boolean {
  return deciding.has(facet);
}
