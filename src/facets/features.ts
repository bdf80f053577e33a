import { leavesOf } from "../model/place.ts";
import type { FacetValue, Leaf, SetValue } from "../model/state.ts";
import type { Facet, Feature, Equivalence } from "./facet.ts";

/** Whether some values of a facet are only in newer servers. */
export function hasFeatures(facet: Facet): boolean {
  return facet.needs !== undefined || (facet.shape === "set" && facet.alike !== undefined);
}

/** The features that a value of entities of a kind depends on. */
export function featuresOf(facet: Facet, kind: string, value: FacetValue): readonly Feature[] {
  const needed = leavesOf(value).flatMap(([, leaf]) => neededBy(facet, kind, leaf));
  return facet.shape === "set" && facet.alike ? [...needed, facet.alike] : needed;
}

/** What a server must have for entities of a kind to have a single value or the elements of a set. */
export function neededBy(facet: Facet, kind: string, leaf: Leaf): readonly Feature[] {
  const values = leaf.shape === "set" ? leaf.members : leaf.value === null ? [] : [leaf.value];
  return values.flatMap((value) => facet.needs?.(kind, value) ?? []);
}

/** Whether a server without the feature that tells elements apart takes two of a set for one. */
export function hasRepeated({ members }: SetValue, alike: Equivalence): boolean {
  return new Set(members.map((member) => alike.keyOf(member))).size < members.length;
}
