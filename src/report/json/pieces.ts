/** Writes a JSON document in pieces, because the document may not fit into one string. */

import { isJsonObject } from "../../model/json.ts";
import { chunked, joinChunks } from "../chunks.ts";
import { printableJson } from "../printable.ts";

/** Prints a JSON document in pieces. Escapes control characters, including bidirectional control characters. */
export function jsonPieces(value: unknown): Iterable<string> {
  return chunked(documentParts(value));
}

/** Prints a JSON document as one string. */
export function jsonText(value: unknown): string {
  return joinChunks(jsonPieces(value));
}

function* documentParts(value: unknown): Iterable<string> {
  yield* partsOf(value, "");
  yield "\n";
}

/** Splits nested objects into fields, and lists into elements. Each element is one piece. */
function* partsOf(value: unknown, indent: string): Iterable<string> {
  if (isJsonObject(value)) yield* objectParts(value, indent);
  else if (Array.isArray(value)) yield* listParts(value, indent);
  else yield textOf(value, indent);
}

function* objectParts(object: object, indent: string): Iterable<string> {
  const inner = `${indent}  `;
  let before = "{";
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    yield `${before}\n${inner}${textOf(key, inner)}: `;
    yield* partsOf(value, inner);
    before = ",";
  }
  yield before === "{" ? "{}" : `\n${indent}}`;
}

function* listParts(list: readonly unknown[], indent: string): Iterable<string> {
  const inner = `${indent}  `;
  let before = "[";
  for (const element of list) {
    yield `${before}\n${inner}${textOf(element, inner)}`;
    before = ",";
  }
  yield before === "[" ? "[]" : `\n${indent}]`;
}

// Every line break in JSON is between tokens, because line breaks in strings are escaped.
function textOf(value: unknown, indent: string): string {
  return printableJson(JSON.stringify(value ?? null, null, 2)).replaceAll("\n", `\n${indent}`);
}
