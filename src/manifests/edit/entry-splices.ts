/** Computes the text changes that add or remove entries in a list or mapping. */

import {
  indented,
  indentTo,
  isFirstInLine,
  isLastInLine,
  lineStartAt,
  nextLineAt,
  type Splice,
} from "./source-text.ts";
import type { EntrySource } from "./tree.ts";

/** A list or mapping in a text, and the indexes of the entries to remove. */
export interface CollectionText {
  readonly text: string;
  readonly source: EntrySource;
  /** Whether the collection is in brackets or braces. */
  readonly isFlow: boolean;
  readonly removed: ReadonlySet<number>;
}

/** A new entry, and the index of the entry before it. In block style, the text can have several lines. */
interface Addition {
  readonly after: number;
  readonly text: string;
}

/** The range from an entry's start, including its dash or anchor, to the end of its value. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the text changes that remove and add entries; `undefined` if an entry shares its line with other text. Comments on
 * separate lines do not change.
 */
export function entrySplices(
  collection: CollectionText,
  added: readonly Addition[],
): readonly Splice[] | undefined {
  const { text, source, isFlow, removed } = collection;
  const spans = source.entries.flatMap((entry) => entry.source ?? []);
  if (!isFlow) return blockSplices(text, spans, removed, added);
  const texts = added.map((each) => each.text);
  const last = spans.findLast((_, index) => !removed.has(index));
  if (!last) return replacedEntries(collection, spans, texts);
  return [...flowCuts(text, spans, removed), ...flowAdditions(text, last, source.place.end, texts)];
}

function blockSplices(
  text: string,
  spans: readonly Span[],
  removed: ReadonlySet<number>,
  added: readonly Addition[],
): readonly Splice[] | undefined {
  const cut = spans.filter((_, index) => removed.has(index));
  const [first] = spans;
  if (!first || cut.some(({ start }) => !isFirstInLine(text, start))) return undefined;
  const indent = indentTo(text, first.start);
  const lines = ({ start, end }: Span): Splice => ({
    start: lineStartAt(text, start),
    end: nextLineAt(text, end),
    text: "",
  });
  const additions = added.map(({ after, text: addition }) => {
    const at = afterComments(text, nextLineAt(text, (spans[after] ?? first).end), indent);
    return { start: at, end: at, text: indented(addition, indent) };
  });
  return [...cut.map(lines), ...additions];
}

/** Returns the offset after any comments with a deeper indent, which belong to the previous entry. */
function afterComments(text: string, at: number, indent: string): number {
  const deeper = new RegExp(`(?:${indent} +#[^\n]*\n)*`, "y");
  deeper.lastIndex = at;
  return at + (deeper.exec(text)?.[0].length ?? 0);
}

function flowCuts(text: string, spans: readonly Span[], removed: ReadonlySet<number>): readonly Splice[] {
  const lastKept = spans.findLastIndex((_, index) => !removed.has(index));
  return spans.flatMap((span, index): readonly Splice[] => {
    if (!removed.has(index)) return [];
    const { start, end } = span;
    const commaEnd = afterComma(text, span);
    if (isFirstInLine(text, start) && isLastInLine(text, commaEnd))
      return [{ start: lineStartAt(text, start), end: nextLineAt(text, commaEnd), text: "" }];
    // Entries at the end are removed with the comma before them, and all other entries with the comma after them.
    const before = spans[index - 1];
    if (index > lastKept && lastKept >= 0 && before) return [{ start: before.end, end, text: "" }];
    return [{ start, end: spans[index + 1]?.start ?? commaEnd, text: "" }];
  });
}

/** Returns the end of an entry, including the comma after it, if there is one. */
function afterComma(text: string, { end }: Span): number {
  const comma = /(?:\s|#.*)*,/y;
  comma.lastIndex = end;
  return comma.test(text) ? comma.lastIndex : end;
}

/** Returns the text changes for a collection from which all entries are removed. */
function replacedEntries(
  { text, source }: CollectionText,
  spans: readonly Span[],
  added: readonly string[],
): readonly Splice[] {
  const { value: start, end } = source.place;
  const [first] = spans;
  if (!first || (added.length === 0 && !text.slice(start, end).includes("\n"))) {
    const padding = text[start] === "{" && added.length > 0 ? " " : "";
    return [{ start: start + 1, end: end - 1, text: padding + added.join(", ") + padding }];
  }
  const cuts = flowCuts(text, spans, new Set(spans.keys()));
  if (added.length === 0) return cuts;
  const isAlone = isFirstInLine(text, first.start);
  const at = isAlone ? lineStartAt(text, first.start) : first.start;
  const lines = isAlone ? indented(added.join(",\n"), indentTo(text, first.start)) : added.join(", ");
  return [...cuts, { start: at, end: at, text: lines }];
}

/**
 * Adds entries after the last remaining entry. The new entries are on separate lines if the closing bracket is on a separate
 * line.
 */
function flowAdditions(text: string, last: Span, end: number, added: readonly string[]): readonly Splice[] {
  if (added.length === 0) return [];
  const commaEnd = afterComma(text, last);
  const line = nextLineAt(text, commaEnd);
  if (line >= end || !isLastInLine(text, commaEnd))
    return [{ start: last.end, end: last.end, text: added.map((each) => `, ${each}`).join("") }];
  const comma = commaEnd > last.end ? "" : ",";
  const indent = /^[ \t]*/.exec(text.slice(lineStartAt(text, last.start), last.start))?.[0] ?? "";
  const lines = added.join(",\n") + (comma === "" ? "," : "");
  return [
    { start: last.end, end: last.end, text: comma },
    { start: line, end: line, text: indented(lines, indent) },
  ];
}
