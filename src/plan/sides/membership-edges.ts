import type { DeclaredGroups, Memberships } from "../../model/membership.ts";
import type { Unmanaged } from "../../model/plan.ts";
import type { Modes } from "../../model/policy.ts";
import { type Member, type Scalar, setOf, type SetValue, type State, without } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { adoptSet } from "../adopt/adopt-value.ts";
import type { Base } from "./base.ts";
import type { Ignored } from "../adopt/ignore.ts";
import { modeOfGroups } from "../adopt/modes.ts";

/** By user, the groups that its manifest lists. */
export type GroupsOfUsers = ReadonlyMap<Urn, DeclaredGroups>;

/** Under which memberships are brought together; `base` is what was declared before, of both sides. */
export interface MembershipRules {
  readonly modes: Modes;
  readonly ignored: Ignored;
  readonly base?: Base | undefined;
}

/** Who is in a group, and who shall be. */
export interface Edges {
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
export interface GroupSide {
  readonly group: Urn;
  readonly members: readonly Urn[];
  readonly selfWanted: readonly Urn[];
}

/** By group the users, from the groups by user. */
export function invert(groupsOf: ReadonlyMap<Urn, ReadonlySet<Urn>>): ReadonlyMap<Urn, readonly Urn[]> {
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

/** Brings together what the group lists, what its users list, and who is in it. */
export function edgesOf(
  { group, members, selfWanted }: GroupSide,
  desired: State,
  declared: GroupsOfUsers,
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
  declared: GroupsOfUsers,
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
  declared: GroupsOfUsers,
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

/** A membership as an unmanaged value. */
export function unmanagedMember(group: Urn, value: Member | Scalar): Omit<Unmanaged, "reason"> {
  return { urn: group, kind: "Group", facet: "members", value };
}
