/** Determines which server features a value requires. Only newer releases have these features. */

import { leavesOf } from "../model/place.ts";
import type { FacetValue, Leaf, SetValue } from "../model/state.ts";
import type { Facet, Feature, Equivalence } from "./facet.ts";

/** Whether some values of a facet require a newer server. */
export function hasFeatures(facet: Facet): boolean {
  return facet.needs !== undefined || (facet.shape === "set" && facet.alike !== undefined);
}

/** Returns the features that a value requires on entities of a kind. */
export function featuresOf(facet: Facet, kind: string, value: FacetValue): readonly Feature[] {
  const needed = leavesOf(value).flatMap(([, leaf]) => featuresOfLeaf(facet, kind, leaf));
  return facet.shape === "set" && facet.alike ? [...needed, facet.alike] : needed;
}

/** Returns the features that a scalar or the elements of a set require on entities of a kind. */
export function featuresOfLeaf(facet: Facet, kind: string, leaf: Leaf): readonly Feature[] {
  const values = leaf.shape === "set" ? leaf.members : leaf.value === null ? [] : [leaf.value];
  return values.flatMap((value) => facet.needs?.(kind, value) ?? []);
}

/** Whether a server without the feature would treat two of the elements as equal. */
export function hasEquivalentElements({ members }: SetValue, alike: Equivalence): boolean {
  return new Set(members.map((member) => alike.keyOf(member))).size < members.length;
}
