import { isDefinitionKind } from "../../kinds/index.ts";
import type { Change } from "../../model/change.ts";
import type { KindName } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";

// Domains come first, each after the domain above it: DataHub follows a chain of at most 50.
const mostAbove = 999;
const ranks: Readonly<Partial<Record<KindName, number>>> = { Tag: 1000, User: 1001, Group: 1002 };
const membersRank = 1003;
const lastRank = 1004;

/**
 * When a change is carried out: what others refer to comes first. Domains after the domains above them, then tags,
 * users, groups, members, then the rest: datasets, containers, and owners of whatever, who must exist by then.
 */
export function phaseOf(
  change: Pick<Change, "kind" | "urn" | "facet">,
  parents: ReadonlyMap<Urn, Urn>,
): number {
  if (change.facet === "members") return membersRank;
  if (change.facet === "owners" || !isDefinitionKind(change.kind)) return lastRank;
  return ranks[change.kind] ?? depthOf(change.urn, parents);
}

/**
 * When a deletion is carried out: after everything else, what others refer to last. Domains one after the other, in
 * the order of the plan: a domain that has others below it cannot be deleted.
 */
export function deletionPhase(kind: KindName, position: number): number {
  const rank = ranks[kind];
  return rank === undefined ? lastRank + mostAbove + position : lastRank + membersRank - rank;
}

function depthOf(domain: Urn, parents: ReadonlyMap<Urn, Urn>): number {
  let depth = 0;
  let above = parents.get(domain);
  while (above !== undefined && depth < mostAbove) {
    depth += 1;
    above = parents.get(above);
  }
  return depth;
}
