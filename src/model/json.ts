/** Defines JSON values, and a canonical text form for hashes and comparisons. */

/** Any JSON value. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** A read-only JSON object. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Whether a JSON value is an object, and neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is a list. With `Array.isArray`, its elements would have the type `any`. */
export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Returns a value that a schema has already validated as a string. Throws `TypeError` for any other value. */
export function textOf(value: Json | undefined): string {
  if (typeof value !== "string") throw new TypeError(`expected a string, found ${canonicalJson(value)}`);
  return value;
}

/** Returns the canonical text of a JSON value: without whitespace or `undefined` fields, and with keys sorted by code unit. */
export function canonicalJson(value: unknown): string {
  let text = "";
  putCanonical(value, (part) => {
    text += part;
  });
  return text;
}

/** The length of a piece, in characters. It is far below the maximum length of a string, which is about 500 million. */
const pieceLength = 65_536;

/**
 * Passes the output of `canonicalJson` to `take` in pieces, in order, because the text of a large plan can exceed the maximum
 * length of a string.
 */
export function canonicalPieces(value: unknown, take: (piece: string) => void): void {
  let piece = "";
  putCanonical(value, (part) => {
    piece += part;
    if (piece.length < pieceLength) return;
    take(piece);
    piece = "";
  });
  take(piece);
}

function putCanonical(value: unknown, put: (part: string) => void): void {
  if (typeof value === "string") put(quoted(value));
  else if (Array.isArray(value)) putList(value, put);
  else if (typeof value !== "object" || value === null) put(JSON.stringify(value ?? null));
  else putObject(value as Readonly<Record<string, unknown>>, put);
}

function putList(list: readonly unknown[], put: (part: string) => void): void {
  put("[");
  for (let index = 0; index < list.length; index++) {
    if (index > 0) put(",");
    const each = list[index];
    // The text of a single element always fits into a string.
    if (typeof each === "object" && each !== null && isInOrder(each)) put(JSON.stringify(each));
    else putCanonical(each, put);
  }
  put("]");
}

/** Whether keys are sorted at every level. If so, `JSON.stringify` produces the canonical text. */
function isInOrder(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  let last = "";
  for (const [key, each] of Object.entries(value)) {
    if (key < last || !isInOrder(each)) return false;
    last = key;
  }
  return true;
}

function putObject(entries: Readonly<Record<string, unknown>>, put: (part: string) => void): void {
  let separator = "{";
  for (const key of sortedKeys(entries)) {
    if (entries[key] === undefined) continue;
    put(`${separator}${quoted(key)}:`);
    putCanonical(entries[key], put);
    separator = ",";
  }
  put(separator === "{" ? "{}" : "}");
}

// Matches the characters that JSON escapes: quotes, backslashes, control characters, and lone surrogates.
// oxlint-disable-next-line no-control-regex -- control characters are intentional here
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/;

// Quotes a string as in JSON. Checking for special characters first makes hashing a plan a third faster.
function quoted(text: string): string {
  return escaped.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function sortedKeys(entries: object): readonly string[] {
  const keys = Object.keys(entries);
  return keys.every((key, index) => index === 0 || (keys[index - 1] ?? "") < key) ? keys : keys.toSorted();
}

/** Returns a copy of an object with its top-level keys sorted, which makes `canonicalJson` faster. */
export function inKeyOrder<Value extends object>(value: Value): Value {
  return Object.fromEntries(sortedKeys(value).map((key) => [key, Reflect.get(value, key)])) as Value;
}

/** Compares two strings by code unit. The order is the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
