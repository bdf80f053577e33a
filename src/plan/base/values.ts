/** Extracts strings and references from facet values of any shape, aligns states, and computes values after a change. */

import {
  type Entity,
  type FacetValue,
  isFields,
  type Leaf,
  type Member,
  type Scalar,
  scalarOf,
  setOf,
  type SetValue,
  type State,
  without,
} from "../../model/state.ts";
import { joined, type Place, valueFrom } from "../../model/place.ts";
import { facetNamed } from "../../facets/index.ts";
import { entitiesNamedIn } from "../../facets/places.ts";
import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../model/change.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";

/**
 * Returns the strings in a value: the value itself, or its fields, such as an owner and its type. The list is empty for `null`,
 * and contains one empty string for an object without fields.
 */
export function textsIn(value: Member | Scalar): readonly string[] {
  if (value === null) return [];
  const texts = isFields(value) ? Object.values(value).map(String) : [String(value)];
  return texts.length > 0 ? texts : [""];
}

/** Returns the strings at a place that may refer to entities: the strings in the value, and the place's keys. */
export function namesAt(place: Partial<Place>, value: Member | Scalar): readonly string[] {
  const { facet, path = [] } = place;
  return [...textsIn(value), ...(facet === undefined ? [] : entitiesNamedIn({ facet, path }))];
}

/** Returns the set in an entity's facet. */
export function setAt(entity: Entity | undefined, facet: string): SetValue | undefined {
  const value = entity?.facets.get(facet);
  return value?.shape === "set" ? value : undefined;
}

/**
 * Returns the entities that a change newly refers to. For a set, only the added elements count, or only those in `elements` if
 * given. If a place's keys refer to entities, each value under them also counts as a reference to those entities.
 */
export function referencesOf(change: Change, elements?: readonly Member[]): readonly Urn[] {
  if (!isFacetChange(change)) return [];
  const { facet } = change;
  if (isSetChange(change)) return referredAt(change, elements ?? change.add);
  if (change.after === null) return [];
  const before = new Set(referredBy(facet, [change.before]));
  return referredAt(change, [change.after]).filter((urn) => !before.has(urn));
}

function referredAt(place: Place, values: readonly (Member | Scalar)[]): readonly Urn[] {
  return [...(values.length > 0 ? entitiesNamedIn(place) : []), ...referredBy(place.facet, values)];
}

/** Returns the entities that a facet's values refer to. A string that only looks like a URN is not a reference. */
export function referredBy(facet: string, values: readonly (Member | Scalar)[]): readonly Urn[] {
  const { refersTo, referringFields, isReference = () => true } = facetNamed(facet);
  if (referringFields) {
    const fields = values.filter((value) => isFields(value));
    return fields.flatMap((value) => referringFields.map((field) => value[field])).filter(isUrn);
  }
  return values
    .flatMap(textsIn)
    .filter(isUrn)
    .filter((urn) => refersTo.includes(entityTypeOf(urn)) && isReference(urn));
}

/**
 * Replaces the values of a state with the results of `align`, which also receives the value of the same facet in another state.
 * Entities without replaced values are reused. So is the state if no value is replaced.
 */
export function alignedWith(
  state: State,
  other: State,
  align: (value: FacetValue, there: FacetValue | undefined, facet: string, urn: Urn) => FacetValue,
): State {
  const changed = new Map<Urn, Entity>();
  for (const entity of state.values()) {
    const found = other.get(entity.urn)?.facets;
    let facets: Map<string, FacetValue> | undefined;
    for (const [name, value] of entity.facets) {
      const aligned = align(value, found?.get(name), name, entity.urn);
      if (aligned !== value) facets = (facets ?? new Map(entity.facets)).set(name, aligned);
    }
    if (facets) changed.set(entity.urn, { ...entity, facets });
  }
  return changed.size === 0 ? state : new Map([...state, ...changed]);
}

/** Returns an entity's facets after the changes. */
export function facetsAfter(before: Entity["facets"], changes: readonly FacetChange[]): Entity["facets"] {
  const facets = new Map(before);
  for (const change of changes) {
    const made = valueFrom([[change.path ?? [], leafAfter(undefined, change)]]);
    const after = joined(facets.get(change.facet), made, (leaf) => leafAfter(leaf, change));
    facets.set(change.facet, after);
  }
  return facets;
}

function leafAfter(leaf: Leaf | undefined, change: FacetChange): Leaf {
  if (isSetChange(change)) {
    const members = leaf?.shape === "set" ? leaf.members : [];
    return setOf([...without(members, change.remove), ...change.add]);
  }
  const { fallback = leaf?.shape === "scalar" ? leaf.fallback : undefined } = change;
  return { ...scalarOf(change.after), ...(fallback !== undefined && { fallback }) };
}
