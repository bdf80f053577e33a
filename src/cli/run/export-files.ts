import { dirname, join } from "node:path";
import { makeDirectory } from "../../files/create-file.ts";
import { removeFile } from "../../files/remove-file.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { displayName } from "../../manifests/catalog-files.ts";
import type { FileChange } from "../../manifests/edit/export/exported-files.ts";
import { unwritable } from "../errors.ts";

/** The names of the files of an export, by what became of them. */
export type WrittenFiles = Readonly<Record<FileChange["action"], string[]>>;

/** Changes the files of a catalog directory, and records each. Throws `RunError` for a file that cannot be written. */
export async function writeChange(
  change: FileChange,
  { root, cwd }: { readonly root: string; readonly cwd: string },
  written: WrittenFiles,
): Promise<void> {
  const path = join(root, change.name);
  try {
    if ("text" in change) {
      await makeDirectory(dirname(path));
      await replaceFile(path, change.text, { mode: 0o644, isSynced: false });
    } else if (change.action === "delete") await removeFile(path);
  } catch (error) {
    throw unwritable(displayName(path, cwd), error);
  }
  written[change.action].push(change.name);
}
