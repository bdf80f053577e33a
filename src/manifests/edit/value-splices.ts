import { type CollectionText, entrySplices } from "./entry-splices.ts";
import { collectionLines, flowContent } from "./format/print.ts";
import { commentText, type FlowStyle } from "./format/value-text.ts";
import type { SourcePlace } from "../yaml/parsed-document.ts";
import {
  contentEnd,
  indented,
  indentTo,
  isFlowAt,
  isLastInLine,
  keyEnd,
  lineStartAt,
  nextLineAt,
  punctuationIn,
  type Splice,
} from "./source-text.ts";
import { emptyText, type Entry, type ShownNames, type Text, type Tree } from "./tree.ts";

/** A single value that is written in the place of another one. */
interface NewScalar {
  readonly value: Text;
  /** Whether it is in brackets or braces. */
  readonly isInFlow: boolean;
  readonly name: ShownNames | undefined;
}

/** Writes a single value in the place of another one, in quotes as before, and in several lines where they are free for it. */
export function scalarSplices(
  text: string,
  place: SourcePlace,
  { value, isInFlow, name }: NewScalar,
): readonly Splice[] {
  const { key, value: start } = place;
  const end = contentEnd(text, start, place.end);
  const old = text.slice(start, end);
  const [header] = /^[|>].*/.exec(old) ?? [];
  const comment = /\s+#.*/.exec(header ?? "")?.[0].trimEnd() ?? "";
  const isAlone = header !== undefined || /^[ \t]*(?:\n|$)/.test(text.slice(end, nextLineAt(text, end)));
  const quote = value.value.includes("\n") ? undefined : /^["']/.exec(old)?.[0];
  const isQuoted = quote !== undefined && value.style === "quoted";
  const written =
    isInFlow || !isAlone || isQuoted
      ? flowContent(value, { quote, isInFlow })
      : fieldText(value, behindKey(text, place) - key - 1);
  const lines = written.replace(/\n(?=.)/g, `\n${indentTo(text, key)}`);
  return [{ start, end, text: lines.replace(/(?=\n)|$/, () => comment) }, ...nameSplices(text, end, name)];
}

/** Writes a value in the place of another one, of which one at least is a mapping. Comments beside it stay. */
export function valueSplices(
  text: string,
  place: SourcePlace,
  { value, isInFlow }: Pick<NewScalar, "isInFlow"> & { readonly value: Tree },
): readonly Splice[] {
  const { key, value: start } = place;
  const at = behindKey(text, place);
  const end = contentEnd(text, start, place.end);
  const line = nextLineAt(text, at);
  // A block begins behind the line of its key, and the comment beside that.
  if (line <= start) {
    return [
      { start: at, end: at, text: ` ${flowContent(value)}` },
      { start: line - 1, end, text: "" },
    ];
  }
  const isAlone = /^[ \t]*(?:\n|$)/.test(text.slice(end, nextLineAt(text, end)));
  const written = isInFlow || !isAlone ? ` ${flowContent(value)}` : behindKeyText(value, at - key - 1);
  return [{ start: at, end, text: written.replace(/\n(?=.)/g, `\n${indentTo(text, key)}`) }];
}

/** Replaces a comment behind a value that shows its display name, and nothing else. */
function nameSplices(text: string, start: number, name: ShownNames | undefined): readonly Splice[] {
  const [before, after] = [name?.before, name?.after].map((each) => commentText(each ?? ""));
  const [behind = "", space = ""] = /^([ \t]+)#.*/.exec(text.slice(start, nextLineAt(text, start))) ?? [];
  if (before === "" || behind.trim() !== `# ${before}`) return [];
  return [{ start, end: start + behind.length, text: after === "" ? "" : `${space}# ${after}` }];
}

/** A single value as it is written behind a key of so many characters. */
function fieldText(value: Text, keyLength: number): string {
  return behindKeyText(value, keyLength).trimStart();
}

/** What is written behind a key of so many characters, and its colon. */
function behindKeyText(value: Tree, keyLength: number): string {
  const name = "k".repeat(Math.max(keyLength, 1));
  const key = { ...emptyText, value: name };
  const entries = [{ above: [], key, value, beside: [] }];
  const lines = collectionLines({ type: "mapping", entries, after: [], properties: "" }, "manifest", 0);
  return lines.join("\n").slice(name.length + 1);
}

/** A list or mapping that loses entries, by index, and gains others. `isInFlow`: what has it is in brackets or braces. */
export interface CollectionChange extends CollectionText {
  readonly isInFlow: boolean;
  readonly added: readonly Entry[];
}

/** Takes elements out of a list and adds others. `undefined` where the text around does not let them be changed alone. */
export function listSplices({ added, isInFlow, ...list }: CollectionChange): readonly Splice[] | undefined {
  const {
    text,
    source: { entries, place },
    isFlow,
    removed,
  } = list;
  const style = elementStyle(text, entries);
  const lines = added.map((entry) => blockElement(entry, style));
  if (!isFlow) {
    const after = entries.length - 1;
    const splices = entrySplices(
      list,
      lines.map((each) => ({ after, text: each })),
    );
    if (!splices || added.length > 0 || removed.size < entries.length) return splices;
    const at = behindKey(text, place);
    return [...splices, { start: at, end: at, text: " []" }];
  }
  if (entries.length > 0 || isInFlow)
    return entrySplices(
      list,
      added.map(({ value }) => ({ after: 0, text: flowContent(value, style) })),
    );
  // `[]` becomes a list with one element a line.
  if (!isLastInLine(text, place.end)) return undefined;
  const start = contentEnd(text, lineStartAt(text, place.value), place.value);
  const at = nextLineAt(text, place.end);
  return [
    { start, end: place.end, text: "" },
    { start: at, end: at, text: indented(lines.join("\n"), `${indentTo(text, place.key)}  `) },
  ];
}

/** How the elements of a list are written: a new one is written as the last one of its sort. */
interface ElementStyle extends FlowStyle {
  readonly isBlock: boolean;
}

function elementStyle(text: string, entries: readonly Entry[]): ElementStyle {
  const startOf = (type: Entry["value"]["type"]): number | undefined =>
    entries.findLast(({ value }) => value.type === type)?.source?.place.value;
  const [scalar, mapping] = [startOf("text"), startOf("mapping")];
  const isBlock = mapping !== undefined && !isFlowAt(text, mapping);
  return {
    quote: scalar === undefined ? undefined : /["']/.exec(text[scalar] ?? "")?.[0],
    isDense: mapping !== undefined && !isBlock && text[mapping + 1] !== " ",
    isBlock,
  };
}

/** An element of a list in block style. */
function blockElement({ value }: Entry, { isBlock, ...style }: ElementStyle): string {
  if (value.type !== "mapping" || !isBlock) return `- ${flowContent(value, { ...style, isInFlow: false })}`;
  return `- ${collectionLines(value, "below", 0).join("\n  ")}`;
}

/** Where the value of a key begins: behind the colon, and behind an anchor. */
function behindKey(text: string, place: SourcePlace): number {
  const last = punctuationIn(text, keyEnd(text, place), place.value).at(-1);
  return last ? last.offset + last.sign.length : place.value;
}
