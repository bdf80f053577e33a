import { randomBytes } from "node:crypto";
import { constants, lstatSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FileError } from "./file-error.ts";
import { linkOutside } from "./links.ts";

/** The mode of a file that only its owner can read. */
const onlyOwner = 0o600;

/** How a file is written. */
export interface FileWriting {
  /** Who may do what with it, where it is new or replaced; only its owner unless it says otherwise. */
  readonly mode?: number;
  /** Whether it is on the disk when this ends. For one of thousands that can be made again that takes too long. */
  readonly isSynced?: boolean;
}

/**
 * Writes a file by its absolute path. It is written beside and renamed, so that a failure keeps the file that was there; a pipe or
 * device gets the text as it is. Throws `FileError` for a link, and behind one out of its repository, and errors of the system.
 */
export async function replaceFile(
  path: string,
  text: string | Iterable<string>,
  { mode = onlyOwner, isSynced = true }: FileWriting = {},
): Promise<void> {
  const found = isOpen(path) ? undefined : lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) throw new FileError("link", "it is a link; name its target, or remove it");
  if (linkOutside(dirname(path)) !== undefined) throw new FileError("link-outside");
  if (isOpen(path) || (found && !found.isFile() && !found.isDirectory())) await append(path, text);
  else await writeThenRename(path, text, { mode, isSynced });
}

// Links of the system to what the process has open.
function isOpen(path: string): boolean {
  return /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/.test(path);
}

async function append(path: string, text: string | Iterable<string>): Promise<void> {
  await using(await open(path, constants.O_WRONLY | constants.O_APPEND), (handle) => writeText(handle, text));
}

async function writeThenRename(
  path: string,
  text: string | Iterable<string>,
  { mode, isSynced }: Required<FileWriting>,
): Promise<void> {
  const beside = join(dirname(path), `.datahub-gitops-${randomBytes(8).toString("hex")}.tmp`);
  // A new name cannot be a link that another user made.
  const file = await open(beside, "wx", mode);
  try {
    await using(file, async (handle) => {
      await writeText(handle, text);
      if (isSynced) await handle.sync();
    });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
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
