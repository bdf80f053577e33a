import { isJsonObject, type Json } from "../../model/json.ts";
import type { ParsedDocument, SourcePlace } from "../yaml/parsed-document.ts";
import { collectionAt, entrySplices, indented, signsIn } from "./collection.ts";
import { entriesText, flowText } from "./format/manifest-text.ts";
import { contentEnd, indentTo, isLastInLine, lineStartAt, nextLineAt, type Splice } from "./splice.ts";

type Single = string | number | boolean | null;

/** A value of a mapping, where it is in its document. */
export interface WrittenValue {
  readonly document: ParsedDocument;
  readonly place: SourcePlace;
  /** Whether the mapping is in braces. */
  readonly isInFlow: boolean;
}

/** Writes a single value in the place of another one, in quotes as before, and in several lines where they are free for it. */
export function scalarSplice({ document, place, isInFlow }: WrittenValue, value: Single): Splice {
  const { text } = document.source;
  const { key, value: start } = place;
  const end = contentEnd(text, start, place.end);
  const old = text.slice(start, end);
  const [header] = /^[|>].*/.exec(old) ?? [];
  const comment = header === undefined ? "" : (/\s+#.*/.exec(header)?.[0].trimEnd() ?? "");
  const isOneLine =
    isInFlow || (header === undefined && !/^[ \t]*(?:\n|$)/.test(text.slice(end, nextLineAt(text, end))));
  const quote = typeof value === "string" && !value.includes("\n") ? /^["']/.exec(old)?.[0] : undefined;
  const written =
    isOneLine || quote !== undefined
      ? flowText(value, { quote, isInFlow })
      : fieldText(value, behindKey(text, place) - key - 1);
  const lines = written.replace(/\n(?=.)/g, `\n${indentTo(text, key)}`).replace(/(?=\n)|$/, comment);
  return { start, end, text: lines };
}

/** A single value as it is written behind a key of so many characters. */
function fieldText(value: Single, keyLength: number): string {
  const key = "k".repeat(Math.max(keyLength, 1));
  return entriesText({ [key]: value }, "manifest")
    .slice(key.length + 1)
    .trimStart();
}

/** The elements that a list loses, by index, and those that it gains. */
interface ElementChanges {
  readonly removed: ReadonlySet<number>;
  readonly added: readonly Json[];
}

/** Takes elements out of a list and adds others. `undefined` where the text around does not let them be changed alone. */
export function listSplices(
  { document, place, isInFlow }: WrittenValue,
  list: readonly Json[],
  { removed, added }: ElementChanges,
): readonly Splice[] | undefined {
  if (removed.size + added.length === 0) return [];
  const { text } = document.source;
  const collection = collectionAt(document, list, place);
  if (!collection) return undefined;
  const style = elementStyle(document, list);
  if (!collection.isFlow) {
    const after = list.length - 1;
    const lines = added.map((element) => ({ after, text: blockElement(element, style) }));
    const splices = entrySplices(collection, removed, lines);
    if (!splices || added.length > 0 || removed.size < list.length) return splices;
    const at = behindKey(text, place);
    return [...splices, { start: at, end: at, text: " []" }];
  }
  if (list.length > 0 || isInFlow)
    return entrySplices(
      collection,
      removed,
      added.map((element) => ({ after: 0, text: flowText(element, style) })),
    );
  // `[]` becomes a list with one element a line.
  if (!isLastInLine(text, place.end)) return undefined;
  const start = contentEnd(text, lineStartAt(text, place.value), place.value);
  const at = nextLineAt(text, place.end);
  const lines = added.map((element) => blockElement(element, style)).join("\n");
  return [
    { start, end: place.end, text: "" },
    { start: at, end: at, text: indented(lines, `${indentTo(text, place.key)}  `) },
  ];
}

/** How the elements of a list are written: a new one is written as the last one of its sort. */
interface ElementStyle {
  readonly quote: string | undefined;
  readonly isDense: boolean;
  readonly isBlock: boolean;
}

function elementStyle({ source: { text }, listPlaces }: ParsedDocument, list: readonly Json[]): ElementStyle {
  const places = listPlaces.get(list) ?? [];
  const startOf = (isOfSort: (element: Json) => boolean): number | undefined =>
    places[list.findLastIndex(isOfSort)]?.value;
  const [scalar, mapping] = [startOf((element) => typeof element === "string"), startOf(isJsonObject)];
  const isBlock = mapping !== undefined && text[mapping] !== "{";
  return {
    quote: scalar === undefined ? undefined : /["']/.exec(text[scalar] ?? "")?.[0],
    isDense: mapping !== undefined && !isBlock && text[mapping + 1] !== " ",
    isBlock,
  };
}

/** An element of a list in block style. */
function blockElement(element: Json, style: ElementStyle): string {
  if (!isJsonObject(element) || !style.isBlock)
    return `- ${flowText(element, { ...style, isInFlow: false })}`;
  return `- ${entriesText(element, "below").replaceAll("\n", "\n  ")}`;
}

/** Where the value of a key begins: behind the colon, and behind an anchor. */
function behindKey(text: string, { key, value }: SourcePlace): number {
  const [name = ""] =
    /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\n]*?(?=\s*:\s))/.exec(text.slice(key, value)) ?? [];
  const last = signsIn(text, key + name.length, value).at(-1);
  return last ? last.offset + last.sign.length : value;
}
