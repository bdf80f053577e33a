import type { AspectStore } from "../aspect-store.ts";
import type { Sqlite } from "./connection.ts";

/** The store's removals of references, which survive the end of the process. */
export function pendingRemovals(database: Sqlite) {
  const all = database.prepare<[urn: string, since: number, done: number]>(
    "SELECT urn, since, done FROM removal ORDER BY since, urn",
  );
  const keep = database.prepare("INSERT OR REPLACE INTO removal VALUES (?, ?, ?)");
  const end = database.prepare("DELETE FROM removal WHERE urn = ?");
  return {
    removals: () => all.all().map(([urn, since, done]) => ({ urn, since, done })),
    keepRemoval: ({ urn, since, done }) => keep.run(urn, since, done),
    endRemoval: (urn) => end.run(urn),
  } satisfies Partial<AspectStore>;
}
