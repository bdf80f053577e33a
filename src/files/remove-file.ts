import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { FileError } from "./file-error.ts";
import { linkOutside } from "./links.ts";

/** Removes a file or link by its absolute path. Throws `FileError` behind a link out of its repository, and errors of the system. */
export async function removeFile(path: string): Promise<void> {
  if (linkOutside(dirname(path)) !== undefined) throw new FileError("link-outside");
  await rm(path);
}
