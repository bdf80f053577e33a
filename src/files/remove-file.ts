import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { FileError } from "./file-error.ts";
import { linkOutside } from "./links.ts";

/**
 * Removes a file, given by its absolute path; of a link the link. Throws `FileError` for a directory behind a link that leads
 * out of its repository, and the error of the system where it cannot be removed.
 */
export async function removeFile(path: string): Promise<void> {
  if (linkOutside(dirname(path)) !== undefined) throw new FileError("link-outside");
  await rm(path);
}
