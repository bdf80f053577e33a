import type { KeyLookUp } from "../../facets/facet.ts";
import { keysOf } from "../../facets/places.ts";
import { joined, leafAt, leavesOf } from "../../model/place.ts";
import type { ProblemOf } from "../../model/problem.ts";
import type { Entity, FacetValue, Leaf, MapValue, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { contributionsTo, united, unitedParts } from "./declared-before.ts";

type KeyCode = "no-schema" | "column-unknown" | "column-ambiguous" | "column-twice";

type KeyProblem = { readonly [Code in KeyCode]: ProblemOf<Code> }[KeyCode];

/** A state with every key as the catalog has it, and problems of the keys that cannot be. */
export interface ResolvedKeys {
  readonly state: State;
  readonly problems: readonly KeyProblem[];
}

/**
 * Names the keys of desired state as the catalog does where it has them by itself, as columns: an exact key first, else a plain
 * name. A key that is unknown, ambiguous or written twice in a file becomes a problem with its candidates and is left out. Sets at a
 * key that two files write differently unite. In a history a key may have had two names: then it is all that was declared under
 * both.
 */
export function resolveKeys(desired: State, live: State, isHistory = false): ResolvedKeys {
  const problems: KeyProblem[] = [];
  const state = new Map<Urn, Entity>();
  for (const entity of desired.values()) {
    let facets: Map<string, FacetValue> | undefined;
    for (const [name, value] of entity.facets) {
      const known = live.get(entity.urn)?.facets.get(name);
      if (value.shape !== "map" || known?.shape !== "map") continue;
      const lookUp = keysOf(name)[0]?.among?.([...known.entries.keys()]);
      if (!lookUp) continue;
      const named = resolved(entity, value, { lookUp, isHistory }, problems);
      // Nearly all are called as the catalog calls them, and stay the ones that are there already.
      if (isSameMap(named, value)) continue;
      facets ??= new Map(entity.facets);
      facets.set(name, named);
    }
    state.set(entity.urn, facets ? { ...entity, facets } : entity);
  }
  return { state, problems };
}

function isSameMap({ entries: a }: MapValue, { entries: b }: MapValue): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

const codes = { none: "no-schema", unknown: "column-unknown", ambiguous: "column-ambiguous" } as const;

function resolved(
  entity: Entity,
  written: MapValue,
  { lookUp, isHistory }: { readonly lookUp: KeyLookUp; readonly isHistory: boolean },
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
        before ? (isHistory ? joined(before, value, unitedParts) : united(before, value)) : value,
      );
      continue;
    }
    const [first, origin] = [before, value].map((each) => leavesOf(each)[0]?.[1].origin);
    problems.push({
      code: fault === undefined ? "column-twice" : codes[fault],
      severity: "error",
      args: { urn: entity.urn, column, candidates, ...(suggestion !== undefined && { suggestion }) },
      ...(origin && { origin }),
      ...(first && { related: first }),
    });
  }
  return { shape: "map", entries };
}

/** Whether it is known that no file declares both: then each may name the key in its own way. */
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
