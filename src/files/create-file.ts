/**
 * Creates files and directories, and finds the nearest existing ancestor of a path. Never overwrites a file or follows a link out
 * of a repository.
 */

import { existsSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../model/text/error-text.ts";
import { FileError } from "./file-error.ts";
import { linkOutside } from "./links.ts";

/**
 * Creates a file at an absolute path, and any missing parent directories, unless the path already exists. Returns whether the
 * file was created. Throws `FileError` if a link in the path leads out of its repository, or a system error if the file cannot be
 * created.
 */
export async function createFile(path: string, text: string): Promise<boolean> {
  await makeDirectory(dirname(path));
  const file = await open(path, "wx", 0o644).catch((error: unknown) => {
    if (errorCode(error) === "EEXIST") return undefined;
    throw error;
  });
  if (!file) return false;
  try {
    await file.writeFile(text);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return true;
}

/** Creates a directory and its parents. Throws `FileError` if a link in the path leads out of its repository. */
export async function makeDirectory(directory: string): Promise<void> {
  if (linkOutside(nearestExisting(directory)) !== undefined) throw new FileError("link-outside");
  await mkdir(directory, { recursive: true });
}

/** Returns the directory if it exists; otherwise returns its nearest existing ancestor. */
export function nearestExisting(directory: string): string {
  const parent = dirname(directory);
  return existsSync(directory) || parent === directory ? directory : nearestExisting(parent);
}
