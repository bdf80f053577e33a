/** Finds facets by name, kind and role, and the edge sets that pairs of facets declare. */

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

/** Returns the facets that entities of a kind have. */
export function facetsOf(kind: KindName): readonly Facet[] {
  return byKind.get(kind) ?? [];
}

/** Whether manifests can declare a facet. */
export function isDeclarable({ schema }: Facet): boolean {
  return schema !== undefined;
}

/** Returns the facet with the given name. Throws if there is none, which would be a bug. */
export function facetNamed(text: string): Facet {
  const facet = byName.get(text);
  if (!facet) throw new Error(`no facet is named ${text}`);
  return facet;
}

/**
 * Edges between groups and their members. Manifests can declare them at both ends. Examples are users in groups, and assets in
 * data products. Plans show the edges under the `facet` of the group.
 */
export interface EdgeSet extends Edges {
  readonly facet: string;
  /** The kind of the groups. */
  readonly kind: Kind;
  /** The kinds of the members. Their facet is `inverse`. */
  readonly inverseKinds: readonly Kind[];
}

/** All edge sets that two facets can declare. */
export const edgeSets: readonly EdgeSet[] = facets.flatMap((facet) => {
  const edges = facet.shape === "set" ? facet.edges : undefined;
  if (!edges) return [];
  const [kind, ...others] = facet.kinds.map(kindOf);
  if (!kind || others.length > 0) throw new Error(`exactly one kind must have the facet ${facet.name}`);
  const inverseKinds = facetNamed(edges.inverse).kinds.map(kindOf);
  return [{ ...edges, facet: facet.name, kind, inverseKinds }];
});

/** An edge set that the members store. */
export interface EdgesOfMembers extends EdgeSet {
  readonly storedByMembers: StoredByMembers;
}

/** The edge sets that the members store. The groups store all other edge sets. */
export const edgesOfMembers: readonly EdgesOfMembers[] = edgeSets.filter(isStoredByMembers);

/** Whether the members store an edge set. */
export function isStoredByMembers(edges: EdgeSet): edges is EdgesOfMembers {
  return edges.storedByMembers !== undefined;
}

const edgesByFacet: ReadonlyMap<string, EdgeSet> = new Map(edgeSets.map((edges) => [edges.facet, edges]));

const edgesByInverse: ReadonlyMap<string, EdgeSet> = new Map(edgeSets.map((edges) => [edges.inverse, edges]));

/** Returns the edge set that plans show under a facet. */
export function edgeSetOf(facet: string): EdgeSet | undefined {
  return edgesByFacet.get(facet);
}

/** Returns the edge set that a facet of the members declares. */
export function edgeSetOfInverse(inverse: string): EdgeSet | undefined {
  return edgesByInverse.get(inverse);
}

/** Returns the facet at the other end of the same edges, if the given facet declares edges. */
export function otherEndOf(facet: string): string | undefined {
  return edgeSetOf(facet)?.inverse ?? edgeSetOfInverse(facet)?.facet;
}

/**
 * Returns the relationship in DataHub's graph that leads to the children of an entity, if entities of this kind form a hierarchy.
 */
export function relationshipBelow({ parentFacet }: Kind): string | undefined {
  return parentFacet === undefined ? undefined : facetNamed(parentFacet).relationship;
}

/** The facets that plans show: all except those that declare edges in the manifests of members. */
export const plannedFacets: readonly Facet[] = facets.filter(({ name: each }) => !edgeSetOfInverse(each));

/** A facet that `list` can search or show. */
export type ListedFacet = Facet & { readonly listing: Listing };

/** The facets that `list` can search or show. */
export const listedFacets: readonly ListedFacet[] = facets.filter(
  (facet): facet is ListedFacet => facet.listing !== undefined,
);

/** The facets that have a column in the output of `list`. */
export const listedColumns: readonly ListedFacet[] = listedFacets.filter(({ listing }) => listing.isColumn);

/** The facets for which `coverage` counts the assets with a value. */
export const countedFacets: readonly ListedFacet[] = listedFacets.filter(({ listing }) => listing.isCounted);

const deciding: ReadonlySet<string> = new Set(
  facets.flatMap((facet) => (facet.shape === "map" ? (facet.definitions?.decidedBy ?? []) : [])),
);

/** Whether a facet of a definition determines which values are valid on other entities. */
export function decidesAboutValues(facet: string): boolean {
  return deciding.has(facet);
}
