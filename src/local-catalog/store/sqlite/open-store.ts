/** Opens the aspect store in a database, sets the database up, and assembles the store's reads and writes. */

import type { AspectStore } from "../aspect-store.ts";
import type { Sqlite } from "./connection.ts";
import { readsOfMany, readsOfOne } from "./reads.ts";
import { referenceIndex } from "./reference-index.ts";
import { prepareDatabase } from "./schema.ts";
import { deletions, writer } from "./writes.ts";

/**
 * Opens the store in a database, and sets the database up if it is new. Closing the store closes the database.
 * @throws LocalCatalogError when a newer version of this program wrote the database.
 */
export function aspectStoreIn(database: Sqlite, newId: () => string): AspectStore {
  prepareDatabase(database, newId);
  const [id = ""] = database.prepare<[string]>("SELECT value FROM catalog WHERE key = 'id'").get() ?? [];
  return {
    id,
    ...readsOfOne(database),
    ...readsOfMany(database),
    ...referenceIndex(database),
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

/** Keeps unfinished reference removals in the database, so that they continue after a restart. */
function pendingRemovals(database: Sqlite) {
  const all = database.prepare<[urn: string, since: number, done: number, referrers: string]>(
    "SELECT urn, since, done, holders FROM reference_removal ORDER BY since, urn",
  );
  const keep = database.prepare("INSERT OR REPLACE INTO reference_removal VALUES (?, ?, ?, ?)");
  const end = database.prepare("DELETE FROM reference_removal WHERE urn = ?");
  return {
    removals: () =>
      all.all().map(([urn, since, done, referrers]) => ({
        urn,
        since,
        done,
        referrers: JSON.parse(referrers) as readonly string[],
      })),
    keepRemoval: ({ urn, since, done, referrers }) => keep.run(urn, since, done, JSON.stringify(referrers)),
    endRemoval: (urn) => end.run(urn),
  } satisfies Partial<AspectStore>;
}
