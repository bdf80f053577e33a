/** Removes from an entity the values that rules declare. The remaining values can be exported as a document. */

import { joined, leafAt } from "../../model/place.ts";
import { type Entity, type FacetValue, isSameValue, type Leaf, without } from "../../model/state.ts";

/** The remaining values of an entity, and the facets whose values are all declared by rules. */
export interface WithoutRules {
  readonly entity: Entity;
  readonly ruled: readonly string[];
}

/** Returns an entity without the values that rules declare. Additional set elements and different single values are kept. */
export function subtractRules(entity: Entity, declared: Entity["facets"]): WithoutRules {
  const facets = new Map<string, FacetValue>();
  const ruled: string[] = [];
  for (const [name, value] of entity.facets) {
    const ofRules = declared.get(name);
    const left = joined(undefined, value, (_, leaf, path) => {
      const own = leafAt(ofRules, path);
      return own ? rest(leaf, own) : leaf;
    });
    facets.set(name, left);
    if (isEmpty(left) && !isEmpty(value)) ruled.push(name);
  }
  return { entity: { ...entity, facets }, ruled };
}

function rest(value: Leaf, declared: Leaf): Leaf {
  if (value.shape === "set" && declared.shape === "set")
    return { ...value, members: without(value.members, declared.members) };
  const isSame =
    value.shape === "scalar" && declared.shape === "scalar" && isSameValue(value.value, declared.value);
  return isSame ? { ...value, value: null } : value;
}

function isEmpty(value: FacetValue): boolean {
  if (value.shape === "scalar") return value.value === null;
  if (value.shape === "set") return value.members.length === 0;
  return [...value.entries.values()].every(isEmpty);
}
