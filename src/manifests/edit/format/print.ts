/** Prints YAML trees in canonical style. */

import { declareKey } from "../../schema/rule-schema.ts";
import type { Collection, Entry, Tree } from "../tree.ts";
import { blockScalar, type FlowStyle, flowScalar, scalarText } from "../value-text.ts";

/** The maximum line width, not counting a comment at the end of the line. */
const lineWidth = 100;

/** The nesting level: a manifest or the mapping below `declare`; a field's value; or a value within such a value. */
export type Level = "manifest" | "field" | "below";

/** Prints documents. Each document is an entry without a key. Comments before the first document belong to that document. */
export function printedDocuments(documents: readonly Entry[]): string {
  return documents
    .map(printedDocument)
    .filter((text) => text !== "")
    .reduce((before, text) => `${before}${/^(?:#.*\n|\n)*$/.test(before) ? "" : "---\n"}${text}`, "");
}

function printedDocument({ above, value, beside }: Entry): string {
  const { first, before, more } = valueLines(value, {
    level: "manifest",
    indent: 0,
    start: 0,
    isListed: true,
  });
  const all = [...above, ...beside, ...before, ...(first === "" ? [] : [first]), ...more];
  const lines = withoutEmptyStart(all);
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

/** Returns the lines for a collection's entries in block style. */
export function collectionLines(collection: Collection, level: Level, indent: number): readonly string[] {
  const areManifests = collection.type === "list" && level === "manifest";
  const entries = collection.entries.flatMap((entry, index) => {
    const isApart = areManifests && index > 0;
    const lines = index === 0 || isApart ? withoutEmptyStart(entry.above) : entry.above;
    const above = isApart ? ["", ...lines] : lines;
    return entryLines({ ...entry, above }, levelOf(entry, level), indent);
  });
  return [...entries, ...indented(collection.after, indent)];
}

function levelOf({ key, value }: Entry, level: Level): Level {
  if (level !== "manifest") return "below";
  const isDeclare = key?.value === declareKey && value.type === "mapping";
  return key === undefined || isDeclare ? "manifest" : "field";
}

function withoutEmptyStart(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => line !== "");
  return start < 0 ? [] : lines.slice(start);
}

function indented(lines: readonly string[], indent: number): readonly string[] {
  return lines.map((line) => (line === "" ? "" : " ".repeat(indent) + line));
}

function entryLines({ above, key, value, beside }: Entry, level: Level, indent: number): readonly string[] {
  const head = key ? `${key.properties}${scalarText(key, false)}:` : "-";
  const start = indent + head.length + 1;
  const place = { level, indent: indent + 2, start, isListed: key === undefined };
  const { first, before, more, hasRoom } = valueLines(value, place);
  const isSameLine = hasRoom && beside.length === 1;
  const line = [head, first, ...(isSameLine ? beside : [])].filter((part) => part !== "").join(" ");
  return [...indented([...above, ...(isSameLine ? [] : beside), ...before, line], indent), ...more];
}

/** A value's position: the indent of its lines, and the column at which it starts if it is on one line. */
interface Place {
  readonly level: Level;
  readonly indent: number;
  readonly start: number;
  /** Whether the value's first line starts with a dash. */
  readonly isListed: boolean;
}

/** A value's first line, the comments and empty lines before it, and its other lines. */
interface ValueLines {
  readonly first: string;
  readonly before: readonly string[];
  readonly more: readonly string[];
  /** Whether a comment can follow on the first line. */
  readonly hasRoom: boolean;
}

function valueLines(value: Tree, { level, indent, start, isListed }: Place): ValueLines {
  const properties = value.properties.trim();
  const room = lineWidth - start - value.properties.length;
  const text = oneLine(value, level, room);
  if (value.type === "text") {
    const block = isTagged(value) ? undefined : blockScalar(value.value, room, lineWidth - indent);
    const [first = "", ...more] = block ?? [text ?? ""];
    return { first: value.properties + first, before: [], more: indented(more, indent), hasRoom: true };
  }
  if (text !== undefined) {
    const before = value.entries.length === 0 ? value.after : [];
    return { first: value.properties + text, before, more: [], hasRoom: true };
  }
  const lines = collectionLines(value, level, indent);
  if (!isListed || properties !== "")
    return { first: properties, before: [], more: lines, hasRoom: properties === "" };
  // The first entry is on the same line as the dash. The comments above the entry come before that line.
  const lead = lines.findIndex((line) => !/^ *(?:#|$)/.test(line));
  return {
    first: lines[lead]?.trimStart() ?? "",
    before: lines.slice(0, lead).map((line) => line.trimStart()),
    more: lines.slice(lead + 1),
    hasRoom: false,
  };
}

/** Prints an entry on one line, without its comments. */
export function entryText({ key, value }: Entry): string {
  return [...(key ? [`${flowText(key)}:`] : []), flowText(value)].join(" ");
}

/** Prints a scalar, or a collection that fits on one line and is readable there. Returns `undefined` for any other collection. */
function oneLine(value: Tree, level: Level, room: number): string | undefined {
  if (value.type === "text") return scalarText(value, false);
  if (value.entries.length > 0 && !canBeOneLine(value, level)) return undefined;
  const text = flowContent(value);
  return value.entries.length === 0 || text.length <= room ? text : undefined;
}

/**
 * Whether a collection is readable on one line. A field's value must be a mapping of scalars, a list of scalars or a list with
 * one element. Any collection within such a value is readable on one line.
 */
function canBeOneLine(collection: Collection, level: Level): boolean {
  if (isTagged(collection) || hasComments(collection)) return false;
  if (level !== "field") return level === "below";
  const { type, entries } = collection;
  return (type === "list" && entries.length === 1) || entries.every(({ value }) => value.type === "text");
}

function isTagged({ properties }: Tree): boolean {
  return /(?:^| )!/.test(properties);
}

function hasComments({ entries, after }: Collection): boolean {
  return (
    [...after, ...entries.flatMap(({ above, beside }) => [...above, ...beside])].some(
      (line) => line !== "",
    ) || entries.some(({ value }) => value.type !== "text" && hasComments(value))
  );
}

/**
 * Prints a value on one line, such as `{ user: alice }` or `[pii, tier-1]`, without comments and without its own anchor and tag.
 */
export function flowContent(value: Tree, style: FlowStyle = {}): string {
  if (value.type === "text") return flowScalar(value, style);
  const text = value.entries.map(entryText).join(", ");
  if (value.type === "list") return `[${text}]`;
  return text === "" || style.isDense === true ? `{${text}}` : `{ ${text} }`;
}

function flowText(value: Tree): string {
  return value.properties + flowContent(value);
}
