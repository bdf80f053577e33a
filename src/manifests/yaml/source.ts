import type { Origin } from "../../model/origin.ts";

/** The text of a file, with a lookup of line and column by offset. */
export interface Source {
  readonly file: string;
  readonly text: string;
  originAt(offset: number): Origin;
}

/** A source that builds its table of lines at the first lookup. */
export function sourceOf(file: string, text: string): Source {
  let starts: readonly number[] | undefined;
  return {
    file,
    text,
    originAt: (offset) => {
      starts ??= lineStarts(text);
      const line = lineOf(starts, Math.min(Math.max(offset, 0), text.length));
      return { file, line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
    },
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
