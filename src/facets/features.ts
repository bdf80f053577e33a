/** Finds the server features that a value needs and that only newer releases have. */

import { leavesOf } from "../model/place.ts";
import type { FacetValue, Leaf, SetValue } from "../model/state.ts";
import type { Facet, Feature, Equivalence } from "./facet.ts";

/** Whether a facet has values that need a newer server. */
export function hasFeatures(facet: Facet): boolean {
  return facet.needs !== undefined || (facet.shape === "set" && facet.alike !== undefined);
}

/** Returns the features that a value needs on entities of a kind. */
export function featuresOf(facet: Facet, kind: string, value: FacetValue): readonly Feature[] {
  const needed = leavesOf(value).flatMap(([, leaf]) => featuresOfLeaf(facet, kind, leaf));
  return facet.shape === "set" && facet.alike ? [...needed, facet.alike] : needed;
}

/** Returns the features that a scalar or a set's elements need on entities of a kind. */
export function featuresOfLeaf(facet: Facet, kind: string, leaf: Leaf): readonly Feature[] {
  const values = leaf.shape === "set" ? leaf.members : leaf.value === null ? [] : [leaf.value];
  return values.flatMap((value) => facet.needs?.(kind, value) ?? []);
}

/** Whether a server without the feature would treat two elements as equal. */
export function hasEquivalentElements({ members }: SetValue, alike: Equivalence): boolean {
  return new Set(members.map((member) => alike.keyOf(member))).size < members.length;
}
