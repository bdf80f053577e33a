/** Finds the line and column of an offset in the text of a file. */

import { LineCounter } from "yaml";
import type { Origin } from "../../model/origin.ts";

/** A text with a lookup of line and column by offset. */
export interface Source {
  readonly file: string;
  readonly text: string;
  originAt(offset: number): Origin;
}

/** Creates a source, which builds its table of lines at the first lookup. */
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
