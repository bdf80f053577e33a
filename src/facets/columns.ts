/** Reads the edited and the ingested values of columns, and finds columns by simple name or field path. */

import { groupBy } from "../model/group-by.ts";
import type { JsonObject } from "../model/json.ts";
import type { Path } from "../model/place.ts";
import { type Leaf, type Member, setOf } from "../model/state.ts";
import { nearestSpelling } from "../model/text/suggestion.ts";
import { valuesOf } from "../model/values.ts";
import { aspectIn, malformed, storedList } from "../model/answer.ts";
import type { Observed } from "./facet.ts";
import type { SetPlace } from "./write-contract.ts";
import type { KeyFinder, Keys } from "./map-contract.ts";

/**
 * Returns the simple name of a column. For a v2 field path, this is the path without its bracketed tokens; a path in any other
 * format is returned unchanged (DataHub docs/advanced/field-path-spec-v2.md). Two paths can have the same simple name.
 */
export function simpleColumn(fieldPath: string): string {
  if (!fieldPath.startsWith("[version=2.0]")) return fieldPath;
  return fieldPath
    .replace(/\[[^\]]*\]/g, "")
    .split(".")
    .filter((token) => token !== "")
    .join(".");
}

/** The map keys for columns: their field paths. */
export const columns: Keys = {
  description:
    "Column metadata, keyed by column name or full field path. Columns that you do not list are not changed.",
  example: "customer.email",
  plainNameOf: simpleColumn,
  among: lookUpAmong,
};

/** The maximum number of unknown columns that get a suggestion. If there are more, typos are unlikely to be the cause. */
const maxSuggestions = 20;

/**
 * Creates a function that finds columns by field path or, failing that, by simple name. Only the first unknown columns get
 * suggestions.
 */
function lookUpAmong(paths: readonly string[]): KeyFinder {
  const exact = new Set(paths);
  const byName = groupBy(paths, simpleColumn);
  const names = [...byName.keys()];
  let unknown = 0;
  return (column) => {
    if (exact.has(column)) return { candidates: [column] };
    if (paths.length === 0) return { fault: "none", candidates: [] };
    const candidates = byName.get(column) ?? [];
    if (candidates.length > 1) return { fault: "ambiguous", candidates };
    if (candidates.length === 1) return { candidates };
    unknown += 1;
    if (unknown > maxSuggestions) return { fault: "unknown", candidates: [] };
    return { fault: "unknown", candidates: names, suggestion: nearestSpelling(column, names) };
  };
}

/** The aspect that stores users' edits to columns. */
export const editedColumns = "editableSchemaMetadata";

/** Returns the keys in the path of a map value. Throws if there are none, which would be a bug. */
export function keysIn({ path = [] }: { readonly path?: Path | undefined }): Path {
  if (path.length === 0) throw new Error("a place in a map has no key");
  return path;
}

/** Returns the first or last key in a path. Throws if there is none. */
export function keyAt(path: Path | undefined, level: 0 | -1): string {
  return keysIn({ path }).at(level) ?? "";
}

/** Builds the input fields that identify an entity or a column. For a column, the server requires both `subResource` fields. */
export function resourceAt({ urn, path: [column] = [] }: SetPlace): JsonObject {
  const subResource = column === undefined ? {} : { subResourceType: "DATASET_FIELD", subResource: column };
  return { resourceUrn: urn, ...subResource };
}

/**
 * Reads the value of each column. `leafOf` combines the edits to a column with its ingested value. Set elements that come only
 * from ingestion are listed in `ingested` instead. Older clients stored values under the simple name of a column. These values
 * are included only if the name is neither the path of a different column nor shared by several columns.
 */
export function observedColumns(
  aspects: JsonObject,
  leafOf: (edited: JsonObject, ingested: JsonObject) => Leaf,
): Observed {
  const edited = new Map(
    storedList(aspectIn(aspects, editedColumns)["editableSchemaFieldInfo"], "the edited columns").map(
      (info) => [answeredPath(info), info],
    ),
  );
  // Most columns have no edits, so this value is created once and shared.
  const blank = leafOf({}, {});
  const entries = new Map<string, Leaf>();
  const fields = storedList(aspectIn(aspects, "schemaMetadata")["fields"], "the columns");
  const namedOnce = plainNamesOf(fields.map(answeredPath), edited);
  const ingested: NonNullable<Observed["ingested"]>[number][] = [];
  for (const field of fields) {
    const column = answeredPath(field);
    const info = edited.get(column);
    const exact = info || blank.shape === "scalar" ? leafOf(info ?? {}, field) : blank;
    const name = namedOnce.get(column);
    const own = name === undefined ? exact : withStoredAt(name, exact, leafOf(edited.get(name) ?? {}, field));
    entries.set(column, own);
    if (own.shape === "scalar") continue;
    for (const value of valuesOf(leafOf(field, {})))
      if (!own.members.includes(value as Member)) ingested.push({ path: [column], value });
  }
  const claimed = new Set(namedOnce.values());
  const dormant = [...edited].flatMap(([column, info]): readonly (readonly [string, Leaf])[] => {
    const own = entries.has(column) || claimed.has(column) ? undefined : leafOf(info, {});
    return own && valuesOf(own).length > 0 ? [[column, own]] : [];
  });
  return {
    value: { shape: "map", entries },
    ingested,
    ...(dormant.length > 0 && { dormant: { shape: "map", entries: new Map(dormant) } }),
  };
}

/** Returns the simple names that have edits, keyed by column. Skips names that several columns share. */
function plainNamesOf(
  paths: readonly string[],
  edited: ReadonlyMap<string, JsonObject>,
): ReadonlyMap<string, string> {
  const known = new Set(paths);
  // In most datasets, all edits are stored under full paths.
  if ([...edited.keys()].every((path) => known.has(path))) return new Map();
  const byName = groupBy(paths, simpleColumn);
  return new Map(
    [...byName].flatMap(([name, [column, ...others]]): readonly (readonly [string, string])[] =>
      column !== undefined && others.length === 0 && !known.has(name) && edited.has(name)
        ? [[column, name]]
        : [],
    ),
  );
}

/**
 * Merges a column's own value with the value that is stored under the simple name. For a scalar, the column's own value takes
 * precedence.
 */
function withStoredAt(alsoStoredAt: string, own: Leaf, other: Leaf): Leaf {
  if (valuesOf(other).length === 0) return own;
  if (own.shape === "set" && other.shape === "set")
    return { ...setOf([...own.members, ...other.members]), alsoStoredAt };
  return { ...(own.shape === "scalar" && own.value !== null ? own : other), alsoStoredAt };
}

function answeredPath({ fieldPath }: JsonObject): string {
  if (typeof fieldPath === "string") return fieldPath;
  throw malformed("a column", "has no path");
}
