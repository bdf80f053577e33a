/** Replaces an existing file's text, and keeps its permissions and the links to it. */

import { chmod, realpath, stat } from "node:fs/promises";
import { FileError } from "./file-error.ts";
import { linkOutside } from "./links.ts";
import { replaceFile } from "./replace-file.ts";

/**
 * Replaces the text of the file at an absolute path, or of a link's target. Throws `FileError` if a link leads out of its
 * repository or `root` or the file is not regular, and file system errors.
 */
export async function rewriteFile(path: string, text: string, root?: string): Promise<void> {
  if (linkOutside(path, root) !== undefined) throw new FileError("link-outside");
  const real = await realpath(path);
  const found = await stat(real);
  if (!found.isFile()) throw new FileError("no-regular-file");
  const mode = found.mode & 0o777;
  await replaceFile(real, text, { mode });
  // The user's umask may have removed permissions of the new file.
  await chmod(real, mode);
}
