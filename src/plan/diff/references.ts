import { facetNamed } from "../../facets/index.ts";
import { type Change, isFacetChange, isSetChange } from "../../model/change.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";
import { textsIn } from "./values.ts";

/** The entities to which a change makes its own refer; of a set by some `elements` of those that it adds, or by all. */
export function referencesOf(change: Change, elements?: readonly Member[]): readonly Urn[] {
  if (!isFacetChange(change)) return [];
  return referredBy(change.facet, isSetChange(change) ? (elements ?? change.add) : [change.after]);
}

/** The entities to which values of a facet refer. A text that looks like a URN refers to nothing. */
export function referredBy(facet: string, values: readonly (Member | Scalar)[]): readonly Urn[] {
  const { refersTo } = facetNamed(facet);
  return values
    .flatMap(textsIn)
    .filter(isUrn)
    .filter((urn) => refersTo.includes(entityTypeOf(urn)));
}
