/** Lists all stored versions of all aspects. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../model/json.ts";
import { databaseName } from "./data-directory.ts";
import { LocalCatalogError } from "../errors.ts";
import { parseObject } from "../json.ts";
import { openSqlite, type Sqlite } from "./sqlite/connection.ts";

/** One stored version of one aspect. Version 0 is the latest and 1 the oldest, as in DataHub's aspect table. */
export interface AspectRow {
  readonly urn: string;
  readonly aspect: string;
  readonly version: number;
  readonly value: JsonObject;
}

/**
 * Lists all versions of all aspects in a data directory, sorted by URN, aspect and version. If a running catalog uses the
 * directory, the list includes all writes that the catalog has acknowledged.
 * @throws LocalCatalogError when the directory does not contain a catalog.
 */
export function dumpAspects(dataDir: string): readonly AspectRow[] {
  const file = join(dataDir, databaseName);
  // Opening a nonexistent database would create it.
  if (!existsSync(file)) throw new LocalCatalogError(`${dataDir} does not contain a catalog.`);
  const database = openSqlite(file);
  const rows = aspectsIn(database);
  database.close();
  return rows;
}

/** Lists all versions of all aspects in a catalog's database, sorted by URN, aspect and version. */
export function aspectsIn(database: Sqlite): readonly AspectRow[] {
  const rows = database
    .prepare<[string, string, number, string]>(
      "SELECT urn, aspect, version, value FROM aspect ORDER BY urn, aspect, version",
    )
    .all();
  return rows.map(([urn, aspect, version, value]) => ({ urn, aspect, version, value: parseObject(value) }));
}
