/**
 * Compares the manifest files in a commit with the current files, reads declarations from commits, and rejects links and sparse
 * work trees.
 */

import { join } from "node:path";
import { readRegularFile } from "../../files/read-file.ts";
import { displayName, isHidden, isManifest } from "../../manifests/base/catalog-files.ts";
import { type ReadingOptions, settingsFiles } from "../../manifests/documents/desired-state.ts";
import type { PathFilter } from "../../manifests/settings/environments.ts";
import { blobsOf, type TreeEntry, treeOf } from "../../git/tree.ts";
import { isSameContent } from "../../git/blob-id.ts";
import { linkInPath } from "../../git/commit.ts";
import { sparsePaths } from "../../git/work-tree.ts";
import { type Collected, emptyCollection } from "../../manifests/base/collected.ts";
import { readManifestBytes } from "../../manifests/documents/manifest.ts";
import { isError } from "../../model/problem.ts";
import { forEachYielding } from "../../manifests/yaml/for-each-yielding.ts";
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
export interface CurrentManifests extends Omit<ReadingOptions, "paths" | "texts">, EnvironmentSettings {
  readonly declared: Desired;
}

/**
 * Compares the manifest files in a commit with the current files. Throws `GitError` if git fails, and `HistoryError` if some
 * files cannot be determined.
 */
export async function baseFiles(
  root: string,
  commit: string,
  part: PathFilter,
  now: CurrentManifests,
): Promise<BaseFiles> {
  const entries = await entriesIn(root, commit, now);
  if (entries.length === 0)
    throw new HistoryError({ fault: "without-catalog", dir: displayName(root, now.cwd) });
  const files = await comparedWith(now, manifestFiles(root, entries.filter(inPart(part)), now));
  await requireCompleteWorkTree(root, deletedOf(files, now));
  return files;
}

/** Compares files like `baseFiles`, but ignores files behind links and submodules, and files that a sparse work tree omits. */
export async function knownBaseFiles(
  root: string,
  commit: string,
  part: PathFilter,
  now: CurrentManifests,
): Promise<BaseFiles> {
  const entries = (await entriesIn(root, commit, now)).filter(inPart(part));
  const files = manifestEntries(root, entries, now).filter((entry) => !mayHideManifests(entry));
  const { unchanged, changed } = await comparedWith(now, files);
  const deleted = deletedOf({ changed }, now);
  const sparse = deleted.length > 0 ? await sparsePaths(root) : undefined;
  return { unchanged, changed: changed.filter(({ path }) => sparse?.has(path) !== true) };
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

function deletedOf(
  { changed }: { readonly changed: readonly BaseFile[] },
  { declared }: CurrentManifests,
): readonly BaseFile[] {
  return changed.filter(({ name }) => isDeleted(name, declared));
}

/** Whether a file no longer exists in any environment. */
export function isDeleted(name: string, { names, others }: Desired): boolean {
  return !names.has(name) && !others.has(name);
}

// Files behind a link may belong to any environment.
function inPart(part: PathFilter): (entry: TreeEntry) => boolean {
  return (entry) => mayHideManifests(entry) || part(entry.path);
}

async function entriesIn(
  root: string,
  commit: string,
  { cwd }: CurrentManifests,
): Promise<readonly TreeEntry[]> {
  await refuseLink(root, cwd);
  return await treeOf(root, commit);
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
export function manifestFiles(
  root: string,
  entries: readonly TreeEntry[],
  place: ReadingOptions,
): readonly BaseFile[] {
  const files = manifestEntries(root, entries, place);
  const opaque = files.find(mayHideManifests);
  if (opaque) throw new HistoryError({ fault: "link", file: opaque.name, what: opaque.type });
  return files;
}

/** Returns the manifest files in a commit, and the links and submodules that may lead to manifests. */
export function manifestEntries(
  root: string,
  entries: readonly TreeEntry[],
  { cwd, settings }: ReadingOptions,
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
  if (ids?.get(entry.name) === entry.id) return true;
  try {
    return isSameContent(readRegularFile(entry.file), entry);
  } catch {
    return false;
  }
}

/** Throws `HistoryError` if files are missing only because the work tree is sparse. Their declarations still exist. */
export async function requireCompleteWorkTree(root: string, deleted: readonly BaseFile[]): Promise<void> {
  if (deleted.length === 0) return;
  const leftOut = await sparsePaths(root);
  const sparse = deleted.filter(({ path }) => leftOut.has(path));
  const [first] = sparse;
  if (first) throw new HistoryError({ fault: "sparse", file: first.name, count: sparse.length });
}

/** Reads the declarations in the given files from commits. */
export async function readDeclarations(
  root: string,
  files: readonly BaseFile[],
  signal: AbortSignal | undefined,
): Promise<Collected> {
  const blobs = await blobsOf(root, files);
  const collected = emptyCollection(true);
  await forEachYielding(
    blobs.entries(),
    ([index, bytes]) => readManifestBytes(files[index]?.name ?? "", bytes, collected),
    signal,
  );
  return collected;
}

/** Returns the current manifests of a repository in the form that comparisons with commits need. */
export function currentManifests(
  { cwd, settingsFile, environment }: Location,
  declared: Desired,
  signal?: AbortSignal,
): CurrentManifests {
  return { cwd, settings: settingsFile, environment, declared, signal };
}
