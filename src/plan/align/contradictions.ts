/** Reports groups and rules that disagree about an edge. */

import type { Problem } from "../../model/problem.ts";
import type { Contribution, Member, SetValue } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { contributionsTo } from "../base/declared-before.ts";
import { setAt } from "../base/values.ts";
import { definitionsIn } from "../base/definitions.ts";
import type { DeclaredEdges } from "./membership-edges.ts";
import type { SelectedEdges } from "../base/selected-edges.ts";

/**
 * Returns one problem for each position at which a group and a rule for its members disagree about a selected edge. Only this
 * check has access to the assets that each rule matches. The manifest checks compare documents without reading the catalog.
 */
export function contradictingRules(
  declared: DeclaredEdges,
  listing: ReadonlyMap<Urn, readonly Urn[]>,
  selected: SelectedEdges,
): readonly Problem[] {
  const { edges, desired } = declared;
  return [...definitionsIn(desired).values()].flatMap((entity) => {
    const { urn: group } = entity;
    const listed = setAt(entity, edges.facet);
    if (!listed) return [];
    const isSelected = (member: Member): boolean => isUrn(member) && selected.has(edges, group, member);
    const listedBy = (listing.get(group) ?? []).filter(isSelected);
    const members = listed.members.filter(isSelected);
    return contradictionsOf(group, { ...listed, members }, listedBy, declared);
  });
}

function contradictionsOf(
  group: Urn,
  listed: SetValue,
  listedBy: readonly Urn[],
  { edges: { facet, inverse }, lists }: DeclaredEdges,
): readonly Problem[] {
  const problems = new Map<string, Problem>();
  const members = new Set<Member>(listed.members);
  for (const member of listedBy) {
    const rule = members.has(member)
      ? undefined
      : rulesFor(lists, member).find(({ values }) => values.includes(group));
    const args = { urn: member, facet: inverse, other: group, otherFacet: facet };
    if (rule) addProblem(problems, args, rule, listed.origin);
  }
  for (const member of listed.members.filter(isUrn)) {
    if (lists.get(member)?.members.includes(group) !== false) continue;
    const [rule] = rulesFor(lists, member);
    const cause = contributionsTo(listed).find(({ values }) => values.includes(member));
    const args = { urn: group, facet, other: member, otherFacet: inverse };
    if (rule && cause) addProblem(problems, args, cause, rule.origin);
  }
  return [...problems.values()];
}

function rulesFor(lists: DeclaredEdges["lists"], member: Urn): readonly Contribution[] {
  const list = lists.get(member);
  return list ? contributionsTo(list).filter(({ rule }) => rule !== undefined) : [];
}

function addProblem(
  problems: Map<string, Problem>,
  args: Extract<Problem, { readonly code: "contradicting-membership" }>["args"],
  { origin }: Contribution,
  related: Contribution["origin"],
): void {
  const place = JSON.stringify([origin, related]);
  if (problems.has(place)) return;
  problems.set(place, {
    code: "contradicting-membership",
    severity: "error",
    args,
    ...(origin && { origin }),
    ...(related && { related }),
  });
}
