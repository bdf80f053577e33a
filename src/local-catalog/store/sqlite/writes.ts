/** Implements the store's writes and deletions in SQL. */

import { canonicalJson, type JsonObject } from "../../../model/json.ts";
import { objectAt, parseObject, stringAt } from "../../json.ts";
import type { AspectStore } from "../aspect-store.ts";
import type { Sqlite } from "./connection.ts";

/** Creates the store's `put`, which keeps earlier values as numbered versions. */
export function writer(database: Sqlite): AspectStore["put"] {
  const latest = database.prepare<[value: string, systemMetadata: string]>(
    "SELECT value, system_metadata FROM aspect WHERE urn = ? AND aspect = ? AND version = 0",
  );
  const archive = database.prepare(
    "UPDATE aspect SET version = ? WHERE urn = ? AND aspect = ? AND version = 0",
  );
  const insert = database.prepare("INSERT INTO aspect VALUES (?, ?, 0, ?, ?, ?, ?)");
  return (urn, aspect, value, { actor, time, systemMetadata }) =>
    database.transaction(() => {
      const before = latest.get(urn, aspect);
      const text = JSON.stringify(value);
      if (before && isSameJson(before[0], text, value)) return false;
      const metadataBefore = before && parseObject(before[1]);
      const writes = Number(stringAt(metadataBefore, "version") ?? 0);
      // The number of earlier writes is the next free version number in the history.
      if (before) archive.run(writes, urn, aspect);
      const aspectModified = { time, actor };
      const aspectCreated = objectAt(metadataBefore, "aspectCreated") ?? aspectModified;
      const own = { aspectCreated, aspectModified, version: String(writes + 1) };
      const metadata = JSON.stringify({ ...systemMetadata, ...own });
      insert.run(urn, aspect, text, metadata, time, actor);
      return true;
    });
}

/** Creates the store's delete operations, which keep the definitions of deleted structured properties. */
export function deletions(database: Sqlite) {
  const aspect = database.prepare("DELETE FROM aspect WHERE urn = ? AND aspect = ? RETURNING version");
  const entity = database.prepare<[version: number]>("DELETE FROM aspect WHERE urn = ? RETURNING version");
  const keepDefinition = database.prepare(
    "INSERT OR IGNORE INTO deleted_definition SELECT value FROM aspect WHERE urn = ? AND aspect = 'propertyDefinition'",
  );
  const definitions = database.prepare<[value: string]>("SELECT value FROM deleted_definition");
  return {
    deleteAspect: (urn, name) =>
      database.transaction(() => {
        if (name === "propertyDefinition") keepDefinition.run(urn);
        return aspect.all(urn, name).length > 0;
      }),
    deleteEntity: (urn) =>
      database.transaction(() => {
        keepDefinition.run(urn);
        return entity.all(urn).filter(([version]) => version === 0).length;
      }),
    deletedDefinitions: () => definitions.all().map(([value]) => parseObject(value)),
  } satisfies Partial<AspectStore>;
}

function isSameJson(before: string, text: string, value: JsonObject): boolean {
  return (
    before === text ||
    (before.length === text.length && canonicalJson(parseObject(before)) === canonicalJson(value))
  );
}
