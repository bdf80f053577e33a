/** Reads parts of schemas, which Ajv types as `any`, with a check. */

import { isJsonObject, type JsonObject } from "../../model/json.ts";

/** A list in a schema; empty if there is none. */
export function listOf(part: unknown): readonly unknown[] {
  return Array.isArray(part) ? part : [];
}

/** A mapping in a schema; empty if there is none. */
export function mappingOf(part: unknown): JsonObject {
  return isJsonObject(part) ? part : {};
}

/** A number in a schema; `undefined` if there is none. */
export function numberOf(part: unknown): number | undefined {
  return typeof part === "number" ? part : undefined;
}
