/** Adds the dependencies between writes, with one function for each rule. */

import { decidesAboutValues, facetNamed } from "../../facets/index.ts";
import { entitiesNamedIn } from "../../facets/places.ts";
import { isRetyped } from "../../facets/writes.ts";
import { type Change, isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { memberKey } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { nearestAbove } from "../base/parents.ts";
import { isMove, parentsAfter } from "../base/ancestors.ts";
import { isExclusive } from "../notes/moves.ts";
import { isDeletion, isRestoring } from "../base/changes.ts";
import { addDependency, type Draft } from "./drafts.ts";

/** Orders writes after the creation or restoration of the entities that they name. */
export function linkReferences(drafts: readonly Draft[]): void {
  const makers = makersIn(drafts);
  if (makers.size === 0) return;
  for (const draft of drafts) {
    const own = urnOf(draft);
    // A removal that follows additions therefore also follows the creation.
    const isBehind = draft.removes !== undefined && draft.after.size > 0;
    for (const urn of isBehind ? [] : new Set([own, ...draft.refersTo])) {
      const maker = makers.get(urn);
      if (maker && maker !== draft && !(draft.isCreation && urn === own)) addDependency(draft, maker);
    }
  }
}

/**
 * Orders value writes after changes to the definitions that constrain them. Values that change their type come before
 * their entity's other values, because a server refuses to write the others next to one that does not fit.
 */
export function linkDefinitions(drafts: readonly Draft[]): void {
  const deciding = groupBy(
    drafts.filter(({ changes }) => changes.some(isOfDefinition)),
    urnOf,
  );
  if (deciding.size > 0)
    for (const draft of drafts)
      for (const urn of draft.refersTo)
        for (const other of deciding.get(urn) ?? []) if (other !== draft) addDependency(draft, other);
  const ofValues = drafts.filter(({ changes: [change] }) => change && isFacetChange(change) && change.path);
  for (const own of groupBy(ofValues, holderOf).values()) {
    const first = own.filter(({ changes }) => changes.filter(isFacetChange).some(isRetyped));
    for (const draft of own)
      for (const other of first) if (!first.includes(draft)) addDependency(draft, other);
  }
}

function isOfDefinition(change: Change): boolean {
  return isFacetChange(change) && change.action === "update" && decidesAboutValues(change.facet);
}

/** Identifies a mapped value's aspect by its entity, facet, and all keys but the last. */
function holderOf({ changes: [change] }: Draft): string {
  if (!change) throw new Error("an operation without a change");
  return JSON.stringify([change.urn, change.facet, change.path?.slice(0, -1)]);
}

/**
 * Orders a member's removal from its only possible group after its addition to another one, so that no
 * removal happens without the addition. Two groups that exchange members do not wait for each other.
 */
export function linkReplacements(drafts: readonly Draft[]): void {
  const edges = drafts.flatMap((draft) =>
    draft.changes.filter(isExclusive).map((change) => ({ draft, change })),
  );
  const joining = new Map(
    edges.flatMap(({ draft, change }) =>
      change.add.map((member) => [`${change.facet} ${memberKey(member)}`, draft]),
    ),
  );
  for (const { draft, change } of edges) {
    if (change.add.length > 0) continue;
    for (const member of change.remove) {
      const other = joining.get(`${change.facet} ${memberKey(member)}`);
      if (other) addDependency(draft, other);
    }
  }
}

/** Returns, by entity, the last write after which other entities can refer to it. */
function makersIn(drafts: readonly Draft[]): ReadonlyMap<Urn, Draft> {
  return new Map(
    drafts
      .filter(({ isCreation, changes }) => isCreation || changes.some(isRestoring))
      .map((draft) => [urnOf(draft), draft]),
  );
}

/** Whether a change soft-deletes an entity. A rollback does so for an entity that its run restored. */
function isSoftDeleting(change: Change): boolean {
  return isFacetChange(change) && facetNamed(change.facet).makesReferenceable && !isRestoring(change);
}

/**
 * Orders a soft-deletion after every other write to the entity and its values. A server refuses to change a
 * soft-deleted structured property's definition, and hides its values.
 */
export function linkSoftDeletions(drafts: readonly Draft[]): void {
  for (const draft of drafts.filter(({ changes }) => changes.some(isSoftDeleting))) {
    const urn = urnOf(draft);
    for (const other of drafts) if (other !== draft && isAbout(other, urn)) addDependency(draft, other);
  }
}

function isAbout(draft: Draft, urn: Urn): boolean {
  const isNamed = draft.changes.some(
    (change) => isFacetChange(change) && entitiesNamedIn(change).includes(urn),
  );
  return urnOf(draft) === urn || isNamed || draft.refersTo.includes(urn);
}

/**
 * Orders a tree move after the moves of all entities that will be above it. No order of writes can then pass through a
 * cycle, whichever writes fail, because everything above a moved entity is already in its planned place.
 */
export function linkMoves(drafts: readonly Draft[], changes: readonly Change[]): void {
  const parentOf = parentsAfter(changes);
  const moves = drafts.filter((draft) => draft.changes.some(isMove) && !draft.isCreation);
  const moveOf = new Map(moves.map((draft) => [urnOf(draft), draft]));
  for (const [urn, draft] of moveOf) {
    // The nearest one comes after the next. Listing all of them would take quadratic time in a deep tree.
    const above = nearestAbove(urn, parentOf, (each) => moveOf.has(each));
    const move = above && moveOf.get(above);
    if (move) addDependency(draft, move);
  }
}

/** Orders deletions after everything else, and each after the deletions of the entities below it. */
export function linkDeletions(drafts: readonly Draft[]): void {
  const deletions = drafts.filter(isDeletion);
  const others = drafts.filter((draft) => !isDeletion(draft));
  const followed = new Set(others.flatMap(({ after }) => [...after]));
  const last = new Set(others.filter((draft) => !followed.has(draft)));
  const below = new Map<Urn, Set<Draft>>();
  for (const draft of deletions) {
    draft.after = below.get(urnOf(draft)) ?? last;
    for (const parent of draft.changes.flatMap(({ above = [] }) => above)) {
      below.set(parent, (below.get(parent) ?? new Set()).add(draft));
    }
  }
}

function urnOf({ changes: [change] }: Draft): Urn {
  if (!change) throw new Error("an operation without a change");
  return change.urn;
}
