import { accessSync, constants, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalCatalogError } from "../errors.ts";
import { openSqlite, sqliteCode, type Sqlite } from "./sqlite.ts";

/** The name of the database file in a data directory. */
export const databaseName = "catalog.db";

/** A data directory that this process holds alone. */
export interface DataDirectory {
  readonly databaseFile: string;
  readonly tokenFile: string;
  /** Lets another process have it. */
  release(): void;
}

/**
 * Makes the directory where it is missing and takes it for this process. The lock is an open transaction on a
 * database of its own, so the operating system frees it when the process ends, also by `kill -9`, and the
 * catalog's own database stays readable to others.
 * @throws LocalCatalogError when the directory cannot be made or written, or another process holds it.
 */
export function openDataDirectory(directory: string): DataDirectory {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // SQLite would only say that it cannot open a file.
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(directory, error);
  }
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

/** The error for a data directory that cannot be read or written. */
export function unusable(directory: string, cause: unknown): LocalCatalogError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new LocalCatalogError(
    `The data directory ${directory} cannot be used (${reason}). Give one that you may write to, with --data DIR.`,
    { cause },
  );
}

// The token is in it, and the default directory stands in the user's repository.
function writeGitignore(directory: string): void {
  try {
    writeFileSync(join(directory, ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw unusable(directory, error);
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
    if (sqliteCode(error)?.startsWith("SQLITE_BUSY") !== true) throw unusable(directory, error);
    throw new LocalCatalogError(
      `The data directory ${directory} is in use by another process. Stop that one, or give another with --data DIR.`,
    );
  }
}
