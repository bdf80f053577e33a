/** Computes the text changes that replace scalars and mappings, and that add and remove list elements. */

import { type CollectionText, entrySplices } from "./entry-splices.ts";
import { collectionLines, flowContent } from "./format/print.ts";
import { commentText, type FlowStyle } from "./value-text.ts";
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

/** A scalar that replaces an existing value. */
interface NewScalar {
  readonly value: Text;
  /** Whether the value is in brackets or braces. */
  readonly isInFlow: boolean;
  readonly name: ShownNames | undefined;
}

/**
 * Returns the text changes that replace a scalar. Keeps the quotation marks. Uses several lines only if no other text follows the
 * scalar on its line.
 */
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
      : textAfterKey(value, afterKey(text, place) - key - 1).trimStart();
  const lines = written.replace(/\n(?=.)/g, `\n${indentTo(text, key)}`);
  return [{ start, end, text: lines.replace(/(?=\n)|$/, () => comment) }, ...nameSplices(text, end, name)];
}

/**
 * Returns the text changes that replace a value if the old or new value is a mapping. Comments next to the value do not change.
 */
export function valueSplices(
  text: string,
  place: SourcePlace,
  value: Tree,
  isInFlow: boolean,
): readonly Splice[] {
  const { key, value: start } = place;
  const at = afterKey(text, place);
  const end = contentEnd(text, start, place.end);
  const line = nextLineAt(text, at);
  // A value in block style begins after the line of its key and any comment on that line.
  if (line <= start) {
    return [
      { start: at, end: at, text: ` ${flowContent(value)}` },
      { start: line - 1, end, text: "" },
    ];
  }
  const isAlone = /^[ \t]*(?:\n|$)/.test(text.slice(end, nextLineAt(text, end)));
  const written = isInFlow || !isAlone ? ` ${flowContent(value)}` : textAfterKey(value, at - key - 1);
  return [{ start: at, end, text: written.replace(/\n(?=.)/g, `\n${indentTo(text, key)}`) }];
}

/** Updates the comment after a value if the comment consists of the value's display name. */
function nameSplices(text: string, start: number, name: ShownNames | undefined): readonly Splice[] {
  const [before, after] = [name?.before, name?.after].map((each) => commentText(each ?? ""));
  const [comment = "", space = ""] = /^([ \t]+)#.*/.exec(text.slice(start, nextLineAt(text, start))) ?? [];
  if (before === "" || comment.trim() !== `# ${before}`) return [];
  return [{ start, end: start + comment.length, text: after === "" ? "" : `${space}# ${after}` }];
}

/** Returns the text that follows a key of this length and its colon. */
function textAfterKey(value: Tree, keyLength: number): string {
  const name = "k".repeat(Math.max(keyLength, 1));
  const key = { ...emptyText, value: name };
  const entries = [{ above: [], key, value, beside: [] }];
  const lines = collectionLines({ type: "mapping", entries, after: [], properties: "" }, "manifest", 0);
  return lines.join("\n").slice(name.length + 1);
}

/**
 * A list or mapping with removed and added entries. `isInFlow` is true if the collection is inside the brackets or braces of its
 * parent.
 */
export interface CollectionChange extends CollectionText {
  readonly isInFlow: boolean;
  readonly added: readonly Entry[];
}

/** Returns the text changes that remove and add list elements; `undefined` if the surrounding text does not allow them. */
export function listSplices({ added, isInFlow, ...list }: CollectionChange): readonly Splice[] | undefined {
  const { text, source, isFlow, removed } = list;
  const { entries, place } = source;
  const style = elementStyle(text, entries);
  const lines = added.map((entry) => blockElement(entry, style));
  if (!isFlow) {
    const additions = lines.map((each) => ({ after: entries.length - 1, text: each }));
    const splices = entrySplices(list, additions);
    if (!splices || added.length > 0 || removed.size < entries.length) return splices;
    const at = afterKey(text, place);
    return [...splices, { start: at, end: at, text: " []" }];
  }
  if (entries.length > 0 || isInFlow) {
    const additions = added.map(({ value }) => ({ after: 0, text: flowContent(value, style) }));
    return entrySplices(list, additions);
  }
  // An empty list, `[]`, becomes a list in block style, with one element on each line.
  if (!isLastInLine(text, place.end)) return undefined;
  const start = contentEnd(text, lineStartAt(text, place.value), place.value);
  const at = nextLineAt(text, place.end);
  return [
    { start, end: place.end, text: "" },
    { start: at, end: at, text: indented(lines.join("\n"), `${indentTo(text, place.key)}  `) },
  ];
}

/** The style for new list elements, which imitate the last element of the same type. */
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

/** Prints a list element in block style. */
function blockElement({ value }: Entry, { isBlock, ...style }: ElementStyle): string {
  if (value.type !== "mapping" || !isBlock) return `- ${flowContent(value, { ...style, isInFlow: false })}`;
  return `- ${collectionLines(value, "below", 0).join("\n  ")}`;
}

/** Returns the offset after a key's colon, and after an anchor if there is one. */
function afterKey(text: string, place: SourcePlace): number {
  const last = punctuationIn(text, keyEnd(text, place), place.value).at(-1);
  return last ? last.offset + last.sign.length : place.value;
}
