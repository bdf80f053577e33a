import type { Problem } from "../../model/problem.ts";
import type { ScalarValue, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";

/**
 * Domains that would stand in a circle once the changes are made: the server does not check a proposal as it checks
 * `moveDomain`. Seen are the domains that manifests declare, with what they declare or have above them. One problem a
 * circle, at its first domain by URN whose parent a manifest declares.
 */
export function domainCircles(adopted: State): readonly Problem[] {
  return [...adopted.keys()].flatMap((urn): readonly Problem[] => {
    const circle = circleFrom(urn, adopted);
    const [first] = circle.filter((each) => parentOf(each, adopted)?.origin).toSorted();
    const origin = parentOf(urn, adopted)?.origin;
    if (first !== urn || !origin) return [];
    return [{ code: "cyclic-domains", severity: "error", args: { cycle: [...circle, urn] }, origin }];
  });
}

/** The domains from this one up to itself again; empty where the way ends elsewhere. */
function circleFrom(start: Urn, adopted: State): readonly Urn[] {
  const path: Urn[] = [start];
  for (;;) {
    const above = parentOf(path.at(-1) ?? start, adopted)?.value as Urn | null | undefined;
    if (above === start) return path;
    if (!above || path.includes(above)) return [];
    path.push(above);
  }
}

function parentOf(urn: Urn, adopted: State): ScalarValue | undefined {
  const parent = adopted.get(urn)?.facets.get("parent_domain");
  return parent?.shape === "scalar" ? parent : undefined;
}
