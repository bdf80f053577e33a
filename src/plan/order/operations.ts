import type { EditedAspects } from "../../facets/writes.ts";
import type { Operation } from "../../model/operation.ts";
import type { Plan } from "../../model/plan.ts";
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
 * The writes that carry out a plan, as a graph: each names its dependencies, and comes after them. It needs nothing
 * but the plan, and the aspects that are edited though it writes with mutations. An operation comes after
 *
 * - what creates or restores the entities that it names, and its own;
 * - what changes the definitions by which the server judges its values;
 * - the additions, where it takes something from the same set;
 * - what puts a member into its only group, where it takes the member out of another one;
 * - the moves of all that will be above, where it moves an entity of a tree;
 * - what else is written of an entity and its values, where it soft-deletes that;
 * - everything else, where it deletes; and what is below is deleted first.
 */
export function operationsOf(
  { changes, writes }: Pick<Plan, "changes" | "writes">,
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

/** The drafts, each behind those it comes after; as far as that leaves it open, in their order. */
function inOrder(drafts: readonly Draft[]): readonly Draft[] {
  if (drafts.every(({ after }) => after.size === 0)) return drafts;
  const place = new Map(drafts.map((draft, index) => [draft, index]));
  const waitingFor = new Map(drafts.map((draft) => [draft, draft.after.size]));
  const followers = new Map<Draft, Draft[]>(drafts.map((draft) => [draft, []]));
  for (const draft of drafts) for (const before of draft.after) followers.get(before)?.push(draft);
  const ordered: Draft[] = [];
  drafts.forEach((draft, index) => {
    // Those passed over go as soon as they wait for nothing.
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
