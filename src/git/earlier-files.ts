/** Lists files in a directory's history: one version of every file that ever existed, or all versions of given files. */

import { type TreeEntry, typeOfMode } from "./tree.ts";
import { outputOf } from "./fault.ts";
import { textsOf } from "./git.ts";

/** Returns every file that has existed below a directory in HEAD's history, in the version that was last added or deleted. */
export async function earlierFiles(dir: string): Promise<readonly TreeEntry[]> {
  const files = new Map<string, TreeEntry>();
  for await (const entry of loggedFiles(dir, "AD")) if (!files.has(entry.path)) files.set(entry.path, entry);
  return [...files.values()];
}

/** Returns every version of the given files in HEAD's history. Paths are relative to the directory. */
export async function earlierVersions(dir: string, paths: readonly string[]): Promise<readonly TreeEntry[]> {
  if (paths.length === 0) return [];
  const sought = new Set(paths);
  const versions = new Map<string, TreeEntry>();
  for await (const entry of loggedFiles(dir, "AM"))
    if (sought.has(entry.path)) versions.set(`${entry.id} ${entry.path}`, entry);
  return [...versions.values()];
}

/** Yields the file of each change of the given types, as of the change or, if it deletes the file, before it; newest first. */
async function* loggedFiles(dir: string, types: "AD" | "AM"): AsyncGenerator<TreeEntry> {
  // If `log.showSignature` were enabled, git would print signatures between the entries.
  const log = ["-c", "log.showSignature=false", "log", "--format=", `--diff-filter=${types}`];
  const form = ["--raw", "-z", "--no-renames", "--no-abbrev", "--relative"];
  const texts = textsOf(await outputOf(dir, [...log, ...form, "--", "."]));
  // For each change, git prints an entry such as `:100644 000000 <id before> <id after> D`, and then a path.
  for (let at = 0; at + 1 < texts.length; at += 2) {
    const [line = "", path = ""] = texts.slice(at, at + 2);
    const [modeBefore = "", modeAfter = "", before = "", after = ""] = line.slice(1).split(" ");
    const [mode, id] = modeAfter === "000000" ? [modeBefore, before] : [modeAfter, after];
    yield { path, type: typeOfMode(mode), id };
  }
}
