import type { ParsedNode, YAMLMap, YAMLSeq } from "yaml";
import type { Json } from "../../model/json.ts";
import { elementStyleOf } from "./element-style.ts";
import {
  indentAt,
  isFirstInLine,
  isLastInLine,
  lineEndIn,
  lineStartAt,
  nextLineAt,
  type Splice,
} from "./splice.ts";
import { flowElementText } from "./written-text.ts";

/** An entry between brackets or braces: its offsets, and that of the comma behind it. */
interface Entry {
  readonly start: number;
  readonly end: number;
  readonly comma: number | undefined;
}

/** Adds elements to a list in brackets and takes others out. */
export function flowListSplices(
  text: string,
  node: YAMLSeq.Parsed,
  removed: ReadonlySet<number>,
  added: readonly Json[],
): readonly Splice[] {
  const style = elementStyleOf(text, node.items);
  const written = added.map((element) => flowElementText(element, style));
  const entries = entriesOf(
    node,
    node.items.map((item) => [item.range[0], item]),
  );
  const last = entries.findLast((_, index) => !removed.has(index));
  const [start, end] = node.range;
  if (!last) return [replacedAll(text, { start, end, entries, written })];
  return [...cutsFor(text, entries, removed), ...additionsFor(text, { last, end, written })];
}

/** Takes entries out from between brackets or braces, of which some stay. */
export function cutsFor(
  text: string,
  entries: readonly Entry[],
  removed: ReadonlySet<number>,
): readonly Splice[] {
  const lastKept = entries.findLastIndex((_, index) => !removed.has(index));
  return entries.flatMap((entry, index): readonly Splice[] => {
    if (!removed.has(index)) return [];
    const end = entry.comma === undefined ? entry.end : entry.comma + 1;
    if (
      isFirstInLine(text, entry.start) &&
      isLastInLine(text, end) &&
      text[nextLineAt(text, end) - 1] === "\n"
    )
      return [{ start: lineStartAt(text, entry.start), end: nextLineAt(text, end), text: "" }];
    // Those at the end go with the comma before them, the others with the one behind.
    const before = entries[index - 1];
    if (index > lastKept && before) return [{ start: before.end, end: entry.end, text: "" }];
    return [{ start: entry.start, end: entries[index + 1]?.start ?? end, text: "" }];
  });
}

/** The entries of a collection in brackets or braces, with their commas. */
export function entriesOf(
  { srcToken }: YAMLSeq.Parsed | YAMLMap.Parsed,
  parts: readonly (readonly [start: number, value: ParsedNode])[],
): readonly Entry[] {
  const items = srcToken?.type === "flow-collection" ? srcToken.items : [];
  return parts.map(([start, value], index) => {
    const props = (items[index]?.start ?? []).find(({ type }) => type === "anchor" || type === "tag");
    const comma = (items[index + 1]?.start ?? []).find(({ type }) => type === "comma");
    return { start: props?.offset ?? start, end: value.range[1], comma: comma?.offset };
  });
}

interface WholeList {
  readonly start: number;
  readonly end: number;
  readonly entries: readonly Entry[];
  readonly written: readonly string[];
}

function replacedAll(text: string, { start, end, entries, written }: WholeList): Splice {
  const [first, last] = [entries[0], entries.at(-1)];
  const isOneLine = !text.slice(start, end).includes("\n");
  if (written.length === 0 || !isOneLine || !first || !last)
    return { start, end, text: `[${written.join(", ")}]` };
  return { start: first.start, end: last.end, text: written.join(", ") };
}

interface Addition {
  readonly last: Entry;
  /** Where the list ends. */
  readonly end: number;
  readonly written: readonly string[];
}

/** New elements stand behind the last one that stays: on lines of their own where the bracket is on one. */
function additionsFor(text: string, { last, end, written }: Addition): readonly Splice[] {
  if (written.length === 0) return [];
  const after = last.comma === undefined ? last.end : last.comma + 1;
  const line = nextLineAt(text, after);
  if (line >= end || !isLastInLine(text, after)) {
    return [{ start: last.end, end: last.end, text: written.map((each) => `, ${each}`).join("") }];
  }
  const indent = indentAt(text, last.start);
  const isCommaLast = last.comma !== undefined;
  const lines = written.join(`,${lineEndIn(text)}${indent}`);
  return [
    ...(isCommaLast ? [] : [{ start: last.end, end: last.end, text: "," }]),
    { start: line, end: line, text: `${indent}${lines}${isCommaLast ? "," : ""}${lineEndIn(text)}` },
  ];
}
