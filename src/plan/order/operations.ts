/** Turns a plan into operations in dependency order. */

import type { EditedAspects } from "../../facets/writes.ts";
import type { Operation } from "../../model/operation.ts";
import type { PlannedWrites } from "../../model/plan.ts";
import { type Draft, draftsOf } from "./drafts.ts";
import {
  linkDefinitions,
  linkDeletions,
  linkMoves,
  linkReferences,
  linkReplacements,
  linkSoftDeletions,
} from "./links.ts";

/**
 * Returns a plan's operations as a graph. Each operation lists its dependencies and follows them. The result
 * depends only on the plan and on `edited`, the aspects that are edited even if the plan writes with
 * mutations. An operation follows
 *
 * - the creation or restoration of its own entity, and of the entities that it refers to;
 * - changes to the definitions that the server checks its values against;
 * - additions to a set, if it removes elements from the same set;
 * - a member's addition to its new group, if it removes the member from the old group and only one group is allowed;
 * - the moves of all entities above the new place, if it moves an entity in a tree;
 * - every other write to an entity and its values, if it soft-deletes the entity;
 * - all other operations, if it deletes an entity. Children are deleted before their parents.
 */
export function operationsOf(
  { changes, writes }: PlannedWrites,
  edited?: EditedAspects,
): readonly Operation[] {
  const drafts = draftsOf(changes, writes ?? "graphql", edited);
  linkReferences(drafts);
  linkDefinitions(drafts);
  linkReplacements(drafts);
  linkMoves(drafts, changes);
  linkSoftDeletions(drafts);
  linkDeletions(drafts);
  const ordered = inOrder(drafts);
  const numbers = new Map(ordered.map((draft, index) => [draft, index + 1]));
  const idsOf = remembering((after: ReadonlySet<Draft>) =>
    [...after]
      .map((draft) => numbers.get(draft) ?? 0)
      .toSorted((a, b) => a - b)
      .map(String),
  );
  return ordered.map(({ isCreation: _, refersTo: _references, after, ...draft }, index) => ({
    id: `${index + 1}`,
    ...draft,
    after: idsOf(after),
  }));
}

/**
 * Sorts drafts so that each draft follows its dependencies. Otherwise, the order is preserved. Throws an error if the
 * dependencies form a cycle.
 */
function inOrder(drafts: readonly Draft[]): readonly Draft[] {
  if (drafts.every(({ after }) => after.size === 0)) return drafts;
  const place = new Map(drafts.map((draft, index) => [draft, index]));
  const waitingFor = new Map(drafts.map((draft) => [draft, draft.after.size]));
  const followers = new Map<Draft, Draft[]>(drafts.map((draft) => [draft, []]));
  for (const draft of drafts) for (const before of draft.after) followers.get(before)?.push(draft);
  const ordered: Draft[] = [];
  drafts.forEach((draft, index) => {
    // Drafts that were skipped earlier follow as soon as their dependencies are complete.
    let due = waitingFor.get(draft) === 0 ? [draft] : [];
    for (let next = due.shift(); next; next = due.shift()) {
      ordered.push(next);
      for (const follower of followers.get(next) ?? []) {
        const left = (waitingFor.get(follower) ?? 0) - 1;
        waitingFor.set(follower, left);
        if (left === 0 && (place.get(follower) ?? 0) < index) due.push(follower);
      }
      if (due.length > 1) due = due.toSorted((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
    }
  });
  if (ordered.length < drafts.length) throw new Error("operations wait for each other");
  return ordered;
}

function remembering<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}
