/** Converts lists to nested maps and back, so that a patch can refer to list entries by key. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { invalid } from "../errors.ts";
import { emptyNestedMap, nestedMapAt } from "./nested-maps.ts";

/**
 * A list whose entries a patch refers to by key instead of by position. The patch path contains the value of each key field as a
 * segment. A list without key fields contains strings, and each string is its own key.
 */
export interface KeyedList {
  readonly field: readonly string[];
  /**
   * The key fields of each entry. `a␟b` is the field b inside a, and `a␟*` is the only field inside a. A missing field counts as
   * an empty string.
   */
  readonly keys: readonly string[];
  readonly inside?: readonly KeyedList[];
}

const nesting = "\u241F";

/**
 * Converts a value's keyed lists to nested maps. Merges entries with equal keys into one entry that has all of their fields
 * (entity-registry ArrayMergingTemplate.arrayFieldToMap).
 */
export function listsToMaps(value: JsonObject, lists: readonly KeyedList[]): JsonObject {
  return lists.reduce((result, list) => changed(result, list.field, (part) => mapOf(part, list)), value);
}

/**
 * Converts a value's nested maps back to lists. If an entry lacks a key field, adds the field with the value from the path
 * (ArrayMergingTemplate.transformedMapToArray, reinjectKey).
 */
export function mapsToLists(value: JsonObject, lists: readonly KeyedList[]): JsonObject {
  return lists.reduce((result, list) => changed(result, list.field, (part) => listOf(part, list)), value);
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

function mapOf(part: Json, { keys, inside = [] }: KeyedList): Json {
  if (!isJsonList(part)) return part;
  const map = emptyNestedMap();
  for (const entry of part) {
    if (typeof entry === "string") map[entry] = entry;
    if (!isJsonObject(entry)) continue;
    let level = map;
    for (const key of keys.slice(0, -1)) level = nestedMapAt(level, keyIn(entry, key));
    Object.assign(nestedMapAt(level, keyIn(entry, keys.at(-1) ?? "")), listsToMaps(entry, inside));
  }
  return map;
}

function keyIn(entry: JsonObject, key: string): string {
  let part: Json | undefined = entry;
  for (const name of key.split(nesting)) {
    if (!isJsonObject(part)) return "";
    part = name === "*" ? asJavaText(Object.values(part)[0]) : part[name];
  }
  return part === undefined || part === null || typeof part === "object" ? "" : String(part);
}

// Java formats a whole number of type double with one decimal place, as in `1.0`.
function asJavaText(value: Json | undefined): Json | undefined {
  return typeof value === "number" && Number.isInteger(value) ? `${value}.0` : value;
}

function listOf(part: Json, { keys, inside = [] }: KeyedList): Json {
  if (!isJsonObject(part)) return part;
  if (keys.length === 0) return Object.values(part).filter((entry) => entry !== undefined);
  return entriesUnder(part, keys).map((entry) => (isJsonObject(entry) ? mapsToLists(entry, inside) : entry));
}

function entriesUnder(level: Json, [key, ...rest]: readonly string[]): readonly Json[] {
  if (key === undefined) return isJsonList(level) ? level : [level];
  if (isJsonList(level)) return level;
  if (!isJsonObject(level)) throw invalid("The patch replaces list entries with a plain value");
  return Object.entries(level).flatMap(([name, under]) =>
    entriesUnder(under ?? null, rest).map((entry) => withKey(entry, key, name)),
  );
}

function withKey(entry: Json, key: string, name: string): Json {
  const isThere = name === "" || key.includes(nesting) || !isJsonObject(entry) || entry[key] !== undefined;
  return isThere ? entry : { [key]: name, ...entry };
}
