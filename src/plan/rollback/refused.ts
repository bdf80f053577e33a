/** Removes values and deletions from a rollback if problems or later changes prevent them. */

import { columnOf, entitiesNamedIn } from "../../facets/places.ts";
import { kindOf } from "../../kinds/index.ts";
import { canonicalJson } from "../../model/json.ts";
import { type Change, isSetChange } from "../../model/change.ts";
import { leafIn, type Place, placedLeaves, placeKey } from "../../model/place.ts";
import { hasTrait, isRefusing, type Problem, traitOf } from "../../model/problem.ts";
import {
  type Entity,
  isMember,
  type Leaf,
  type Member,
  setOf,
  type State,
  without,
} from "../../model/state.ts";
import { isUrn } from "../../model/urn.ts";
import { pathOf } from "../checks/defined-values.ts";
import { type RollbackChanges, withLeaves } from "./rollback-changes.ts";
import { type RollbackWarning, rollbackWarning } from "./rollback-warning.ts";
import { placedKey, referencesAt } from "./states.ts";
import { valuesOf } from "../../model/values.ts";

/** The values that a rollback restores, and the entities that it deletes. */
export interface Wanted {
  readonly before: State;
  readonly deleted: State;
}

/** The remaining rollback, and warnings about the values and deletions that are held back. */
export interface WithoutRefused extends Wanted {
  readonly held: readonly RollbackWarning[];
}

/**
 * Holds back only the values or the deletion that each problem concerns. `wordsOf` returns the message of a problem. Other
 * problems may also disappear as a result, so the remaining rollback must be compared with the catalog again.
 */
export function withoutRefused(
  wanted: Wanted,
  problems: readonly Problem[],
  wordsOf: (problem: Problem) => string,
): WithoutRefused {
  const errors = problems.filter(isRefusing);
  // Problems with definitions are handled first, because the allowed values depend on which definitions remain unchanged.
  const ofDefinitions = errors.filter(({ code }) => traitOf(code) === "refused-definition");
  const refusing = ofDefinitions.length > 0 ? ofDefinitions : errors;
  const held: RollbackWarning[] = [];
  const deleted = new Map(wanted.deleted);
  let { before } = wanted;
  for (const problem of refusing) {
    const { urn }: Readonly<Record<string, unknown>> = problem.args;
    const kept = isUrn(urn) ? deleted.get(urn) : undefined;
    if (kept) {
      deleted.delete(kept.urn);
      held.push(rollbackWarning({ urn: kept.urn, kind: kept.kind, because: "in-use" }));
      continue;
    }
    const isRefused = refusedBy(problem, before);
    before = withFittingLeaves(before, (entity, place, leaf) => {
      if (!isRefused(entity, place, leaf)) return leaf;
      const about = { urn: entity.urn, kind: entity.kind, facet: place.facet, column: columnOf(place) };
      held.push(rollbackWarning({ ...about, because: "refused", reason: wordsOf(problem) }));
      return undefined;
    });
  }
  return { before, deleted, held };
}

/**
 * Does not restore a member to its old group if the member would leave a group to which the run did not add it. If a member can
 * be in only one group, someone else has moved it since the run.
 */
export function withoutMembersMovedSince(
  before: State,
  changes: readonly Change[],
  left: State,
): RollbackChanges {
  const moved = new Map<string, Set<Member>>();
  for (const change of changes.filter(isSetChange)) {
    const own = leafIn(left.get(change.urn), change);
    for (const { value, movesTo } of change.removed ?? []) {
      const isOwn = own?.shape === "set" && isMember(value) && own.members.includes(value);
      if (movesTo === undefined || isOwn || !isMember(value)) continue;
      const key = placedKey(movesTo, change);
      moved.set(key, (moved.get(key) ?? new Set()).add(value));
    }
  }
  const held: RollbackWarning[] = [];
  const rest = withFittingLeaves(before, ({ urn, kind }, place, leaf) => {
    const members = moved.get(placedKey(urn, place));
    if (!members || leaf.shape !== "set") return leaf;
    held.push(rollbackWarning({ urn, kind, facet: place.facet, because: "moved" }));
    return setOf(without(leaf.members, [...members]), leaf.origin);
  });
  return { before: rest, held };
}

/** Returns a state with only the leaves that `fit` returns. */
function withFittingLeaves(
  state: State,
  fit: (entity: Entity, place: Place, leaf: Leaf) => Leaf | undefined,
): State {
  const entities = [...state.values()].map((entity) =>
    withLeaves(entity, (place, leaf) => fit(entity, place, leaf)),
  );
  return new Map(entities.map((entity) => [entity.urn, entity]));
}

type IsRefused = (entity: Entity, place: Place, leaf: Leaf) => boolean;

/** Returns a function that tests whether a problem concerns a place. */
function refusedBy(problem: Problem, before: State): IsRefused {
  const { urn, facet, path, cycle }: Readonly<Record<string, unknown>> = problem.args;
  if (Array.isArray(cycle))
    return (entity, place) => place.facet === kindOf(entity.kind).parentFacet && cycle.includes(entity.urn);
  if (hasTrait(problem, "absent-reference", "soft-deleted-reference"))
    return (_, place, leaf) => referencesAt(place, leaf).some((each) => each === urn);
  const isOwn: IsRefused = (entity, place) =>
    entity.urn === urn &&
    (facet === undefined || place.facet === facet) &&
    (path === undefined || pathOf(place) === path);
  if (path === undefined) return isOwn;
  // One problem covers all places with a value that the same definition does not allow.
  const refused = new Set(
    [...before.values()].flatMap((entity) =>
      placedLeaves(entity.facets).flatMap(({ place, leaf }) =>
        isOwn(entity, place, leaf) ? [valueAtKey(place, leaf)] : [],
      ),
    ),
  );
  return (_, place, leaf) => refused.has(valueAtKey(place, leaf));
}

function valueAtKey(place: Place, leaf: Leaf): string {
  const definition = entitiesNamedIn(place).at(-1) ?? placeKey(place);
  return canonicalJson([place.facet, definition, [...valuesOf(leaf)]]);
}
