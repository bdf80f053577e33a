import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isHidden, mayLeadToManifests } from "../manifests/catalog-files.ts";
import { git, type GitAnswer, textsOf } from "./git.ts";
import { isOpaque, type TreeEntry, typeOfMode } from "./commit.ts";
import { type Fault, outputOr } from "./fault.ts";

/** What git knows of a part of its work tree; paths are relative to the directory that was asked about. */
export interface WorkTree {
  /** Files that are tracked, there or not, or untracked and not ignored. */
  readonly paths: readonly string[];
  /** Tracked files that a sparse work tree leaves out. */
  readonly leftOut: ReadonlySet<string>;
  /** Links, submodules and other repositories that may lead to manifests. */
  readonly opaque: readonly string[];
}

interface Entry extends Pick<TreeEntry, "path" | "type"> {
  readonly isLeftOut?: boolean;
}

/** Asks git what it knows of the work tree below a directory. */
export async function workTreeOf(root: string): Promise<WorkTree | Fault> {
  const [tracked, untracked] = await Promise.all([
    listed(git(root, ["ls-files", "-z", "-t", "-s"]), trackedOf),
    listed(git(root, ["ls-files", "-z", "--others", "--exclude-standard"]), (path) =>
      untrackedOf(root, path),
    ),
  ]);
  if ("fault" in tracked) return tracked;
  if ("fault" in untracked) return untracked;
  const seen = [...tracked.entries, ...untracked.entries].filter(({ path }) => !isHidden(path));
  return {
    paths: seen.filter(({ type }) => type === "file").map(({ path }) => path),
    leftOut: new Set(seen.filter(({ isLeftOut }) => isLeftOut).map(({ path }) => path)),
    opaque: seen.filter(isOpaque).map(({ path }) => path),
  };
}

async function listed(
  answer: Promise<GitAnswer>,
  read: (line: string) => Entry,
): Promise<{ readonly entries: readonly Entry[] } | Fault> {
  const found = outputOr(await answer);
  return "fault" in found ? found : { entries: textsOf(found.output).map(read) };
}

// `H 100644 5716ca5987cbf97d6bb54920bea6adde242d87e6 0<tab>tags.yaml`, with `S` for a file that is left out.
function trackedOf(line: string): Entry {
  const tab = line.indexOf("\t");
  const [tag, mode = ""] = line.slice(0, tab).split(" ");
  return { path: line.slice(tab + 1), type: typeOfMode(mode), isLeftOut: tag === "S" };
}

// Another repository is listed as a folder, `other/`, without what stands in it.
function untrackedOf(root: string, path: string): Entry {
  if (path.endsWith("/")) return { path: path.slice(0, -1), type: "submodule" };
  return { path, type: mayLeadToManifests(path) && isLink(join(root, path)) ? "link" : "file" };
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
