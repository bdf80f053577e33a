/** Parses common YAML several times as fast as the library, and leaves all other YAML to the library. */

import type { Json } from "../../model/json.ts";
import {
  addField,
  afterSpaces,
  maxDepth,
  elementPlace,
  inlineValue,
  keyAt,
  type Read,
  type Reading,
  UnsupportedByFastParser,
} from "./fast-values.ts";
import type { ParsedDocument, SourcePlace } from "./parsed-document.ts";
import type { Source } from "./source.ts";

/** The current line in a document. */
interface Line {
  /** The offset of the line's content, after the spaces. */
  at: number;
  /** The number of spaces before the content, or -1 at the end of the document. */
  indent: number;
  /** The offset after the last line that has been read. */
  readUntil: number;
}

interface DocumentReading extends Reading {
  readonly line: Line;
}

/**
 * Parses block and flow collections with single-line scalars, comments and `---`. Returns `undefined` for all other YAML: syntax
 * errors, tabs, anchors, aliases, tags, merge keys, escapes, block scalars, empty values, keys with spaces, and duplicate keys. A
 * property-based test verifies that the result equals the result of `documents.ts`.
 */
export function fastDocuments(source: Source): readonly ParsedDocument[] | undefined {
  if (/[\t\r]/.test(source.text)) return undefined;
  try {
    return documentsIn(source);
  } catch (error) {
    if (error instanceof UnsupportedByFastParser) return undefined;
    throw error;
  }
}

function documentsIn(source: Source): readonly ParsedDocument[] {
  const documents: ParsedDocument[] = [];
  const line: Line = { at: 0, indent: -1, readUntil: 0 };
  for (let start = 0; start < source.text.length; start = afterMarker(source.text, line)) {
    const places = { mappingPlaces: new Map(), listPlaces: new Map() };
    const reading = { source, line, ...places };
    findContent(reading, start);
    if (line.indent < 0) continue;
    const root = blockValue(reading, 0, 0);
    if (line.indent >= 0) throw new UnsupportedByFastParser();
    const rootPlace = elementPlace(root);
    documents.push({ source, root: root.value, rootPlace, ...places, merges: new Map() });
  }
  return documents;
}

/** Returns the offset after the `---` marker that ended a document. */
function afterMarker(text: string, { at }: Line): number {
  return at >= text.length ? text.length : endOfLine(text, at + 3);
}

/**
 * Advances to the next line with content. A comment with a deeper indent before that line belongs to the previous block, which
 * this parser does not support.
 */
function findContent({ source: { text }, line }: DocumentReading, from: number): void {
  let [start, at, deepestComment] = [from, afterSpaces(text, from), 0];
  for (; text[at] === "\n" || text[at] === "#"; at = afterSpaces(text, start)) {
    if (text[at] === "#") deepestComment = Math.max(deepestComment, at - start);
    start = endOfLine(text, at);
  }
  const isEnd = at >= text.length || (at === start && text.startsWith("---", at));
  Object.assign(line, { at, indent: isEnd ? -1 : at - start });
  if (deepestComment > Math.max(0, line.indent)) throw new UnsupportedByFastParser();
}

/** Returns the offset of the next line. The rest of the current line may contain only spaces and a comment. */
function endOfLine(text: string, from: number): number {
  const at = afterSpaces(text, from);
  const end = text.indexOf("\n", at);
  if (text[at] !== "#" && at < text.length && at !== end) throw new UnsupportedByFastParser();
  if (text[at] === "#" && at === from && from > 0 && !/[\n ]/.test(text[from - 1] ?? ""))
    throw new UnsupportedByFastParser();
  return end < 0 ? text.length : end + 1;
}

/** Finishes the current line after its last value, and advances to the next line with content. */
function nextLine(reading: DocumentReading, from: number): void {
  const { line, source } = reading;
  line.readUntil = endOfLine(source.text, from);
  findContent(reading, line.readUntil);
}

/** Reads the mapping or list that begins on the current line. */
function blockValue(reading: DocumentReading, indent: number, depth: number): Read {
  const { line } = reading;
  if (line.indent !== indent || depth > maxDepth) throw new UnsupportedByFastParser();
  const start = line.at;
  const value = isElement(reading) ? blockList(reading, indent, depth) : blockMapping(reading, indent, depth);
  return { value, start, end: line.readUntil, plain: false };
}

function isElement({ source: { text }, line: { at } }: DocumentReading): boolean {
  return text[at] === "-" && text[at + 1] === " ";
}

function blockMapping(reading: DocumentReading, indent: number, depth: number): Json {
  const { line, source } = reading;
  const mapping: Record<string, Json> = {};
  const places = new Map<string, SourcePlace>();
  reading.mappingPlaces.set(mapping, places);
  do {
    const key = keyAt(source, line.at);
    if (!key) throw new UnsupportedByFastParser();
    addField(places, mapping, key, fieldValue(reading, key.end, indent, depth));
  } while (line.indent === indent);
  if (line.indent > indent) throw new UnsupportedByFastParser();
  return mapping;
}

/** Reads the value of a key, on the same line or on the following lines. `from` is the offset after the key's colon. */
function fieldValue(reading: DocumentReading, from: number, indent: number, depth: number): Read {
  const { line, source } = reading;
  const at = afterSpaces(source.text, from);
  const first = source.text[at];
  if (first !== undefined && first !== "\n" && first !== "#") {
    const read = inlineValue(reading, at, depth, false);
    nextLine(reading, read.end);
    return read;
  }
  nextLine(reading, from);
  // A list's elements may have the same indent as their key.
  const isList = line.indent === indent && isElement(reading);
  if (line.indent <= indent && !isList) throw new UnsupportedByFastParser();
  return blockValue(reading, line.indent, depth + 1);
}

function blockList(reading: DocumentReading, indent: number, depth: number): Json {
  const { line } = reading;
  const list: Json[] = [];
  const places: SourcePlace[] = [];
  while (line.indent === indent && isElement(reading)) {
    const read = element(reading, indent, depth);
    list.push(read.value);
    places.push(elementPlace(read));
  }
  reading.listPlaces.set(list, places);
  if (line.indent > indent) throw new UnsupportedByFastParser();
  return list;
}

function element(reading: DocumentReading, indent: number, depth: number): Read {
  const { line, source } = reading;
  const at = afterSpaces(source.text, line.at + 1);
  if (!keyAt(source, at)) {
    const read = inlineValue(reading, at, depth, false);
    nextLine(reading, read.end);
    if (line.indent > indent) throw new UnsupportedByFastParser();
    return read;
  }
  line.indent += at - line.at;
  line.at = at;
  return blockValue(reading, line.indent, depth + 1);
}
