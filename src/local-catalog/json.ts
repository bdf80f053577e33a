/** Reads values from JSON objects by key, and parses JSON from clients within depth and size limits. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../model/json.ts";
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

/** Returns the objects in the list at a key. The result is empty if there is no list. */
export function objectsAt(value: JsonObject | undefined, key: string): readonly JsonObject[] {
  return listAt(value, key).filter(isJsonObject);
}

/** Returns the strings in the list at a key. The result is empty if there is no list. */
export function stringsAt(value: JsonObject | undefined, key: string): readonly string[] {
  return listAt(value, key).filter((entry) => typeof entry === "string");
}

/** Returns the list at a key. The result is empty if there is no list. */
export function listAt(value: JsonObject | undefined, key: string): readonly Json[] {
  const part = value?.[key];
  return isJsonList(part) ? part : [];
}

/** Maximum nesting depth. Jackson, DataHub's JSON parser, has the same limit (StreamReadConstraints.java). */
const maxDepth = 1_000;

/**
 * Maximum number of values in JSON from a client. datahub-gitops applies the same limit to the responses that it reads. Each
 * value needs up to 100 bytes of memory.
 */
const maxValues = 5_000_000;

/**
 * Parses JSON from a client. `what` describes the text in the error message.
 * @throws RequestError when the text is not valid JSON, is nested too deeply or has too many values.
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
 * Checks that JSON text is not nested too deeply and does not contain too many values.
 * @throws RequestError when the text exceeds a limit.
 */
export function checkJsonLimits(text: string, what: string): void {
  // Text that is shorter than the depth limit cannot exceed any limit. Most requests are that short, so they are not scanned.
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

/** Returns the index of a string's closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/**
 * Returns the string at a key in an object from a client. `of` describes the object in the error message.
 * @throws RequestError when the value is missing or not a string.
 */
export function requiredString(value: JsonObject, key: string, of = ""): string {
  const text = stringAt(value, key);
  if (text === null) throw malformed(`"${key}"${of} is missing or not a string`);
  return text;
}

/** Returns a copy of an object in which `change` replaces each value. If `change` returns undefined, the copy omits the value. */
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
