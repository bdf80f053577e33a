import { isMap, isScalar, type ParsedNode } from "yaml";
import type { ElementStyle } from "./written-text.ts";

/** How the elements of a list are written: a new one is written as the last one of its sort. */
export function elementStyleOf(text: string, items: readonly ParsedNode[]): ElementStyle {
  const scalar = items.findLast((item) => isScalar(item));
  const mapping = items.findLast((item) => isMap(item));
  const isQuoted = scalar?.type === "QUOTE_DOUBLE" || scalar?.type === "QUOTE_SINGLE";
  return {
    ...(isQuoted && { type: scalar.type }),
    isFlow: mapping === undefined || mapping.flow === true,
    isPadded: mapping?.flow !== true || text[mapping.range[0] + 1] === " ",
  };
}
