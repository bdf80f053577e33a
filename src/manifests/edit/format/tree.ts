import { type Document, isAlias, isMap, isScalar, isSeq, type ParsedNode } from "yaml";
import { appendTo } from "../../../model/append.ts";
import { lineStartAt } from "../splice.ts";
import { type Comment, commentsIn } from "./comments.ts";

/** A scalar or an alias. */
export interface Text {
  readonly type: "text";
  /** The value of a scalar; of an alias its name, with the asterisk. */
  readonly value: string;
  readonly style: "plain" | "quoted" | "alias";
  readonly properties: string;
}

/** A list or a mapping. */
export interface Collection {
  readonly type: "list" | "mapping";
  entries: readonly Entry[];
  /** Comments behind the last entry, and empty lines, each a line. */
  readonly after: readonly string[];
  readonly properties: string;
}

/** A value with all that its canonical form keeps. `properties` are its anchor and tag, each with a space behind it. */
export type Tree = Text | Collection;

/** An element of a list, or a key of a mapping with its value. */
export interface Entry {
  /** Comments above it, and empty lines, each a line. */
  above: readonly string[];
  readonly key?: Text;
  readonly value: Tree;
  /** Comments in its line, or in that of its key. */
  readonly beside: readonly string[];
}

interface Reading {
  readonly text: string;
  /** Those that belong to nothing yet, from the first to the last. */
  readonly comments: Comment[];
}

/** The content of the documents of a text, each as an entry without a key; where there is none with an empty text. */
export function treesOf(text: string, documents: readonly Document.Parsed[]): readonly Entry[] {
  const reading = { text, comments: [...commentsIn(text)] };
  return documents.map(({ contents }, index) => {
    const end = documents[index + 1]?.contents?.range[0] ?? text.length;
    const { above, value, beside } = entryOf(reading, undefined, contents, {
      end,
      column: -1,
      isFirst: true,
    });
    const rest = taken(reading, ({ offset }) => offset < end);
    return value.type === "text"
      ? { above, value, beside: [...beside, ...rest] }
      : { above, value: { ...value, after: [...value.after, ...rest] }, beside };
  });
}

/** The text of a value that is missing. */
const nothing: Text = { type: "text", value: "", style: "plain", properties: "" };

/** Where what follows a value begins, and the column of the block that the value is in. */
interface Limit {
  readonly end: number;
  readonly column: number;
  /** Whether it is the first one there. */
  readonly isFirst: boolean;
}

function entryOf(
  reading: Reading,
  key: ParsedNode | undefined,
  node: ParsedNode | null,
  limit: Limit,
): Entry {
  const start = (key ?? node)?.range[0] ?? limit.end;
  const above = taken(reading, ({ offset }) => offset < start);
  if (above.length > 0 || !limit.isFirst) appendTo(above, emptyLineBefore(reading.text, start));
  const valueStart = node?.range[0] ?? start;
  const beside = taken(reading, ({ offset, isAlone }) => !isAlone && offset < valueStart);
  if (!isBlock(node))
    appendTo(
      above,
      taken(reading, ({ offset }) => offset < valueStart),
    );
  const value = treeOf(reading, node, limit);
  appendTo(
    beside,
    taken(reading, ({ offset, isAlone }) => !isAlone && offset < limit.end),
  );
  return { above, ...(key && { key: textOf(key) }), value, beside };
}

function isBlock(node: ParsedNode | null): boolean {
  return (isMap(node) || isSeq(node)) && node.flow !== true;
}

function treeOf(reading: Reading, node: ParsedNode | null, limit: Limit): Tree {
  if (!isMap(node) && !isSeq(node)) return textOf(node);
  const [start, end] = node.range;
  const isFlow = !isBlock(node);
  const column = isFlow ? limit.column : start - lineStartAt(reading.text, start);
  const parts = isMap(node)
    ? node.items.map(({ key, value }) => ({ key, value }))
    : node.items.map((value) => ({ key: undefined, value }));
  const entries = parts.map(({ key, value }, index) => {
    const next = parts[index + 1];
    const nextStart = (next?.key ?? next?.value)?.range[0];
    return entryOf(reading, key, value, {
      end: nextStart ?? (isFlow ? end : limit.end),
      column,
      isFirst: index === 0,
    });
  });
  const after = taken(reading, ({ offset, column: at }) =>
    isFlow ? offset < end : offset < limit.end && at > limit.column,
  );
  return { type: isMap(node) ? "mapping" : "list", entries, after, properties: propertiesOf(node) };
}

function textOf(node: ParsedNode | null): Text {
  if (isAlias(node)) return { ...nothing, value: `*${node.source}`, style: "alias" };
  if (!isScalar(node)) return nothing;
  const style = node.type === "PLAIN" ? "plain" : "quoted";
  return { type: "text", value: String(node.value), style, properties: propertiesOf(node) };
}

function propertiesOf({ anchor, tag }: { readonly anchor?: string; readonly tag?: string }): string {
  const written = tag?.replace(/^tag:yaml\.org,2002:/, "!!");
  return (anchor === undefined ? "" : `&${anchor} `) + (written === undefined ? "" : `${written} `);
}

/** Takes the next comments as long as they belong to something, each with the empty line before it. */
function taken({ text, comments }: Reading, isOwn: (comment: Comment) => boolean): string[] {
  const lines: string[] = [];
  for (let [next] = comments; next && isOwn(next); [next] = comments) {
    appendTo(lines, [...emptyLineBefore(text, next.offset), next.text]);
    comments.shift();
  }
  return lines;
}

/** An empty line where there is one, or the end of a document, before that of an offset. */
function emptyLineBefore(text: string, offset: number): readonly string[] {
  const start = lineStartAt(text, offset);
  const isFirst = /^[ \t?-]*$/.test(text.slice(start, offset));
  return isFirst && /(?:^|\n)(?:[ \t]*|\.\.\.[ \t]*)\n$/.test(text.slice(0, start)) ? [""] : [];
}
