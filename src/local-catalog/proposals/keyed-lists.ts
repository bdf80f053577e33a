import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { invalid } from "../errors.ts";

/**
 * A list that a patch addresses by keys in place of positions: an entry stands under the values of its key
 * fields, one level each. Without key fields it is a list of texts, each under itself.
 */
export interface KeyedList {
  /** Where the list stands, by the names of fields. */
  readonly field: readonly string[];
  /** Fields of an entry; `a␟b` is field b of field a. A missing one counts as empty. */
  readonly keys: readonly string[];
  /** Keyed lists within an entry. */
  readonly inside?: readonly KeyedList[];
}

const nesting = "\u241F";

/** The value with its keyed lists as maps of maps (entity-registry ArrayMergingTemplate.arrayFieldToMap). */
export function listsToMaps(value: JsonObject, lists: readonly KeyedList[]): JsonObject {
  return lists.reduce((whole, list) => changed(whole, list.field, (part) => mapOf(part, list)), value);
}

/**
 * The value with the maps back as lists. A key that stands in the path only comes back into its entry
 * (ArrayMergingTemplate.transformedMapToArray, reinjectKey).
 */
export function mapsToLists(value: JsonObject, lists: readonly KeyedList[]): JsonObject {
  return lists.reduce((whole, list) => changed(whole, list.field, (part) => listOf(part, list)), value);
}

function changed(
  value: JsonObject,
  [name = "", ...rest]: readonly string[],
  change: (part: Json) => Json,
): JsonObject {
  const part = value[name];
  if (part === undefined || part === null) return value;
  if (rest.length === 0) return { ...value, [name]: change(part) };
  return isJsonObject(part) ? { ...value, [name]: changed(part, rest, change) } : value;
}

interface Level {
  [key: string]: Json;
}

function mapOf(part: Json, { keys, inside = [] }: KeyedList): Json {
  if (!Array.isArray(part)) return part;
  const map = emptyLevel();
  for (const entry of part as readonly Json[]) {
    if (!isJsonObject(entry)) {
      if (typeof entry === "string") map[entry] = entry;
      continue;
    }
    let level = map;
    for (const key of keys.slice(0, -1)) level = (level[keyIn(entry, key)] ??= emptyLevel()) as Level;
    level[keyIn(entry, keys.at(-1) ?? "")] = listsToMaps(entry, inside);
  }
  return map;
}

// A key may be any text, `__proto__` as well.
function emptyLevel(): Level {
  return Object.create(null) as Level;
}

function keyIn(entry: JsonObject, key: string): string {
  let part: Json | undefined = entry;
  for (const name of key.split(nesting)) part = isJsonObject(part) ? part[name] : undefined;
  return part === undefined || part === null || typeof part === "object" ? "" : String(part);
}

function listOf(part: Json, { keys, inside = [] }: KeyedList): Json {
  if (!isJsonObject(part)) return part;
  if (keys.length === 0) return Object.values(part).filter((entry) => entry !== undefined);
  return entriesUnder(part, keys).map((entry) => (isJsonObject(entry) ? mapsToLists(entry, inside) : entry));
}

function entriesUnder(level: Json, [key, ...rest]: readonly string[]): readonly Json[] {
  if (key === undefined) return Array.isArray(level) ? (level as readonly Json[]) : [level];
  if (Array.isArray(level)) return level as readonly Json[];
  if (!isJsonObject(level)) throw invalid("The patch puts a plain value where a list has its entries");
  return Object.entries(level).flatMap(([name, under]) =>
    entriesUnder(under ?? null, rest).map((entry) => withKey(entry, key, name)),
  );
}

function withKey(entry: Json, key: string, name: string): Json {
  const isThere = name === "" || key.includes(nesting) || !isJsonObject(entry) || entry[key] !== undefined;
  return isThere ? entry : { [key]: name, ...entry };
}
