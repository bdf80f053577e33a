import { isJsonList, type Json, type JsonObject } from "../../model/json.ts";
import { type ParsedDocument, placesIn, type SourcePlace } from "../yaml/parsed-document.ts";
import {
  contentEnd,
  indentTo,
  isFirstInLine,
  isLastInLine,
  lineStartAt,
  nextLineAt,
  type Splice,
} from "./splice.ts";

/** An entry of a list or mapping: the offsets where it begins, with its dash or anchor, where its value ends, and of its comma. */
interface Entry {
  readonly start: number;
  readonly end: number;
  readonly comma: number | undefined;
}

/** A list or a mapping in a text. */
export interface Collection {
  readonly text: string;
  /** Whether it is in brackets or braces. */
  readonly isFlow: boolean;
  readonly start: number;
  readonly end: number;
  readonly entries: readonly Entry[];
}

/** Entries that are added, each behind one of those that are there, by its index; in a block each can have several lines. */
interface Addition {
  readonly after: number;
  readonly text: string;
}

/** The list or mapping at a place of a document; `undefined` where its text has other parts than entries, such as a merge key. */
export function collectionAt(
  document: ParsedDocument,
  value: readonly Json[] | JsonObject,
  { value: start, end }: SourcePlace,
): Collection | undefined {
  const { text } = document.source;
  const places = isJsonList(value)
    ? (document.listPlaces.get(value) ?? [])
    : [...placesIn(document, value).values()];
  const isFlow = isFlowAt(text, start);
  let from = isFlow ? start + 1 : start;
  const gaps = places.map((place) => {
    const signs = signsIn(text, from, place.key);
    from = place.end;
    return signs;
  });
  gaps.push(signsIn(text, from, isFlow ? end - 1 : from));
  if (places.some(({ isMerged }) => isMerged) || !gaps.flat().every(({ sign }) => /^[,?&!-]/.test(sign)))
    return undefined;
  const entries = places.map(({ key, end: valueEnd }, index) => ({
    start: gaps[index]?.find(({ sign }) => sign !== ",")?.offset ?? key,
    end: contentEnd(text, key, valueEnd),
    comma: gaps[index + 1]?.find(({ sign }) => sign === ",")?.offset,
  }));
  return { text, isFlow, start, end, entries };
}

/** Whether a list or mapping that begins here is in brackets or braces. */
export function isFlowAt(text: string, start: number): boolean {
  return text[start] === "[" || text[start] === "{";
}

/** What a text has beside values and comments: dashes, commas, colons, anchors and tags. */
export function signsIn(
  text: string,
  from: number,
  to: number,
): readonly { readonly sign: string; readonly offset: number }[] {
  return [...text.slice(from, to).matchAll(/#.*|,|[^\s,]+/g)].flatMap(({ 0: sign, index }) =>
    sign.startsWith("#") ? [] : [{ sign, offset: from + index }],
  );
}

/**
 * Takes entries out and adds others. Comments on lines of their own stay. `undefined` where an entry has a line together with
 * something else. Of a block at least one entry is left.
 */
export function entrySplices(
  collection: Collection,
  removed: ReadonlySet<number>,
  added: readonly Addition[],
): readonly Splice[] | undefined {
  if (!collection.isFlow) return blockSplices(collection, removed, added);
  const last = collection.entries.findLast((_, index) => !removed.has(index));
  const texts = added.map(({ text }) => text);
  if (!last) return replacedEntries(collection, texts);
  return [...flowCuts(collection, removed), ...flowAdditions(collection, last, texts)];
}

function blockSplices(
  { text, entries }: Collection,
  removed: ReadonlySet<number>,
  added: readonly Addition[],
): readonly Splice[] | undefined {
  const cut = entries.filter((_, index) => removed.has(index));
  const [first] = entries;
  if (!first || cut.some(({ start }) => !isFirstInLine(text, start))) return undefined;
  const indent = indentTo(text, first.start);
  return [
    ...cut.map(({ start, end }) => ({
      start: lineStartAt(text, start),
      end: nextLineAt(text, end),
      text: "",
    })),
    ...added.map(({ after, text: lines }) => {
      const at = afterComments(text, nextLineAt(text, (entries[after] ?? first).end), indent);
      return { start: at, end: at, text: indented(lines, indent) };
    }),
  ];
}

/** The offset behind comments of deeper lines: they belong to the entry before them. */
function afterComments(text: string, at: number, indent: string): number {
  const deeper = new RegExp(`(?:${indent} +#[^\n]*\n)*`, "y");
  deeper.lastIndex = at;
  return at + (deeper.exec(text)?.[0].length ?? 0);
}

/** Lines with an indent, each with its end; empty ones stay empty. */
export function indented(lines: string, indent: string): string {
  return `${lines.replace(/^(?=.)/gm, indent)}\n`;
}

function flowCuts({ text, entries }: Collection, removed: ReadonlySet<number>): readonly Splice[] {
  const lastKept = entries.findLastIndex((_, index) => !removed.has(index));
  return entries.flatMap(({ start, end, comma }, index): readonly Splice[] => {
    if (!removed.has(index)) return [];
    const behind = comma === undefined ? end : comma + 1;
    if (isFirstInLine(text, start) && isLastInLine(text, behind))
      return [{ start: lineStartAt(text, start), end: nextLineAt(text, behind), text: "" }];
    // Those at the end go with the comma before them, the others with the one behind.
    const before = entries[index - 1];
    if (index > lastKept && lastKept >= 0 && before) return [{ start: before.end, end, text: "" }];
    return [{ start, end: entries[index + 1]?.start ?? behind, text: "" }];
  });
}

/** Where nothing that is there stays. */
function replacedEntries(collection: Collection, added: readonly string[]): readonly Splice[] {
  const { text, start, end, entries } = collection;
  const [first, last] = [entries[0], entries.at(-1)];
  if (!first || !last || (added.length === 0 && !text.slice(start, end).includes("\n"))) {
    const padding = text[start] === "{" && added.length > 0 ? " " : "";
    return [{ start: start + 1, end: end - 1, text: padding + added.join(", ") + padding }];
  }
  const cuts = flowCuts(collection, new Set(entries.keys()));
  if (added.length === 0) return cuts;
  if (!isFirstInLine(text, first.start))
    return [...cuts, { start: first.start, end: first.start, text: added.join(", ") }];
  const indent = indentTo(text, first.start);
  const at = lineStartAt(text, first.start);
  return [...cuts, { start: at, end: at, text: indented(added.join(",\n"), indent) }];
}

/** Behind the last one that stays: on lines of their own where the closing bracket is on one. */
function flowAdditions({ text, end }: Collection, last: Entry, added: readonly string[]): readonly Splice[] {
  if (added.length === 0) return [];
  const behind = last.comma === undefined ? last.end : last.comma + 1;
  const line = nextLineAt(text, behind);
  if (line >= end || !isLastInLine(text, behind))
    return [{ start: last.end, end: last.end, text: added.map((each) => `, ${each}`).join("") }];
  const indent = /^[ \t]*/.exec(text.slice(lineStartAt(text, last.start), last.start))?.[0] ?? "";
  const isCommaLast = last.comma !== undefined;
  const lines = added.join(",\n") + (isCommaLast ? "," : "");
  return [
    ...(isCommaLast ? [] : [{ start: last.end, end: last.end, text: "," }]),
    { start: line, end: line, text: indented(lines, indent) },
  ];
}
