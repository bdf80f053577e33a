/** Reads values of unknown types, such as parts of schemas, which Ajv types as `any`. */

import { isJsonObject, type JsonObject } from "../../model/json.ts";

/** Returns a value if it is a list; otherwise an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a value if it is a mapping; otherwise an empty mapping. */
export function mappingOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns a value if it is a number; otherwise `undefined`. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
