import { appendTo } from "../../model/append.ts";
import type { ScalarChange, SetChange } from "../../model/change.ts";
import type { Origin } from "../../model/origin.ts";
import {
  type Entity,
  type FacetValue,
  type Member,
  type Scalar,
  type ScalarValue,
  type SetValue,
  type State,
  without,
} from "../../model/state.ts";
import { placeOfElements } from "../sides/united-facets.ts";
import { rulesBehind } from "./rules-behind.ts";

/** A change of which it is not known yet whose values it concerns. */
export type Difference = Omit<ScalarChange, "fingerprint"> | Omit<SetChange, "fingerprint">;

/** Every difference of `desired` from `live`, for the entities that both hold. Knows shapes, and no facet by name. */
export function diff(desired: State, live: State): readonly Difference[] {
  const changes: Difference[] = [];
  for (const entity of desired.values()) {
    const liveEntity = live.get(entity.urn);
    if (!liveEntity) continue;
    for (const [facet, value] of entity.facets)
      appendTo(changes, facetChanges(entity, facet, value, liveEntity));
  }
  return changes;
}

function facetChanges(
  entity: Entity,
  facet: string,
  desired: FacetValue,
  liveEntity: Entity,
): readonly Difference[] {
  const live = liveEntity.facets.get(facet);
  if (desired === live) return [];
  if (live?.shape !== desired.shape) throw new Error(`facet ${facet} of ${entity.urn} was not read`);
  if (desired.shape !== "map") return valueChange(entity, { facet }, desired, live);
  return [...desired.entries].flatMap(([column, value]) =>
    valueChange(
      entity,
      { facet, column, path: [column] },
      value,
      live.shape === "map" ? live.entries.get(column) : undefined,
    ),
  );
}

interface Place {
  readonly facet: string;
  readonly column?: string;
  readonly path?: readonly string[];
}

function valueChange(
  entity: Entity,
  place: Place,
  desired: ScalarValue | SetValue,
  live: FacetValue | undefined,
): readonly Difference[] {
  if (desired === live) return [];
  const about = { action: "update", kind: entity.kind, urn: entity.urn, ...place } as const;
  const rules = (added: readonly (Member | Scalar)[], isRemoving: boolean): Pick<Difference, "rules"> =>
    desired.by ? rulesBehind(desired.by, added, isRemoving) : {};
  if (desired.shape === "scalar" && live?.shape === "scalar") {
    if (desired.value === live.value) return [];
    const behind = rules([desired.value], live.value !== null);
    const [before, after] = [live.value, desired.value];
    return [{ ...about, shape: "scalar", before, after, ...sourceAt(desired.origin), ...behind }];
  }
  if (desired.shape === "set" && live?.shape === "set") {
    const add = without(desired.members, live.members);
    const remove = without(live.members, desired.members);
    if (add.length === 0 && remove.length === 0) return [];
    const source = sourceAt(placeOfElements(desired, add));
    return [{ ...about, shape: "set", add, remove, ...source, ...rules(add, remove.length > 0) }];
  }
  throw new Error(`${place.facet} of ${entity.urn} was not read in the shape in which it is declared`);
}

function sourceAt(source: Origin | undefined): Pick<Difference, "source"> {
  return source ? { source } : {};
}
