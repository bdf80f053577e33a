import { LocalCatalogError } from "../../errors.ts";
import type { Sqlite } from "./connection.ts";

const formatVersion = 1;

/**
 * Sets up the database: write-ahead logging, and the tables if it is new.
 * @throws LocalCatalogError when a newer version of this program wrote the file.
 */
export function prepareDatabase(database: Sqlite, file: string, newId: () => string): void {
  // In write-ahead mode NORMAL syncs at checkpoints only. A commit survives the end of the process, though it may not
  // survive a crash of the machine.
  database.prepare("PRAGMA journal_mode = WAL").get();
  database.exec("PRAGMA synchronous = NORMAL");
  const version = database.prepare<[number]>("PRAGMA user_version").get()?.[0] ?? 0;
  if (version > formatVersion)
    throw new LocalCatalogError(
      `${file} was written by a newer version of datahub-gitops. Use that version, or another data directory.`,
    );
  if (version < formatVersion) database.transaction(() => createTables(database, newId()));
}

function createTables(database: Sqlite, id: string): void {
  database.exec(
    "CREATE TABLE catalog (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;" +
      "CREATE TABLE aspect (urn TEXT NOT NULL, aspect TEXT NOT NULL, version INTEGER NOT NULL, value TEXT NOT NULL," +
      " system_metadata TEXT NOT NULL, created_on INTEGER NOT NULL, created_by TEXT NOT NULL," +
      " PRIMARY KEY (urn, aspect, version))",
  );
  database.prepare("INSERT INTO catalog VALUES ('id', ?)").run(id);
  database.exec(`PRAGMA user_version = ${formatVersion}`);
}
