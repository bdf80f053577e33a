import { isScalar, type Scalar } from "yaml";
import type { Found } from "./find-value.ts";
import { contentEnd, indentAt, isLastInLine, lineEndIn, lineStartAt, type Splice } from "./splice.ts";
import { scalarText } from "./written-text.ts";

/** Writes a single value in the place of another one. `null` is written as `none`. */
export function scalarSplices(
  text: string,
  { map, pair, value: node }: Found,
  value: string | number | boolean | null,
): readonly Splice[] | undefined {
  if (!isScalar(node)) return undefined;
  const isBlock = node.type === "BLOCK_FOLDED" || node.type === "BLOCK_LITERAL";
  const [start, valueEnd] = node.range;
  const end = contentEnd(text, start, valueEnd);
  const comment = isBlock ? headerComment(node) : "";
  const hasComment = !isBlock && !isLineEnd(text, end);
  const inFlow = map.flow === true;
  const style = { type: node.type, isOneLine: inFlow || hasComment, inFlow };
  const [first = "", ...more] = (value === null ? "none" : scalarText(value, style)).split("\n");
  const eol = lineEndIn(text);
  const indent = " ".repeat(columnOf(text, pair.key.range[0]));
  const lines = more.map((line) => (line === "" ? "" : indent + line));
  return [{ start, end, text: [first + comment, ...lines].join(eol) }];
}

function headerComment({ srcToken }: Scalar): string {
  const props = srcToken?.type === "block-scalar" ? srcToken.props : [];
  const found = props.find(({ type }) => type === "comment");
  return found && "source" in found ? ` ${found.source}` : "";
}

function isLineEnd(text: string, at: number): boolean {
  return isLastInLine(text, at) && !/^[ \t]*#/.test(text.slice(at));
}

// In a list the first key stands behind a dash.
function columnOf(text: string, key: number): number {
  const start = lineStartAt(text, key);
  return Math.max(key - start, indentAt(text, key).length);
}
