/** Converts aspect values to the format in which the catalog stores them. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";

const avroPackage = /^com\.linkedin\.pegasus2avro\./;

/** Removes the package `pegasus2avro`, which occurs only in metadata files, from a class name. */
export function protocolClassName(className: string): string {
  return className.replace(avroPackage, "com.linkedin.");
}

/**
 * Returns an aspect's value with the class names that the protocol uses, and without nulls, which DataHub's model does not
 * support.
 */
export function normalizeAspect(value: JsonObject): JsonObject {
  const parts: [string, Json][] = [];
  for (const [key, part] of Object.entries(value)) {
    if (part !== undefined && part !== null) parts.push([protocolClassName(key), normalize(part)]);
  }
  return Object.fromEntries(parts);
}

function normalize(value: Json): Json {
  if (isJsonList(value)) return value.map(normalize);
  return isJsonObject(value) ? normalizeAspect(value) : value;
}
