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

/** The facet of that name. A change that names another was not made by this version: an error. */
export function facetNamed(text: string): Facet {
  const facet = byName.get(text);
  if (!facet) throw new Error(`no facet is named ${text}`);
  return facet;
}

/**
 * Edges between groups and their members that are declared from either end: users are in groups, assets in data products. Plans
 * show them as `facet` of the group.
 */
export interface EdgeSet extends Edges {
  readonly facet: string;
  /** The kind of the groups. */
  readonly kind: Kind;
  /** The kinds of the members, whose facet is `inverse`. */
  readonly inverseKinds: readonly Kind[];
}

/** All sets of edges that manifests declare from either end. */
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

/** The sets of edges that the members store; the groups store the others. */
export const edgesOfMembers: readonly EdgesOfMembers[] = edgeSets.filter(isOfMembers);

/** Whether the members store edges, and not the groups. */
export function isOfMembers(edges: EdgeSet): edges is EdgesOfMembers {
  return edges.storedByMembers !== undefined;
}

const edgesByFacet: ReadonlyMap<string, EdgeSet> = new Map(edgeSets.map((edges) => [edges.facet, edges]));

const edgesByInverse: ReadonlyMap<string, EdgeSet> = new Map(edgeSets.map((edges) => [edges.inverse, edges]));

/** The edges that plans show as a facet. */
export function edgeSetOf(facet: string): EdgeSet | undefined {
  return edgesByFacet.get(facet);
}

/** The edges that a facet of the members declares. */
export function edgeSetOfInverse(inverse: string): EdgeSet | undefined {
  return edgesByInverse.get(inverse);
}

/** The facet at the other end of edges, of a facet at either end. */
export function otherEndOf(facet: string): string | undefined {
  return edgeSetOf(facet)?.inverse ?? edgeSetOfInverse(facet)?.facet;
}

/** The relationship of DataHub's graph by which it knows what is below an entity of a kind, where its entities form a tree. */
export function relationshipBelow({ parentFacet }: Pick<Kind, "parentFacet">): string | undefined {
  return parentFacet === undefined ? undefined : facetNamed(parentFacet).relationship;
}

/** The facets that plans show: the others declare edges from their other end. */
export const plannedFacets: readonly Facet[] = facets.filter(({ name: each }) => !edgeSetOfInverse(each));

/** A facet by which `list` finds entities. */
export type ListedFacet = Facet & { readonly listing: Listing };

/** The facets by which `list` finds entities. */
export const listedFacets: readonly ListedFacet[] = facets.filter(
  (facet): facet is ListedFacet => facet.listing !== undefined,
);

/** Those of which `list` shows the values. */
export const listedColumns: readonly ListedFacet[] = listedFacets.filter(({ listing }) => listing.isColumn);

/** Those of which `coverage` counts the assets that have a value. */
export const countedFacets: readonly ListedFacet[] = listedFacets.filter(({ listing }) => listing.isCounted);

const deciding: ReadonlySet<string> = new Set(
  facets.flatMap((facet) => (facet.shape === "map" ? (facet.definitions?.decidedBy ?? []) : [])),
);

/** Whether a facet of a definition says which values others can have. */
export function decidesAboutValues(facet: string): boolean {
  return deciding.has(facet);
}
