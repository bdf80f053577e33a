/** Prints the difference between two versions of a file as a unified diff. */

import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { printableLine } from "../printable.ts";

/** Prints a unified diff for users to read. Replaces control characters, and ignores differences in line endings. */
export function unifiedDiff(name: string, before: string, after: string): string {
  const [older = "", newer = ""] = [before, after].map((text) => text.replaceAll("\r\n", "\n"));
  const patch = createTwoFilesPatch(`a/${name}`, `b/${name}`, older, newer, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
  return patch.split("\n").map(printableLine).join("\n");
}
