import type { DeclaredGroups } from "../../model/membership.ts";
import { type Entity, type FacetValue, setOf, type State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";

/** What manifests declare of entities, and of the groups that users are in. */
export interface Declared {
  readonly state: State;
  readonly groups: ReadonlyMap<Urn, DeclaredGroups>;
}

/** What the manifests of the last applied commit declared. */
export interface Base extends Declared {
  /** How many entities it declares in all, where this is only the part of it that is looked at. */
  readonly size: number;
}

/** All that must be read of the catalog: what is declared, and what base declared. */
export function toRead(desired: Declared, base: Base | undefined): Declared {
  if (!base) return desired;
  const state = new Map(desired.state);
  for (const before of base.state.values()) {
    const now = state.get(before.urn);
    state.set(before.urn, now ? withFacetsOf(now, before) : before);
  }
  return { state, groups: new Map([...base.groups, ...desired.groups]) };
}

function withFacetsOf(now: Entity, before: Entity): Entity {
  const isSame = [...before.facets.keys()].every((name) => now.facets.has(name));
  return isSame ? now : { ...now, facets: new Map([...before.facets, ...now.facets]) };
}

/** Base with the members of each group in one place, whichever side declared them. */
export function withBaseMembers({ state, groups }: Declared): State {
  const edges = new Map<Urn, Urn[]>();
  for (const [user, list] of groups) {
    for (const group of list.groups) {
      const users = edges.get(group);
      if (users) users.push(user);
      else edges.set(group, [user]);
    }
  }
  const joined = new Map(state);
  for (const [group, users] of edges) {
    const entity = state.get(group) ?? { urn: group, kind: "Group", facets: new Map<string, FacetValue>() };
    const listed = entity.facets.get("members");
    const members = setOf(
      [...(listed?.shape === "set" ? listed.members : []), ...users],
      listed?.shape === "set" ? listed.origin : undefined,
    );
    joined.set(group, { ...entity, facets: new Map([...entity.facets, ["members", members]]) });
  }
  return joined;
}
