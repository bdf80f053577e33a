import { edgeSets, facetsOf } from "../../facets/index.ts";
import type { Facet } from "../../facets/facet.ts";
import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../model/change.ts";
import { joined, valueFrom } from "../../model/place.ts";
import {
  type Entity,
  type FacetValue,
  type KindName,
  type Leaf,
  scalarOf,
  setOf,
  without,
} from "../../model/state.ts";

/** The facets that an entity does not store itself, but what is at the other end of an edge: its own aspects do not say them. */
const storedElsewhere: ReadonlySet<string> = new Set(
  edgeSets.flatMap(({ facet, inverse, storedByMembers }) => [inverse, ...(storedByMembers ? [facet] : [])]),
);

/** Of some facets those that an entity stores itself. */
export function ownFacets(kind: KindName, names: ReadonlySet<string>): readonly Facet[] {
  return facetsOf(kind).filter(({ name }) => names.has(name) && !storedElsewhere.has(name));
}

/** The facets of an entity that does not exist yet. */
export function blankFacets(facets: readonly Facet[]): ReadonlyMap<string, FacetValue> {
  return new Map(facets.map((facet) => [facet.name, blankOf(facet)]));
}

function blankOf({ shape, blank }: Facet): FacetValue {
  if (shape === "map") return { shape, entries: new Map() };
  return shape === "set" ? setOf([]) : scalarOf(blank);
}

/** Facets as changes leave them. One that could not be read stays unknown. */
export function afterChanges(facets: Entity["facets"], changes: readonly Change[]): Entity["facets"] {
  const after = new Map(facets);
  for (const change of changes.filter(isFacetChange)) {
    const before = after.get(change.facet);
    if (before) after.set(change.facet, changed(before, change));
  }
  return after;
}

function changed(before: FacetValue, change: FacetChange): FacetValue {
  const { path = [] } = change;
  return joined(before, valueFrom([[path, leafOf(undefined, change)]]), (leaf) => leafOf(leaf, change));
}

function leafOf(leaf: Leaf | undefined, change: FacetChange): Leaf {
  if (isSetChange(change)) {
    const members = leaf?.shape === "set" ? leaf.members : [];
    return setOf([...without(members, change.remove), ...change.add]);
  }
  const fallback = leaf?.shape === "scalar" ? leaf.fallback : undefined;
  return { ...scalarOf(change.after), ...(fallback !== undefined && { fallback }) };
}
