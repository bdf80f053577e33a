/** Removes a file, unless a link on its path leads out of its repository. */

import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { FileError } from "./file-error.ts";
import { linkOutside } from "./links.ts";

/**
 * Removes a file or link at an absolute path. Throws `FileError` if a link above it leads out of its repository, and file system
 * errors.
 */
export async function removeFile(path: string): Promise<void> {
  if (linkOutside(dirname(path)) !== undefined) throw new FileError("link-outside");
  await rm(path);
}
