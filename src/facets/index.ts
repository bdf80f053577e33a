import { kindOf, kinds } from "../kinds/index.ts";
import type { Kind } from "../kinds/kind.ts";
import type { KindName } from "../model/state.ts";
import type { Edges, Facet } from "./facet.ts";
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

/** Edges that are declared from either end, with what is at each end. Plans show them as `facet` of `kind`. */
export interface EdgeSet extends Edges {
  readonly facet: string;
  readonly kind: Kind;
  /** The kind at the other end, whose facet is `inverse`. */
  readonly inverseKind: Kind;
}

/** Who is in which group: the only edges that manifests declare from either end. */
export const memberships: EdgeSet = edgeSet();

function edgeSet(): EdgeSet {
  const [found, ...more] = facets.flatMap((facet) => {
    const edges = facet.shape === "set" ? facet.edges : undefined;
    return edges
      ? [{ ...edges, facet: facet.name, kind: endOf(facet), inverseKind: endOf(facetNamed(edges.inverse)) }]
      : [];
  });
  if (!found || more.length > 0) throw new Error("exactly one facet declares edges from either end");
  return found;
}

function endOf({ kinds: ends }: Facet): Kind {
  return kindOf(ends[0] ?? "");
}

/** The relationship of DataHub's graph by which it knows what is below an entity of a kind, where its entities form a tree. */
export function relationshipBelow({ parentFacet }: Pick<Kind, "parentFacet">): string | undefined {
  return parentFacet === undefined ? undefined : facetNamed(parentFacet).relationship;
}

/** The facets that plans show: the others declare edges from their other end. */
export const plannedFacets: readonly Facet[] = facets.filter(
  ({ name: each }) => each !== memberships.inverse,
);
