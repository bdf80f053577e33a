/** Compares two states, and lists every difference between their values. */

import { leafAt, leavesOf, type Place, placeAt } from "../../model/place.ts";
import type { ScalarChange, SetChange } from "../../model/change.ts";
import { type Entity, isSameValue, type Leaf, type State, without } from "../../model/state.ts";

/** A change without its fingerprint, its source and its rules, which are added later. */
export type Difference =
  | Omit<ScalarChange, "fingerprint" | "source" | "rules">
  | Omit<SetChange, "fingerprint" | "source" | "rules">;

/**
 * Returns every difference between `desired` and `live` for the entities that both contain. The comparison depends on the shapes
 * of values, not on facet names. Throws if a facet was not read.
 */
export function diff(desired: State, live: State): readonly Difference[] {
  const changes: Difference[] = [];
  for (const entity of desired.values()) {
    const liveEntity = live.get(entity.urn);
    if (!liveEntity) continue;
    for (const [facet, value] of entity.facets) {
      const there = liveEntity.facets.get(facet);
      if (value === there) continue;
      if (there?.shape !== value.shape) throw new Error(`facet ${facet} of ${entity.urn} was not read`);
      for (const [path, leaf] of leavesOf(value)) {
        const change = leafChange(entity, placeAt(facet, path), leaf, leafAt(there, path));
        if (change) changes.push(change);
      }
    }
  }
  return changes;
}

function leafChange(
  entity: Entity,
  place: Place,
  desired: Leaf,
  live: Leaf | undefined,
): Difference | undefined {
  if (desired === live) return undefined;
  const { alsoStoredAt } = live ?? {};
  const elsewhere = alsoStoredAt !== undefined && { alsoStoredAt };
  const about = { action: "update", kind: entity.kind, urn: entity.urn, ...place, ...elsewhere } as const;
  if (desired.shape === "scalar" && live?.shape === "scalar") {
    if (isSameValue(desired.value, live.value)) return undefined;
    const { fallback, several, value: before } = live;
    const shows = desired.value === null && fallback !== undefined && { fallback };
    return { ...about, shape: "scalar", before, ...(several && { several }), after: desired.value, ...shows };
  }
  if (desired.shape === "set" && live?.shape === "set") {
    const add = without(desired.members, live.members);
    const remove = without(live.members, desired.members);
    if (add.length === 0 && remove.length === 0) return undefined;
    // Copying the arrays drops their spare capacity, which a large plan would otherwise retain for every change.
    return { ...about, shape: "set", add: [...add], remove: [...remove] };
  }
  throw new Error(
    `${place.facet} of ${entity.urn} has a different shape in the catalog than in the declaration`,
  );
}
