import type { Memberships } from "../../model/membership.ts";
import type { Unmanaged } from "../../model/plan.ts";
import type { Problem } from "../../model/problem.ts";
import { type Entity, type Member, type SetValue, type State, without } from "../../model/state.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import {
  type Edges,
  edgesOf,
  type GroupsOfUsers,
  invert,
  type MembershipRules,
  unmanagedMember,
} from "./membership-edges.ts";

/** Both states with the members of every group that is managed from one side or the other. */
export interface WithMembers {
  readonly desired: State;
  readonly live: State;
  readonly problems: readonly Problem[];
  readonly unmanaged: readonly Unmanaged[];
}

/**
 * Memberships are one set of edges, whichever side declares them: they become the facet `members` of the group. A
 * group that lists its members manages all of them; a user that lists groups manages its own edges in every group.
 */
export function withMembers(
  desired: State,
  live: State,
  declared: GroupsOfUsers,
  known: Memberships,
  rules: MembershipRules,
): WithMembers {
  const states = { desired: new Map(desired), live: new Map(live) };
  const problems: Problem[] = [...unreadableUsers(desired, declared, known)];
  const unmanaged: Unmanaged[] = [];
  const members = invert(known.groupsOf);
  const wanted = invert(new Map([...declared].map(([user, { groups }]) => [user, groups])));
  for (const group of groupsToManage(desired, declared, known)) {
    const side = { group, members: members.get(group) ?? [], selfWanted: wanted.get(group) ?? [] };
    const edges = edgesOf(side, desired, declared, known, rules);
    const problem = problemOf(group, edges, known);
    if (problem) problems.push(problem);
    const isExternal = known.external.has(group);
    unmanaged.push(...(isExternal ? externalEdges(group, edges) : edges.kept));
    if (isExternal || known.unreadable.has(group)) dropMembers(states.desired, group);
    else place(states, group, edges);
  }
  return { ...states, problems, unmanaged };
}

function groupsToManage(desired: State, declared: GroupsOfUsers, known: Memberships): ReadonlySet<Urn> {
  const groups = new Set<Urn>();
  for (const entity of desired.values()) if (entity.facets.has("members")) groups.add(entity.urn);
  for (const [user, list] of declared) {
    for (const group of list.groups) groups.add(group);
    // What is gone is created where a manifest declares it, and whoever is still in it is in it again.
    for (const group of known.groupsOf.get(user) ?? [])
      if (!known.gone.has(group) || desired.has(group)) groups.add(group);
  }
  return groups;
}

function problemOf(group: Urn, { want, live, listed, self }: Edges, known: Memberships): Problem | undefined {
  const at = want.origin ? { origin: want.origin } : {};
  const error = known.unreadable.get(group);
  if (error !== undefined)
    return { code: "read-failed", severity: "error", args: { urn: group, error }, ...at };
  if (!known.external.has(group)) return undefined;
  if (listed) return { code: "external-group", severity: "error", args: { urn: group }, ...at };
  const users = without(want.members, live.members)
    .filter((user) => self.has(user))
    .map(String);
  if (users.length === 0) return undefined;
  return { code: "external-membership", severity: "warning", args: { urn: group, users }, ...at };
}

function externalEdges(group: Urn, { live, self }: Edges): readonly Unmanaged[] {
  return live.members
    .filter((user) => self.has(user))
    .map((value) => ({ ...unmanagedMember(group, value), reason: "external" }));
}

function dropMembers(desired: Map<Urn, Entity>, group: Urn): void {
  const entity = desired.get(group);
  if (!entity?.facets.has("members")) return;
  const facets = new Map(entity.facets);
  facets.delete("members");
  desired.set(group, { ...entity, facets });
}

// A group that only users name stands in no manifest: it joins both states where an edge of it changes.
function place(
  { desired, live }: { readonly desired: Map<Urn, Entity>; readonly live: Map<Urn, Entity> },
  group: Urn,
  edges: Edges,
): void {
  const declared = desired.get(group);
  const there = live.get(group);
  const { want, live: have } = edges.listed ? edges : decidedByUsers(edges);
  if (declared) {
    desired.set(group, withFacet(edges.listed ? declared : settled(declared), want));
    if (there) live.set(group, withFacet(there, have));
    return;
  }
  if (without(want.members, have.members).length + without(have.members, want.members).length === 0) return;
  const bare: Entity = settled({ urn: group, kind: "Group", facets: new Map() });
  desired.set(group, withFacet(bare, want));
  live.set(group, withFacet(there ?? bare, have));
}

/** Without the members of whom no user's list decides: they are no part of a change. */
function decidedByUsers({ want, live, self, kept }: Edges): Pick<Edges, "want" | "live"> {
  const staying = new Set(kept.map(({ value }) => value));
  const isDecided = (user: Member): boolean => self.has(user) && !staying.has(user);
  return {
    want: { ...want, members: want.members.filter(isDecided) },
    live: { ...live, members: live.members.filter(isDecided) },
  };
}

// The users' modes have decided: the group's own must not decide again.
function settled(group: Entity): Entity {
  return { ...group, manage: { ...group.manage, members: "authoritative" } };
}

function withFacet(entity: Entity, members: SetValue): Entity {
  return { ...entity, facets: new Map([...entity.facets, ["members", members]]) };
}

function unreadableUsers(desired: State, declared: GroupsOfUsers, known: Memberships): readonly Problem[] {
  return [...known.unreadable].flatMap(([urn, error]): readonly Problem[] => {
    if (entityTypeOf(urn) === "corpGroup") return [];
    const origin = declared.get(urn)?.origin ?? desired.get(urn)?.origin;
    return [{ code: "read-failed", severity: "error", args: { urn, error }, ...(origin && { origin }) }];
  });
}
