/** Determines which GraphQL types a plan must probe, because only newer servers have some of their fields. */

import type { Feature } from "../../facets/facet.ts";
import { featuresOf, hasFeatures } from "../../facets/features.ts";
import { facets } from "../../facets/index.ts";
import { typeOfField } from "../../model/live.ts";
import { leavesOf } from "../../model/place.ts";
import type { Entity, Leaf, State } from "../../model/state.ts";

/** Fields that only newer servers have, and the facets that read them. */
const optionalFields = facets.flatMap((facet) =>
  facet.shape === "map" && facet.columnEntity ? [{ facet: facet.name, field: facet.columnEntity.field }] : [],
);

const withFeatures = facets.filter(hasFeatures);

/** Fields that only newer servers have and that are required to remove a facet's value. */
const unsettingFields = facets.flatMap(({ name, scalar }) =>
  scalar?.unsetBy === undefined ? [] : [{ facet: name, field: scalar.unsetBy }],
);

function isUnset(leaf: Leaf): boolean {
  return leaf.shape === "scalar" && leaf.value === null;
}

/** Returns the types of the optional fields that are needed to read or write these entities. */
export function optionalTypes(wanted: State): readonly string[] {
  const used = new Set<string>();
  for (const entity of wanted.values()) {
    for (const { facet, field } of optionalFields) if (entity.facets.has(facet)) used.add(field);
    for (const { field } of featuresIn(entity)) used.add(field);
    for (const { facet, field } of unsettingFields)
      if (leavesOf(entity.facets.get(facet)).some(([, leaf]) => isUnset(leaf))) used.add(field);
  }
  return typesOf([...used]);
}

function featuresIn({ kind, facets: values }: Entity): readonly Feature[] {
  return withFeatures.flatMap((facet) => {
    const value = values.get(facet.name);
    return value ? featuresOf(facet, kind, value) : [];
  });
}

/** Returns the distinct types of these fields. */
export function typesOf(fields: readonly string[]): readonly string[] {
  return [...new Set(fields.map(typeOfField))];
}
