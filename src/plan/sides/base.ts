import { definitionsIn } from "./definitions.ts";
import { memberships } from "../../facets/index.ts";
import {
  type Entity,
  type FacetValue,
  setOf,
  type SetValue,
  type State,
  stateOver,
} from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { setAt } from "../diff/values.ts";

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

/** A state with the members of each group in one place, whichever side declares them. */
export function withMembersOfGroups(state: State): State {
  const { facet, kind, inverse } = memberships;
  const joined = new Map([...state].map(([urn, entity]) => [urn, withoutFacet(entity, inverse)]));
  for (const [group, users] of listingUsers(groupListsIn(state))) {
    const entity = joined.get(group) ?? {
      urn: group,
      kind: kind.name,
      facets: new Map<string, FacetValue>(),
    };
    const listed = setAt(entity, facet);
    joined.set(
      group,
      withFacet(entity, facet, setOf([...(listed?.members ?? []), ...users], listed?.origin)),
    );
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
