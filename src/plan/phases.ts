import { kinds } from "../kinds/index.ts";
import type { Change } from "../model/change.ts";
import type { Urn } from "../model/urn.ts";

// Room for parents above parents: a chain of domains is never as long (design limit of DataHub: 50).
const step = 1000;
const rankOf: ReadonlyMap<string, number> = new Map(kinds.map(({ name }, index) => [name, index * step]));
const membersPhase = (rankOf.get("Group") ?? 0) + 1;

/**
 * When a change is carried out: what others refer to comes first. Domains after the domains above them, then tags,
 * users, groups, members, then the rest: datasets, containers, and owners of whatever, who must exist by then.
 */
export function phaseOf(
  change: Pick<Change, "kind" | "urn" | "facet">,
  parents: ReadonlyMap<Urn, Urn>,
): number {
  if (change.facet === "members") return membersPhase;
  if (change.facet === "owners") return rankOf.get("Dataset") ?? 0;
  if (change.kind === "Domain") return depthOf(change.urn, parents);
  return rankOf.get(change.kind) ?? 0;
}

function depthOf(domain: Urn, parents: ReadonlyMap<Urn, Urn>): number {
  let depth = 0;
  for (let above = parents.get(domain); above !== undefined && depth < step - 1; above = parents.get(above))
    depth += 1;
  return depth;
}
