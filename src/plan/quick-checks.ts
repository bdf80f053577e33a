import { leafAt, leavesOf } from "../model/place.ts";
import { type Entity, type FacetValue, type Member, memberKey } from "../model/state.ts";
import { nothingIgnored } from "./adopt/ignore.ts";
import { modeOf } from "./adopt/modes.ts";
import type { Policy } from "./policy.ts";

/** An asset: as it is written, with its columns named as the catalog names them, there, and declared before. */
export type AssetSides = Readonly<Record<"declared" | "named" | "there" | "before", Entity | undefined>>;

/**
 * Whether exactly what is declared of an asset is there, and nothing else was declared before: then no mode and no rule
 * has anything to say. Most assets are so, and this is much less work than to compare them by all the rules.
 */
export function isAsDeclared({ declared, named, there, before }: AssetSides): boolean {
  if (!declared || !named || !there) return false;
  for (const [facet, value] of named.facets) if (!isSame(value, there.facets.get(facet))) return false;
  return (
    before === undefined ||
    [...before.facets].every(([facet, value]) => isPartOf(value, declared.facets.get(facet)))
  );
}

/** Whether a value of an asset is certain to change, so that no other rule need be asked. */
export function differs({ named, there }: AssetSides, { modes, ignored }: Policy): boolean {
  if (!named || !there || ignored !== nothingIgnored) return false;
  for (const [facet, value] of named.facets) {
    const live = there.facets.get(facet);
    for (const [path, leaf] of leavesOf(value)) {
      if (modeOf(named, facet, modes, leaf) !== "authoritative") continue;
      if (!isSame(leaf, leafAt(live, path))) return true;
    }
  }
  return false;
}

function isSame(declared: FacetValue, live: FacetValue | undefined): boolean {
  if (declared.shape !== live?.shape) return false;
  if (declared.shape === "scalar") return live.shape === "scalar" && declared.value === live.value;
  if (declared.shape === "set") return live.shape === "set" && isSameSet(declared.members, live.members);
  if (live.shape !== "map") return false;
  for (const [key, below] of declared.entries) if (!isSame(below, live.entries.get(key))) return false;
  return true;
}

/** Two sets in normal form. */
function isSameSet(a: readonly Member[], b: readonly Member[]): boolean {
  return a.length === b.length && a.every((member, index) => isSameMember(member, b[index]));
}

function isSameMember(a: Member, b: Member | undefined): boolean {
  if (a === b || typeof a === "string") return a === b;
  return typeof b === "object" && memberKey(a) === memberKey(b);
}

/** Whether a facet, with each of its keys, is declared now as well, whatever its value. */
function isPartOf(before: FacetValue, now: FacetValue | undefined): boolean {
  if (before.shape !== "map" || now?.shape !== "map") return now !== undefined;
  return [...before.entries].every(([key, below]) => isPartOf(below, now.entries.get(key)));
}
