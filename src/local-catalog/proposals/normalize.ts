import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";

const avroPackage = /^com\.linkedin\.pegasus2avro\./;

/** The name of a class as the wire has it; files write `pegasus2avro` into its package. */
export function wireClassName(className: string): string {
  return className.replace(avroPackage, "com.linkedin.");
}

/**
 * An aspect's value as it is stored: class names lose the `pegasus2avro` that only files have, and keys without
 * a value are dropped, since DataHub's own model knows no null.
 */
export function normalizeAspect(value: JsonObject): JsonObject {
  return plain(value) as JsonObject;
}

function plain(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(plain);
  if (!isJsonObject(value)) return value;
  const parts: [string, Json][] = [];
  for (const [key, part] of Object.entries(value)) {
    if (part !== undefined && part !== null) parts.push([wireClassName(key), plain(part)]);
  }
  return Object.fromEntries(parts);
}
