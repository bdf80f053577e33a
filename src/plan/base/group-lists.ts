/** Moves declared edges to their groups, no matter which end declares them, and lists the entities that a plan must read. */

import { definitionsIn } from "./definitions.ts";
import { type EdgeSet, edgeSets } from "../../facets/index.ts";
import {
  type Contribution,
  type Entity,
  type FacetValue,
  type Member,
  setOf,
  type SetValue,
  type State,
  stateOver,
} from "../../model/state.ts";
import { joined, leafAt, leavesOf } from "../../model/place.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import { setAt } from "./values.ts";
import { contributionsTo } from "./declared-before.ts";

/** Returns all entities and facets to read from the catalog: those that are declared now and those that base declares. */
export function entitiesToRead(desired: State, base: State | undefined): State {
  if (!base) return desired;
  return stateOver(desired, base, (urn, before) => {
    const now = desired.get(urn);
    return now ? withFacetsOf(now, before) : before;
  });
}

function withFacetsOf(now: Entity, before: Entity): Entity {
  const more = [...before.facets].flatMap(([name, was]): readonly (readonly [string, FacetValue])[] => {
    const is = now.facets.get(name);
    if (!is) return [[name, was]];
    const isSame = leavesOf(was).every(([path]) => leafAt(is, path));
    return isSame ? [] : [[name, joined(was, is, (_, leaf) => leaf)]];
  });
  return more.length === 0 ? now : { ...now, facets: new Map([...now.facets, ...more]) };
}

/** The groups that each member's manifest lists, keyed by member. */
export type GroupLists = ReadonlyMap<Urn, SetValue>;

/** Returns the groups that each member lists. Members without a list are omitted. A list may be empty. */
export function groupListsIn(state: State, { inverse, inverseKinds }: EdgeSet): GroupLists {
  const lists = new Map<Urn, SetValue>();
  const isOwned = inverseKinds.every(({ name }) => isDefinitionKind(name));
  for (const entity of (isOwned ? definitionsIn(state) : state).values()) {
    const list = setAt(entity, inverse);
    if (list) lists.set(entity.urn, list);
  }
  return lists;
}

/** Returns the URNs in a set. */
export function urnsOf(set: SetValue | undefined): readonly Urn[] {
  return set?.members.filter(isUrn) ?? [];
}

/** Inverts a map from members to groups into a map from groups to members. */
export function membersByGroup(
  groupsOf: Iterable<readonly [Urn, Iterable<Urn>]>,
): ReadonlyMap<Urn, readonly Urn[]> {
  const members = new Map<Urn, Urn[]>();
  for (const [member, groups] of groupsOf) {
    for (const group of groups) {
      const list = members.get(group);
      if (list) list.push(member);
      else members.set(group, [member]);
    }
  }
  return members;
}

/** Returns the members that list each group, keyed by group. */
export function membersByListedGroup(lists: GroupLists): ReadonlyMap<Urn, readonly Urn[]> {
  return membersByGroup([...lists].map(([member, list]) => [member, urnsOf(list)]));
}

/**
 * Returns the declarations of a group's members, both in the group's documents and in the documents of members that list their
 * groups.
 */
export function edgeContributions(
  group: Urn,
  listed: SetValue | undefined,
  members: Iterable<Member>,
  lists: GroupLists,
): readonly Contribution[] {
  const ofMembers = [...members].filter(isUrn).flatMap((end) => {
    const list = lists.get(end);
    const own = list ? contributionsTo(list) : [];
    return own.map((each): Contribution => ({
      ...each,
      end,
      values: each.values.includes(group) ? [end] : [],
    }));
  });
  return [...(listed ? contributionsTo(listed) : []), ...ofMembers];
}

/** Moves the edges in a state to their groups, no matter which end declares them. */
export function withEdgesAtGroups(state: State): State {
  const all = new Map(state);
  for (const edges of edgeSets) joinAtGroups(all, edges);
  return all;
}

function joinAtGroups(state: Map<Urn, Entity>, edges: EdgeSet): void {
  const { facet, kind, inverse } = edges;
  const lists = groupListsIn(state, edges);
  for (const member of lists.keys()) dropFacet(state, member, inverse);
  for (const [group, members] of membersByListedGroup(lists)) {
    const entity = state.get(group) ?? {
      urn: group,
      kind: kind.name,
      facets: new Map<string, FacetValue>(),
    };
    const listed = setAt(entity, facet);
    const by = edgeContributions(group, listed, members, lists);
    const all = setOf([...(listed?.members ?? []), ...members], listed?.origin);
    state.set(group, withFacet(entity, facet, { ...all, by }));
  }
}

/** Returns a copy of an entity in which one facet has the given value. */
export function withFacet(entity: Entity, facet: string, value: FacetValue): Entity {
  return { ...entity, facets: new Map([...entity.facets, [facet, value]]) };
}

/** Removes a facet from an entity in a state. */
export function dropFacet(state: Map<Urn, Entity>, urn: Urn, facet: string): void {
  const entity = state.get(urn);
  if (entity) state.set(urn, withoutFacet(entity, facet));
}

/** Returns an entity without its declaration of a facet. */
export function withoutFacet(entity: Entity, facet: string): Entity {
  if (!entity.facets.has(facet)) return entity;
  const facets = new Map(entity.facets);
  facets.delete(facet);
  return { ...entity, facets };
}
