/** Removes a file, unless a link in its path leads out of its repository. */

import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { FileError } from "./file-error.ts";
import { linkOutside } from "./links.ts";

/**
 * Removes a file or link at an absolute path. Throws `FileError` if a parent directory is a link that leads out of its
 * repository, or a system error if the removal fails.
 */
export async function removeFile(path: string): Promise<void> {
  if (linkOutside(dirname(path)) !== undefined) throw new FileError("link-outside");
  await rm(path);
}
