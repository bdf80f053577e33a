/** Resolves declared keys, such as column names, to the keys that the catalog uses. */

import type { KeyFinder } from "../../facets/map-contract.ts";
import { keysOf } from "../../facets/places.ts";
import { joined, leafAt, leavesOf } from "../../model/place.ts";
import type { ProblemOf } from "../../model/problem.ts";
import type { FacetValue, Leaf, MapValue, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { contributionsTo, united, unitedLeaves } from "../base/declared-before.ts";
import { alignedWith } from "../base/values.ts";

type KeyCode = "no-schema" | "column-unknown" | "column-ambiguous" | "column-twice";

type KeyProblem = { readonly [Code in KeyCode]: ProblemOf<Code> }[KeyCode];

/** A state with the catalog's keys, and the problems for unresolved keys. */
export interface ResolvedKeys {
  readonly state: State;
  readonly problems: readonly KeyProblem[];
}

/**
 * Resolves keys that only the catalog can provide, such as columns. Each key is matched first as an exact key, then as a plain
 * name. A key that is unknown, ambiguous or written twice in a file is left out and reported as a problem with its candidates. If
 * two files write a key differently, their sets are combined. In a history, a key may have had two names. The key then receives
 * the declarations under both names.
 */
export function resolveKeys(desired: State, live: State, isHistory = false): ResolvedKeys {
  const problems: KeyProblem[] = [];
  const state = alignedWith(desired, live, (value, known, facet, urn) => {
    if (value.shape !== "map" || known?.shape !== "map") return value;
    const lookUp = keysOf(facet)[0]?.among?.([...known.entries.keys()]);
    if (!lookUp) return value;
    const named = resolved(urn, value, { lookUp, isHistory }, problems);
    // Nearly all values already use the catalog's keys, so their objects are reused.
    return isSameMap(named, value) ? value : named;
  });
  return { state, problems };
}

function isSameMap({ entries: a }: MapValue, { entries: b }: MapValue): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

const codes = { none: "no-schema", unknown: "column-unknown", ambiguous: "column-ambiguous" } as const;

function resolved(
  urn: Urn,
  written: MapValue,
  { lookUp, isHistory }: { readonly lookUp: KeyFinder; readonly isHistory: boolean },
  problems: KeyProblem[],
): MapValue {
  const entries = new Map<string, FacetValue>();
  for (const [column, value] of written.entries) {
    const { fault, candidates, suggestion } = lookUp(column);
    const key = fault === undefined ? candidates[0] : undefined;
    const before = key === undefined ? undefined : entries.get(key);
    if (key !== undefined && (!before || isHistory || areOfTwoFiles(before, value))) {
      entries.set(
        key,
        before ? (isHistory ? joined(before, value, unitedLeaves) : united(before, value)) : value,
      );
      continue;
    }
    const [first, origin] = [before, value].map((each) => leavesOf(each)[0]?.[1].origin);
    problems.push({
      code: fault === undefined ? "column-twice" : codes[fault],
      severity: "error",
      args: { urn, column, candidates, ...(suggestion !== undefined && { suggestion }) },
      ...(origin && { origin }),
      ...(first && { related: first }),
    });
  }
  return { shape: "map", entries };
}

/** Whether the two values are known to come from different files. Different files may write the same key differently. */
function areOfTwoFiles(before: FacetValue, value: FacetValue): boolean {
  return leavesOf(value).every(([path, leaf]) => {
    const first = leafAt(before, path);
    return !first || areSetsOfTwoFiles(first, leaf);
  });
}

function areSetsOfTwoFiles(a: Leaf, b: Leaf): boolean {
  const known = new Set([undefined, ...filesOf(a)]);
  const isKnown = !filesOf(a).includes(undefined);
  return isKnown && a.shape === "set" && b.shape === "set" && !filesOf(b).some((file) => known.has(file));
}

function filesOf(value: Leaf): readonly (string | undefined)[] {
  return contributionsTo(value).map(({ origin }) => origin?.file);
}
