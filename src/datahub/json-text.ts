/** Parses and writes JSON without losing large numbers, and limits its depth and size. */

import { randomUUID } from "node:crypto";
import { CatalogError } from "../model/catalog-error.ts";
import type { Json } from "../model/json.ts";

/** The maximum nesting depth. DataHub's own aspects need about ten levels. Recursion is safe at far greater depths. */
const maxDepth = 200;

/**
 * The maximum number of values in a JSON text. A 64 MB response from DataHub contains about three million values. Each value
 * needs up to 100 bytes of memory.
 */
const maxValues = 5_000_000;

/**
 * The error for a JSON text that is nested too deeply or has too many values. The caller adds the source of the text to the
 * message.
 */
export class ExcessiveJsonError extends CatalogError {
  constructor(reason: string) {
    super("answer", `its JSON ${reason}`);
  }
}

/** The error for a JSON text that ends in the middle of a list or an object. */
export class TruncatedJsonError extends SyntaxError {
  override readonly name = "TruncatedJsonError";
}

/**
 * Returns a replacement for a number that JavaScript cannot represent exactly. `digits` is the number as written in the JSON
 * text.
 */
type Keep = (digits: string) => string;

const asText: Keep = (digits) => digits;

/**
 * Parses a JSON text. A number that JavaScript cannot represent exactly becomes a string: its digits, or the result of `keep`.
 * Throws `ExcessiveJsonError` if the text is nested too deeply or has too many values, `TruncatedJsonError` if its end is
 * missing, and a different `SyntaxError` if it is not JSON.
 */
export function parseJson(text: string, keep: Keep = asText): unknown {
  return JSON.parse(withTexts(text, keep));
}

// The mark is random, so that text from a server cannot contain it.
const mark = `number ${randomUUID()} `;
const marked = new RegExp(`"${mark}(-?[0-9][-+.0-9eE]*)"`, "g");

/** Marks the digits of a number so that `stringifyWithDigits` writes them unchanged. */
export const keepDigits: Keep = (digits) => mark + digits;

/** Writes a value as JSON. If `parseJson` read the value with `keepDigits`, each number keeps its original digits. */
export function stringifyWithDigits(value: Json, replacer?: (key: string, part: unknown) => unknown): string {
  return JSON.stringify(value, replacer).replace(marked, "$1");
}

/**
 * Writes an aspect or a patch as JSON for a field of type bytes, in the same way as the official clients (`json.dumps` in
 * rest_emitter.py):
 *
 * - The text is ASCII, because Rest.li interprets each character of the field as one byte (ByteString.copyAvroString).
 * - A double has a decimal point or an exponent, because a server with ALTERNATE_MCP_VALIDATION compares values in their written
 *   form. In aspects, doubles are the values of `double` keys (PrimitivePropertyValue.pdl).
 */
export function bytesJson(value: Json): string {
  const text = stringifyWithDigits(value, (key, part) =>
    key === "double" && typeof part === "number" ? keepDigits(doubleText(part)) : part,
  );
  return text.replace(/[\u007F-\uFFFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function doubleText(number: number): string {
  const text = String(number);
  return Number.isInteger(number) && !text.includes("e") ? `${text}.0` : text;
}

/** Rewrites a JSON text, with strings in place of numbers that JavaScript cannot represent exactly. */
function withTexts(text: string, keep: Keep): string {
  const parts: string[] = [];
  let done = 0;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at + 1);
    else if (code === comma) values += 1;
    else if (code === openBracket || code === openBrace) {
      depth += 1;
      values += 1;
    } else if (code === closeBracket || code === closeBrace) depth -= 1;
    else if (code === minus || isDigit(code)) {
      const end = endOfNumber(text, at);
      const lexeme = end - at > 1 ? text.slice(at, end) : "0";
      if (!isExact(lexeme)) {
        parts.push(text.slice(done, at), JSON.stringify(keep(lexeme)));
        done = end;
      }
      at = end - 1;
    }
    if (depth > maxDepth) throw new ExcessiveJsonError(`is nested deeper than ${maxDepth} levels`);
    if (values > maxValues) throw new ExcessiveJsonError(`has more than ${maxValues / 1e6} million values`);
  }
  if (depth > 0) throw new TruncatedJsonError("the JSON text is truncated");
  return done === 0 ? text : parts.join("") + text.slice(done);
}

// Every response is scanned character by character. A regular expression would take five times as long.
const [quote, comma, minus] = [0x22, 0x2c, 0x2d];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

const integer = /^-?(?:0|[1-9][0-9]*)$/;
const decimal = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

/** Whether `JSON.parse` reads a number exactly. Also true for invalid numbers, which `JSON.parse` rejects. */
function isExact(lexeme: string): boolean {
  if (integer.test(lexeme)) return Number.isSafeInteger(Number(lexeme));
  return !decimal.test(lexeme) || Number.isFinite(Number(lexeme));
}

/** Finds the index of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (at - slashes > start && text.charCodeAt(at - slashes - 1) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

const backslash = 0x5c;

/** Finds the index after the number that begins at `start`. */
function endOfNumber(text: string, start: number): number {
  numberText.lastIndex = start;
  return numberText.test(text) ? numberText.lastIndex : start + 1;
}

const numberText = /-?[0-9][-+.0-9eE]*/y;
