import { memberships } from "../../facets/index.ts";
import type { Memberships } from "../../model/membership.ts";
import type { Origin } from "../../model/origin.ts";
import type { UnmanagedValue } from "../../model/plan.ts";
import type { Modes } from "../../model/settings.ts";
import { type Member, type Scalar, setOf, type SetValue, type State, without } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { adoptSet } from "../adopt/adopt.ts";
import type { Ignored } from "../adopt/ignore.ts";
import { modeOf } from "../adopt/modes.ts";
import { setAt } from "../diff/values.ts";
import { type GroupLists, usersByGroup } from "./base.ts";
import type { SelectedEdges } from "./selected-edges.ts";
import { contributionsTo } from "./declared-before.ts";

/** Under which memberships are brought together; `base` is what was declared before, of both sides. */
export interface MembershipRules {
  readonly modes: Modes;
  readonly ignored: Ignored;
  readonly base?: State | undefined;
  /** Whether memberships that only base declares are taken away. */
  readonly prunesMembers?: boolean;
  /** The memberships that are compared. */
  readonly selected: SelectedEdges;
}

/** What is declared of memberships: by the groups of a state, and by the users that list their groups. */
export interface DeclaredEdges {
  readonly desired: State;
  readonly lists: GroupLists;
}

/** Who is in a group, and who is declared to be. */
export interface EdgesOfGroup {
  readonly live: SetValue;
  readonly desired: SetValue;
  /** Whether the group's own manifest lists its members. */
  readonly listed: boolean;
  /** Users that list their groups and are in this one, live or desired. */
  readonly self: ReadonlySet<Member>;
  /** Members that stay though the users that list their groups do not list this one. */
  readonly kept: readonly UnmanagedValue[];
}

/** A group, who is in it, whom it lists, and which users list it. */
export interface GroupSide {
  readonly group: Urn;
  readonly members: readonly Urn[];
  readonly listed: SetValue | undefined;
  readonly listedBy: readonly Urn[];
}

/** Brings together what the group lists, what its users list, and who is in it. */
export function edgesOf(
  side: GroupSide,
  declared: DeclaredEdges,
  known: Memberships,
  rules: MembershipRules,
): EdgesOfGroup {
  const { group, members, listed, listedBy } = side;
  const { lists } = declared;
  const isKnown = (user: Urn): boolean => !known.unreadable.has(user);
  const live = setOf(members.filter(isKnown));
  const pruned = listed ? [] : prunedMembers(side, declared, known, rules);
  const sides = listed
    ? { members: [...listed.members, ...listedBy], kept: [] }
    : decidedByUsers({ ...side, members: without(members, pruned).filter(isUrn) }, declared, rules);
  const wanted = setOf(sides.members.filter(isUrn).filter(isKnown));
  const deciding = new Set<Member>([...listedBy, ...members.filter((user) => lists.has(user))]);
  const self = new Set<Member>([...deciding, ...pruned]);
  const different = [...without(wanted.members, live.members), ...without(live.members, wanted.members)];
  const decided = different.find((user) => deciding.has(user));
  const isPruned = decided === undefined && pruned.length > 0;
  const cause = decided ?? [...deciding][0];
  const list = isUrn(cause) ? lists.get(cause) : undefined;
  const ofUser = list && (contributionsTo(list).find(({ values }) => values.includes(group)) ?? list).origin;
  const origin = listed ? listed.origin : isPruned ? originInBase(group, pruned, rules) : ofUser;
  const { kept } = sides;
  return {
    live,
    desired: {
      ...wanted,
      ...(origin && { origin }),
      ...(isPruned && { isPruned }),
    },
    listed: listed !== undefined,
    self,
    kept,
  };
}

/** The members of a group that does not list them: each user that lists its groups decides for itself, by its own mode. */
function decidedByUsers(
  { group, members, listedBy }: Omit<GroupSide, "listed">,
  { desired, lists }: DeclaredEdges,
  { modes, ignored, base }: MembershipRules,
): { readonly members: readonly Member[]; readonly kept: readonly UnmanagedValue[] } {
  const { facet, inverse } = memberships;
  const isIgnored = (user: Member | Scalar): boolean => ignored.value(group, facet, user) !== undefined;
  const [inside, wanting] = [new Set(members), new Set(listedBy)];
  const sides = [...new Set([...wanting, ...inside])].map((user) => {
    const here = (is: boolean): SetValue => setOf(is ? [user] : []);
    const live = here(inside.has(user));
    if (!lists.has(user)) return { value: live, kept: [] };
    const before = here(wasMember(base, group, user));
    const mode = modeOf(desired.get(user) ?? {}, inverse, modes);
    return adoptSet(mode, { desired: here(wanting.has(user)), live, base: before }, isIgnored);
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

/** Whether a state declares a membership, from either side. */
function wasMember(base: State | undefined, group: Urn, user: Urn): boolean {
  const { facet, inverse } = memberships;
  const lists = [setAt(base?.get(group), facet)?.members, setAt(base?.get(user), inverse)?.members];
  return lists[0]?.includes(user) === true || lists[1]?.includes(group) === true;
}

/** The members of a group whom only base declares, where they are pruned. */
export function prunedMembers(
  { group, members }: Pick<GroupSide, "group" | "members">,
  { desired, lists }: DeclaredEdges,
  known: Memberships,
  { prunesMembers, ignored, base, selected }: Omit<MembershipRules, "modes">,
): readonly Urn[] {
  const { facet } = memberships;
  const isManaged = !known.external.has(group) && !known.unreadable.has(group) && !known.gone.has(group);
  if (prunesMembers !== true || !isManaged || desired.get(group)?.facets.has(facet)) return [];
  return members.filter(
    (user) =>
      selected.has(group, user) &&
      !lists.has(user) &&
      !known.unreadable.has(user) &&
      wasMember(base, group, user) &&
      ignored.value(group, facet, user) === undefined,
  );
}

function originInBase(group: Urn, [user]: readonly Urn[], { base }: MembershipRules): Origin | undefined {
  const listed = setAt(base?.get(group), memberships.facet);
  const listing = user && setAt(base?.get(user), memberships.inverse);
  return listed?.origin ?? (listing ? listing.origin : undefined);
}

/** Memberships declared before that neither side manages now: the group has no `members`, the user no `groups`. */
export function membersNoLongerDeclared(
  { desired, lists }: DeclaredEdges,
  known: Memberships,
  base: State,
  rules: Pick<MembershipRules, "prunesMembers" | "ignored" | "selected">,
): readonly UnmanagedValue[] {
  const { facet } = memberships;
  const { selected } = rules;
  return [...usersByGroup(known.groupsOf)].flatMap(([group, members]) => {
    if (known.gone.has(group) || desired.get(group)?.facets.has(facet)) return [];
    const pruned = prunedMembers({ group, members }, { desired, lists }, known, { ...rules, base });
    return without(members, pruned)
      .filter(isUrn)
      .filter((user) => selected.has(group, user) && !lists.has(user) && wasMember(base, group, user))
      .map((user) => ({
        ...unmanagedMember(group, user),
        reason: known.external.has(group) ? "external" : "no-longer-declared",
      }));
  });
}

/** A membership as an unmanaged value. */
export function unmanagedMember(group: Urn, value: Member | Scalar): Omit<UnmanagedValue, "reason"> {
  return { urn: group, kind: memberships.kind.name, facet: memberships.facet, value };
}
