import type { ScalarChange, SetChange } from "../../model/change.ts";
import {
  type Entity,
  type FacetValue,
  type ScalarValue,
  type SetValue,
  type State,
  without,
} from "../../model/state.ts";

/** A change of which it is not known yet whose values it concerns. */
export type Difference = Omit<ScalarChange, "fingerprint"> | Omit<SetChange, "fingerprint">;

/** Every difference of `desired` from `live`, for the entities that both hold. Knows shapes, and no facet by name. */
export function diff(desired: State, live: State): readonly Difference[] {
  const changes: Difference[] = [];
  for (const entity of desired.values()) {
    const there = live.get(entity.urn);
    if (!there) continue;
    for (const [facet, value] of entity.facets) changes.push(...facetChanges(entity, facet, value, there));
  }
  return changes;
}

function facetChanges(entity: Entity, facet: string, want: FacetValue, there: Entity): readonly Difference[] {
  const have = there.facets.get(facet);
  if (want === have) return [];
  if (have?.shape !== want.shape) throw new Error(`facet ${facet} of ${entity.urn} was not read`);
  if (want.shape !== "map") return valueChange(entity, { facet }, want, have);
  return [...want.entries].flatMap(([column, value]) =>
    valueChange(
      entity,
      { facet, column },
      value,
      have.shape === "map" ? have.entries.get(column) : undefined,
    ),
  );
}

interface Place {
  readonly facet: string;
  readonly column?: string;
}

function valueChange(
  entity: Entity,
  place: Place,
  want: ScalarValue | SetValue,
  have: FacetValue | undefined,
): readonly Difference[] {
  if (want === have) return [];
  const about = { action: "update", kind: entity.kind, urn: entity.urn, ...place } as const;
  const source = want.origin && { source: want.origin };
  if (want.shape === "scalar" && have?.shape === "scalar") {
    if (want.value === have.value) return [];
    return [{ ...about, before: have.value, after: want.value, ...source }];
  }
  if (want.shape === "set" && have?.shape === "set") {
    const add = without(want.members, have.members);
    const remove = without(have.members, want.members);
    if (add.length === 0 && remove.length === 0) return [];
    return [{ ...about, add, remove, ...source }];
  }
  throw new Error(`${place.facet} of ${entity.urn} was not read in the shape in which it is declared`);
}
