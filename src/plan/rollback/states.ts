/** Converts the writes of a run into the states that a rollback compares with the catalog. */

import { entitiesNamedIn } from "../../facets/places.ts";
import type { EntityChange, FacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Origin } from "../../model/origin.ts";
import { joined, type Path, type Place, placedLeaves, placeKey, valueFrom } from "../../model/place.ts";
import type { DeclaredReference } from "../../model/reference.ts";
import {
  type Entity,
  type FacetValue,
  isMember,
  type Leaf,
  scalarOf,
  setOf,
  type State,
} from "../../model/state.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import { referredBy } from "../base/values.ts";
import type { WrittenEntities, Created } from "../base/written.ts";
import { valuesOf } from "../../model/values.ts";

/** The states before and after a run, which a rollback compares with the catalog. */
export interface RollbackStates {
  /** The values before the run, at the places that the run changed. For sets, only the elements that the run removed. */
  readonly before: State;
  /** The values after the run, at the same places. For sets, only the elements that the run added. */
  readonly left: State;
  /** The entities that the run created, with the values that it wrote. */
  readonly created: State;
  /** The entities in `before` that the run deleted. */
  readonly deleted: ReadonlySet<Urn>;
  /** The places at which the run replaced several values with a single value. */
  readonly several: readonly (Place & { readonly urn: Urn })[];
}

/**
 * Returns the states for a rollback of a run. `origin` identifies the run. Deleted entities are omitted if an older report does
 * not contain their content.
 */
export function statesOf({ changed, created, deleted }: WrittenEntities, origin: Origin): RollbackStates {
  const again = deleted.filter(({ values }) => values !== undefined);
  const before = entitiesFrom(changed, (change) => {
    if (change.shape === "set") return setOf(change.remove, origin);
    return change.several ? setOf(change.several, origin) : scalarOf(change.before, origin);
  });
  // If an older report does not contain a deleted entity's content, the entity is not created again. If someone else has created
  // the entity again, it is kept.
  for (const { urn, values } of deleted) if (values === undefined) before.delete(urn);
  for (const each of again) {
    // If members store a group's edges, the run removed the edges in separate changes before it deleted the group.
    const { facets = new Map<string, FacetValue>() } = before.get(each.urn) ?? {};
    const entity = entityAgain(each, origin);
    before.set(each.urn, { ...entity, facets: new Map([...facets, ...entity.facets]) });
  }
  return {
    before,
    left: entitiesFrom(changed, leftBy),
    created: new Map(created.map((each) => [each.urn, { ...entityOf(each), origin }])),
    deleted: new Set(again.map(({ urn }) => urn)),
    several: changed.filter((change) => change.shape === "scalar" && change.several !== undefined),
  };
}

function leftBy(change: FacetChange): Leaf {
  if (change.shape === "set") return setOf(change.add);
  if (!change.several) return scalarOf(change.after);
  return setOf(isMember(change.after) ? [change.after] : []);
}

function entityOf({ urn, kind, changes }: Created): Entity {
  return entitiesFrom(changes, leftBy).get(urn) ?? { urn, kind, facets: new Map() };
}

function entitiesFrom(
  changes: readonly FacetChange[],
  leafOf: (change: FacetChange) => Leaf,
): Map<Urn, Entity> {
  const entities = new Map<Urn, Entity>();
  for (const [urn, own] of groupBy(changes, (change) => change.urn)) {
    const facets = new Map<string, FacetValue>();
    for (const change of own) {
      const value = valueFrom([[change.path ?? [], leafOf(change)]]);
      // A run can change a set twice, because references to deleted entities are removed separately.
      facets.set(change.facet, joined(facets.get(change.facet), value, both));
    }
    const [first] = own;
    if (first) entities.set(urn, { urn, kind: first.kind, facets });
  }
  return entities;
}

function both(first: Leaf | undefined, second: Leaf): Leaf {
  if (first?.shape !== "set" || second.shape !== "set") return first ?? second;
  return setOf([...first.members, ...second.members], second.origin);
}

function entityAgain({ urn, kind, values = [] }: EntityChange, origin: Origin): Entity {
  const facets = [...groupBy(values, ({ facet }) => facet)].map(([facet, own]) => {
    const leaves = own.map((each): readonly [Path, Leaf] => [
      each.path ?? [],
      each.elements ? setOf(each.elements, origin) : scalarOf(each.value ?? null, origin),
    ]);
    return [facet, valueFrom(leaves)] as const;
  });
  return { urn, kind, facets: new Map(facets), origin };
}

/** Returns the references that a rollback restores. */
export function referencesIn(state: State, origin: Origin): readonly DeclaredReference[] {
  return [...state.values()].flatMap(({ urn: from, facets }) =>
    placedLeaves(facets).flatMap(({ place, leaf }) =>
      referencesAt(place, leaf).map((urn) => ({
        urn,
        entityType: entityTypeOf(urn),
        from,
        ...place,
        origin,
      })),
    ),
  );
}

/** Returns a string that identifies a place in one of several entities. */
export function placedKey(urn: Urn, place: Place): string {
  return `${urn} ${placeKey(place)}`;
}

/** Returns the entities that a value and its keys refer to. */
export function referencesAt(place: Place, leaf: Leaf): readonly Urn[] {
  const values = valuesOf(leaf);
  return values.length === 0 ? [] : [...entitiesNamedIn(place), ...referredBy(place.facet, values)];
}
