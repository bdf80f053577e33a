import { open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../text/error-text.ts";
import { FileError } from "./file-error.ts";
import { linkOutside } from "./links.ts";

/**
 * Writes a file, given by its absolute path, that is not there yet: whether it was so. What stands there stays, be it a
 * file, a directory or a link. Throws `FileError` for a directory behind a link that leads out of its repository, and the
 * error of the system where the file cannot be written.
 */
export async function createFile(path: string, text: string): Promise<boolean> {
  if (linkOutside(dirname(path)) !== undefined) throw new FileError("link-outside");
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
