/** Replaces the text of an existing file. Keeps the file's permissions and the links to the file. */

import { chmod, realpath, stat } from "node:fs/promises";
import { FileError } from "./file-error.ts";
import { linkOutside } from "./links.ts";
import { replaceFile } from "./replace-file.ts";

/**
 * Replaces the text of the file at an absolute path. Follows links. Throws `FileError` if a link leads out of its repository or
 * out of `root`, or if the file is not regular. Throws a system error if writing fails.
 */
export async function rewriteFile(path: string, text: string, root?: string): Promise<void> {
  if (linkOutside(path, root) !== undefined) throw new FileError("link-outside");
  const real = await realpath(path);
  const found = await stat(real);
  if (!found.isFile()) throw new FileError("no-regular-file");
  const mode = found.mode & 0o777;
  await replaceFile(real, text, { mode });
  // The umask may have removed permissions from the new file.
  await chmod(real, mode);
}
