import { isJsonObject } from "../../model/json.ts";
import { gathered, joined } from "../pieces.ts";
import { printableJson } from "../printable.ts";

/** A JSON document as it is saved, in pieces, with control and direction characters escaped: it can be longer than a string. */
export function* jsonPieces(value: unknown): Iterable<string> {
  yield* gathered(documentParts(value));
}

/** A JSON document as text, as it is printed and saved. */
export function jsonText(value: unknown): string {
  return joined(jsonPieces(value));
}

function* documentParts(value: unknown): Iterable<string> {
  yield* partsOf(value, "");
  yield "\n";
}

/** The fields of objects and the elements of their lists, one after the other; what is in an element at once. */
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

// A line break in a string is escaped.
function textOf(value: unknown, indent: string): string {
  return printableJson(JSON.stringify(value ?? null, null, 2)).replaceAll("\n", `\n${indent}`);
}
