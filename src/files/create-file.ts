import { existsSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../model/text/error-text.ts";
import { FileError } from "./file-error.ts";
import { linkOutside } from "./links.ts";

/**
 * Writes a file, given by its absolute path, and the directories on the way, where it is not there yet. Answers whether it
 * was written: what stands there stays, be it a file, a directory or a link. Throws `FileError` for a directory behind a
 * link that leads out of its repository, and the error of the system where the file cannot be written.
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
  if (linkOutside(standing(directory)) !== undefined) throw new FileError("link-outside");
  await mkdir(directory, { recursive: true });
}

/** The nearest directory, from one on upwards, that is there. */
export function standing(directory: string): string {
  const parent = dirname(directory);
  return existsSync(directory) || parent === directory ? directory : standing(parent);
}
