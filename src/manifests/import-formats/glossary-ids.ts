/** Computes the ids of glossary entries in the same way as DataHub's ingestion source. */

import { hash } from "node:crypto";

/** Returns the id for a path (metadata-ingestion/src/datahub/ingestion/source/metadata/business_glossary.py, create_id). */
export function idOfPath(path: string, enableAutoId: boolean): string {
  return enableAutoId || /[^\0-\x7F]/.test(path) ? hashedId(path) : cleanedId(path);
}

/** Returns the same id as DataHub's `clean_url`. */
function cleanedId(path: string): string {
  return path
    .replaceAll(" ", "-")
    .replace(/[^a-zA-Z0-9\-.]/g, "")
    .replace(/-+/g, "-")
    .replace(/\.+/g, ".")
    .replace(/^[-.]+|[-.]+$/g, "");
}

/**
 * Returns the same id as DataHub's `datahub_guid` (mce_builder.py): a hash of the path as JSON. Python escapes all non-ASCII
 * characters in JSON.
 */
function hashedId(path: string): string {
  const json = JSON.stringify({ path }).replace(
    /[\x7F-\uFFFF]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return hash("md5", json, "hex");
}
