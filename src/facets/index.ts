import { kindOf, kinds } from "../kinds/index.ts";
import type { Kind } from "../kinds/kind.ts";
import { type FacetChange, leavesOthers } from "../model/change.ts";
import type { Proposal, Write, Writes } from "../model/operation.ts";
import type { JsonObject } from "../model/json.ts";
import { valueFrom } from "../model/place.ts";
import { type FacetValue, type KindName, setOf } from "../model/state.ts";
import { colorHex } from "./color-hex.ts";
import { columnTags } from "./column-tags.ts";
import { description } from "./description.ts";
import { domain } from "./domain.ts";
import type { Edges, Facet } from "./facet.ts";
import { groups } from "./groups.ts";
import { incomplete } from "./incomplete.ts";
import { members } from "./members.ts";
import { name } from "./name.ts";
import { owners } from "./owners.ts";
import { parentDomain } from "./parent-domain.ts";
import { profile } from "./profile.ts";
import { removed } from "./removed.ts";
import { tags } from "./tags.ts";

/** Every facet. A new one is a file in this folder and a name in this list. */
export const facets: readonly Facet[] = [
  domain,
  owners,
  tags,
  columnTags,
  name,
  description,
  parentDomain,
  colorHex,
  ...profile,
  members,
  groups,
  incomplete,
  removed,
];

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

/**
 * The writes that carry out one change of a facet, in the order in which they are sent: where they are to be conditional and
 * the facet can be written so, one edit of its aspect. Throws on a change that has not the shape of its facet: no version of
 * this program made it.
 */
export function writesFor(change: FacetChange, writes: Writes): readonly Write[] {
  const facet = facetNamed(change.facet);
  const edit = writes === "conditional" ? editFor(facet, change) : undefined;
  if (edit) return [{ request: edit }];
  if (facet.shape === "scalar" && change.shape === "scalar") {
    return facet.requests(change).map((request) => ({ request }));
  }
  if (facet.shape !== "scalar" && change.shape === "set") {
    const additions = change.add.length > 0 ? facet.add(change, change.add) : [];
    const removals = change.remove.length > 0 ? facet.remove(change, change.remove) : [];
    return [
      ...additions.map(({ request, elements }) => ({ request, adds: elements })),
      ...removals.map(({ request, elements }) => ({ request, removes: elements })),
    ];
  }
  throw new Error(`a change of ${facet.name} has the shape of a ${change.shape}`);
}

function editFor(facet: Facet, change: FacetChange): Proposal | undefined {
  const { editing } = facet;
  if (!editing) return undefined;
  const { aspect, stamp } = editing;
  const edits =
    facet.shape === "scalar"
      ? change.shape === "scalar" && facet.editing?.edits(change)
      : change.shape === "set" && facet.editing?.edits(change, change.add, change.remove);
  if (!edits) return undefined;
  return {
    type: "proposal",
    urn: change.urn,
    aspect,
    initial: {},
    set: {},
    edits,
    ...(stamp && { stamp }),
    ...(leavesOthers(change) && { isForAnyVersion: true }),
  };
}

/** What an aspect by itself tells of the value at the place of a change. */
export function valueInAspect(
  change: FacetChange,
  aspectName: string,
  aspect: JsonObject | undefined,
): FacetValue {
  const facet = facetNamed(change.facet);
  if (facet.shape === "scalar" || !facet.editing) {
    return facet.observe({ aspects: aspect ? { [aspectName]: aspect } : {} }, change.kind).value;
  }
  const { path = [] } = change;
  return valueFrom([[path, setOf(facet.editing.elements(aspect ?? {}, path))]]);
}
