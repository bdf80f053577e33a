/** Reads a catalog's bearer token from its file, or creates the token and the file. */

import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { LocalCatalogError } from "../errors.ts";

/**
 * Returns the token from a file that only its owner can read. If the file is missing, creates it with a random token. Writes the
 * file atomically, so that an interrupted process does not leave an empty file.
 * @throws LocalCatalogError when the path is not a regular file, because a symbolic link could point to another user's file.
 */
export function loadOrCreateToken(file: string): string {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found && !found.isFile()) {
    throw new LocalCatalogError(
      `${file} is ${found.isSymbolicLink() ? "a symbolic link" : "not a regular file"}. Remove it.`,
    );
  }
  const kept = found ? readFileSync(file, "utf8").trim() : "";
  if (kept !== "") {
    chmodSync(file, 0o600);
    return kept;
  }
  const token = randomBytes(32).toString("hex");
  const draft = `${file}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${token}\n`, { mode: 0o600, flag: "wx" });
  renameSync(draft, file);
  return token;
}
