import { simpleColumn } from "../../facets/columns.ts";
import { isOfColumns } from "../../facets/places.ts";
import { groupBy } from "../../model/group-by.ts";
import { joined, leafAt, leavesOf } from "../../model/place.ts";
import type { ProblemOf } from "../../model/problem.ts";
import type { Entity, FacetValue, Leaf, MapValue, State } from "../../model/state.ts";
import { closest } from "../../model/text/suggestion.ts";
import type { Urn } from "../../model/urn.ts";
import { unitedParts } from "./declared-before.ts";
import { contributionsTo, united } from "./united-facets.ts";

type ColumnCode = "no-schema" | "column-unknown" | "column-ambiguous" | "column-twice";

type ColumnProblem = { readonly [Code in ColumnCode]: ProblemOf<Code> }[ColumnCode];

/** A state with every column named by its exact field path, and the columns that cannot be. */
export interface ResolvedColumns {
  readonly state: State;
  readonly problems: readonly ColumnProblem[];
}

/**
 * Names the columns of desired state as the catalog names them: an exact field path first, else the plain name.
 * A column that is unknown, ambiguous or named twice in a file becomes a problem with its candidates and is left out.
 * Sets of a column that two files name differently unite. In a history a column may have had two names: then it is all that was
 * declared under both.
 */
export function resolveColumns(desired: State, live: State, isHistory = false): ResolvedColumns {
  const problems: ColumnProblem[] = [];
  const state = new Map<Urn, Entity>();
  for (const entity of desired.values()) {
    const facets = new Map<string, FacetValue>();
    for (const [name, value] of entity.facets) {
      const known = live.get(entity.urn)?.facets.get(name);
      const resolvable = isOfColumns(name) && value.shape === "map" && known?.shape === "map";
      facets.set(
        name,
        resolvable
          ? resolveEntries(entity, value, { paths: [...known.entries.keys()], isHistory }, problems)
          : value,
      );
    }
    state.set(entity.urn, { ...entity, facets });
  }
  return { state, problems };
}

function resolveEntries(
  entity: Entity,
  written: MapValue,
  { paths, isHistory }: { readonly paths: readonly string[]; readonly isHistory: boolean },
  problems: ColumnProblem[],
): MapValue {
  const entries = new Map<string, FacetValue>();
  const lookUp = lookUpIn(paths);
  for (const [column, value] of written.entries) {
    const { code, candidates, suggestion } = lookUp(column);
    const [path] = candidates;
    const before = code === undefined && path !== undefined ? entries.get(path) : undefined;
    if (code === undefined && path !== undefined && !before) {
      entries.set(path, value);
      continue;
    }
    if (path !== undefined && before && (isHistory || areOfTwoFiles(before, value))) {
      entries.set(path, isHistory ? joined(before, value, unitedParts) : united(before, value));
      continue;
    }
    const [first, origin] = [before, value].map((each) => leavesOf(each)[0]?.[1].origin);
    problems.push({
      code: code ?? "column-twice",
      severity: "error",
      args: { urn: entity.urn, column, candidates, ...(suggestion !== undefined && { suggestion }) },
      ...(origin && { origin }),
      ...(first && { related: first }),
    });
  }
  return { shape: "map", entries };
}

/** Whether it is known that no file declares both: then each may name the column in its own way. */
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

interface LookUp {
  readonly code?: "no-schema" | "column-unknown" | "column-ambiguous";
  readonly candidates: readonly string[];
  readonly suggestion?: string | undefined;
}

/** Who misses more columns of an entity has another mistake than a slip of the fingers. */
const mostSuggestions = 20;

/** Looks up one column after the other; names candidates until many are unknown. */
function lookUpIn(paths: readonly string[]): (column: string) => LookUp {
  const exact = new Set(paths);
  const byName = groupBy(paths, simpleColumn);
  const names = [...byName.keys()];
  let unknown = 0;
  return (column) => {
    if (exact.has(column)) return { candidates: [column] };
    if (paths.length === 0) return { code: "no-schema", candidates: [] };
    const candidates = byName.get(column) ?? [];
    if (candidates.length > 1) return { code: "column-ambiguous", candidates };
    if (candidates.length === 1) return { candidates };
    unknown += 1;
    if (unknown > mostSuggestions) return { code: "column-unknown", candidates: [] };
    return { code: "column-unknown", candidates: names, suggestion: closest(column, names) };
  };
}
