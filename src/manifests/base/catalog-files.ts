/** Finds the manifest files in a catalog directory, formats their paths for messages, and reports files that cannot be read. */

import { readdirSync, realpathSync, statSync, type Dirent } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { FileError } from "../../files/file-error.ts";
import { linkOutside } from "../../files/links.ts";
import { maxInputBytes } from "../../files/read-file.ts";
import { compareText } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { errorCode, errorMessage } from "../../model/text/error-text.ts";
import { errorAt, fileOrigin } from "./problem.ts";

/** The files in a catalog directory, sorted by name, and the problems with unreadable files. */
export interface CatalogFiles {
  readonly files: readonly CatalogFile[];
  readonly problems: readonly Problem[];
}

/** A file or folder in a catalog directory. */
export interface CatalogFile {
  /** The path of the file on disk. */
  readonly path: string;
  /** The name for messages: the path relative to the working directory, with `/` as the separator. */
  readonly name: string;
}

interface Walk {
  readonly root: string;
  readonly cwd: string;
  readonly skip: ReadonlySet<string>;
  readonly files: CatalogFile[];
  readonly problems: Problem[];
  /** The real paths of all folders read so far, used to detect links that lead back to one of these folders. */
  readonly folders: Set<string>;
}

/** Finds every `.yaml` and `.yml` file below a directory, except files in `skip` and links that lead out of the repository. */
export function catalogFiles(dir: string, cwd: string, skip: ReadonlySet<string>): CatalogFiles {
  const walk: Walk = { root: dir, cwd, skip, files: [], problems: [], folders: new Set() };
  readRoot(walk);
  return { files: walk.files.toSorted((a, b) => compareText(a.name, b.name)), problems: walk.problems };
}

/** Returns the names of catalog files, as shown in messages. */
export function namesOf(files: readonly CatalogFile[]): ReadonlySet<string> {
  return new Set(files.map(({ name }) => name));
}

/** Returns a path as shown in messages: relative to the working directory, with `/` as the separator. */
export function displayName(path: string, cwd: string): string {
  return (relative(cwd, path) || ".").split(sep).join("/");
}

/**
 * Returns the reason for a failed file operation: the system's error code, such as `ENOENT` or `EACCES`, or the error message if
 * there is no code.
 */
export function reasonOf(error: unknown): string {
  return errorCode(error) ?? errorMessage(error);
}

/** Returns the problem for a file or folder that could not be read. */
export function unreadableProblem(name: string, error: unknown): Problem {
  const reason = reasonOf(error);
  if (!(error instanceof FileError)) return errorAt(fileOrigin(name), "unreadable", { reason });
  if (error.code === "too-large")
    return errorAt(fileOrigin(name), "too-large", { megabytes: maxInputBytes / 1e6 });
  return errorAt(fileOrigin(name), error.code === "link-outside" ? error.code : "no-regular-file", {});
}

function readRoot(walk: Walk): void {
  const { root: dir, cwd } = walk;
  const name = displayName(dir, cwd);
  try {
    if (linkOutside(dir) !== undefined) throw new FileError("link-outside");
    if (statSync(dir).isDirectory()) readFolder(walk, { path: dir, name }, realpathSync(dir));
    else walk.problems.push(errorAt(fileOrigin(name), "not-a-directory", { dir: name }));
  } catch (error) {
    walk.problems.push(
      reasonOf(error) === "ENOENT"
        ? errorAt(fileOrigin(name), "no-directory", { dir: name })
        : unreadableProblem(name, error),
    );
  }
}

function readFolder(walk: Walk, folder: CatalogFile, real: string): void {
  if (walk.folders.has(real)) {
    const target = displayName(real, walk.cwd);
    walk.problems.push(errorAt(fileOrigin(folder.name), "repeated-folder", { target }));
    return;
  }
  walk.folders.add(real);
  const entries = attempt(walk, folder, () => readdirSync(folder.path, { withFileTypes: true }));
  for (const entry of (entries ?? []).toSorted((a, b) => compareText(a.name, b.name))) {
    if (!entry.name.startsWith(".")) readEntry(walk, childOf(folder, entry.name), real, entry);
  }
}

function childOf(folder: CatalogFile, name: string): CatalogFile {
  return { path: join(folder.path, name), name: folder.name === "." ? name : `${folder.name}/${name}` };
}

function readEntry(walk: Walk, child: CatalogFile, real: string, entry: Dirent): void {
  if (entry.isDirectory()) readFolder(walk, child, join(real, entry.name));
  else if (entry.isSymbolicLink()) readLink(walk, child);
  else if (isManifest(entry.name)) addFile(walk, child, entry.isFile());
}

function readLink(walk: Walk, child: CatalogFile): void {
  const { path } = child;
  if (!mayLeadToManifests(path)) return;
  const target = attempt(walk, child, () => {
    if (linkOutside(path, walk.root) !== undefined) throw new FileError("link-outside");
    return { real: realpathSync(path), stat: statSync(path) };
  });
  if (target?.stat.isDirectory()) readFolder(walk, child, target.real);
  else if (target && isManifest(path)) addFile(walk, child, target.stat.isFile());
}

// Adds a regular file, and reports any other file. Reading from a pipe or a device might never end.
function addFile(walk: Walk, file: CatalogFile, isFile: boolean): void {
  if (walk.skip.has(file.path)) return;
  if (isFile) walk.files.push(file);
  else walk.problems.push(unreadableProblem(file.name, new FileError("no-regular-file")));
}

/** Whether a path has a manifest extension: `.yaml` or `.yml`. */
export function isManifest(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

/** Whether a link, judging by its name, may lead to a manifest or to a folder of manifests. The target does not have to exist. */
export function mayLeadToManifests(path: string): boolean {
  return isManifest(path) || extname(path) === "";
}

/** Whether a path below a catalog directory is ignored because one of its segments begins with a dot. The separator is `/`. */
export function isHidden(path: string): boolean {
  return path.split("/").some((part) => part.startsWith("."));
}

function attempt<Result>(walk: Walk, { name }: CatalogFile, read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    walk.problems.push(unreadableProblem(name, error));
    return undefined;
  }
}
