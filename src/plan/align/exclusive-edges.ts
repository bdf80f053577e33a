/** Removes a member from its old group when it joins a new group, for members that can be in only one group. */

import type { Memberships } from "../../model/membership.ts";
import type { Problem } from "../../model/problem.ts";
import { type Contribution, setOf, type SetValue, without } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import type { Ignored } from "../base/ignore.ts";
import { setAt } from "../base/values.ts";
import { urnsOf } from "../base/group-lists.ts";
import { contributionsTo } from "../base/declared-before.ts";
import { definitionsIn } from "../base/definitions.ts";
import type { DeclaredEdges, EdgesOfGroup } from "./membership-edges.ts";

/**
 * When a member joins a group, removes it from all its other groups, as the server does. Applies to memberships that are limited
 * to one group per member. If manifests add a member to two groups, the function reports a problem and the member remains in its
 * current group. A member also remains there if an ignore rule keeps it in an old group or out of the new group. `sides` contains
 * the managed groups. Groups that only lose a member are added to `sides`.
 */
export function removeFromOtherGroups(
  declared: DeclaredEdges,
  known: Memberships,
  sides: Map<Urn, EdgesOfGroup>,
  ignored: Ignored,
): readonly Problem[] {
  const isIgnored = (group: Urn, member: Urn): boolean =>
    ignored.value(group, declared.edges.facet, member) !== undefined;
  const problems = new Map<Urn, Problem>();
  const groupsDeclaring = declaredGroups(declared);
  for (const [group, { desired, live }] of sides) {
    // No member can join a group that was not read.
    if (known.unreadable.has(group)) continue;
    const joining = without(desired.members, live.members).filter(isUrn);
    const causes = joining.length > 0 ? causesIn(desired) : new Map<Urn, Contribution>();
    for (const member of joining) {
      const cause = causes.get(member);
      const other = groupsDeclaring.get(member)?.find((each) => each !== group);
      if (other === undefined) {
        const left = [...(known.groupsOf.get(member) ?? [])].filter((each) => each !== group);
        if ([group, ...left].some((each) => isIgnored(each, member))) continue;
        for (const each of left) sides.set(each, withoutMember(sides.get(each), member, group, cause));
        continue;
      }
      const side = sides.get(group);
      if (side) sides.set(group, withoutJoining(side, member));
      const related = causesIn(sides.get(other)?.desired).get(member)?.origin;
      problems.set(member, {
        code: "exclusive-membership",
        severity: "error",
        args: { urn: member, facet: declared.edges.facet, groups: [group, other] },
        ...(cause?.origin && { origin: cause.origin }),
        ...(related && { related }),
      });
    }
  }
  return [...problems.values()];
}

/** Returns the groups that a member is declared to be in, keyed by member. Both ends can declare a membership. */
function declaredGroups({ edges, desired, lists }: DeclaredEdges): ReadonlyMap<Urn, readonly Urn[]> {
  const groups = new Map<Urn, Set<Urn>>();
  const put = (member: Urn, group: Urn): void => {
    groups.set(member, (groups.get(member) ?? new Set()).add(group));
  };
  for (const entity of definitionsIn(desired).values())
    for (const member of urnsOf(setAt(entity, edges.facet))) put(member, entity.urn);
  for (const [member, list] of lists) for (const group of urnsOf(list)) put(member, group);
  return new Map([...groups].map(([member, all]) => [member, [...all]]));
}

/** Returns, for each member of a group, the first declaration that adds the member. */
function causesIn(desired: SetValue | undefined): ReadonlyMap<Urn, Contribution> {
  const causes = new Map<Urn, Contribution>();
  for (const each of desired ? contributionsTo(desired) : [])
    for (const member of each.values) if (isUrn(member) && !causes.has(member)) causes.set(member, each);
  return causes;
}

/**
 * Returns a group without a member that joins a different group. The declaration that adds the member to that group is recorded
 * as the cause of the removal.
 */
function withoutMember(
  side: EdgesOfGroup | undefined,
  member: Urn,
  joins: Urn,
  cause: Contribution | undefined,
): EdgesOfGroup {
  const {
    live = setOf([]),
    desired = setOf([], cause?.origin),
    listed = false,
    self = [],
    kept = [],
  } = side ?? {};
  const by = cause && { by: [...contributionsTo(desired), { ...cause, end: member, values: [] }] };
  return {
    live: { ...live, members: setOf([...live.members, member]).members },
    desired: {
      ...desired,
      members: without(desired.members, [member]),
      leaving: new Map([...(desired.leaving ?? []), [member, joins]]),
      ...by,
    },
    listed,
    self: new Set([...self, member]),
    kept: kept.filter(({ value }) => value !== member),
  };
}

/** Returns a group without a member that manifests add but that stays in its current group. */
function withoutJoining(side: EdgesOfGroup, member: Urn): EdgesOfGroup {
  return { ...side, desired: { ...side.desired, members: without(side.desired.members, [member]) } };
}
