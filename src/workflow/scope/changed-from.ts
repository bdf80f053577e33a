/** Finds the manifest files in the work tree that differ from a commit. */

import { join, resolve } from "node:path";
import { readRegularFile } from "../../files/read-file.ts";
import { catalogFiles, isHidden, isManifest, reasonOf } from "../../manifests/base/catalog-files.ts";
import { isSameContent } from "../../git/blob-id.ts";
import { type GitEntry, type TreeEntry, treeOf } from "../../git/tree.ts";
import { type WorkTreeEntry, workTreeOf } from "../../git/work-tree.ts";
import { forEachYielding } from "../../manifests/yaml/for-each-yielding.ts";
import { refuseLink } from "./base-files.ts";
import { mayHideManifests } from "./fault.ts";

/** The files in a directory that differ from a commit, including deleted files. */
export interface ChangedFiles {
  /** Absolute paths. */
  readonly files: ReadonlySet<string>;
  /** Whether a sparse work tree omits files. Omitted files count as unchanged and are not read. */
  readonly isSparse: boolean;
}

/**
 * Finds the files that differ from a commit. Includes all files behind links and in submodules. Throws `GitError` if git fails,
 * and `HistoryError` if the path to the directory contains a link in the repository.
 */
export async function changedFrom(
  dir: string,
  commit: string,
  { cwd }: { readonly cwd: string },
): Promise<ChangedFiles> {
  const root = resolve(cwd, dir);
  await refuseLink(root, cwd);
  const [before, now] = await Promise.all([treeOf(root, commit), workTreeOf(root)]);
  const entries = now.filter(({ path }) => !isHidden(path));
  const changed = await differing(root, before, entries);
  const isSparse = entries.some(({ path, isLeftOut }) => isLeftOut && isManifest(path));
  const behind = pathsBehind(root, entries.filter(mayHideManifests));
  return { files: new Set([...changed, ...behind].map((path) => join(root, path))), isSparse };
}

async function differing(
  root: string,
  before: readonly TreeEntry[],
  now: readonly WorkTreeEntry[],
): Promise<readonly string[]> {
  const old = new Map(before.filter(isFile).map((entry) => [entry.path, entry]));
  const leftOut = new Set(now.filter(({ isLeftOut }) => isLeftOut).map(({ path }) => path));
  const all = [...old.keys(), ...now.filter(isFile).map(({ path }) => path)];
  const paths = new Set(all.filter((path) => isManifest(path) && !isHidden(path)));
  const changed: string[] = [];
  await forEachYielding(paths, (path) => {
    if (!isSame(join(root, path), old.get(path), leftOut.has(path))) changed.push(path);
  });
  return changed;
}

function isFile({ type }: GitEntry): boolean {
  return type === "file";
}

function isSame(file: string, before: TreeEntry | undefined, isLeftOut: boolean): boolean {
  try {
    const bytes = readRegularFile(file);
    return before !== undefined && isSameContent(bytes, before);
  } catch (error) {
    const isDeleted = ["ENOENT", "ENOTDIR", "EISDIR"].includes(reasonOf(error));
    return isDeleted && (before === undefined || isLeftOut);
  }
}

/** Returns the paths of manifest files behind links, in submodules, or in other repositories. */
function pathsBehind(root: string, opaque: readonly WorkTreeEntry[]): readonly string[] {
  if (opaque.length === 0) return [];
  const paths = catalogFiles(root, root, new Set()).files.map(({ name }) => name);
  return paths.filter((name) => opaque.some(({ path }) => name === path || name.startsWith(`${path}/`)));
}
