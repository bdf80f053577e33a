/** Reads values within schemas safely, because Ajv types them as `any`. */

import { isJsonObject, type JsonObject } from "../../model/json.ts";

/** Returns a list in a schema; empty if there is none. */
export function listOf(part: unknown): readonly unknown[] {
  return Array.isArray(part) ? part : [];
}

/** Returns a mapping in a schema; empty if there is none. */
export function mappingOf(part: unknown): JsonObject {
  return isJsonObject(part) ? part : {};
}

/** Returns a number in a schema; `undefined` if there is none. */
export function numberOf(part: unknown): number | undefined {
  return typeof part === "number" ? part : undefined;
}
