import type { AspectStore } from "../aspect-store.ts";
import type { Sqlite } from "./connection.ts";

/** The store's removals of references, which survive the end of the process. */
export function pendingRemovals(database: Sqlite) {
  const all = database.prepare<[urn: string, since: number, done: number, holders: string]>(
    "SELECT urn, since, done, holders FROM reference_removal ORDER BY since, urn",
  );
  const keep = database.prepare("INSERT OR REPLACE INTO reference_removal VALUES (?, ?, ?, ?)");
  const end = database.prepare("DELETE FROM reference_removal WHERE urn = ?");
  return {
    removals: () =>
      all.all().map(([urn, since, done, holders]) => ({
        urn,
        since,
        done,
        holders: JSON.parse(holders) as readonly string[],
      })),
    keepRemoval: ({ urn, since, done, holders }) => keep.run(urn, since, done, JSON.stringify(holders)),
    endRemoval: (urn) => end.run(urn),
  } satisfies Partial<AspectStore>;
}
