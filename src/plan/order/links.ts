/** Adds the dependencies between writes. Each function adds one type of dependency. */

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

/** Orders writes after the creation or restoration of the entities that they refer to. */
export function linkReferences(drafts: readonly Draft[]): void {
  const makers = makersIn(drafts);
  if (makers.size === 0) return;
  for (const draft of drafts) {
    const own = urnOf(draft);
    // A removal that follows additions to the same set already follows the creation, because the additions do.
    const isBehind = draft.removes !== undefined && draft.after.size > 0;
    for (const urn of isBehind ? [] : new Set([own, ...draft.refersTo])) {
      const maker = makers.get(urn);
      if (maker && maker !== draft && !(draft.isCreation && urn === own)) addDependency(draft, maker);
    }
  }
}

/**
 * Orders writes of values after changes to the definitions that constrain them. Values whose type changes are written before
 * other values of their entity, because a server rejects writes to an entity that has an invalid value.
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

/** Returns a key for the aspect that stores a mapped value: its entity, its facet, and all its keys except the last. */
function holderOf({ changes: [change] }: Draft): string {
  if (!change) throw new Error("an operation without a change");
  return JSON.stringify([change.urn, change.facet, change.path?.slice(0, -1)]);
}

/**
 * If a member can be in only one group, orders its removal from the old group after its addition to the new group. The member is
 * then never removed without being added. Groups that exchange members do not wait for each other.
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

/** Returns the last write that makes each entity referenceable, keyed by entity. */
function makersIn(drafts: readonly Draft[]): ReadonlyMap<Urn, Draft> {
  return new Map(
    drafts
      .filter(({ isCreation, changes }) => isCreation || changes.some(isRestoring))
      .map((draft) => [urnOf(draft), draft]),
  );
}

/** Whether a change soft-deletes an entity. A rollback soft-deletes entities that its run restored. */
function isSoftDeleting(change: Change): boolean {
  return isFacetChange(change) && facetNamed(change.facet).makesReferenceable && !isRestoring(change);
}

/**
 * Orders a soft deletion after all other writes to the entity and its values. A server rejects changes to a soft-deleted
 * structured property's definition, and hides the property's values.
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
 * Orders a tree move after the moves of all entities that will be above the moved entity. The writes then never create a
 * temporary cycle, no matter which writes fail, because everything above the moved entity is already in its planned place.
 */
export function linkMoves(drafts: readonly Draft[], changes: readonly Change[]): void {
  const parentOf = parentsAfter(changes);
  const moves = drafts.filter((draft) => draft.changes.some(isMove) && !draft.isCreation);
  const moveOf = new Map(moves.map((draft) => [urnOf(draft), draft]));
  for (const [urn, draft] of moveOf) {
    // A dependency on the move of the nearest moved ancestor is enough, because that move depends on the next ancestor's move.
    // Listing all ancestors would take quadratic time in a deep tree.
    const above = nearestAbove(urn, parentOf, (each) => moveOf.has(each));
    const move = above && moveOf.get(above);
    if (move) addDependency(draft, move);
  }
}

/** Orders deletions after all other writes, and each deletion after the deletions of the entity's children. */
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
