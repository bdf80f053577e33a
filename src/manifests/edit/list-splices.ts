import type { Json } from "../../model/json.ts";
import { isSeq, type ParsedNode, type YAMLSeq } from "yaml";
import { addedTo, type ListEdit, removedFrom } from "./edit.ts";
import type { Found } from "./find-value.ts";
import { flowListSplices } from "./flow-list.ts";
import {
  contentEnd,
  indentAt,
  isFirstInLine,
  isLastInLine,
  lineEndIn,
  lineStartAt,
  nextLineAt,
  type Splice,
} from "./splice.ts";
import { elementStyleOf } from "./element-style.ts";
import { elementText } from "./written-text.ts";

/** Adds elements to a list and takes others out. `undefined` where the text around does not let them go alone. */
export function listSplices(
  text: string,
  found: Found,
  list: readonly Json[],
  edit: ListEdit,
): readonly Splice[] | undefined {
  const { value: node, map } = found;
  if (!isSeq(node)) return undefined;
  const removed = removedFrom(list, edit);
  const added = addedTo(list, edit);
  if (removed.size === 0 && added.length === 0) return [];
  if (node.flow !== true) return blockListSplices(text, { found, node, removed, added });
  if (list.length === 0 && map.flow !== true) return filledList(text, { found, node, added });
  return flowListSplices(text, node, removed, added);
}

interface BlockList {
  readonly found: Found;
  readonly node: YAMLSeq.Parsed;
  readonly removed: ReadonlySet<number>;
  readonly added: readonly Json[];
}

/** The lines of the elements go and come; comments on lines of their own stay. */
function blockListSplices(
  text: string,
  { found, node, removed, added }: BlockList,
): readonly Splice[] | undefined {
  const dashes = dashesOf(node);
  const spans = node.items.map((item, index) => spanOf(text, dashes[index] ?? 0, item));
  if (dashes.length !== spans.length || dashes.some((dash) => !isFirstInLine(text, dash))) return undefined;
  const cuts = spans.filter((_, index) => removed.has(index)).map((span) => ({ ...span, text: "" }));
  const [first = 0] = dashes;
  const end = spans.at(-1)?.end ?? first;
  if (added.length > 0) {
    const style = elementStyleOf(text, node.items);
    const lines = linesOf(text, indentAt(text, first), added, (element) => elementText(element, style));
    return [...cuts, { start: end, end, text: lines }];
  }
  if (removed.size < spans.length) return cuts;
  const at = valueStartOf(found);
  return at === undefined ? undefined : [...cuts, { start: at, end: at, text: " []" }];
}

/** `[]` becomes a list with one element a line. */
function filledList(
  text: string,
  { found: { pair }, node, added }: Omit<BlockList, "removed">,
): readonly Splice[] | undefined {
  const [start, end] = node.range;
  if (!isLastInLine(text, end)) return undefined;
  const before = contentEnd(text, lineStartAt(text, start), start);
  const key = pair.key.range[0];
  const indent = " ".repeat(key - lineStartAt(text, key) + 2);
  const style = { isFlow: true, isPadded: true };
  const at = nextLineAt(text, end);
  return [
    { start: before, end, text: "" },
    {
      start: at,
      end: at,
      text: linesOf(text, indent, added, (element) => elementText(element, style)),
    },
  ];
}

function linesOf(
  text: string,
  indent: string,
  elements: readonly Json[],
  written: (element: Json) => string,
): string {
  const eol = lineEndIn(text);
  return elements
    .map((element) => {
      const [first = "", ...more] = written(element).split("\n");
      return [`${indent}- ${first}`, ...more.map((line) => indent + line)].join(eol) + eol;
    })
    .join("");
}

function dashesOf({ srcToken }: YAMLSeq.Parsed): readonly number[] {
  if (srcToken?.type !== "block-seq") return [];
  return srcToken.items.flatMap(
    ({ start }) => start.find(({ type }) => type === "seq-item-ind")?.offset ?? [],
  );
}

/** The lines of an element, with what follows it on the last one. */
function spanOf(
  text: string,
  dash: number,
  item: ParsedNode,
): { readonly start: number; readonly end: number } {
  const [start, end] = item.range;
  return { start: lineStartAt(text, dash), end: nextLineAt(text, contentEnd(text, start, end)) };
}

/** Where a value of a key begins: behind the colon, and behind an anchor. */
function valueStartOf({ pair }: Found): number | undefined {
  const tokens = pair.srcToken?.sep ?? [];
  const last = tokens.findLast(({ type }) => ["map-value-ind", "anchor", "tag"].includes(type));
  return last && last.offset + last.source.length;
}
