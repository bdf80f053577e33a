/** Converts offsets in a file's text to lines and columns. */

import { LineCounter } from "yaml";
import type { Origin } from "../../model/origin.ts";

/** A file's text, and a function that converts an offset to a line and column. */
export interface Source {
  readonly file: string;
  readonly text: string;
  originAt(offset: number): Origin;
}

/** Creates a source. The line table is built on the first lookup. */
export function sourceOf(file: string, text: string): Source {
  let lines: LineCounter | undefined;
  return {
    file,
    text,
    originAt: (offset) => {
      lines ??= linesOf(text);
      const { line, col } = lines.linePos(Math.min(Math.max(offset, 0), text.length));
      return { file, line, column: col };
    },
  };
}

function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines.addNewLine(at + 1);
  return lines;
}
