import type { Problem } from "../../model/problem.ts";
import type { Contribution, Member } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { contributionsTo } from "./declared-before.ts";
import type { DeclaredEdges, GroupSide } from "./membership-edges.ts";

/**
 * Edges that a group and a rule for its members disagree about, one for each place: what documents declare was compared without
 * the catalog, but only here it is known which assets a rule matches.
 */
export function contradictingRules(
  { group, listed, listedBy }: GroupSide,
  { edges: { facet, inverse }, lists }: DeclaredEdges,
): readonly Problem[] {
  if (!listed) return [];
  const problems = new Map<string, Problem>();
  const members = new Set<Member>(listed.members);
  for (const member of listedBy) {
    const rule = members.has(member)
      ? undefined
      : rulesFor(lists, member).find(({ values }) => values.includes(group));
    const args = { urn: member, facet: inverse, other: group, otherFacet: facet };
    if (rule) note(problems, args, rule, listed.origin);
  }
  for (const member of listed.members.filter(isUrn)) {
    if (lists.get(member)?.members.includes(group) !== false) continue;
    const [rule] = rulesFor(lists, member);
    const listing = contributionsTo(listed).find(({ values }) => values.includes(member));
    const args = { urn: group, facet, other: member, otherFacet: inverse };
    if (rule && listing) note(problems, args, listing, rule.origin);
  }
  return [...problems.values()];
}

function rulesFor(lists: DeclaredEdges["lists"], member: Urn): readonly Contribution[] {
  const list = lists.get(member);
  return list ? contributionsTo(list).filter(({ rule }) => rule !== undefined) : [];
}

function note(
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
