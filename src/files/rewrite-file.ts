import { chmod, realpath, stat } from "node:fs/promises";
import { FileError } from "./file-error.ts";
import { linkOutside } from "./links.ts";
import { replaceFile } from "./replace-file.ts";

/**
 * Replaces the text of a file by its absolute path, and keeps its mode and a link to it. Throws `FileError` where a link leads out
 * of its repository or of `root`, and for anything but a regular file, and errors of the system.
 */
export async function rewriteFile(path: string, text: string, root?: string): Promise<void> {
  if (linkOutside(path, root) !== undefined) throw new FileError("link-outside");
  const real = await realpath(path);
  const found = await stat(real);
  if (!found.isFile()) throw new FileError("no-regular-file");
  const mode = found.mode & 0o777;
  await replaceFile(real, text, { mode });
  // What a new file may have is less where the user's mask says so.
  await chmod(real, mode);
}
