/**
 * Creates files and directories, without overwriting a file or following a link out of a repository; finds a path's nearest
 * existing directory.
 */

import { existsSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../model/text/error-text.ts";
import { FileError } from "./file-error.ts";
import { linkOutside } from "./links.ts";

/**
 * Creates a file at an absolute path, with its directories, unless something exists there. Returns whether it created the file.
 * Throws `FileError` if a link on the path leads out of its repository, and file system errors.
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

/** Creates a directory and its parents. Throws `FileError` if a link on the path leads out of its repository. */
export async function makeDirectory(directory: string): Promise<void> {
  if (linkOutside(nearestExisting(directory)) !== undefined) throw new FileError("link-outside");
  await mkdir(directory, { recursive: true });
}

/** Returns the nearest existing directory, from this path upwards. */
export function nearestExisting(directory: string): string {
  const parent = dirname(directory);
  return existsSync(directory) || parent === directory ? directory : nearestExisting(parent);
}
