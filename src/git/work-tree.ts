/** Lists a work tree's tracked and untracked files, and the paths that a sparse checkout excludes. */

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type GitEntry, typeOfMode } from "./tree.ts";
import { outputOf } from "./fault.ts";
import { textsOf } from "./git.ts";

/** A tracked or untracked entry that git does not ignore. A nested repository counts as a submodule. */
export interface WorkTreeEntry extends GitEntry {
  /** Whether the entry is tracked but excluded by a sparse checkout. */
  readonly isLeftOut: boolean;
}

/** Returns all entries below a directory, except the entries that git ignores. Throws `GitError` if git fails. */
export async function workTreeOf(root: string): Promise<readonly WorkTreeEntry[]> {
  const listing = ["ls-files", "-z", "-t", "-s", "--cached", "--others", "--exclude-standard"];
  return textsOf(await outputOf(root, listing)).map((line) => entryOf(root, line));
}

/** Returns the paths below a directory that are tracked but excluded by a sparse checkout. Throws `GitError` if git fails. */
export async function sparsePaths(dir: string): Promise<ReadonlySet<string>> {
  const lines = textsOf(await outputOf(dir, ["ls-files", "-z", "-t"]));
  return new Set(lines.filter((line) => line.startsWith("S ")).map((line) => line.slice("S ".length)));
}

function entryOf(root: string, line: string): WorkTreeEntry {
  if (!line.startsWith("? ")) return trackedOf(line);
  const path = line.slice("? ".length);
  // Git lists a nested repository as a directory, such as `other/`, without its content.
  if (path.endsWith("/")) return { path: path.slice(0, -1), type: "submodule", isLeftOut: false };
  const found = lstatSync(join(root, path), { throwIfNoEntry: false });
  return { path, type: found?.isSymbolicLink() ? "link" : "file", isLeftOut: false };
}

// Parses a line such as `H 100644 5716ca5987cbf97d6bb54920bea6adde242d87e6 0<tab>tags.yaml`. `S` instead of `H` marks a file that
// a sparse checkout excludes.
function trackedOf(line: string): WorkTreeEntry {
  const tab = line.indexOf("\t");
  const [tag, mode = ""] = line.slice(0, tab).split(" ");
  return { path: line.slice(tab + 1), type: typeOfMode(mode), isLeftOut: tag === "S" };
}
