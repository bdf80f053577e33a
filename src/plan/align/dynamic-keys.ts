/** Adds an empty live value wherever only a declared value exists, so the diff can compare the two. */

import type { Keys } from "../../facets/map-contract.ts";
import { facets } from "../../facets/index.ts";
import { keysOf } from "../../facets/places.ts";
import { joined, leafAt, leavesOf, type Path, valueFrom } from "../../model/place.ts";
import { emptyLeaf, type FacetValue, type State } from "../../model/state.ts";
import { alignedWith } from "../base/values.ts";

/** The facets in which a key exists only while it has a value. */
const open: ReadonlySet<string> = new Set(
  facets.map(({ name }) => name).filter((name) => keysOf(name).some(({ among }) => !among)),
);

/** Adds an empty scalar or set to the live state wherever a value is declared but not live. */
export function addDynamicKeys(live: State, declared: State): State {
  return alignedWith(live, declared, (value, own, facet) =>
    open.has(facet) ? addEmptyValues(keysOf(facet), value, own) : value,
  );
}

/** Adds an empty scalar or set wherever a value is declared. Skips missing keys that only the catalog can provide. */
export function addEmptyValues(
  keys: readonly Keys[],
  live: FacetValue,
  declared: FacetValue | undefined,
): FacetValue {
  const blanks = leavesOf(declared).filter(([path]) => !leafAt(live, path) && isOpenAt(keys, live, path));
  if (blanks.length === 0) return live;
  return joined(live, valueFrom(blanks), (_, { shape }) => emptyLeaf(shape));
}

function isOpenAt(keys: readonly Keys[], live: FacetValue, path: Path): boolean {
  let below: FacetValue | undefined = live;
  return path.every((key, level) => {
    below = below?.shape === "map" ? below.entries.get(key) : undefined;
    return below !== undefined || !keys[level]?.among;
  });
}
