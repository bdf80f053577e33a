import { chmod, realpath, stat } from "node:fs/promises";
import { FileError } from "./file-error.ts";
import { linkOutside } from "./links.ts";
import { replaceFile } from "./replace-file.ts";

/**
 * Writes another text into a file that is there, given by its absolute path. Its mode stays, and a link to it, too. The text
 * is written beside it and renamed. Throws `FileError` where a link leads out of the repository that holds it, or out of
 * `root`, and for what is no regular file; and the error of the system where it cannot be written.
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
