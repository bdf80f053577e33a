import { GitError, outputOf, unreadable } from "./fault.ts";
import type { LineSince } from "./line.ts";
import { contentOf, type GitObject, objectOf } from "./objects.ts";

/** A file, link or submodule of a commit; `path` is relative to the directory that was asked about, with `/`. */
export interface TreeEntry {
  readonly path: string;
  readonly type: "file" | "link" | "submodule";
  readonly id: string;
}

/** An entry of one tree: one of a `TreeEntry`, or another tree. */
interface Entry extends Omit<TreeEntry, "type"> {
  readonly mode: string;
}

/** What git keeps under a mode. */
export function typeOfMode(mode: string): TreeEntry["type"] {
  return mode === "120000" ? "link" : mode === "160000" ? "submodule" : "file";
}

/** All entries below a directory in a commit; none where the commit has no such directory. Throws `GitError`. */
export async function treeOf(dir: string, commit: string): Promise<readonly TreeEntry[]> {
  const root = await rootOf(dir, commit);
  return root === undefined ? [] : await below(dir, root);
}

/** A file of a commit with its content. */
interface CommittedFile {
  readonly entry: TreeEntry;
  readonly bytes: Buffer;
}

/** A file of a directory in a commit; `undefined` where the commit has no such file, or a link in its place. */
export async function fileAt(
  dir: string,
  commit: string,
  name: string,
): Promise<{ readonly file: CommittedFile | undefined; readonly isLink?: boolean }> {
  const root = await rootOf(dir, commit);
  const found =
    root === undefined ? undefined : (await entriesOf(dir, root)).find(({ path }) => path === name);
  if (!found || isTree(found)) return { file: undefined, isLink: found !== undefined };
  const entry = leafOf(found);
  if (entry.type !== "file") return { file: undefined, isLink: true };
  const [bytes] = await blobsOf(dir, [entry]);
  return { file: bytes && { entry, bytes } };
}

/** The contents of files of a commit, in their order, as they were committed. */
export async function blobsOf(dir: string, files: readonly TreeEntry[]): Promise<readonly Buffer[]> {
  return await Promise.all(files.map(async ({ id, path }) => (await read(dir, id, "blob", path)).bytes));
}

/** What a commit changed below a directory, compared with the one before it on the line. */
export interface CommitChanges {
  readonly commit: string;
  /** The files, links and submodules that it has otherwise, as it has them. */
  readonly changed: readonly TreeEntry[];
  /** The paths that it no longer has. */
  readonly removed: readonly string[];
}

/** What each commit of a line, or of one file, changed below a directory since the one before; the first since the fork. */
export async function changesOn(
  dir: string,
  { fork, later }: LineSince,
  file?: string,
): Promise<readonly CommitChanges[]> {
  if (later.length === 0) return [];
  const roots = await Promise.all([fork, ...later].map((commit) => rootOf(dir, commit)));
  const changes: CommitChanges[] = [];
  for (const [index, commit] of later.entries()) {
    const found: { changed: TreeEntry[]; removed: string[] } = { changed: [], removed: [] };
    await compare(dir, { before: roots[index], after: roots[index + 1], prefix: "", file }, found);
    changes.push({ commit, ...found });
  }
  return changes;
}

interface Compared {
  /** The ids of two trees; `undefined` for none. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly prefix: string;
  /** The only name in them that is looked at. */
  readonly file?: string | undefined;
}

/** Adds how a tree differs from an earlier one. Of trees that are the same nothing is read. */
async function compare(
  dir: string,
  { before, after, prefix, file }: Compared,
  found: { readonly changed: TreeEntry[]; readonly removed: string[] },
): Promise<void> {
  if (before === after) return;
  const [old, now] = await Promise.all([before, after].map((id) => entriesOf(dir, id, prefix)));
  const isSeen = ({ path }: Entry): boolean => file === undefined || path === file;
  const earlier = new Map(old?.filter(isSeen).map((entry) => [entry.path, entry]));
  for (const entry of now?.filter(isSeen) ?? []) {
    const was = earlier.get(entry.path);
    earlier.delete(entry.path);
    if (was?.id === entry.id && was.mode === entry.mode) continue;
    const trees = { before: was && treeId(was), after: treeId(entry), prefix: `${entry.path}/` };
    await compare(dir, trees, found);
    if (!isTree(entry)) found.changed.push(leafOf(entry));
    else if (was && !isTree(was)) found.removed.push(was.path);
  }
  for (const entry of earlier.values()) {
    if (isTree(entry))
      await compare(dir, { before: entry.id, after: undefined, prefix: `${entry.path}/` }, found);
    else found.removed.push(entry.path);
  }
}

function treeId(entry: Entry): string | undefined {
  return isTree(entry) ? entry.id : undefined;
}

/** The id of the tree of a directory in a commit; `undefined` where the commit has no such directory. */
async function rootOf(dir: string, commit: string): Promise<string | undefined> {
  const tree = await objectOf(dir, `${commit}:./`);
  if ("id" in tree) return tree.type === "tree" ? tree.id : undefined;
  // That a tree is missing is not that the commit has no such directory: git itself fails for the former.
  await outputOf(dir, ["ls-tree", commit]);
  return undefined;
}

async function below(dir: string, tree: string, prefix = ""): Promise<readonly TreeEntry[]> {
  const entries = await entriesOf(dir, tree, prefix);
  const parts = entries.map(async (entry) =>
    isTree(entry) ? await below(dir, entry.id, `${entry.path}/`) : [leafOf(entry)],
  );
  return (await Promise.all(parts)).flat();
}

function isTree({ mode }: Entry): boolean {
  return mode === "40000";
}

function leafOf({ path, mode, id }: Entry): TreeEntry {
  return { path, type: typeOfMode(mode), id };
}

/** The entries of a tree; none where there is no tree. */
async function entriesOf(dir: string, tree: string | undefined, prefix = ""): Promise<readonly Entry[]> {
  if (tree === undefined) return [];
  const { id: treeName, bytes } = await read(dir, tree, "tree", prefix === "" ? "." : prefix);
  const idLength = treeName.length / 2;
  const entries: Entry[] = [];
  // `100644 tags.yaml`, a zero byte, and the id in bytes.
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

async function read(dir: string, id: string, type: string, path: string): Promise<GitObject> {
  const found = await contentOf(dir, id);
  if ("id" in found && found.type === type) return found;
  throw new GitError(unreadable(`the object ${id} of ${path} is missing`));
}
