/** Reads the source lines that messages quote. */

import { resolve } from "node:path";
import { readContainedFile } from "../../files/read-file.ts";
import type { Origin } from "../../model/origin.ts";

/** The maximum number of cached files. Problems are sorted by file, so a small cache is enough. */
const maxFiles = 8;

/**
 * Returns a function that reads the source line at a position. The function never throws. It returns `undefined` if the line
 * cannot be read.
 */
export function sourceLines(cwd: string): (origin: Origin) => string | undefined {
  const files = new Map<string, readonly string[]>();
  return ({ file, line }) => {
    let lines = files.get(file);
    if (!lines) {
      const [oldest] = files.keys();
      if (files.size >= maxFiles && oldest !== undefined) files.delete(oldest);
      lines = linesOf(resolve(cwd, file));
      files.set(file, lines);
    }
    return lines[line - 1];
  };
}

function linesOf(path: string): readonly string[] {
  try {
    const text = readContainedFile(path).toString("utf8");
    return (text.startsWith("\uFEFF") ? text.slice(1) : text)
      .split("\n")
      .map((line) => line.replace(/\r$/, ""));
  } catch {
    return [];
  }
}
