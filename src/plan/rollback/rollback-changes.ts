/** Restricts a rollback to changes that the current catalog allows, with a warning for each omitted value. */

import { facetsOf } from "../../facets/index.ts";
import { columnOf, keysOf } from "../../facets/places.ts";
import type { Live } from "../../model/live.ts";
import { isSamePlace, leafIn, type Path, type Place, placedLeaves, valueFrom } from "../../model/place.ts";
import { groupBy } from "../../model/group-by.ts";
import {
  type Entity,
  isSameValue,
  type Leaf,
  scalarOf,
  setOf,
  type State,
  without,
} from "../../model/state.ts";
import { keyOf, type Urn } from "../../model/urn.ts";
import { isRemovedDefinition, isSoftDeletedByPrune } from "../base/definitions.ts";
import { type RollbackWarning, rollbackWarning } from "./rollback-warning.ts";
import { referencesAt, type RollbackStates } from "./states.ts";
import type { Catalog } from "../base/catalog.ts";
import { valuesOf } from "../../model/values.ts";

/**
 * The state that a rollback can restore, and warnings about changes that are held back because the catalog changed after the run.
 */
export interface RollbackChanges {
  readonly before: State;
  readonly held: readonly RollbackWarning[];
}

/**
 * Returns the restorable part of the state before a run. Omits entities and columns that someone else removed, entities that
 * someone else created again, and values that refer to missing entities.
 */
export function rollbackChanges(states: RollbackStates, catalog: Catalog): RollbackChanges {
  const { before, deleted } = states;
  const held: RollbackWarning[] = [];
  const fitted = new Map<Urn, Entity>();
  for (const entity of before.values()) {
    const fit = deleted.has(entity.urn)
      ? entityAgain(entity, catalog.live, held)
      : entityAsItIs(entity, states, catalog.live, held);
    if (fit) fitted.set(entity.urn, fit);
  }
  const isThere = (urn: Urn): boolean => (deleted.has(urn) && fitted.has(urn)) || isLive(urn, catalog);
  const state = [...fitted].map(
    ([urn, each]) => [urn, withoutAbsent(each, catalog.live, { isThere, held })] as const,
  );
  return { before: new Map(state), held };
}

/** Returns a deleted entity, or `undefined` if someone else has created it again. If the values differ, adds a warning. */
function entityAgain(entity: Entity, { state }: Live, held: RollbackWarning[]): Entity | undefined {
  const { urn, kind } = entity;
  const now = state.get(urn);
  if (!now) return entity;
  if (isSoftDeletedByPrune(now)) return restored(entity);
  const isAsBefore = placedLeaves(entity.facets).every(({ place, leaf }) => has(leafIn(now, place), leaf));
  if (!isAsBefore) held.push(rollbackWarning({ urn, kind, because: "made-again" }));
  return undefined;
}

/** Returns the state of a soft-deleted entity after its restoration. */
function restored(entity: Entity): Entity {
  const implied = facetsOf(entity.kind).flatMap(({ name, implied: rule }) =>
    rule?.for === "every-entity"
      ? [[name, scalarOf(rule.value(keyOf(entity.urn)), entity.origin)] as const]
      : [],
  );
  return { ...entity, facets: new Map([...entity.facets, ...implied]) };
}

/** Whether a live value equals or contains a wanted value. */
function has(live: Leaf | undefined, wanted: Leaf): boolean {
  if (wanted.shape === "scalar") return live?.shape === "scalar" && isSameValue(live.value, wanted.value);
  return live?.shape === "set" && without(wanted.members, live.members).length === 0;
}

function entityAsItIs(
  entity: Entity,
  { several, left }: RollbackStates,
  { state, missing }: Live,
  held: RollbackWarning[],
): Entity | undefined {
  const { urn, kind } = entity;
  const now = state.get(urn);
  if (!now) {
    if (!missing.has(urn)) return entity;
    held.push(rollbackWarning({ urn, kind, because: "gone" }));
    return undefined;
  }
  return withLeaves(withoutImplied(entity, now), (place, leaf) => {
    const { facet } = place;
    if (!isColumnThere(place, now)) {
      held.push(rollbackWarning({ urn, kind, because: "column-gone", facet, column: place.path?.[0] }));
      return undefined;
    }
    const isOfSeveral = several.some((each) => each.urn === urn && isSamePlace(each, place));
    if (!isOfSeveral || isAsLeft(leafIn(now, place), leafIn(left.get(urn), place), leaf)) return leaf;
    held.push(rollbackWarning({ urn, kind, because: "moved", facet, column: columnOf(place) }));
    return undefined;
  });
}

/** Whether the single value that replaced several values is still live, or the replaced values are live again. */
function isAsLeft(now: Leaf | undefined, left: Leaf | undefined, before: Leaf): boolean {
  const values = valuesOf(now);
  const isSame = (other: Leaf | undefined): boolean =>
    values.length === valuesOf(other).length && other !== undefined && has(now, other);
  return isSame(left) || isSame(before);
}

/** Adds live implied values to an entity, unless the run changed them. A soft-deleted entity therefore remains soft-deleted. */
function withoutImplied(entity: Entity, now: Entity): Entity {
  const implied = facetsOf(entity.kind).filter(({ implied: rule }) => rule?.for === "every-entity");
  const kept = implied.flatMap(({ name }) => {
    const value = now.facets.get(name);
    return value && !entity.facets.has(name) ? [[name, value] as const] : [];
  });
  return { ...entity, facets: new Map([...entity.facets, ...kept]) };
}

/** Whether a place's key is live. Only keys that the catalog provides, such as columns, are checked. Other keys may be unset. */
function isColumnThere({ facet, path }: Place, now: Entity): boolean {
  const key = path?.[0];
  const value = now.facets.get(facet);
  if (key === undefined || value?.shape !== "map" || keysOf(facet)[0]?.among === undefined) return true;
  return value.entries.has(key);
}

/** Whether a referenced entity is live. An unreadable entity counts as live. */
function isLive(urn: Urn, { live, existence }: Catalog): boolean {
  const now = live.state.get(urn);
  if (now) return !isRemovedDefinition(now);
  const status = existence.get(urn)?.status;
  return !live.missing.has(urn) && status !== "absent" && status !== "soft-deleted";
}

interface Referring {
  readonly isThere: (urn: Urn) => boolean;
  readonly held: RollbackWarning[];
}

/** Removes values that refer to missing entities, unless the values are live. */
function withoutAbsent(entity: Entity, { state }: Live, { isThere, held }: Referring): Entity {
  const { urn, kind } = entity;
  return withLeaves(entity, (place, leaf) => {
    const now = leafIn(state.get(urn), place);
    if (has(now, leaf)) return leaf;
    const absentIn = (value: Leaf): Urn | undefined =>
      referencesAt(place, value).find((each) => !isThere(each));
    const hold = (reference: Urn): void => {
      held.push(rollbackWarning({ urn, kind, because: "reference-gone", facet: place.facet, reference }));
    };
    if (leaf.shape === "scalar") {
      const reference = absentIn(leaf);
      if (reference === undefined) return leaf;
      hold(reference);
      return undefined;
    }
    const added = without(leaf.members, now?.shape === "set" ? now.members : []);
    const absent = added.filter((member) => absentIn(setOf([member])) !== undefined);
    const first = absentIn(setOf(absent));
    if (first === undefined) return leaf;
    hold(first);
    return setOf(without(leaf.members, absent), leaf.origin);
  });
}

/** Returns an entity with only the leaves that `fit` returns. */
export function withLeaves(entity: Entity, fit: (place: Place, leaf: Leaf) => Leaf | undefined): Entity {
  const leaves = placedLeaves(entity.facets).flatMap(({ place, leaf }) => {
    const fitting = fit(place, leaf);
    return fitting ? [{ place, leaf: fitting }] : [];
  });
  const facets = [...groupBy(leaves, ({ place }) => place.facet)].map(([facet, own]) => {
    const parts = own.map(({ place, leaf }): readonly [Path, Leaf] => [place.path ?? [], leaf]);
    return [facet, valueFrom(parts)] as const;
  });
  return { ...entity, facets: new Map(facets) };
}
