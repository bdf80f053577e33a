/** Implements the store's reads in SQL. */

import { parseObject, stringAt } from "../../json.ts";
import type { AspectStore, StoredAspect, VisitAspect } from "../aspect-store.ts";
import type { Sqlite } from "./connection.ts";

const storedColumns = "value, system_metadata, created_on, created_by";
type StoredColumns = [value: string, systemMetadata: string, createdOn: number, createdBy: string];

const latestOfUrn = "FROM aspect WHERE urn = ? AND version = 0";
const latestOfAspect = "FROM aspect WHERE urn = ? AND aspect = ? AND version = 0";

/** Creates the read operations for a single entity. */
export function readsOfOne(database: Sqlite) {
  const latest = database.prepare<StoredColumns>(`SELECT ${storedColumns} ${latestOfAspect}`);
  const has = database.prepare<[number]>(`SELECT 1 ${latestOfAspect}`);
  const valueAt = database.prepare<[string]>(
    "SELECT value FROM aspect WHERE urn = ? AND aspect = ? AND version = ?",
  );
  const all = database.prepare<[aspect: string, ...StoredColumns]>(
    `SELECT aspect, ${storedColumns} ${latestOfUrn} ORDER BY aspect`,
  );
  const names = database.prepare<[string]>(`SELECT aspect ${latestOfUrn} ORDER BY aspect`);
  return {
    latest(urn, aspect) {
      const row = latest.get(urn, aspect);
      return row && storedAspect(row);
    },
    storedValue(urn, aspect) {
      const row = valueAt.get(urn, aspect, 0);
      return row && parseObject(row[0]);
    },
    has: (urn, aspect) => has.get(urn, aspect) !== undefined,
    valueAt(urn, aspect, version) {
      const row = valueAt.get(urn, aspect, version);
      return row && parseObject(row[0]);
    },
    latestOf: (urn) => new Map(all.all(urn).map(([aspect, ...stored]) => [aspect, storedAspect(stored)])),
    aspectNames: (urn) => names.all(urn).map(([aspect]) => aspect),
  } satisfies Partial<AspectStore>;
}

/** An aspect's latest value, with its URN and aspect name. */
export type ValueRow = [urn: string, aspect: string, value: string];

/** Creates the read operations that fetch many entities in one query. */
export function readsOfMany(database: Sqlite) {
  const listed = database.prepare<ValueRow>(
    "SELECT urn, aspect, value FROM aspect WHERE urn IN (SELECT value FROM json_each(?))" +
      " AND aspect IN (SELECT value FROM json_each(?)) AND version = 0",
  );
  const under = database.prepare<ValueRow>(
    "SELECT urn, aspect, value FROM aspect WHERE urn >= ? AND urn < ? AND aspect = ? AND version = 0 ORDER BY urn",
  );
  // SQLite answers this query from the index alone, without reading rows.
  const urnsUnder = database.prepare<[string]>(
    "SELECT urn FROM aspect WHERE urn >= ? AND urn < ? AND aspect = ? AND version = 0 ORDER BY urn",
  );
  return {
    eachLatest(urns, aspects, visit) {
      visitAll(listed.all(JSON.stringify(urns), JSON.stringify(aspects)), visit);
    },
    eachLatestUnder(prefix, aspect, visit) {
      visitAll(under.all(prefix, successor(prefix), aspect), visit);
    },
    urnsUnder: (prefix, aspect) => urnsUnder.all(prefix, successor(prefix), aspect).map(([urn]) => urn),
  } satisfies Partial<AspectStore>;
}

function storedAspect([value, systemMetadata, time, actor]: StoredColumns): StoredAspect {
  const metadata = parseObject(systemMetadata);
  return {
    value: parseObject(value),
    systemMetadata: { ...metadata, version: stringAt(metadata, "version") ?? "0" },
    created: { time, actor },
  };
}

/** Calls `visit` with the parsed value of each row. */
export function visitAll(rows: readonly ValueRow[], visit: VisitAspect): void {
  for (const [urn, aspect, value] of rows) visit(urn, aspect, parseObject(value));
}

/** Returns the first string that sorts after all strings that start with `prefix`. */
function successor(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
