import type { DeclaredGroups, Memberships } from "../model/membership.ts";
import type { Modes } from "../model/policy.ts";
import type { Unmanaged } from "../model/plan.ts";
import type { Problem } from "../model/problem.ts";
import {
  type Entity,
  type Member,
  type Scalar,
  setOf,
  type SetValue,
  type State,
  without,
} from "../model/state.ts";
import { entityTypeOf, type Urn } from "../model/urn.ts";
import { adoptSet } from "./adopt-value.ts";
import type { Base } from "./base.ts";
import type { Ignored } from "./ignore.ts";
import { modeOfGroups } from "./modes.ts";

/** Both states with the members of every group that is managed from one side or the other. */
export interface WithMembers {
  readonly desired: State;
  readonly live: State;
  readonly problems: readonly Problem[];
  readonly unmanaged: readonly Unmanaged[];
}

type Declared = ReadonlyMap<Urn, DeclaredGroups>;

/** Under which memberships are brought together; `base` is what was declared before, of both sides. */
interface MembershipRules {
  readonly modes: Modes;
  readonly ignored: Ignored;
  readonly base?: Base | undefined;
}

/**
 * Memberships are one set of edges, whichever side declares them: they become the facet `members` of the group. A
 * group that lists its members manages all of them; a user that lists groups manages its own edges in every group.
 */
export function withMembers(
  desired: State,
  live: State,
  declared: Declared,
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

interface Edges {
  readonly live: SetValue;
  readonly want: SetValue;
  /** Whether the group's own manifest lists its members. */
  readonly listed: boolean;
  /** Users that list their groups and are in this one, now or then. */
  readonly self: ReadonlySet<Member>;
  /** Members that stay though the users that list their groups do not list this one. */
  readonly kept: readonly Unmanaged[];
}

/** A group, who is in it, and who wants to be by its own manifest. */
interface GroupSide {
  readonly group: Urn;
  readonly members: readonly Urn[];
  readonly selfWanted: readonly Urn[];
}

/** By group the users, from the groups by user. */
function invert(groupsOf: ReadonlyMap<Urn, ReadonlySet<Urn>>): ReadonlyMap<Urn, readonly Urn[]> {
  const users = new Map<Urn, Urn[]>();
  for (const [user, groups] of groupsOf) {
    for (const group of groups) {
      const list = users.get(group) ?? [];
      list.push(user);
      users.set(group, list);
    }
  }
  return users;
}

function groupsToManage(desired: State, declared: Declared, known: Memberships): ReadonlySet<Urn> {
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

function edgesOf(
  { group, members, selfWanted }: GroupSide,
  desired: State,
  declared: Declared,
  known: Memberships,
  rules: MembershipRules,
): Edges {
  const own = desired.get(group)?.facets.get("members");
  const listed = own?.shape === "set" ? own : undefined;
  const isKnown = (user: Member): boolean => !known.unreadable.has(user as Urn);
  const live = setOf(members.filter(isKnown));
  const side = { group, members, selfWanted };
  const sides = listed
    ? { members: [...listed.members, ...selfWanted], kept: [] }
    : ownSides(side, desired, declared, rules);
  const want = setOf(sides.members.filter(isKnown));
  const self = new Set<Member>([...selfWanted, ...members.filter((user) => declared.has(user))]);
  const different = [...without(want.members, live.members), ...without(live.members, want.members)];
  const cause = different.find((user) => self.has(user)) ?? [...self][0];
  const origin = listed ? listed.origin : declared.get(cause as Urn)?.origin;
  const { kept } = sides;
  return { live, want: { ...want, ...(origin && { origin }) }, listed: listed !== undefined, self, kept };
}

/** The members of a group that does not list them: each user that lists its groups decides for itself, by its own mode. */
function ownSides(
  { group, members, selfWanted }: GroupSide,
  desired: State,
  declared: Declared,
  { modes, ignored, base }: MembershipRules,
): { readonly members: readonly Member[]; readonly kept: readonly Unmanaged[] } {
  const isIgnored = (user: Member | Scalar): boolean => ignored.value(group, "members", user) !== undefined;
  const [inside, wanting] = [new Set(members), new Set(selfWanted)];
  const users = new Set([...wanting, ...inside]);
  const listed = base?.state.get(group)?.facets.get("members");
  const listedBefore = new Set<Member>(listed?.shape === "set" ? listed.members : []);
  const sides = [...users].map((user) => {
    const here = (is: boolean): SetValue => setOf(is ? [user] : []);
    const have = here(inside.has(user));
    if (!declared.has(user)) return { value: have, kept: [] };
    const before = listedBefore.has(user) || base?.groups.get(user)?.groups.has(group) === true;
    const mode = modeOfGroups(desired.get(user), modes);
    return adoptSet(mode, { want: here(wanting.has(user)), have, base: here(before) }, isIgnored);
  });
  return {
    members: sides.flatMap(({ value }) => value.members),
    kept: sides.flatMap(({ kept }) =>
      kept.map(({ value, declaredBefore }) => ({
        ...unmanagedMember(group, value),
        reason: declaredBefore ? ("no-longer-declared" as const) : ("other-writer" as const),
      })),
    ),
  };
}

/**
 * Memberships that base declared and neither side declares any more: the group lists no members now, the user no groups.
 */
export function membersNoLongerDeclared(
  desired: State,
  declared: Declared,
  known: Memberships,
  base: Base,
): readonly Unmanaged[] {
  return [...invert(known.groupsOf)].flatMap(([group, members]) => {
    if (known.gone.has(group) || desired.get(group)?.facets.has("members")) return [];
    const wasListed = base.state.get(group)?.facets.has("members") === true;
    return members
      .filter((user) => !declared.has(user) && (wasListed || base.groups.has(user)))
      .map((user) => ({ ...unmanagedMember(group, user), reason: "no-longer-declared" }));
  });
}

function unmanagedMember(group: Urn, value: Member | Scalar): Omit<Unmanaged, "reason"> {
  return { urn: group, kind: "Group", facet: "members", value };
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

function unreadableUsers(desired: State, declared: Declared, known: Memberships): readonly Problem[] {
  return [...known.unreadable].flatMap(([urn, error]): readonly Problem[] => {
    if (entityTypeOf(urn) === "corpGroup") return [];
    const origin = declared.get(urn)?.origin ?? desired.get(urn)?.origin;
    return [{ code: "read-failed", severity: "error", args: { urn, error }, ...(origin && { origin }) }];
  });
}
