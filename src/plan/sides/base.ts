import { definitionsIn } from "./definitions.ts";
import { memberships } from "../../facets/index.ts";
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
import { isUrn, type Urn } from "../../model/urn.ts";
import { setAt } from "../diff/values.ts";
import { contributionsTo } from "./declared-before.ts";

/** All entities that must be read of the catalog, with the facets that must: what is declared, and what was declared before. */
export function entitiesToRead(desired: State, base: State | undefined): State {
  if (!base) return desired;
  return stateOver(desired, base, (urn, before) => {
    const now = desired.get(urn);
    return now ? withFacetsOf(now, before) : before;
  });
}

function withFacetsOf(now: Entity, before: Entity): Entity {
  const isSame = [...before.facets.keys()].every((name) => now.facets.has(name));
  return isSame ? now : { ...now, facets: new Map([...before.facets, ...now.facets]) };
}

/** By user, the groups that its manifest lists. */
export type GroupLists = ReadonlyMap<Urn, SetValue>;

/** The groups that each user of a state lists, of those that list some or none. */
export function groupListsIn(state: State): GroupLists {
  const lists = new Map<Urn, SetValue>();
  for (const entity of definitionsIn(state).values()) {
    const list = setAt(entity, memberships.inverse);
    if (list) lists.set(entity.urn, list);
  }
  return lists;
}

/** The elements of a set of URNs. */
export function urnsOf(set: SetValue | undefined): readonly Urn[] {
  return (set?.members ?? []).filter(isUrn);
}

/** By group the users, from the groups by user. */
export function usersByGroup(
  groupsOf: Iterable<readonly [Urn, Iterable<Urn>]>,
): ReadonlyMap<Urn, readonly Urn[]> {
  const users = new Map<Urn, Urn[]>();
  for (const [user, groups] of groupsOf) {
    for (const group of groups) {
      const list = users.get(group);
      if (list) list.push(user);
      else users.set(group, [user]);
    }
  }
  return users;
}

/** By group the users that list it. */
export function listingUsers(lists: GroupLists): ReadonlyMap<Urn, readonly Urn[]> {
  return usersByGroup([...lists].map(([user, list]) => [user, urnsOf(list)]));
}

/** Who declares the members of a group: its own documents, and those of users that list their groups. */
export function edgeContributions(
  {
    group,
    listed,
    users,
  }: {
    readonly group: Urn;
    readonly listed: SetValue | undefined;
    readonly users: Iterable<Member>;
  },
  lists: GroupLists,
): readonly Contribution[] {
  const ofUsers = [...users].filter(isUrn).flatMap((end) => {
    const list = lists.get(end);
    const own = list ? contributionsTo(list) : [];
    return own.map((each): Contribution => ({
      ...each,
      end,
      values: each.values.includes(group) ? [end] : [],
    }));
  });
  return [...(listed ? contributionsTo(listed) : []), ...ofUsers];
}

/** A state with the members of each group in one place, whichever side declares them. */
export function withMembersOfGroups(state: State): State {
  const { facet, kind, inverse } = memberships;
  const joined = new Map([...state].map(([urn, entity]) => [urn, withoutFacet(entity, inverse)]));
  const lists = groupListsIn(state);
  for (const [group, users] of listingUsers(lists)) {
    const entity = joined.get(group) ?? {
      urn: group,
      kind: kind.name,
      facets: new Map<string, FacetValue>(),
    };
    const listed = setAt(entity, facet);
    const by = edgeContributions({ group, listed, users }, lists);
    const members = setOf([...(listed?.members ?? []), ...users], listed?.origin);
    joined.set(group, withFacet(entity, facet, { ...members, by }));
  }
  return joined;
}

/** An entity with another value of a facet. */
export function withFacet(entity: Entity, facet: string, value: FacetValue): Entity {
  return { ...entity, facets: new Map([...entity.facets, [facet, value]]) };
}

/** An entity that does not declare a facet. */
export function withoutFacet(entity: Entity, facet: string): Entity {
  if (!entity.facets.has(facet)) return entity;
  const facets = new Map(entity.facets);
  facets.delete(facet);
  return { ...entity, facets };
}
