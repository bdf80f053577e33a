/** Indexes the URNs that aspects contain, and finds aspects by these URNs. */

import type { AspectStore } from "../aspect-store.ts";
import type { Sqlite } from "./connection.ts";
import { visitAll, type ValueRow } from "./reads.ts";

const lastRow = "(SELECT ifnull(max(rowid), 0) FROM aspect)";

/**
 * Finds aspects by the URNs that they contain. Each read updates the index first, so that writes do not have to. Entries are
 * never removed from the index, so each read filters out values that no longer contain the URN.
 */
export function referenceIndex(database: Sqlite) {
  createTables(database);
  const isBehind = database.prepare(`SELECT 1 FROM indexed_aspect WHERE last < ${lastRow}`);
  const add = database.prepare(
    `INSERT OR IGNORE INTO reference ${urnsIn("atom")} UNION ${urnsIn("key")} ORDER BY 1, 2, 3`,
  );
  const note = database.prepare(`UPDATE indexed_aspect SET last = ${lastRow}`);
  const containing = database.prepare<ValueRow>(
    "SELECT urn, aspect, value FROM reference JOIN aspect USING (urn, aspect)" +
      " WHERE target = ? AND version = 0 AND instr(value, ?) > 0 ORDER BY urn, aspect",
  );
  const catchUp = (): void =>
    database.transaction(() => {
      add.run();
      note.run();
    });
  return {
    eachContaining(urn, visit) {
      if (isBehind.get()) catchUp();
      visitAll(containing.all(urn, JSON.stringify(urn)), visit);
    },
  } satisfies Partial<AspectStore>;
}

// Each new value gets a higher row id than all existing values. SQLite reuses the last row's id after a deletion, so the trigger
// lowers the last indexed row id.
function createTables(database: Sqlite): void {
  database.exec(
    "CREATE TABLE IF NOT EXISTS reference (target TEXT NOT NULL, urn TEXT NOT NULL, aspect TEXT NOT NULL," +
      " PRIMARY KEY (target, urn, aspect)) WITHOUT ROWID;" +
      "CREATE TABLE IF NOT EXISTS indexed_aspect (last INTEGER NOT NULL);" +
      "INSERT INTO indexed_aspect SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM indexed_aspect);" +
      "CREATE TRIGGER IF NOT EXISTS aspect_deleted AFTER DELETE ON aspect BEGIN" +
      ` UPDATE indexed_aspect SET last = ${lastRow} WHERE last > ${lastRow}; END`,
  );
}

/** Builds a query for the URNs in values that are not indexed yet. Each row also contains the entity and the aspect. */
function urnsIn(column: "atom" | "key"): string {
  return (
    `SELECT node.${column}, urn, aspect FROM aspect, json_tree(aspect.value) AS node WHERE aspect.rowid > (SELECT last FROM indexed_aspect)` +
    ` AND version = 0 AND node.${column} LIKE 'urn:li:%'`
  );
}
