/** Combines desired and live edges and stores them in the groups, no matter which end declares them. */

import { type EdgeSet, edgeSets } from "../../facets/index.ts";
import { appendTo } from "../../model/append.ts";
import { type KnownEdges, type Memberships, noMemberships } from "../../model/membership.ts";
import type { UnmanagedValue } from "../../model/plan.ts";
import type { Problem } from "../../model/problem.ts";
import { type Entity, type Member, setOf, type SetValue, type State, without } from "../../model/state.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";
import { readProblem } from "../../model/restricted.ts";
import { definitionsIn } from "../base/definitions.ts";
import {
  dropFacet,
  groupListsIn,
  membersByListedGroup,
  membersByGroup,
  urnsOf,
  withFacet,
} from "../base/group-lists.ts";
import { contradictingRules } from "./contradictions.ts";
import { removeFromOtherGroups } from "./exclusive-edges.ts";
import { setAt } from "../base/values.ts";
import type { SelectedEdges } from "../base/selected-edges.ts";
import {
  type DeclaredEdges,
  type EdgeRules,
  type EdgesOfGroup,
  edgesOf,
  membersNoLongerDeclared,
  type MembersOfGroup,
  prunedMembers,
  unmanagedMember,
} from "./membership-edges.ts";

interface BothStates {
  readonly desired: State;
  readonly live: State;
}

/** Both states, with all edges stored in the groups. */
export interface WithEdges extends BothStates {
  readonly problems: readonly Problem[];
  readonly unmanaged: readonly UnmanagedValue[];
  /** The edges that base declares but that neither end manages now. */
  readonly membersLeft: readonly UnmanagedValue[];
}

/** The input for combining the edges of two states. */
interface EdgeInput {
  /** All declarations, including entities that are not compared because they were not read or are in sync. */
  readonly declared: State;
  readonly known: KnownEdges;
  readonly rules: EdgeRules;
}

/**
 * Stores each edge in its group, no matter which end declares it, and drops the members' lists. A group that lists its members
 * manages all of them. A member that lists its groups manages its own edges.
 */
export function withEdges(states: BothStates, input: EdgeInput): WithEdges {
  const { desired, live } = states;
  const result = {
    desired: new Map(desired),
    live: new Map(live),
    problems: [],
    unmanaged: [],
    membersLeft: [],
  };
  for (const edges of edgeSets) combineEdges(edges, result, input);
  return result;
}

/** Both states, which are changed while the edges are combined. */
interface MutableStates {
  readonly desired: Map<Urn, Entity>;
  readonly live: Map<Urn, Entity>;
}

interface Result extends MutableStates {
  readonly problems: Problem[];
  readonly unmanaged: UnmanagedValue[];
  readonly membersLeft: UnmanagedValue[];
}

function combineEdges(edges: EdgeSet, result: Result, input: EdgeInput): void {
  const { declared, rules } = input;
  const { selected } = rules;
  const known = input.known.get(edges.facet) ?? noMemberships;
  const all = { edges, desired: declared, lists: groupListsIn(declared, edges) };
  dropLists(result, all);
  const members = membersByGroup(known.groupsOf);
  const listing = membersByListedGroup(all.lists);
  const pruned = [...members].flatMap(([group, inside]) =>
    prunedMembers({ group, members: inside }, all, known, rules).length > 0 ? [group] : [],
  );
  const managed = new Set([...groupsToManage(all, known, selected), ...pruned]);
  appendTo(result.problems, unreadableEnds(all, known, managed));
  appendTo(result.problems, contradictingRules(all, listing, selected));
  appendTo(result.membersLeft, membersNoLongerDeclared(all, known, rules));
  const sides = new Map<Urn, EdgesOfGroup>();
  for (const group of managed) {
    const isSelected = (member: Member): boolean => isUrn(member) && selected.has(edges, group, member);
    const inside = new Set<Member>((members.get(group) ?? []).filter(isSelected));
    // Absent members cannot join a group. Soft-deleted members that the plan restores are still in the group.
    const isDeclared = (member: Member): boolean =>
      isSelected(member) && (inside.has(member) || !(isUrn(member) && known.absent?.has(member) === true));
    const listed = setAt(declared.get(group), edges.facet);
    const side = {
      group,
      members: [...inside].filter(isUrn),
      listed: listed && { ...listed, members: listed.members.filter(isDeclared) },
      listedBy: (listing.get(group) ?? []).filter(isDeclared),
    };
    sides.set(group, edgesOf(side, all, known, rules));
  }
  if (known.isExclusive === true)
    appendTo(result.problems, removeFromOtherGroups(all, known, sides, rules.ignored));
  for (const [group, own] of sides) {
    const problem = problemOf(group, own, known);
    if (problem) result.problems.push(problem);
    const isExternal = known.external.has(group);
    appendTo(result.unmanaged, isExternal ? externalEdges(edges, group, own) : own.kept);
    if (isExternal || known.unreadable.has(group)) dropFacet(result.desired, group, edges.facet);
    else place({ edges, selected, ...result }, group, own);
  }
}

/** Drops members' lists and stored group lists, because the live edges were read separately. */
function dropLists({ desired, live }: Result, { edges, lists }: DeclaredEdges): void {
  const { facet, inverse, storedByMembers } = edges;
  for (const member of lists.keys()) dropFacet(desired, member, inverse);
  if (storedByMembers) return;
  for (const [urn, entity] of live)
    if (setAt(entity, facet)?.members.length) live.set(urn, withFacet(entity, facet, setOf([])));
}

function groupsToManage(
  { edges, desired, lists }: DeclaredEdges,
  known: Memberships,
  selected: SelectedEdges,
): ReadonlySet<Urn> {
  const groups = new Set<Urn>();
  for (const { urn, facets } of definitionsIn(desired).values())
    if (facets.has(edges.facet) && selected.isGroup(urn)) groups.add(urn);
  for (const [member, list] of lists) {
    for (const group of urnsOf(list)) if (selected.has(edges, group, member)) groups.add(group);
    // A missing group is managed only if a manifest declares it. The plan then creates the group, and its remaining members
    // rejoin it.
    for (const group of known.groupsOf.get(member) ?? []) {
      const isThere = !known.missing.has(group) || (desired.has(group) && selected.isGroup(group));
      if (isThere && selected.has(edges, group, member)) groups.add(group);
    }
  }
  return groups;
}

function problemOf(
  group: Urn,
  { desired, live, listed }: EdgesOfGroup,
  known: Memberships,
): Problem | undefined {
  const at = desired.origin ? { origin: desired.origin } : {};
  const error = known.unreadable.get(group);
  if (error !== undefined) return { ...readProblem({ urn: group, error }), severity: "error", ...at };
  if (!known.external.has(group)) return undefined;
  if (listed) return { code: "external-group", severity: "error", args: { urn: group }, ...at };
  // A group without its own list can gain only members that list their groups.
  const users = without(desired.members, live.members).map(String);
  if (users.length === 0) return undefined;
  return { code: "external-membership", severity: "warning", args: { urn: group, users }, ...at };
}

function externalEdges(edges: EdgeSet, group: Urn, { live, self }: EdgesOfGroup): readonly UnmanagedValue[] {
  return live.members
    .filter((member) => self.has(member))
    .map((value) => unmanagedMember(edges, group, value, "external"));
}

interface Placing extends MutableStates {
  readonly edges: EdgeSet;
  readonly selected: SelectedEdges;
}

// If an edge changes in a group that has no manifest and that only members list, adds the group to both states.
function place({ edges, selected, desired, live }: Placing, group: Urn, own: EdgesOfGroup): void {
  const { facet, kind } = edges;
  const liveGroup = live.get(group);
  // If only some of a group's edges are compared, no other values of the group were read.
  const isRead = liveGroup !== undefined || selected.isGroup(group);
  const manifest = desired.get(group);
  const declared = isRead ? manifest : undefined;
  const members = own.listed ? own : ofDecidingMembers(own);
  if (declared) {
    desired.set(group, withFacet(own.listed ? declared : decided(edges, declared), facet, members.desired));
    if (liveGroup) live.set(group, withFacet(liveGroup, facet, members.live));
    return;
  }
  if (isSameSet(members.desired, members.live)) return;
  const empty: Entity = {
    urn: group,
    kind: kind.name,
    facets: new Map(),
    ...(manifest?.manage && { manage: manifest.manage }),
  };
  const bare = own.listed ? empty : decided(edges, empty);
  desired.set(group, withFacet(bare, facet, members.desired));
  live.set(group, withFacet(liveGroup ?? bare, facet, members.live));
}

function isSameSet(a: SetValue, b: SetValue): boolean {
  return without(a.members, b.members).length + without(b.members, a.members).length === 0;
}

/**
 * Returns the group's desired and live members, except kept members and members that do not list their groups. The plan does not
 * change these members.
 */
function ofDecidingMembers({ desired, live, self, kept }: EdgesOfGroup): MembersOfGroup {
  const staying = new Set(kept.map(({ value }) => value));
  const isDecided = (member: Member): boolean => self.has(member) && !staying.has(member);
  return {
    desired: { ...desired, members: desired.members.filter(isDecided) },
    live: { ...live, members: live.members.filter(isDecided) },
  };
}

// Replaces the group's own mode, because the members' modes have already been applied.
function decided({ facet }: EdgeSet, group: Entity): Entity {
  return { ...group, manage: { ...group.manage, [facet]: "authoritative" } };
}

/** Returns a problem for each unreadable group or member. Managed groups are reported elsewhere. */
function unreadableEnds(
  { edges, desired, lists }: DeclaredEdges,
  known: Memberships,
  managed: ReadonlySet<Urn>,
): readonly Problem[] {
  return [...known.unreadable].flatMap(([urn, error]): readonly Problem[] => {
    // If members store the edges, only the managed groups were read.
    const isGroup = edges.storedByMembers !== undefined && entityTypeOf(urn) === edges.kind.entityType;
    if (isGroup || managed.has(urn)) return [];
    const origin = lists.get(urn)?.origin ?? desired.get(urn)?.origin;
    return [{ ...readProblem({ urn, error }), severity: "error", ...(origin && { origin }) }];
  });
}
