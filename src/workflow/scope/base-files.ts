/**
 * Compares the manifest files in a commit with the current files, reads declarations from commits, and rejects links and sparse
 * work trees.
 */

import { join, resolve } from "node:path";
import { readRegularFile } from "../../files/read-file.ts";
import { displayName, isHidden, isManifest } from "../../manifests/base/catalog-files.ts";
import { settingsFiles } from "../../manifests/documents/desired-state.ts";
import type { PathFilter } from "../../manifests/settings/environments.ts";
import { blobsOf, type TreeEntry, treeOf } from "../../git/tree.ts";
import { isSameContent } from "../../git/blob-id.ts";
import { linkInPath } from "../../git/commit.ts";
import { sparsePaths } from "../../git/work-tree.ts";
import { type Collected, emptyCollection } from "../../manifests/base/collected.ts";
import { readManifestFile } from "../../manifests/documents/manifest.ts";
import { isError } from "../../model/problem.ts";
import { forEachYielding } from "../../manifests/yaml/for-each-yielding.ts";
import { yamlIn } from "../../manifests/yaml/yaml-file.ts";
import type { EnvironmentSettings } from "./environment-files.ts";
import { HistoryError, mayHideManifests } from "./fault.ts";
import type { Location } from "./repository.ts";
import type { FileIds, Desired } from "../../manifests/base/desired.ts";

/** The manifest files in a commit: the names of unchanged files, and the changed files. */
export interface BaseFiles {
  readonly unchanged: ReadonlySet<string>;
  readonly changed: readonly BaseFile[];
}

/** A manifest file in a commit, with its current path and its name in messages. The path may no longer exist. */
export interface BaseFile extends TreeEntry {
  readonly file: string;
  readonly name: string;
}

/** The current manifests. Files that have not changed since a commit are not parsed again. */
export interface CurrentManifests extends EnvironmentSettings {
  readonly declared: Desired;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Compares the manifest files in a commit with the current files. Throws `GitError` if git fails, and `HistoryError` if some
 * files cannot be determined.
 */
export async function baseFiles(commit: string, part: PathFilter, now: CurrentManifests): Promise<BaseFiles> {
  const { root, cwd } = now;
  await refuseLink(root, cwd);
  const entries = await treeOf(root, commit);
  if (entries.length === 0) throw new HistoryError({ fault: "without-catalog", dir: displayName(root, cwd) });
  // Files behind a link may belong to any environment.
  const inPart = entries.filter((entry) => mayHideManifests(entry) || part(entry.path));
  const files = await comparedWith(now, manifestFiles(inPart, now));
  await requireCompleteWorkTree(files.changed, now);
  return files;
}

/** Compares files like `baseFiles`, but ignores files behind links and submodules, and files that a sparse work tree omits. */
export async function knownBaseFiles(
  commit: string,
  part: PathFilter,
  now: CurrentManifests,
): Promise<BaseFiles> {
  const { root, cwd, declared } = now;
  await refuseLink(root, cwd);
  const { unchanged, changed } = await comparedWith(now, knownFiles(await treeOf(root, commit), part, now));
  if (!changed.some(({ name }) => isDeleted(name, declared))) return { unchanged, changed };
  const sparse = await sparsePaths(root);
  const isLeftOut = ({ name, path }: BaseFile): boolean => isDeleted(name, declared) && sparse.has(path);
  return { unchanged, changed: changed.filter((file) => !isLeftOut(file)) };
}

async function comparedWith(now: CurrentManifests, files: readonly BaseFile[]): Promise<BaseFiles> {
  const trusted = filesWithoutErrors(now.declared);
  const unchanged = new Set<string>();
  const changed: BaseFile[] = [];
  await forEachYielding(
    files,
    (file) => {
      if (trusted.has(file.name) && isUnchanged(file, now.declared)) unchanged.add(file.name);
      else changed.push(file);
    },
    now.signal,
  );
  return { unchanged, changed };
}

/** Whether a file no longer exists in any environment. */
export function isDeleted(name: string, { names, others }: Desired): boolean {
  return !names.has(name) && !others.has(name);
}

/** Throws `HistoryError` if the path to the directory contains a link in the repository. */
export async function refuseLink(root: string, cwd: string): Promise<void> {
  const link = await linkInPath(root);
  if (link === undefined) return;
  throw new HistoryError({ fault: "link", file: displayName(link, cwd), what: "link" });
}

/**
 * Returns the manifest files in a commit. Throws `HistoryError` for a link or submodule, because the commit does not contain its
 * target.
 */
export function manifestFiles(entries: readonly TreeEntry[], now: CurrentManifests): readonly BaseFile[] {
  const files = manifestEntries(entries, now);
  const opaque = files.find(mayHideManifests);
  if (opaque) throw new HistoryError({ fault: "link", file: opaque.name, what: opaque.type });
  return files;
}

/** Returns the manifest files in a commit that a filter accepts. Ignores links and submodules. */
export function knownFiles(
  entries: readonly TreeEntry[],
  part: PathFilter,
  now: CurrentManifests,
): readonly BaseFile[] {
  const isKnown = (entry: TreeEntry): boolean => !mayHideManifests(entry) && part(entry.path);
  return manifestEntries(entries.filter(isKnown), now);
}

/** Returns the manifest files in a commit, and the links and submodules that may lead to manifests. */
function manifestEntries(
  entries: readonly TreeEntry[],
  { root, cwd, settings }: CurrentManifests,
): readonly BaseFile[] {
  const skip = settingsFiles(root, { cwd, settings });
  return entries
    .filter((entry) => !isHidden(entry.path) && (isManifest(entry.path) || mayHideManifests(entry)))
    .map((entry) => ({ ...entry, file: join(root, entry.path) }))
    .filter(({ file }) => !skip.has(file))
    .map((entry) => ({ ...entry, name: displayName(entry.file, cwd) }));
}

/** Returns the names of the files that contain no errors. All declarations in these files are known. */
export function filesWithoutErrors({ names, problems }: Desired): ReadonlySet<string> {
  const broken = new Set(problems.filter(isError).map(({ origin }) => origin?.file));
  return new Set([...names].filter((name) => !broken.has(name)));
}

/** Whether a file from a commit is unchanged. Does not use git's index, which can mark changed files as unchanged. */
export function isUnchanged(entry: BaseFile, { ids }: FileIds): boolean {
  if (ids.get(entry.name) === entry.id) return true;
  try {
    return isSameContent(readRegularFile(entry.file), entry);
  } catch {
    return false;
  }
}

/** Throws `HistoryError` if files are missing only because the work tree is sparse. Their declarations still exist. */
export async function requireCompleteWorkTree(
  files: readonly BaseFile[],
  { root, declared }: CurrentManifests,
): Promise<void> {
  const deleted = files.filter(({ name }) => isDeleted(name, declared));
  if (deleted.length === 0) return;
  const leftOut = await sparsePaths(root);
  const sparse = deleted.filter(({ path }) => leftOut.has(path));
  const [first] = sparse;
  if (first) throw new HistoryError({ fault: "sparse", file: first.name, count: sparse.length });
}

/** Reads the declarations in the given files from commits. */
export async function readDeclarations(
  files: readonly BaseFile[],
  { root, signal }: CurrentManifests,
): Promise<Collected> {
  const blobs = await blobsOf(root, files);
  const collected = emptyCollection(true);
  await forEachYielding(
    blobs.entries(),
    ([index, bytes]) => readManifestFile(yamlIn(files[index]?.name ?? "", bytes), collected),
    signal,
  );
  return collected;
}

/** Returns the current manifests of a repository in the form that comparisons with commits need. */
export function currentManifests(
  { cwd, directory, settingsFile: settings, environment }: Location,
  declared: Desired,
  signal?: AbortSignal,
): CurrentManifests {
  return { root: resolve(cwd, directory), cwd, settings, environment, declared, signal };
}
