import { existsSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../model/text/error-text.ts";
import { FileError } from "./file-error.ts";
import { linkOutside } from "./links.ts";

/**
 * Creates a file by its absolute path, with its directories, unless something exists there. Returns whether it was created.
 * Throws `FileError` behind a link out of its repository, and errors of the system.
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

/** Makes a directory by its absolute path, and those above it. Throws `FileError` behind a link out of its repository. */
export async function makeDirectory(directory: string): Promise<void> {
  if (linkOutside(nearestExisting(directory)) !== undefined) throw new FileError("link-outside");
  await mkdir(directory, { recursive: true });
}

/** The nearest directory above a path, or at it, that exists. */
export function nearestExisting(directory: string): string {
  const parent = dirname(directory);
  return existsSync(directory) || parent === directory ? directory : nearestExisting(parent);
}
