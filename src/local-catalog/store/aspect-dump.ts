import { existsSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../model/json.ts";
import { databaseName } from "./data-directory.ts";
import { LocalCatalogError } from "../errors.ts";
import { openSqlite } from "./sqlite.ts";

/** One stored version of one aspect. Version 0 is the latest, 1 the oldest, as in DataHub's table of aspects. */
export interface AspectRow {
  readonly urn: string;
  readonly aspect: string;
  readonly version: number;
  readonly value: JsonObject;
}

/**
 * Every stored version of every aspect in a data directory, sorted by URN, aspect and version. Reads beside a
 * running catalog, and sees all that it has acknowledged.
 * @throws LocalCatalogError when the directory holds no catalog.
 */
export function dumpAspects(dataDir: string): readonly AspectRow[] {
  const file = join(dataDir, databaseName);
  // To open a database that is not there would make one.
  if (!existsSync(file)) throw new LocalCatalogError(`${dataDir} holds no catalog.`);
  const database = openSqlite(file);
  const rows = database
    .prepare<[string, string, number, string]>(
      "SELECT urn, aspect, version, value FROM aspect ORDER BY urn, aspect, version",
    )
    .all();
  database.close();
  return rows.map(([urn, aspect, version, value]) => ({
    urn,
    aspect,
    version,
    value: JSON.parse(value) as JsonObject,
  }));
}
