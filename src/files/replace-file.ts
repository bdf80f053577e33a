/** Writes a file completely or not at all, by renaming a temporary file. Pipes and devices get the text directly. */

import { randomBytes } from "node:crypto";
import { constants, lstatSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FileError } from "./file-error.ts";
import { linkOutside } from "./links.ts";

/** Only the owner can read and write the file. */
const onlyOwner = 0o600;

/** Options for writing a file. */
export interface WriteOptions {
  /** The new file's permissions. By default, only its owner can read and write it. */
  readonly mode?: number;
  /** Whether to wait until the bytes are on the disk. That is too slow for thousands of files that can be created again. */
  readonly isSynced?: boolean;
}

/**
 * Writes a file at an absolute path. If that fails, the previous file remains. A pipe or device gets the text directly. Throws
 * `FileError` if the file is a link or a link above it leads out of its repository, and file system errors.
 */
export async function replaceFile(
  path: string,
  text: string | Iterable<string>,
  { mode = onlyOwner, isSynced = true }: WriteOptions = {},
): Promise<void> {
  const found = isOpen(path) ? undefined : lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) throw new FileError("link", "it is a link; use its target, or remove it");
  if (linkOutside(dirname(path)) !== undefined) throw new FileError("link-outside");
  if (isOpen(path) || (found && !found.isFile() && !found.isDirectory())) await append(path, text);
  else await writeThenRename(path, text, { mode, isSynced });
}

// The system links these paths to files that this process has open.
function isOpen(path: string): boolean {
  return /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/.test(path);
}

async function append(path: string, text: string | Iterable<string>): Promise<void> {
  await using(await open(path, constants.O_WRONLY | constants.O_APPEND), (handle) => writeText(handle, text));
}

async function writeThenRename(
  path: string,
  text: string | Iterable<string>,
  { mode, isSynced }: Required<WriteOptions>,
): Promise<void> {
  const temporary = join(dirname(path), `.datahub-gitops-${randomBytes(8).toString("hex")}.tmp`);
  // With a random name and `wx`, this cannot open a link that another user created.
  const file = await open(temporary, "wx", mode);
  try {
    await using(file, async (handle) => {
      await writeText(handle, text);
      if (isSynced) await handle.sync();
    });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeText(handle: FileHandle, text: string | Iterable<string>): Promise<void> {
  for (const piece of typeof text === "string" ? [text] : text) await handle.writeFile(piece);
}

async function using(handle: FileHandle, use: (handle: FileHandle) => Promise<void>): Promise<void> {
  try {
    await use(handle);
  } finally {
    await handle.close();
  }
}
