/** Reads the manifests in a catalog directory, changes its files, and counts the changes. */

import { dirname, join, resolve } from "node:path";
import { makeDirectory } from "../../files/create-file.ts";
import { removeFile } from "../../files/remove-file.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { blobId } from "../../git/blob-id.ts";
import { displayName } from "../../manifests/base/catalog-files.ts";
import { readDesired } from "../../manifests/documents/desired-state.ts";
import type { ExportDirectory, FileChange } from "../../manifests/edit/export/exported-files.ts";
import { pathFilter } from "../../manifests/settings/environments.ts";
import { errorCode } from "../../model/text/error-text.ts";
import { hasTrait, isError } from "../../model/problem.ts";
import type { Applied } from "../../plan/order/applied-entities.ts";
import { committedOf } from "../../workflow/scope/committed.ts";
import { ManifestError } from "../../workflow/scope/errors.ts";
import { readingOf, type Repository } from "../../workflow/scope/repository.ts";
import { count } from "../../report/count.ts";
import { UsageError, writing } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Desired } from "../../manifests/base/desired.ts";

/** File names, grouped by action. */
export type WrittenFiles = Readonly<Record<FileChange["action"], string[]>>;

/** Returns an empty record of written files. */
export function nothingWritten(): WrittenFiles {
  return { create: [], update: [], delete: [], unchanged: [], keep: [], skip: [] };
}

/** Prepares a catalog directory for an export. `applies` lists earlier applies, newest first. */
export async function directoryOf(
  repository: Repository,
  found: Desired,
  io: Io,
  applies: readonly Applied[] = [],
): Promise<Omit<ExportDirectory, "isNamed" | "force" | "isInScope" | "namesSchema">> {
  const { declarations, names, others } = found;
  return {
    root: resolve(io.cwd, repository.directory),
    cwd: io.cwd,
    declarations,
    names: new Set([...names, ...others]),
    isPart: pathFilter(repository.settings.paths),
    folder: folderOf(repository),
    ...(await committedOf(repository, found, io.interrupted, applies)),
  };
}

/**
 * Reads the desired state from a catalog directory, which may be missing or empty. Throws `ManifestError` if manifests are not
 * valid.
 */
export async function readExistingManifests(repository: Repository, io: Io): Promise<Desired> {
  const desired = await readDesired(repository.directory, {
    ...readingOf(repository),
    idOf: blobId,
    signal: io.interrupted,
  });
  if (desired.problems.some((problem) => isError(problem) && !hasTrait(problem, "no-manifest")))
    throw new ManifestError(desired.problems);
  return desired;
}

/** Returns the folder for the environment's new files. Throws `UsageError` if none of the environment's `paths` is a folder. */
function folderOf({ settings: { paths }, environment = "" }: Repository): string {
  if (!paths) return "";
  const [folder] = paths.flatMap(({ pattern }) => /^([^*]+\/)\*+$/.exec(pattern)?.[1] ?? []);
  if (folder !== undefined) return folder;
  throw new UsageError(
    `cannot determine where to write new files for the environment ${environment}, because none of its \`paths\` is a folder, such as ${environment}/*`,
  );
}

/**
 * Changes one file in a catalog directory, and records the change in `written`. Throws `RunError` if the file cannot be written.
 */
export async function writeChange(
  change: FileChange,
  { root, cwd }: { readonly root: string; readonly cwd: string },
  written: WrittenFiles,
): Promise<void> {
  const path = join(root, change.name);
  await writing(displayName(path, cwd), async () => {
    if ("text" in change) await writeText(path, change.text);
    else if (change.action === "delete") await removeFile(path);
  });
  written[change.action].push(change.name);
}

/** Writes a file. Creates the directory only if the first attempt fails, because most directories already exist. */
async function writeText(path: string, text: string): Promise<void> {
  const write = (): Promise<void> => replaceFile(path, text, { mode: 0o644, isSynced: false });
  try {
    await write();
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    await makeDirectory(dirname(path));
    await write();
  }
}

/** Returns the counts of written files, for the last line of a command's output. */
export function countsText(written: WrittenFiles): string {
  const removed = written.delete.length > 0 ? `${written.delete.length} removed, ` : "";
  const created = `${count(written.create.length, "file")} created`;
  return `${created}, ${written.update.length} updated, ${removed}${written.unchanged.length} unchanged`;
}
