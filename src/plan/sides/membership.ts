import { memberships } from "../../facets/index.ts";
import { appendTo } from "../../model/append.ts";
import type { Memberships } from "../../model/membership.ts";
import type { UnmanagedValue } from "../../model/plan.ts";
import type { Problem } from "../../model/problem.ts";
import { type Entity, type Member, type SetValue, type State, without } from "../../model/state.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";
import {
  edgeContributions,
  groupListsIn,
  listingUsers,
  urnsOf,
  usersByGroup,
  withFacet,
  withoutFacet,
} from "./base.ts";
import { setAt } from "../diff/values.ts";
import type { SelectedEdges } from "./selected-edges.ts";
import {
  type DeclaredEdges,
  type EdgesOfGroup,
  edgesOf,
  type GroupSide,
  type MembershipRules,
  prunedMembers,
  unmanagedMember,
} from "./membership-edges.ts";

/** Both states with the members of every group that is managed from one side or the other. */
export interface WithMembers {
  readonly desired: State;
  readonly live: State;
  readonly problems: readonly Problem[];
  readonly unmanaged: readonly UnmanagedValue[];
}

/**
 * Memberships are one set of edges, whichever side declares them: they become the facet `members` of the group, and the
 * users' `groups` are left out. A group that lists its members manages all of them; a user that lists groups manages its
 * own edges in every group.
 */
export function withMembers(
  declared: State,
  live: State,
  known: Memberships,
  rules: MembershipRules,
): WithMembers {
  const { selected } = rules;
  const edges: DeclaredEdges = { desired: declared, lists: groupListsIn(declared) };
  const states: States = { desired: withoutLists(edges), live: new Map(live) };
  const problems: Problem[] = [...unreadableUsers(edges, known)];
  const unmanaged: UnmanagedValue[] = [];
  const members = usersByGroup(known.groupsOf);
  const listing = listingUsers(edges.lists);
  const pruned = [...members].flatMap(([group, users]) =>
    prunedMembers({ group, members: users }, edges, known, rules).length > 0 ? [group] : [],
  );
  for (const group of new Set([...groupsToManage(edges, known, selected), ...pruned])) {
    const isSelected = (user: Member): boolean => isUrn(user) && selected.has(group, user);
    const listed = setAt(declared.get(group), memberships.facet);
    const side = {
      group,
      members: (members.get(group) ?? []).filter(isSelected),
      listed: listed && { ...listed, members: listed.members.filter(isSelected) },
      listedBy: (listing.get(group) ?? []).filter(isSelected),
    };
    const own = withContributions(edgesOf(side, edges, known, rules), side, edges);
    const problem = problemOf(group, own, known);
    if (problem) problems.push(problem);
    const isExternal = known.external.has(group);
    appendTo(unmanaged, isExternal ? externalEdges(group, own) : own.kept);
    if (isExternal || known.unreadable.has(group)) dropMembers(states, group);
    else place(states, group, own, selected);
  }
  return { ...states, problems, unmanaged };
}

function withContributions(
  own: EdgesOfGroup,
  { group, listed }: GroupSide,
  { lists }: DeclaredEdges,
): EdgesOfGroup {
  const by = edgeContributions({ group, listed, users: own.self }, lists);
  return by.length === 0 ? own : { ...own, desired: { ...own.desired, by } };
}

interface States {
  readonly desired: Map<Urn, Entity>;
  readonly live: Map<Urn, Entity>;
}

function withoutLists({ desired }: DeclaredEdges): Map<Urn, Entity> {
  return new Map([...desired].map(([urn, entity]) => [urn, withoutFacet(entity, memberships.inverse)]));
}

function groupsToManage(
  { desired, lists }: DeclaredEdges,
  known: Memberships,
  selected: SelectedEdges,
): ReadonlySet<Urn> {
  const groups = new Set<Urn>();
  for (const { urn, facets } of desired.values())
    if (facets.has(memberships.facet) && selected.isGroup(urn)) groups.add(urn);
  for (const [user, list] of lists) {
    for (const group of urnsOf(list)) if (selected.has(group, user)) groups.add(group);
    // What is gone is created where a manifest declares it, and whoever is still in it is in it again.
    for (const group of known.groupsOf.get(user) ?? []) {
      const isThere = !known.gone.has(group) || (desired.has(group) && selected.isGroup(group));
      if (isThere && selected.has(group, user)) groups.add(group);
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
  if (error !== undefined)
    return { code: "read-failed", severity: "error", args: { urn: group, error }, ...at };
  if (!known.external.has(group)) return undefined;
  if (listed) return { code: "external-group", severity: "error", args: { urn: group }, ...at };
  // Only users that list their groups join one that does not list its members.
  const users = without(desired.members, live.members).map(String);
  if (users.length === 0) return undefined;
  return { code: "external-membership", severity: "warning", args: { urn: group, users }, ...at };
}

function externalEdges(group: Urn, { live, self }: EdgesOfGroup): readonly UnmanagedValue[] {
  return live.members
    .filter((user) => self.has(user))
    .map((value) => ({ ...unmanagedMember(group, value), reason: "external" }));
}

function dropMembers({ desired }: States, group: Urn): void {
  const entity = desired.get(group);
  if (entity) desired.set(group, withoutFacet(entity, memberships.facet));
}

// A group that only users name has no manifest: it joins both states where an edge of it changes.
function place({ desired, live }: States, group: Urn, edges: EdgesOfGroup, selected: SelectedEdges): void {
  const { facet, kind } = memberships;
  const liveGroup = live.get(group);
  // Where only some memberships of a group are compared, nothing else of it was read.
  const isRead = liveGroup !== undefined || selected.isGroup(group);
  const manifest = desired.get(group);
  const declared = isRead ? manifest : undefined;
  const members = edges.listed ? edges : ofDecidingUsers(edges);
  if (declared) {
    desired.set(group, withFacet(edges.listed ? declared : decided(declared), facet, members.desired));
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
  const bare = edges.listed ? empty : decided(empty);
  desired.set(group, withFacet(bare, facet, members.desired));
  live.set(group, withFacet(liveGroup ?? bare, facet, members.live));
}

function isSameSet(a: SetValue, b: SetValue): boolean {
  return without(a.members, b.members).length + without(b.members, a.members).length === 0;
}

/** Without the members for whom no user's list decides: they are not part of a change. */
function ofDecidingUsers({
  desired,
  live,
  self,
  kept,
}: EdgesOfGroup): Pick<EdgesOfGroup, "desired" | "live"> {
  const staying = new Set(kept.map(({ value }) => value));
  const isDecided = (user: Member): boolean => self.has(user) && !staying.has(user);
  return {
    desired: { ...desired, members: desired.members.filter(isDecided) },
    live: { ...live, members: live.members.filter(isDecided) },
  };
}

// The users' modes have decided: the group's own must not decide again.
function decided(group: Entity): Entity {
  return { ...group, manage: { ...group.manage, [memberships.facet]: "authoritative" } };
}

function unreadableUsers({ desired, lists }: DeclaredEdges, known: Memberships): readonly Problem[] {
  return [...known.unreadable].flatMap(([urn, error]): readonly Problem[] => {
    if (entityTypeOf(urn) === memberships.kind.entityType) return [];
    const origin = lists.get(urn)?.origin ?? desired.get(urn)?.origin;
    return [{ code: "read-failed", severity: "error", args: { urn, error }, ...(origin && { origin }) }];
  });
}
