/** Parses keys, scalars and flow collections for the fast YAML parser. */

import type { Json, JsonObject } from "../../model/json.ts";
import type { SourcePlace } from "./parsed-document.ts";
import type { Source } from "./source.ts";
import { plainValue } from "./yaml-core-schema.ts";

/**
 * An error that is thrown if the fast parser does not support a text, or if the text may be invalid. The library then parses the
 * text.
 */
export class UnsupportedByFastParser extends Error {}

/** The state while a source is being read. */
export interface Reading {
  readonly source: Source;
  readonly mappingPlaces: Map<JsonObject, Map<string, SourcePlace>>;
  readonly listPlaces: Map<readonly Json[], readonly SourcePlace[]>;
}

/** A value, and its start and end offsets. */
export interface Read {
  readonly value: Json;
  readonly start: number;
  readonly end: number;
  readonly plain: boolean;
}

/** The maximum nesting depth for the fast parser, which is lower than the limit for the library. */
export const maxDepth = 20;

/** Matches a key and its colon. The key must be quoted or contain no spaces. */
const keyPattern = /(?:[\w$][\w$./@()+*=,:-]*|"[^"\\\n]+"|'[^'\n]+'):(?=[ \n]|$)/y;
const flowKeyPattern = /(?:[\w$][\w$./@()+*=:-]*|"[^"\\\n]+"|'[^'\n]+'):(?= )/y;

// A plain scalar never begins with a YAML indicator (YAML 1.2, section 5.3).
const plainPattern = /[^\s\-?:,[\]{}#&*!|>'"%@`][^\n]*/y;
const flowPlainPattern = /[^\s\-?:,[\]{}#&*!|>'"%@`][^\n,[\]{}]*/y;
const quotedPattern = /"[^"\\\n]*"|'[^'\n]*'/y;

/** The maximum length of a key. YAML limits single-line keys to 1,024 characters (YAML 1.2, section 7.4.2). */
const maxKeyLength = 1000;

/** A key: its name, its offset, and the offset after its colon. */
export interface Key {
  readonly name: string;
  readonly at: number;
  readonly end: number;
}

/** Returns the mapping key at this offset; `undefined` if there is none. `isFlow` is true if the mapping is in braces. */
export function keyAt({ text }: Source, at: number, isFlow = false): Key | undefined {
  const found = match(isFlow ? flowKeyPattern : keyPattern, text, at);
  if (found === undefined) return undefined;
  const isQuoted = found.startsWith('"') || found.startsWith("'");
  return { name: isQuoted ? found.slice(1, -2) : found.slice(0, -1), at, end: at + found.length };
}

/** Adds a value to a mapping. Throws `UnsupportedByFastParser` for `__proto__`, and for a key that is duplicate or too long. */
export function addField(
  places: Map<string, SourcePlace>,
  mapping: Record<string, Json>,
  { name, at }: Key,
  { value, start, end, plain }: Read,
): void {
  if (places.has(name) || name === "__proto__" || name.length > maxKeyLength)
    throw new UnsupportedByFastParser();
  places.set(name, { key: at, value: start, end, plain });
  mapping[name] = value;
}

/** Returns a list element's position. */
export function elementPlace({ start, end, plain }: Read): SourcePlace {
  return { key: start, value: start, end, plain };
}

/** Reads a value on one line: a scalar or a flow collection. `isFlow` is true if the value is inside brackets or braces. */
export function inlineValue(reading: Reading, at: number, depth: number, isFlow: boolean): Read {
  if (depth > maxDepth) throw new UnsupportedByFastParser();
  const { text } = reading.source;
  const first = text[at];
  if (first === "[") return flowList(reading, at, depth);
  if (first === "{") return flowMapping(reading, at, depth);
  const quoted = match(quotedPattern, text, at);
  if (quoted === undefined) return plainScalar(text, at, isFlow);
  const end = at + quoted.length;
  // Two consecutive single quotes are an escaped quote.
  if (text[end] === "'") throw new UnsupportedByFastParser();
  return { value: quoted.slice(1, -1), start: at, end, plain: false };
}

function plainScalar(text: string, at: number, isFlow: boolean): Read {
  const line = match(isFlow ? flowPlainPattern : plainPattern, text, at);
  if (line === undefined) throw new UnsupportedByFastParser();
  const comment = line.indexOf(" #");
  if (isFlow && comment >= 0) throw new UnsupportedByFastParser();
  const scalar = withoutSpaces(comment < 0 ? line : line.slice(0, comment));
  if (scalar.includes(": ") || scalar.endsWith(":")) throw new UnsupportedByFastParser();
  return { value: plainValue(scalar), start: at, end: at + scalar.length, plain: true };
}

function flowList(reading: Reading, start: number, depth: number): Read {
  const { text } = reading.source;
  const value: Json[] = [];
  const places: SourcePlace[] = [];
  const end = eachInBrackets(text, start, "]", (at) => {
    const item = inlineValue(reading, at, depth + 1, true);
    value.push(item.value);
    places.push(elementPlace(item));
    return item.end;
  });
  reading.listPlaces.set(value, places);
  return { value, start, end, plain: false };
}

function flowMapping(reading: Reading, start: number, depth: number): Read {
  const { text } = reading.source;
  const value: Record<string, Json> = {};
  const places = new Map<string, SourcePlace>();
  reading.mappingPlaces.set(value, places);
  const end = eachInBrackets(text, start, "}", (at) => {
    const key = keyAt(reading.source, at, true);
    if (!key) throw new UnsupportedByFastParser();
    const read = inlineValue(reading, afterSpaces(text, key.end), depth + 1, true);
    addField(places, value, key, read);
    return read.end;
  });
  return { value, start, end, plain: false };
}

/** Reads the elements in brackets, and returns the offset after the closing bracket. */
function eachInBrackets(
  text: string,
  start: number,
  closing: string,
  readOne: (at: number) => number,
): number {
  let at = afterSpaces(text, start + 1);
  if (text[at] === closing) return at + 1;
  for (;;) {
    at = afterSpaces(text, readOne(at));
    if (text[at] === closing) return at + 1;
    if (text[at] !== ",") throw new UnsupportedByFastParser();
    at = afterSpaces(text, at + 1);
  }
}

/** Returns the offset of the next character that is not a space. */
export function afterSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 32) at++;
  return at;
}

function withoutSpaces(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 32) end--;
  return text.slice(0, end);
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
