import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { printableLine } from "../printable.ts";

/** The difference of two texts of a file in the unified format, for people: what could steer a terminal is replaced. */
export function unifiedDiff(name: string, before: string, after: string): string {
  const [older = "", newer = ""] = [before, after].map((text) => text.replaceAll("\r\n", "\n"));
  const patch = createTwoFilesPatch(`a/${name}`, `b/${name}`, older, newer, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
  return patch.split("\n").map(printableLine).join("\n");
}
