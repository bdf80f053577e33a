/** Reads directories and files from commits, and lists the changes in each commit. */

import { GitError, outputOf, unreadable } from "./fault.ts";
import type { LineSince } from "./commits-since.ts";
import { type GitObject, objectOf } from "./objects.ts";

/** A file, link or submodule. `path` is relative to the directory that was read, with `/` as the separator. */
export interface GitEntry {
  readonly path: string;
  readonly type: "file" | "link" | "submodule";
}

/** A file, link or submodule in a commit. */
export interface TreeEntry extends GitEntry {
  readonly id: string;
}

/** An entry in a tree object. The entry can itself be a tree. */
interface Entry extends Omit<TreeEntry, "type"> {
  readonly mode: string;
}

/** Returns the entry type for a git file mode. */
export function typeOfMode(mode: string): TreeEntry["type"] {
  return mode === "120000" ? "link" : mode === "160000" ? "submodule" : "file";
}

/**
 * Returns all entries below a directory in a commit; empty if the commit has no such directory. Throws `GitError` if git fails.
 */
export async function treeOf(dir: string, commit: string): Promise<readonly TreeEntry[]> {
  return await below(dir, await rootOf(dir, commit));
}

interface CommittedFile {
  readonly entry: TreeEntry;
  readonly bytes: Buffer;
}

/**
 * Returns a file from a directory in a commit. `file` is `undefined` if the commit has no such file, or has a link or a directory
 * in its place.
 */
export async function fileAt(
  dir: string,
  commit: string,
  name: string,
): Promise<{ readonly file: CommittedFile | undefined; readonly isLink?: boolean }> {
  const found = entriesIn(await rootOf(dir, commit)).find(({ path }) => path === name);
  if (!found || isTree(found)) return { file: undefined, isLink: found !== undefined };
  const entry = leafOf(found);
  if (entry.type !== "file") return { file: undefined, isLink: true };
  const [bytes] = await blobsOf(dir, [entry]);
  return { file: bytes && { entry, bytes } };
}

/** Returns the committed contents of the given files, in the same order. */
export async function blobsOf(dir: string, files: readonly TreeEntry[]): Promise<readonly Buffer[]> {
  return await Promise.all(files.map(async (file) => (await read(dir, file, "blob")).bytes));
}

/** A commit's changes below a directory, relative to the previous commit. */
export interface CommitChanges {
  readonly commit: string;
  /** The new and changed files, links and submodules, as of this commit. */
  readonly changed: readonly TreeEntry[];
  readonly removed: readonly string[];
}

/**
 * Returns the changes that each of the `later` commits makes below a directory, or only its changes to `file` if given. The first
 * commit is compared with `fork`.
 */
export async function changesOn(
  dir: string,
  { fork, later }: LineSince,
  file?: string,
): Promise<readonly CommitChanges[]> {
  if (later.length === 0) return [];
  const isSeen = ({ path }: Entry): boolean => file === undefined || path === file;
  const changes: CommitChanges[] = [];
  let before = await rootOf(dir, fork);
  for (const commit of later) {
    const after = await rootOf(dir, commit);
    const found: { changed: TreeEntry[]; removed: string[] } = { changed: [], removed: [] };
    if (before?.id !== after?.id)
      await compare(dir, entriesIn(before).filter(isSeen), entriesIn(after).filter(isSeen), found);
    changes.push({ commit, ...found });
    before = after;
  }
  return changes;
}

/** Adds the differences between two lists of tree entries to `found`. Does not read subtrees that are equal. */
async function compare(
  dir: string,
  before: readonly Entry[],
  after: readonly Entry[],
  found: { readonly changed: TreeEntry[]; readonly removed: string[] },
): Promise<void> {
  const earlier = new Map(before.map((entry) => [entry.path, entry]));
  const entriesBelow = async (entry: Entry | undefined): Promise<readonly Entry[]> =>
    entry && isTree(entry) ? entriesIn(await read(dir, entry, "tree"), `${entry.path}/`) : [];
  for (const entry of after) {
    const was = earlier.get(entry.path);
    earlier.delete(entry.path);
    if (was?.id === entry.id && was.mode === entry.mode) continue;
    await compare(dir, await entriesBelow(was), await entriesBelow(entry), found);
    if (!isTree(entry)) found.changed.push(leafOf(entry));
    else if (was && !isTree(was)) found.removed.push(was.path);
  }
  for (const entry of earlier.values()) {
    await compare(dir, await entriesBelow(entry), [], found);
    if (!isTree(entry)) found.removed.push(entry.path);
  }
}

/** Returns the tree of a directory in a commit; `undefined` if the commit has no such directory. */
async function rootOf(dir: string, commit: string): Promise<GitObject | undefined> {
  const tree = await objectOf(dir, `${commit}:./`);
  if ("id" in tree) return tree.type === "tree" ? tree : undefined;
  // This command fails if the clone lacks the commit's tree. If the command succeeds, the commit has no such directory.
  await outputOf(dir, ["ls-tree", commit]);
  return undefined;
}

async function below(dir: string, tree: GitObject | undefined, prefix = ""): Promise<readonly TreeEntry[]> {
  const parts = entriesIn(tree, prefix).map(async (entry) =>
    isTree(entry) ? await below(dir, await read(dir, entry, "tree"), `${entry.path}/`) : [leafOf(entry)],
  );
  return (await Promise.all(parts)).flat();
}

function isTree({ mode }: Entry): boolean {
  return mode === "40000";
}

function leafOf({ path, mode, id }: Entry): TreeEntry {
  return { path, type: typeOfMode(mode), id };
}

function entriesIn(tree: GitObject | undefined, prefix = ""): readonly Entry[] {
  if (!tree) return [];
  const { id: name, bytes } = tree;
  const idLength = name.length / 2;
  const entries: Entry[] = [];
  // Each entry consists of text such as `100644 tags.yaml`, a zero byte, and the id as raw bytes.
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0, at);
    const named = bytes.toString("utf8", at, end);
    const space = named.indexOf(" ");
    const id = bytes.toString("hex", end + 1, end + 1 + idLength);
    entries.push({ mode: named.slice(0, space), path: `${prefix}${named.slice(space + 1)}`, id });
    at = end + 1 + idLength;
  }
  return entries;
}

async function read(dir: string, { id, path }: Entry | TreeEntry, type: string): Promise<GitObject> {
  const found = await objectOf(dir, id);
  if ("id" in found && found.type === type) return found;
  throw new GitError(unreadable(`the object ${id} of ${path} is missing`));
}
