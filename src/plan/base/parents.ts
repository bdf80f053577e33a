/** Walks entity trees. Finds parents, ancestors, cycles, and parents that could not be read. */

import { kindOf, kindOfUrn } from "../../kinds/index.ts";
import type { Entity, ScalarValue, State } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import type { Live } from "../../model/live.ts";
import type { Problem } from "../../model/problem.ts";
import { readProblem } from "../../model/restricted.ts";
import { withoutFacet } from "./group-lists.ts";

/** Returns an entity's parent in a state, or `undefined` if the entity has no parent. */
export function parentIn(state: State, urn: Urn): ScalarValue | undefined {
  const facet = kindOfUrn(urn)?.parentFacet;
  const parent = facet === undefined ? undefined : state.get(urn)?.facets.get(facet);
  return parent?.shape === "scalar" ? parent : undefined;
}

/** Returns the URN of an entity's parent. */
export type ParentOf = (urn: Urn) => Urn | undefined;

/** Returns a lookup that uses the first state that has a parent for the entity. */
export function parentsIn(...states: readonly State[]): ParentOf {
  return (urn) => {
    for (const state of states) {
      const parent = parentIn(state, urn);
      if (parent) return isUrn(parent.value) ? parent.value : undefined;
    }
    return undefined;
  };
}

/**
 * Returns all ancestors of an entity, nearest first. Stops at the top level, or when the path reaches an entity a second time.
 */
export function ancestorsOf(urn: Urn, parentOf: ParentOf): readonly Urn[] {
  const path = new Set<Urn>([urn]);
  for (let above = parentOf(urn); above !== undefined && !path.has(above); above = parentOf(above)) {
    path.add(above);
  }
  return [...path].slice(1);
}

/** Returns the nearest ancestor that satisfies `isWanted`. Like `ancestorsOf`, stops at the top level or at a cycle. */
export function nearestAbove(
  urn: Urn,
  parentOf: ParentOf,
  isWanted: (above: Urn) => boolean,
): Urn | undefined {
  const passed = new Set<Urn>([urn]);
  for (let above = parentOf(urn); above !== undefined && !passed.has(above); above = parentOf(above)) {
    if (isWanted(above)) return above;
    passed.add(above);
  }
  return undefined;
}

/** Returns each cycle above the start entities exactly once. In each cycle, every entity is followed by its parent. */
export function cyclesFrom(starts: Iterable<Urn>, parentOf: ParentOf): readonly (readonly Urn[])[] {
  const done = new Set<Urn>();
  const cycles: (readonly Urn[])[] = [];
  for (const start of starts) {
    const path = new Map<Urn, number>();
    let current: Urn | undefined = start;
    while (current !== undefined && !done.has(current)) {
      done.add(current);
      path.set(current, path.size);
      current = parentOf(current);
    }
    const first = current === undefined ? undefined : path.get(current);
    if (first !== undefined) cycles.push([...path.keys()].slice(first));
  }
  return cycles;
}

/** The desired state, and the problems for unreadable parents. */
interface KnownParents {
  readonly state: State;
  readonly problems: readonly Problem[];
}

/**
 * Removes the new parent of an existing entity if an ancestor of the parent could not be read, because that ancestor may be a
 * descendant of the entity. Adds one problem for each unreadable, undeclared ancestor of a selected entity.
 */
export function withKnownParents(
  desired: State,
  live: Live,
  isSelected: (urn: Urn) => boolean = () => true,
): KnownParents {
  if (live.unreadable.size === 0) return { state: desired, problems: [] };
  const parentOf = parentsIn(desired, live.state, live.above ?? new Map());
  const state = new Map(desired);
  const problems = new Map<Urn, Problem>();
  for (const entity of desired.values()) {
    const unread = isMoved(entity, desired, live.state)
      ? nearestAbove(entity.urn, parentOf, (urn) => live.unreadable.has(urn))
      : undefined;
    if (unread === undefined) continue;
    state.set(entity.urn, withoutFacet(entity, kindOf(entity.kind).parentFacet ?? ""));
    const isReported = desired.has(unread) && isSelected(unread);
    if (!isSelected(entity.urn) || isReported || problems.has(unread)) continue;
    const origin = parentIn(desired, entity.urn)?.origin;
    const args = { kind: entity.kind, urn: unread, error: live.unreadable.get(unread) ?? "" };
    problems.set(unread, { ...readProblem(args), severity: "error", ...(origin && { origin }) });
  }
  return { state, problems: [...problems.values()] };
}

function isMoved({ urn }: Entity, desired: State, live: State): boolean {
  const parent = parentIn(desired, urn);
  return parent !== undefined && live.has(urn) && parentIn(live, urn)?.value !== parent.value;
}
