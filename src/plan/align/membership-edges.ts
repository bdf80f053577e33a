/**
 * Determines the members of a group or data product from its own list, its members' lists and the live edges. Finds edges to
 * prune or to report as unmanaged.
 */

import type { EdgeSet } from "../../facets/index.ts";
import type { Memberships } from "../../model/membership.ts";
import type { Origin } from "../../model/origin.ts";
import type { UnmanagedValue } from "../../model/plan.ts";
import type { Modes } from "../../model/settings.ts";
import { type Member, type Scalar, setOf, type SetValue, type State, without } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { adoptSet } from "./adopt.ts";
import type { Ignored } from "../base/ignore.ts";
import { modeOf } from "../base/modes.ts";
import { setAt } from "../base/values.ts";
import { edgeContributions, type GroupLists, membersByGroup } from "../base/group-lists.ts";
import type { SelectedEdges } from "../base/selected-edges.ts";
import { contributionsTo } from "../base/declared-before.ts";

/** The settings and history for removing edges. `base` contains the earlier declarations of both ends. */
export interface EdgePruning {
  readonly ignored: Ignored;
  readonly base?: State | undefined;
  /** Whether edges that only base declares are removed from the catalog. */
  readonly prunesMembers?: boolean;
  /** The edges to compare. */
  readonly selected: SelectedEdges;
}

/** The settings and history for combining the edges from both ends. */
export interface EdgeRules extends EdgePruning {
  readonly modes: Modes;
}

/** The declarations of an edge set: the groups' declarations in the desired state, and the groups that members list. */
export interface DeclaredEdges {
  readonly edges: EdgeSet;
  readonly desired: State;
  readonly lists: GroupLists;
}

/** A group's live and desired members. */
export interface MembersOfGroup {
  readonly live: SetValue;
  readonly desired: SetValue;
}

/** A group's members, and which end declares them. */
export interface EdgesOfGroup extends MembersOfGroup {
  /** Whether the group's own manifest lists its members. */
  readonly listed: boolean;
  /**
   * Members that list their groups and are in this group, in the live or the desired state. Members to prune are also included.
   */
  readonly self: ReadonlySet<Member>;
  /** Members that are kept in the group although their own lists omit the group. */
  readonly kept: readonly UnmanagedValue[];
}

/** A group with its live members. */
interface LiveGroup {
  readonly group: Urn;
  readonly members: readonly Urn[];
}

/** A group with its live members, the members that it lists, and the members that list the group. */
interface GroupSide extends LiveGroup {
  readonly listed: SetValue | undefined;
  readonly listedBy: readonly Urn[];
}

/** Combines a group's own list, its members' lists, and its live members. */
export function edgesOf(
  side: GroupSide,
  declared: DeclaredEdges,
  known: Memberships,
  rules: EdgeRules,
): EdgesOfGroup {
  const { group, members, listed, listedBy } = side;
  const { lists } = declared;
  const isKnown = (member: Urn): boolean => !known.unreadable.has(member);
  const live = setOf(members.filter(isKnown));
  const pruned = listed ? [] : prunedMembers(side, declared, known, rules);
  const sides = listed
    ? { members: [...listed.members, ...listedBy], kept: [] }
    : decidedByMembers({ ...side, members: without(members, pruned).filter(isUrn) }, declared, rules);
  const wanted = setOf(sides.members.filter(isUrn).filter(isKnown));
  const deciding = new Set<Member>([...listedBy, ...members.filter((member) => lists.has(member))]);
  const self = new Set<Member>([...deciding, ...pruned]);
  const different = [...without(wanted.members, live.members), ...without(live.members, wanted.members)];
  const decided = different.find((member) => deciding.has(member));
  const isPruned = decided === undefined && pruned.length > 0;
  const cause = decided ?? [...deciding][0];
  const list = isUrn(cause) ? lists.get(cause) : undefined;
  const ofMember =
    list && (contributionsTo(list).find(({ values }) => values.includes(group)) ?? list).origin;
  const origin = listed
    ? listed.origin
    : isPruned
      ? originInBase(declared.edges, group, pruned, rules)
      : ofMember;
  const by = edgeContributions(group, listed, self, lists);
  return {
    live,
    desired: {
      ...wanted,
      ...(origin && { origin }),
      ...(isPruned && { isPruned }),
      ...(by.length > 0 && { by }),
    },
    listed: listed !== undefined,
    self,
    kept: sides.kept,
  };
}

/**
 * Returns the members of a group that has no list of its own. For each member that lists its groups, the mode of that list
 * applies.
 */
function decidedByMembers(
  { group, members, listedBy }: GroupSide,
  { edges, desired, lists }: DeclaredEdges,
  { modes, ignored, base }: EdgeRules,
): { readonly members: readonly Member[]; readonly kept: readonly UnmanagedValue[] } {
  const { facet, inverse } = edges;
  const isIgnored = (member: Member | Scalar): boolean => ignored.value(group, facet, member) !== undefined;
  const [inside, wanting] = [new Set(members), new Set(listedBy)];
  const sides = [...new Set([...wanting, ...inside])].map((member) => {
    const here = (is: boolean): SetValue => setOf(is ? [member] : []);
    const live = here(inside.has(member));
    if (!lists.has(member)) return { value: live, kept: [] };
    const before = here(wasMember(edges, base, group, member));
    const mode = modeOf(desired.get(member) ?? {}, inverse, modes);
    return adoptSet(mode, { desired: here(wanting.has(member)), live, base: before }, isIgnored);
  });
  return {
    members: sides.flatMap(({ value }) => value.members),
    kept: sides.flatMap(({ kept }) =>
      kept.map(({ value, declaredBefore }) =>
        unmanagedMember(edges, group, value, declaredBefore ? "no-longer-declared" : "other-writer"),
      ),
    ),
  };
}

/** Whether a state declares an edge at either end. */
function wasMember({ facet, inverse }: EdgeSet, base: State | undefined, group: Urn, member: Urn): boolean {
  const lists = [setAt(base?.get(group), facet)?.members, setAt(base?.get(member), inverse)?.members];
  return lists[0]?.includes(member) === true || lists[1]?.includes(group) === true;
}

/** Returns the group's live members that only base declares. Returns none if assignments are not pruned. */
export function prunedMembers(
  { group, members }: LiveGroup,
  { edges, desired, lists }: DeclaredEdges,
  known: Memberships,
  { prunesMembers, ignored, base, selected }: EdgePruning,
): readonly Urn[] {
  const { facet } = edges;
  const isManaged = !known.external.has(group) && !known.unreadable.has(group) && !known.missing.has(group);
  if (prunesMembers !== true || !isManaged || desired.get(group)?.facets.has(facet)) return [];
  return members.filter(
    (member) =>
      selected.has(edges, group, member) &&
      !lists.has(member) &&
      !known.unreadable.has(member) &&
      wasMember(edges, base, group, member) &&
      ignored.value(group, facet, member) === undefined,
  );
}

function originInBase(
  { facet, inverse }: EdgeSet,
  group: Urn,
  [member]: readonly Urn[],
  { base }: EdgeRules,
): Origin | undefined {
  const listed = setAt(base?.get(group), facet);
  const listing = member && setAt(base?.get(member), inverse);
  return listed?.origin ?? (listing ? listing.origin : undefined);
}

/** Returns edges that base declares but that neither end manages now. */
export function membersNoLongerDeclared(
  { edges, desired, lists }: DeclaredEdges,
  known: Memberships,
  rules: EdgePruning,
): readonly UnmanagedValue[] {
  const { facet } = edges;
  const { base, selected } = rules;
  if (!base) return [];
  return [...membersByGroup(known.groupsOf)].flatMap(([group, members]) => {
    if (known.missing.has(group) || desired.get(group)?.facets.has(facet)) return [];
    const reason = known.external.has(group) ? "external" : "no-longer-declared";
    const pruned = prunedMembers({ group, members }, { edges, desired, lists }, known, rules);
    return without(members, pruned)
      .filter(isUrn)
      .filter(
        (member) =>
          selected.has(edges, group, member) && !lists.has(member) && wasMember(edges, base, group, member),
      )
      .map((member) => unmanagedMember(edges, group, member, reason));
  });
}

/** Returns the unmanaged value for an edge. */
export function unmanagedMember(
  { facet, kind }: EdgeSet,
  group: Urn,
  value: Member | Scalar,
  reason: UnmanagedValue["reason"],
): UnmanagedValue {
  return { urn: group, kind: kind.name, facet, value, reason };
}
