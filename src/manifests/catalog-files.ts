import { readdirSync, realpathSync, statSync, type Dirent } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { compareText } from "../model/json.ts";
import type { Problem } from "../model/problem.ts";
import { errorAt, wholeOf } from "./problem.ts";

/** The files of a catalog directory, sorted by name, and what could not be looked into. */
export interface CatalogFiles {
  readonly files: readonly CatalogFile[];
  readonly problems: readonly Problem[];
}

export interface CatalogFile {
  /** Where it is. */
  readonly path: string;
  /** What it is called: relative to the working directory, with `/`. */
  readonly name: string;
}

interface Walk {
  readonly cwd: string;
  readonly skip: ReadonlySet<string>;
  readonly files: CatalogFile[];
  readonly problems: Problem[];
  /** Real paths of the folders that have been read: a link may lead to one of them. */
  readonly folders: Set<string>;
}

/** Every `.yaml` and `.yml` file below a directory but those to skip, links followed. */
export function catalogFiles(dir: string, cwd: string, skip: ReadonlySet<string>): CatalogFiles {
  const walk: Walk = { cwd, skip, files: [], problems: [], folders: new Set() };
  readRoot(walk, dir);
  return { files: walk.files.toSorted((a, b) => compareText(a.name, b.name)), problems: walk.problems };
}

/** How a path is named in messages. */
export function displayName(path: string, cwd: string): string {
  return (relative(cwd, path) || ".").split(sep).join("/");
}

/** The reason of a failed file operation, as the system names it: `ENOENT`, `EACCES`, … */
export function reasonOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" ? code : error instanceof Error ? error.message : String(error);
}

function readRoot(walk: Walk, dir: string): void {
  const name = displayName(dir, walk.cwd);
  try {
    if (statSync(dir).isDirectory()) readFolder(walk, dir, realpathSync(dir));
    else walk.problems.push(errorAt(wholeOf(name), "not-a-directory", { dir: name }));
  } catch (error) {
    const reason = reasonOf(error);
    walk.problems.push(
      reason === "ENOENT"
        ? errorAt(wholeOf(name), "no-directory", { dir: name })
        : errorAt(wholeOf(name), "unreadable", { reason }),
    );
  }
}

function readFolder(walk: Walk, path: string, real: string): void {
  if (walk.folders.has(real)) {
    walk.problems.push(
      errorAt(wholeOf(displayName(path, walk.cwd)), "repeated-folder", {
        target: displayName(real, walk.cwd),
      }),
    );
    return;
  }
  walk.folders.add(real);
  const entries = attempt(walk, path, () => readdirSync(path, { withFileTypes: true }));
  for (const entry of (entries ?? []).toSorted((a, b) => compareText(a.name, b.name))) {
    if (!entry.name.startsWith(".")) readEntry(walk, join(path, entry.name), join(real, entry.name), entry);
  }
}

function readEntry(walk: Walk, path: string, real: string, entry: Dirent): void {
  if (entry.isDirectory()) readFolder(walk, path, real);
  else if (entry.isSymbolicLink()) readLink(walk, path);
  else if (isManifest(path)) addFile(walk, path, entry.isFile());
}

// A link that leads nowhere may have led to a folder of manifests, unless its name says otherwise.
function readLink(walk: Walk, path: string): void {
  if (!isManifest(path) && extname(path) !== "") return;
  const target = attempt(walk, path, () => ({ real: realpathSync(path), stat: statSync(path) }));
  if (target?.stat.isDirectory()) readFolder(walk, path, target.real);
  else if (target && isManifest(path)) addFile(walk, path, target.stat.isFile());
}

// Reading a pipe or a device might never end.
function addFile(walk: Walk, path: string, isFile: boolean): void {
  if (walk.skip.has(path)) return;
  const name = displayName(path, walk.cwd);
  if (isFile) walk.files.push({ path, name });
  else walk.problems.push(errorAt(wholeOf(name), "no-regular-file"));
}

function isManifest(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

function attempt<Result>(walk: Walk, path: string, read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    walk.problems.push(
      errorAt(wholeOf(displayName(path, walk.cwd)), "unreadable", { reason: reasonOf(error) }),
    );
    return undefined;
  }
}
