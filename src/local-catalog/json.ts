/** Reads JSON values by their keys, and parses JSON from clients within limits. */

import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { malformed, messageOf } from "./errors.ts";

/** Returns the string at a key, or null if there is none. */
export function stringAt(value: JsonObject | undefined, key: string): string | null {
  const part = value?.[key];
  return typeof part === "string" ? part : null;
}

/** Returns the number at a key, or null if there is none. */
export function numberAt(value: JsonObject | undefined, key: string): number | null {
  const part = value?.[key];
  return typeof part === "number" ? part : null;
}

/** Returns the object at a key, or undefined if there is none. */
export function objectAt(value: JsonObject | undefined, key: string): JsonObject | undefined {
  const part = value?.[key];
  return isJsonObject(part) ? part : undefined;
}

/** Returns the objects in the list at a key. Empty if there is no list. */
export function objectsAt(value: JsonObject | undefined, key: string): readonly JsonObject[] {
  return listAt(value, key).filter(isJsonObject);
}

/** Returns the strings in the list at a key. Empty if there is no list. */
export function stringsAt(value: JsonObject | undefined, key: string): readonly string[] {
  return listAt(value, key).filter((entry) => typeof entry === "string");
}

function listAt(value: JsonObject | undefined, key: string): readonly Json[] {
  const part = value?.[key];
  return isJsonList(part) ? part : [];
}

/** Whether a JSON value is a list. Unlike `Array.isArray`, it does not narrow a read-only list to `any[]`. */
export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** DataHub's JSON parser Jackson allows at most this many nested levels (StreamReadConstraints.java). */
const maxDepth = 1_000;

/**
 * Maximum number of values in a client's JSON text, the same as in a response to this program. Each value needs up to 100 bytes.
 */
const maxValues = 5_000_000;

/**
 * Parses JSON from a client. `what` names the text in the error message.
 * @throws RequestError when it is not valid JSON, is nested too deeply or has too many values.
 */
export function parseJson(text: string, what: string): Json {
  checkJsonLimits(text, what);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(`${what} is not valid JSON: ${messageOf(error)}`);
  }
}

/**
 * Checks that a JSON text is not nested too deeply and does not have too many values.
 * @throws RequestError when it exceeds a limit.
 */
export function checkJsonLimits(text: string, what: string): void {
  // Most requests are shorter than the limit, so they are not scanned.
  if (text.length <= maxDepth) return;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === "]" || character === "}") depth -= 1;
    else if (character === ",") values += 1;
    else if (character === "[" || character === "{") {
      depth += 1;
      values += 1;
    }
    if (depth > maxDepth) throw malformed(`${what} is nested deeper than ${maxDepth} levels`);
    if (values > maxValues) throw malformed(`${what} has more than ${maxValues / 1e6} million values`);
  }
}

/** Returns the index of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/**
 * Returns the string at a key in a client's object. `of` names the object in the error message.
 * @throws RequestError when there is no string.
 */
export function requiredString(value: JsonObject, key: string, of = ""): string {
  const text = stringAt(value, key);
  if (text === null) throw malformed(`"${key}"${of} is missing or not a string`);
  return text;
}

/** Returns an object with changed values, without the values that become undefined. */
export function mapObject(
  value: JsonObject,
  change: (part: Json, name: string) => Json | undefined,
): JsonObject {
  const entries: [string, Json][] = [];
  for (const [name, part] of Object.entries(value)) {
    const changed = part === undefined ? undefined : change(part, name);
    if (changed !== undefined) entries.push([name, changed]);
  }
  return Object.fromEntries(entries);
}

/** Parses an object that the catalog stored as JSON. */
export function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new TypeError("A stored value is not a JSON object");
  return value;
}
