/** Writes files atomically by renaming a temporary file. Writes directly to pipes and devices. */

import { randomBytes } from "node:crypto";
import { constants, lstatSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FileError } from "./file-error.ts";
import { linkOutside } from "./links.ts";

/** The file mode that allows only the owner to read and write a file. */
const onlyOwner = 0o600;

/** Options for writing a file. */
export interface WriteOptions {
  /** The new file's permissions. By default, only the file's owner can read and write it. */
  readonly mode?: number;
  /** Whether to wait until the data is on disk. Waiting is too slow for thousands of files that can be regenerated. */
  readonly isSynced?: boolean;
}

/**
 * Writes a file at an absolute path. If writing fails, the previous file is kept. Writes directly to a pipe or device. Throws
 * `FileError` if the path is a link, or if a parent directory is a link that leads out of the repository. Throws a system error
 * if writing fails.
 */
export async function replaceFile(
  path: string,
  text: string | Iterable<string>,
  { mode = onlyOwner, isSynced = true }: WriteOptions = {},
): Promise<void> {
  const found = isOpen(path) ? undefined : lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink())
    throw new FileError("link", "it is a symbolic link; specify its target instead, or remove the link");
  if (linkOutside(dirname(path)) !== undefined) throw new FileError("link-outside");
  if (isOpen(path) || (found && !found.isFile() && !found.isDirectory())) await append(path, text);
  else await writeThenRename(path, text, { mode, isSynced });
}

// Whether a path refers to a file that this process already has open, such as `/dev/stdout`.
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
  // The random name and the `wx` flag prevent writing through a link that another user created.
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
