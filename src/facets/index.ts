/** Finds facets by name, kind and role, and finds the edges that two facets declare. */

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

/** Returns the facets for entities of a kind. */
export function facetsOf(kind: KindName): readonly Facet[] {
  return byKind.get(kind) ?? [];
}

/** Returns the facet with this name. Throws if there is none, which would be a bug. */
export function facetNamed(text: string): Facet {
  const facet = byName.get(text);
  if (!facet) throw new Error(`no facet is named ${text}`);
  return facet;
}

/**
 * Edges between groups and members that both facets can declare, such as users in groups, or assets in data products. Plans show
 * them as the group's `facet`.
 */
export interface EdgeSet extends Edges {
  readonly facet: string;
  /** The kind to which the groups belong. */
  readonly kind: Kind;
  /** The kinds to which the members belong. Their facet is `inverse`. */
  readonly inverseKinds: readonly Kind[];
}

/** All edges that either of two facets can declare. */
export const edgeSets: readonly EdgeSet[] = facets.flatMap((facet) => {
  const edges = facet.shape === "set" ? facet.edges : undefined;
  if (!edges) return [];
  const [kind, ...others] = facet.kinds.map(kindOf);
  if (!kind || others.length > 0) throw new Error(`exactly one kind has the facet ${facet.name}`);
  const inverseKinds = facetNamed(edges.inverse).kinds.map(kindOf);
  return [{ ...edges, facet: facet.name, kind, inverseKinds }];
});

/** Edges that the members store. */
export interface EdgesOfMembers extends EdgeSet {
  readonly storedByMembers: StoredByMembers;
}

/** The edges that the members store. All other edges are stored by the groups. */
export const edgesOfMembers: readonly EdgesOfMembers[] = edgeSets.filter(isStoredByMembers);

/** Whether the members store the edges. */
export function isStoredByMembers(edges: EdgeSet): edges is EdgesOfMembers {
  return edges.storedByMembers !== undefined;
}

const edgesByFacet: ReadonlyMap<string, EdgeSet> = new Map(edgeSets.map((edges) => [edges.facet, edges]));

const edgesByInverse: ReadonlyMap<string, EdgeSet> = new Map(edgeSets.map((edges) => [edges.inverse, edges]));

/** Finds the edges that plans show under a facet. */
export function edgeSetOf(facet: string): EdgeSet | undefined {
  return edgesByFacet.get(facet);
}

/** Finds the edges that a member's facet declares. */
export function edgeSetOfInverse(inverse: string): EdgeSet | undefined {
  return edgesByInverse.get(inverse);
}

/** Returns the opposite facet for the same edges, if the facet declares edges. */
export function otherEndOf(facet: string): string | undefined {
  return edgeSetOf(facet)?.inverse ?? edgeSetOfInverse(facet)?.facet;
}

/** Returns the relationship in DataHub's graph that leads to an entity's children, if entities of this kind form a tree. */
export function relationshipBelow({ parentFacet }: Kind): string | undefined {
  return parentFacet === undefined ? undefined : facetNamed(parentFacet).relationship;
}

/** The facets that plans show. All other facets declare the same edges from the members. */
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

/** Whether a definition's facet decides which values are valid on other entities. */
export function decidesAboutValues(facet: string): boolean {
  return deciding.has(facet);
}
