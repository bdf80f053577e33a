/** Builds a tree from a parsed document, and assigns each comment to an entry. */

import { appendTo } from "../../model/append.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { elementsIn, type ParsedDocument, type PlacedValue, placesIn } from "../yaml/parsed-document.ts";
import type { Comment } from "./comments.ts";
import { contentEnd, emptyLineBefore, isFlowAt, keyEnd, lineStartAt, punctuationIn } from "./source-text.ts";
import { emptyText, type Entry, type Text, type Tree } from "./tree.ts";

interface Reading {
  readonly document: ParsedDocument;
  /** The comments that are not yet assigned to an entry, in order. */
  readonly comments: Comment[];
}

/** A value in the source, and its key if it is in a mapping. `<<` counts as a key. */
interface Written extends PlacedValue {
  readonly key?: string;
}

/** An entry's surroundings: the end of the previous entry, the start of the next entry, and the enclosing block's column. */
interface Surroundings {
  readonly from: number;
  readonly end: number;
  readonly column: number;
  readonly isFirst: boolean;
}

/**
 * Returns the content of a document that ends at `end`, as an entry without a key. Removes the document's comments from
 * `comments`.
 */
export function treeOf(
  document: ParsedDocument,
  comments: Comment[] = [],
  end: number = document.source.text.length,
): Entry {
  const { root: value, rootPlace: place, source } = document;
  const around = { from: 0, end, column: -1, isFirst: true };
  const entry = entryOf({ document, comments }, { value, place }, around);
  const rest = takeCommentLines(source.text, comments, ({ offset }) => offset < end);
  return entry.value.type === "text"
    ? { ...entry, beside: [...entry.beside, ...rest] }
    : { ...entry, value: { ...entry.value, after: [...entry.value.after, ...rest] } };
}

function entryOf(reading: Reading, written: Written, around: Surroundings): Entry {
  const { text } = reading.document.source;
  const { key: name, place } = written;
  const take = (isOwn: (comment: Comment) => boolean): string[] =>
    takeCommentLines(text, reading.comments, isOwn);
  const before = punctuationIn(text, around.from, place.key).filter(({ sign }) => sign !== ",");
  const above = take(({ offset }) => offset < place.key);
  if (above.length > 0 || !around.isFirst) appendTo(above, emptyLineBefore(text, place.key));
  const beside = take(({ offset, isAlone }) => !isAlone && offset < place.value);
  const isBlock = typeof written.value === "object" && !/[[{*]/.test(text[place.value] ?? "");
  if (!isBlock)
    appendTo(
      above,
      take(({ offset }) => offset < place.value),
    );
  const afterKey = name === undefined ? before : punctuationIn(text, keyEnd(text, place), place.value);
  const value = valueOf(reading, written, around, propertiesOf(afterKey));
  appendTo(
    beside,
    take(({ offset, isAlone }) => !isAlone && offset < around.end),
  );
  const start = before[0]?.offset ?? place.key;
  const entries = value.type === "text" ? [] : value.entries;
  const source = { start, end: contentEnd(text, place.key, place.end), place, value, entries };
  if (name === undefined) return { above, value, beside, source };
  const key = { ...textAt(text, place.key, name), properties: propertiesOf(before) };
  return { above, key, value, beside, source };
}

function valueOf(
  reading: Reading,
  { key, value, place }: Written,
  around: Surroundings,
  properties: string,
): Tree {
  const { text } = reading.document.source;
  const source = text.slice(place.value, place.end);
  if (source.startsWith("*")) return { ...emptyText, value: source, style: "alias", data: value };
  if (isJsonList(value) || isJsonObject(value)) {
    const parts = partsOf(reading.document, value);
    const isFlow = isFlowAt(text, place.value);
    const column = isFlow ? around.column : place.value - lineStartAt(text, place.value);
    const end = isFlow ? place.end : around.end;
    const entries = parts.map((part, index) => {
      const from = parts[index - 1]?.place.end ?? (isFlow ? place.value + 1 : place.value);
      const next = parts[index + 1]?.place.key ?? end;
      return entryOf(reading, part, { from, end: next, column, isFirst: index === 0 });
    });
    const after = takeCommentLines(
      text,
      reading.comments,
      (comment) => comment.offset < end && (isFlow || comment.column > around.column),
    );
    return { type: isJsonList(value) ? "list" : "mapping", entries, after, properties };
  }
  // An unquoted `none` unsets the value.
  const isUnset = key !== undefined && value === "none" && place.plain;
  const written = typeof value === "string" ? value : source.replace(/^(["'])(.*)\1$/s, "$2");
  return { ...textAt(text, place.value, written), properties, data: isUnset ? null : value };
}

function textAt(text: string, offset: number, value: string): Text {
  return { ...emptyText, value, style: /["'|>]/.test(text[offset] ?? "") ? "quoted" : "plain" };
}

/** Returns a list's elements, or a mapping's keys and values, in source order. */
function partsOf(document: ParsedDocument, value: readonly Json[] | JsonObject): readonly Written[] {
  if (isJsonList(value)) return elementsIn(document, value);
  const own = [...placesIn(document, value)].filter(([, { isMerged }]) => !isMerged);
  const merges = document.merges.get(value) ?? [];
  return [
    ...own.map(([key, place]) => ({ key, value: value[key] ?? null, place })),
    ...merges.map((merge) => ({ key: "<<", ...merge })),
  ].toSorted((a, b) => a.place.key - b.place.key);
}

function propertiesOf(signs: readonly { readonly sign: string }[]): string {
  return signs.map(({ sign }) => (/^[&!]/.test(sign) ? `${sign} ` : "")).join("");
}

/**
 * Removes comments from the start of `comments` while `isOwn` accepts them. Returns the lines of these comments, including any
 * empty line before a comment.
 */
export function takeCommentLines(
  text: string,
  comments: Comment[],
  isOwn: (comment: Comment) => boolean,
): string[] {
  const lines: string[] = [];
  for (let [next] = comments; next && isOwn(next); [next] = comments) {
    appendTo(lines, [...emptyLineBefore(text, next.offset), next.text]);
    comments.shift();
  }
  return lines;
}
