/** Determines which of the entities that a run created can be deleted by a rollback. */

import { edgeSetOf, facetsOf } from "../../facets/index.ts";
import type { Live } from "../../model/live.ts";
import { leafAt, leafIn, leavesOf, placedLeaves } from "../../model/place.ts";
import { type Entity, isSameValue, type Leaf, type State, without } from "../../model/state.ts";
import { keyOf, type Urn } from "../../model/urn.ts";
import { type RollbackWarning, rollbackWarning } from "./rollback-warning.ts";
import { referencesAt, type RollbackStates } from "./states.ts";

/** The entities to delete, and warnings about entities that are held back. */
export interface Deletions {
  readonly deleted: State;
  readonly held: readonly RollbackWarning[];
}

/** The kinds to delete, and the entities from `referrersIn` with all their live facets. */
interface PruneChoice {
  readonly prune: ReadonlySet<string> | undefined;
  readonly referrers: State;
}

/**
 * Returns the entities to delete. A created entity is deleted if and only if its kind is in `prune`, its values are unchanged
 * since the run, and every reference to it was written by the run or belongs to an entity that is also deleted.
 */
export function deletionsOf(
  states: RollbackStates,
  live: Live,
  { prune = new Set(), referrers }: PruneChoice,
): Deletions {
  const created = [...states.created.values()].filter(
    ({ urn, kind }) => prune.has(kind) && live.state.has(urn),
  );
  const deleted = new Map(created.map((entity) => [entity.urn, entity]));
  const held: RollbackWarning[] = [];
  const hold = ({ urn, kind }: Entity, because: "changed" | "in-use"): void => {
    deleted.delete(urn);
    held.push(rollbackWarning({ urn, kind, because }));
  };
  for (const entity of created) {
    const now = live.state.get(entity.urn);
    if (now && !isAsLeft(entity, now)) hold(entity, "changed");
  }
  const isOwn = (from: Urn, to: Urn): boolean =>
    deleted.has(from) || refersByRun(states, referrers, from, to);
  // If an entity is kept, entities that it refers to may have to be kept too, so the check is repeated.
  for (let before = -1; before !== deleted.size;) {
    before = deleted.size;
    for (const entity of deleted.values()) if (isUsed(entity.urn, live, isOwn)) hold(entity, "in-use");
  }
  return { deleted, held };
}

function isAsLeft(entity: Entity, now: Entity): boolean {
  // Edges that members store count as references to the entity, not as its content.
  const own = facetsOf(entity.kind).filter(({ name }) => !edgeSetOf(name)?.storedByMembers);
  return own.every(({ name, blank, implied }) => {
    const left = entity.facets.get(name);
    const given = implied ? implied.value(keyOf(entity.urn)) : blank;
    return leavesOf(now.facets.get(name)).every(([path, leaf]) =>
      isSameLeaf(leaf, leafAt(left, path), given),
    );
  });
}

function isSameLeaf(now: Leaf, left: Leaf | undefined, given: Parameters<typeof isSameValue>[0]): boolean {
  if (now.shape === "scalar")
    return (
      isSameValue(now.value, left?.shape === "scalar" ? left.value : given) || (!left && now.value === null)
    );
  const members = left?.shape === "set" ? left.members : [];
  return now.members.length === members.length && without(now.members, members).length === 0;
}

function isUsed(urn: Urn, { deletable }: Live, isOwn: (from: Urn, to: Urn) => boolean): boolean {
  const found = deletable?.get(urn);
  if (!found) return false;
  return (
    found.assignments === undefined ||
    found.referring.some(({ urn: from }) => from === undefined || !isOwn(from, urn))
  );
}

/**
 * Returns the entities that refer to created entities and in which the run wrote values. The values of these entities must be
 * read to compare the references.
 */
export function referrersIn({ created, left }: RollbackStates, { deletable }: Live): readonly Urn[] {
  const referring = [...created.keys()].flatMap((urn) => deletable?.get(urn)?.referring ?? []);
  return [...new Set(referring.flatMap(({ urn }) => (urn !== undefined && left.has(urn) ? [urn] : [])))];
}

/** Whether the run wrote all references from `from` to `to`. */
function refersByRun({ created, left }: RollbackStates, referrers: State, from: Urn, to: Urn): boolean {
  const edges = placedLeaves(created.get(to)?.facets ?? new Map()).filter(({ place }) =>
    edgeSetOf(place.facet),
  );
  if (edges.some(({ leaf }) => leaf.shape === "set" && leaf.members.includes(from))) return true;
  const now = referrers.get(from);
  if (!now) return false;
  return placedLeaves(now.facets)
    .filter(({ place, leaf }) => referencesAt(place, leaf).includes(to))
    .every(({ place }) => {
      const leaf = leafIn(left.get(from), place);
      return leaf !== undefined && referencesAt(place, leaf).includes(to);
    });
}
