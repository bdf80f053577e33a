import type { Io } from "../io.ts";

/** Tells how far a long piece of work has come. */
export interface Progress {
  report(done: number, total: number): void;
  /** Removes the line again. */
  end(): void;
}

const barWidth = 20;

/** A progress line on stderr, drawn only on a terminal and not in CI. */
export function progressOf(label: string, io: Io, quiet: boolean): Progress {
  if (quiet || !io.stderr.isTTY || (io.env["CI"] ?? "") !== "") return { report: () => {}, end: () => {} };
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
