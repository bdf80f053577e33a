import type { Entity, FacetValue, State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";

/**
 * What the catalog shall hold: of each declared entity that is there, the declared facets as declared and all else
 * as it is. What is not managed is thereby equal on both sides, and the diff needs no special case.
 */
export function adopt(desired: State, live: State): State {
  const adopted = new Map<Urn, Entity>();
  for (const entity of desired.values()) {
    const there = live.get(entity.urn);
    if (!there) continue;
    const facets = new Map(there.facets);
    for (const [name, value] of entity.facets) facets.set(name, adoptValue(value, there.facets.get(name)));
    adopted.set(entity.urn, { ...entity, facets });
  }
  return adopted;
}

function adoptValue(value: FacetValue, live: FacetValue | undefined): FacetValue {
  if (value.shape !== "map" || live?.shape !== "map") return value;
  return { shape: "map", entries: new Map([...live.entries, ...value.entries]) };
}
