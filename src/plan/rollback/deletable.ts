import { edgeSetOf, facetsOf } from "../../facets/index.ts";
import type { Live } from "../../model/live.ts";
import { leafIn, placedLeaves } from "../../model/place.ts";
import { type Entity, isSameValue, type Leaf, type State, without } from "../../model/state.ts";
import { keyOf, type Urn } from "../../model/urn.ts";
import { type Held, rollbackHeld } from "./rollback-held.ts";
import { referencesAt, type RollbackStates } from "./states.ts";

/** What a rollback may delete of what the run created, and what it holds back. */
export interface Deletions {
  readonly deleted: State;
  readonly held: readonly Held[];
}

/** Which kinds are deleted, and what `referrersIn` named, with all their facets as they are. */
interface PruneChoice {
  readonly prune: ReadonlySet<string> | undefined;
  readonly referrers: State;
}

/**
 * What a run created, of some kinds, and is as the run left it: with no other values, and with nothing that refers to it but what the same run
 * wrote, or created and is deleted, too.
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
  const held: Held[] = [];
  const hold = ({ urn, kind }: Entity, because: "changed" | "in-use"): void => {
    deleted.delete(urn);
    held.push(rollbackHeld({ urn, kind, because }));
  };
  for (const entity of created) {
    const now = live.state.get(entity.urn);
    if (now && !isAsLeft(entity, now)) hold(entity, "changed");
  }
  // What is kept may be what refers to another one.
  for (let before = -1; before !== deleted.size;) {
    before = deleted.size;
    for (const entity of deleted.values())
      if (
        isUsed(
          entity.urn,
          live,
          (from) => deleted.has(from) || refersByRun(states, referrers, from, entity.urn),
        )
      )
        hold(entity, "in-use");
  }
  return { deleted, held };
}

function isAsLeft(entity: Entity, now: Entity): boolean {
  // Edges that members store are references to it.
  const own = facetsOf(entity.kind).filter(({ name }) => !edgeSetOf(name)?.storedByMembers);
  return own.every(({ name, blank, implied }) => {
    const value = now.facets.get(name);
    const given = implied ? implied.value(keyOf(entity.urn)) : blank;
    return placedLeaves(new Map(value ? [[name, value]] : [])).every(({ place, leaf }) =>
      isSameLeaf(leaf, leafIn(entity, place), given),
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

function isUsed(urn: Urn, { deletable }: Live, isOwn: (urn: Urn) => boolean): boolean {
  const found = deletable?.get(urn);
  if (!found) return false;
  return (
    found.assignments === undefined ||
    found.referring.some(({ urn: from }) => from === undefined || !isOwn(from))
  );
}

/** What refers to what a run created, and has a value that the run wrote: which of its values refer to it must be read. */
export function referrersIn({ created, left }: RollbackStates, { deletable }: Live): readonly Urn[] {
  const referring = [...created.keys()].flatMap((urn) => deletable?.get(urn)?.referring ?? []);
  return [...new Set(referring.flatMap(({ urn }) => (urn !== undefined && left.has(urn) ? [urn] : [])))];
}

/** Whether all values by which one entity refers to another are the run's. */
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
