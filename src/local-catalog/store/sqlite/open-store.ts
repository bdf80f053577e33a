import type { AspectStore } from "../aspect-store.ts";
import { openSqlite } from "./connection.ts";
import { readsOfMany, readsOfOne } from "./reads.ts";
import { prepareDatabase } from "./schema.ts";
import { pendingRemovals } from "./removals.ts";
import { deletions, writer } from "./writes.ts";

/**
 * Opens the store in a database file, creating it if it does not exist.
 * @throws LocalCatalogError when a newer version of this program wrote the file.
 */
export function openAspectStore(file: string, newId: () => string): AspectStore {
  const database = openSqlite(file);
  prepareDatabase(database, file, newId);
  const [id = ""] = database.prepare<[string]>("SELECT value FROM catalog WHERE key = 'id'").get() ?? [];
  return {
    id,
    ...readsOfOne(database),
    ...readsOfMany(database),
    put: writer(database),
    ...deletions(database),
    ...pendingRemovals(database),
    transaction: (work) => database.transaction(work),
    close() {
      database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
      database.close();
    },
  };
}
