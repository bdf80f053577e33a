/** Reads parts of schemas in a type-safe way, because Ajv types them as `any`. */

import { isJsonObject, type JsonObject } from "../../model/json.ts";

/** Returns a part of a schema if it is a list; otherwise an empty list. */
export function listOf(part: unknown): readonly unknown[] {
  return Array.isArray(part) ? part : [];
}

/** Returns a part of a schema if it is a mapping; otherwise an empty mapping. */
export function mappingOf(part: unknown): JsonObject {
  return isJsonObject(part) ? part : {};
}

/** Returns a part of a schema if it is a number; otherwise `undefined`. */
export function numberOf(part: unknown): number | undefined {
  return typeof part === "number" ? part : undefined;
}
