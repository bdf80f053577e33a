import { type EdgeSet, edgeSetOf, edgeSets, facetNamed } from "../../src/facets/index.ts";
import { leafAt, leavesOf } from "../../src/model/place.ts";
import { isDefinitionKind, kindOf } from "../../src/kinds/index.ts";
import type { Change } from "../../src/model/change.ts";
import type { Live } from "../../src/model/live.ts";
import type { Plan, Unmanaged } from "../../src/model/plan.ts";
import {
  type Entity,
  type FacetValue,
  type Member,
  memberKey,
  type Scalar,
  type State,
} from "../../src/model/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import { deletedIn, falls, isIgnored, valuesOf } from "./table.ts";
import { declaredIn, planOf, policyOf, filteredPlanOf, type World } from "./worlds.ts";

/** What a plan shows of changes and of what is not managed, and how much one guard counts. */
export interface Shown {
  readonly changes: readonly Change[];
  readonly unmanaged: readonly Unmanaged[];
}

/** Whether a member lists its groups, or did where the group lists no members now. */
function decides({ facet, inverse }: EdgeSet, world: World, group: Urn, user: unknown): boolean {
  const lists = (state: State | undefined): boolean => state?.get(user as Urn)?.facets.has(inverse) === true;
  const isListing = declaredIn(world).get(group)?.facets.has(facet) === true;
  return lists(declaredIn(world)) || (lists(policyOf(world).base) && !isListing);
}

/** The whole plan, restricted to a part: stated apart from the product. */
export function restrictedTo(
  world: World,
  selected: ReadonlySet<Urn>,
  whole: Plan,
): Shown & { part: Set<Urn> } {
  const part = new Set(selected);
  const isEdge = (facet: string | undefined, group: Urn, user: unknown): boolean => {
    const set = facet === undefined ? undefined : edgeSetOf(facet);
    return set !== undefined && part.has(user as Urn) && decides(set, world, group, user);
  };
  const cut = (change: Change): readonly Change[] => {
    if (part.has(change.urn)) return [change];
    if (change.shape !== "set" || !edgeSetOf(change.facet)) return [];
    const isOwn = (user: Member | Scalar): boolean => isEdge(change.facet, change.urn, user);
    const [add, remove] = [change.add.filter(isOwn), change.remove.filter(isOwn)];
    // Who is in a group that is not there leaves it where something else creates it.
    if (add.length === 0 && (remove.length === 0 || change.action === "create")) return [];
    const { removed, reverts, ...rest } = change;
    const gone = (removed ?? []).filter(({ value }) => isOwn(value));
    const known = (reverts ?? []).filter(isOwn);
    const details = {
      ...(gone.length > 0 && { removed: gone }),
      ...(known.length > 0 && { reverts: known }),
    };
    return [{ ...rest, add, remove, ...details }];
  };
  for (let size = -1; size !== part.size;) {
    size = part.size;
    for (const change of whole.changes.flatMap(cut)) {
      if (change.shape === "scalar" && change.conflict && change.conflict.winner !== "desired") continue;
      const named = namedBy(change);
      for (const urn of named.length > 0 ? [change.urn, ...named] : []) {
        const isComing = whole.changes.some(
          (other) => other.urn === urn && (other.action === "create" || other.facet === "removed"),
        );
        if (isComing) part.add(urn);
      }
    }
  }
  const changes = whole.changes.flatMap(cut);
  const unmanaged = whole.unmanaged.filter(
    ({ urn, facet, value }) => part.has(urn) || (world.live.has(urn) && isEdge(facet, urn, value)),
  );
  return { changes, unmanaged, part };
}

function namedBy(change: Change): readonly Urn[] {
  if (change.facet === undefined || facetNamed(change.facet).refersTo.length === 0) return [];
  const values = change.shape === "set" ? change.add : [change.after];
  return values.flatMap(textsOf) as Urn[];
}

function textsOf(value: Member | Scalar): readonly string[] {
  return typeof value === "object" && value !== null ? Object.values(value).map(String) : [String(value)];
}

/** A plan without what falls with an entity that the whole deletes: in a part that entity may stay. */
export function beside(world: World, { changes, unmanaged }: Shown): Shown {
  const deleted = deletedIn(world);
  return {
    changes: changes.filter(({ action, urn }) => action === "delete" || !deleted.has(urn)).map(comparable),
    unmanaged: unmanaged.filter(({ urn, value = null }) => !deleted.has(urn) && !falls(value, deleted)),
  };
}

// Of a group that was not selected only some memberships are seen: its position and its fingerprint are of those.
function comparable(change: Change): Change {
  if (change.facet === undefined || !edgeSetOf(change.facet)) return change;
  const { source: _, ...rest } = change;
  if (rest.shape !== "set") return rest;
  const { covers: _covered, ...other } = rest;
  return { ...other, fingerprint: "" };
}

/** The plan of a part, from no more than what a reading of that part finds. */
export function planOfPart(world: World, selected: ReadonlySet<Urn>, batch?: number): Plan {
  const of = { part: selected, read: (live: Live) => readOf(world, selected, live) };
  return batch === undefined ? planOf(world, undefined, of) : filteredPlanOf(world, batch, of);
}

/** The values of a facet in the whole: live ones of what is read, declared ones of the rest. */
export function existingIn(world: World, selected: ReadonlySet<Urn>, facet: string): number {
  const looked = readOf(world, selected, { ...nothing, state: world.live }).readUrns;
  const all = [...declaredIn(world).values()].flatMap(({ urn, facets }) => {
    const declared = facets.get(facet);
    const live = world.live.get(urn)?.facets.get(facet);
    const isRead = looked === undefined || looked.has(urn);
    if (!declared) return [];
    return leavesOf(declared)
      .flatMap(([path]) => valuesOf(leafAt(isRead ? live : declared, path)))
      .filter((value) => !isIgnored(world.ignore, urn, facet, value));
  });
  return all.length;
}

const nothing: Live = { state: new Map(), missing: new Map(), unreadable: new Map(), unmanaged: [] };

/** What a reading of a part leaves of a reading of the whole. */
function readOf(world: World, selected: ReadonlySet<Urn>, whole: Live): Live {
  const { base, prune } = policyOf(world);
  const desired = declaredIn(world);
  const isDeleted = ({ urn, kind }: Entity): boolean =>
    selected.has(urn) && !desired.has(urn) && isDefinitionKind(kind) && prune?.has(kind) === true;
  if ([...(base?.values() ?? [])].some(isDeleted)) return whole;
  const looked = new Set(selected);
  const read = new Set(selected);
  for (const urn of looked) {
    for (const named of mentionedBy(desired, urn)) {
      const kind = desired.get(named)?.kind;
      if (kind === undefined || !isDefinitionKind(kind)) continue;
      read.add(named);
      const removed = whole.state.get(named)?.facets.get("removed");
      const isThere = whole.state.has(named) && !(removed?.shape === "scalar" && removed.value === true);
      if (!isThere) looked.add(named);
    }
  }
  for (const urn of looked) for (const above of aboveOf(urn, desired, whole.state)) read.add(above);
  return {
    ...whole,
    state: new Map([...whole.state].filter(([urn]) => read.has(urn))),
    missing: new Map([...whole.missing].filter(([urn]) => read.has(urn))),
    readUrns: looked,
  };
}

/** The entities that the manifest of one names, and the users that list a group. */
function mentionedBy(desired: State, urn: Urn): readonly Urn[] {
  const own = [...(desired.get(urn)?.facets.values() ?? [])].flatMap(urnsIn);
  const listing = [...desired.values()].filter(({ facets }) =>
    edgeSets.some(({ inverse }) => {
      const list = facets.get(inverse);
      return list?.shape === "set" && list.members.some((group) => memberKey(group) === urn);
    }),
  );
  return [...own, ...listing.map((user) => user.urn)];
}

function urnsIn(value: FacetValue): readonly Urn[] {
  const leaves = leavesOf(value);
  const named = leaves.flatMap(([path, leaf]) => (valuesOf(leaf).length > 0 ? path : []));
  return [...leaves.flatMap(([, leaf]) => valuesOf(leaf)), ...named]
    .flatMap(textsOf)
    .filter((text) => text.startsWith("urn:li:")) as Urn[];
}

function aboveOf(urn: Urn, ...states: readonly State[]): ReadonlySet<Urn> {
  const above = new Set<Urn>();
  const due = [urn];
  for (const next of due) {
    for (const state of states) {
      const entity = state.get(next);
      const facet = entity && kindOf(entity.kind).parentFacet;
      const parent = facet === undefined ? undefined : entity?.facets.get(facet);
      if (parent?.shape !== "scalar" || parent.value === null || above.has(parent.value as Urn)) continue;
      above.add(parent.value as Urn);
      due.push(parent.value as Urn);
    }
  }
  return above;
}
