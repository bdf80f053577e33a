/** Creates and locks a catalog's data directory, and rejects symbolic links that lead out of the repository. */

import { accessSync, constants, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nearestExisting } from "../../files/create-file.ts";
import { linkOutside } from "../../files/links.ts";
import { LocalCatalogError, messageOf } from "../errors.ts";
import { openSqlite, sqliteCode, type Sqlite } from "./sqlite/connection.ts";

/** The database file's name in a data directory. */
export const databaseName = "catalog.db";

/** A data directory that this process has locked. */
export interface DataDirectory {
  readonly databaseFile: string;
  readonly tokenFile: string;
  release(): void;
}

/**
 * Creates the directory if it does not exist, and locks it for this process. The lock is an open transaction on a separate
 * database. The operating system releases the lock when the process ends, even after `kill -9`, and other processes can still
 * read the catalog's database. Does not follow a symbolic link that leads out of the repository or `root`, or that replaces
 * a database file.
 * @throws LocalCatalogError when the directory cannot be created or written, when there is such a link, or when a different
 * process has locked the directory.
 */
export function openDataDirectory(directory: string, root?: string): DataDirectory {
  const link = linkOutside(nearestExisting(directory), root);
  if (link !== undefined) throw misled(directory, link);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // Checks the permissions first, because SQLite's error message would not state the cause.
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusableDirectoryError(directory, error);
  }
  refuseLinks(directory);
  const lock = takeLock(directory);
  writeGitignore(directory);
  return {
    databaseFile: join(directory, databaseName),
    tokenFile: join(directory, "token"),
    release() {
      lock.exec("ROLLBACK");
      lock.close();
    },
  };
}

/** Creates the error for a data directory that the process cannot read or write. */
export function unusableDirectoryError(directory: string, cause: unknown): LocalCatalogError {
  return new LocalCatalogError(
    `The data directory ${directory} cannot be used (${messageOf(cause)}). Use --data DIR to choose a writable one.`,
    { cause },
  );
}

function misled(directory: string, link: string): LocalCatalogError {
  return new LocalCatalogError(
    `The data directory ${directory} is not used, because the symbolic link ${link} points elsewhere. Remove the link, or use --data DIR to choose a different directory.`,
  );
}

// Rejects symbolic links in place of database files, because SQLite would follow them and write to their targets.
function refuseLinks(directory: string): void {
  const isDatabase = /^(?:catalog|lock)\.db/;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isSymbolicLink() && isDatabase.test(entry.name))
      throw misled(directory, join(directory, entry.name));
  }
}

// Keeps the token out of version control, because the directory is in the user's repository by default.
function writeGitignore(directory: string): void {
  try {
    writeFileSync(join(directory, ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isThere) throw unusableDirectoryError(directory, error);
  }
}

function takeLock(directory: string): Sqlite {
  let lock: Sqlite | undefined;
  try {
    lock = openSqlite(join(directory, "lock.db"));
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock?.close();
    if (sqliteCode(error)?.startsWith("SQLITE_BUSY") !== true) throw unusableDirectoryError(directory, error);
    throw new LocalCatalogError(
      `The data directory ${directory} is in use by another process. Stop that process, or use --data DIR to choose a different directory.`,
    );
  }
}
