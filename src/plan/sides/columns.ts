import { groupBy } from "../../model/group-by.ts";
import type { ProblemOf } from "../../model/problem.ts";
import type { Entity, FacetValue, MapValue, ScalarValue, SetValue, State } from "../../model/state.ts";
import { closest } from "../../model/text/suggestion.ts";
import type { Urn } from "../../model/urn.ts";
import { unitedParts } from "./declared-before.ts";
import { contributionsTo, unitedDocuments } from "./united-facets.ts";

/**
 * The plain name of a column: of a v2 field path what is left without its bracketed tokens, of any other path the
 * path itself (DataHub docs/advanced/field-path-spec-v2.md). Two paths can have the same one.
 */
export function simpleColumn(fieldPath: string): string {
  if (!fieldPath.startsWith("[version=2.0]")) return fieldPath;
  return fieldPath
    .replace(/\[[^\]]*\]/g, "")
    .split(".")
    .filter((token) => token !== "")
    .join(".");
}

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
      const resolvable = value.shape === "map" && known?.shape === "map";
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
  const entries = new Map<string, ScalarValue | SetValue>();
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
      entries.set(path, isHistory ? unitedParts(before, value) : unitedDocuments(before, value));
      continue;
    }
    const first = before?.origin;
    problems.push({
      code: code ?? "column-twice",
      severity: "error",
      args: { urn: entity.urn, column, candidates, ...(suggestion !== undefined && { suggestion }) },
      ...(value.origin && { origin: value.origin }),
      ...(first && { related: first }),
    });
  }
  return { shape: "map", entries };
}

/** Whether it is known that no file declares both: then each may name the column in its own way. */
function areOfTwoFiles(a: ScalarValue | SetValue, b: ScalarValue | SetValue): boolean {
  const known = new Set([undefined, ...filesOf(a)]);
  const isKnown = !filesOf(a).includes(undefined);
  return isKnown && a.shape === "set" && b.shape === "set" && !filesOf(b).some((file) => known.has(file));
}

function filesOf(value: ScalarValue | SetValue): readonly (string | undefined)[] {
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
