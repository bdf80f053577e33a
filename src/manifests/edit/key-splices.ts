import type { Found } from "./find-value.ts";
import { cutsFor, entriesOf } from "./flow-list.ts";
import { contentEnd, isFirstInLine, lineStartAt, nextLineAt, type Splice } from "./splice.ts";

/** Takes a key out of a mapping. `undefined` where it is the only one, or stands in a line with something else. */
export function removedKeySplices(text: string, { map, pair, value }: Found): readonly Splice[] | undefined {
  if (map.items.length < 2) return undefined;
  const start = pair.key.range[0];
  if (map.flow === true) {
    const parts = map.items.map((each) => [each.key.range[0], each.value ?? each.key] as const);
    return cutsFor(text, entriesOf(map, parts), new Set([map.items.indexOf(pair)]));
  }
  if (!isFirstInLine(text, start)) return undefined;
  const end = contentEnd(text, start, value.range[1]);
  return [{ start: lineStartAt(text, start), end: nextLineAt(text, end), text: "" }];
}
