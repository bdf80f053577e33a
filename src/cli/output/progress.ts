/** Shows a progress line on stderr. */

import type { Io } from "../io.ts";

/** The progress line for a long operation. */
export interface Progress {
  /** Shows how much is done. `undefined` if the line is not visible, so that callers send no requests only to count the total. */
  readonly report: ((done: number, total: number) => void) | undefined;
  /** Clears the progress line. */
  readonly end: () => void;
}

const barWidth = 20;

/** Creates a progress line, which is visible only on a terminal and not in CI. */
export function progressOf(label: string, io: Io, quiet: boolean): Progress {
  if (quiet || !io.stderr.isTTY || (io.env["CI"] ?? "") !== "") return { report: undefined, end: () => {} };
  let shown = "";
  return {
    report: (done, total) => {
      const filled = Math.round((barWidth * done) / Math.max(total, 1));
      const line = `${label} ${"█".repeat(filled)}${"░".repeat(barWidth - filled)} ${done}/${total}`;
      if (line === shown) return;
      shown = line;
      io.stderr.write(`\r\u001B[K${line.slice(0, io.stderr.columns - 1)}`);
    },
    end: () => {
      if (shown !== "") io.stderr.write("\r\u001B[K");
    },
  };
}
