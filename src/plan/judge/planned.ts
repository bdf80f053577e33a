import { edgeSets, facetsOf } from "../../facets/index.ts";
import type { Facet } from "../../facets/facet.ts";
import { type Change, isFacetChange } from "../../model/change.ts";
import type { Entity, KindName } from "../../model/state.ts";
import { valueAfter } from "../diff/values.ts";

/** The facets that an entity does not store itself, but what is at the other end of an edge: its own aspects do not say them. */
const storedElsewhere: ReadonlySet<string> = new Set(
  edgeSets.flatMap(({ facet, inverse, storedByMembers }) => [inverse, ...(storedByMembers ? [facet] : [])]),
);

/** Of some facets those that an entity stores itself. */
export function ownFacets(kind: KindName, names: ReadonlySet<string>): readonly Facet[] {
  return facetsOf(kind).filter(({ name }) => names.has(name) && !storedElsewhere.has(name));
}

/** Facets as changes leave them. One that could not be read stays unknown. */
export function afterChanges(facets: Entity["facets"], changes: readonly Change[]): Entity["facets"] {
  const after = new Map(facets);
  for (const change of changes.filter(isFacetChange)) {
    const before = after.get(change.facet);
    if (before) after.set(change.facet, valueAfter(before, change));
  }
  return after;
}
