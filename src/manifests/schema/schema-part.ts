import { isJsonObject, type JsonObject } from "../../model/json.ts";

// Ajv types what it hands out of a schema as `any`, so its parts are read with a check.

/** A list in a schema; empty where there is none. */
export function listOf(part: unknown): readonly unknown[] {
  return Array.isArray(part) ? part : [];
}

/** A mapping in a schema; empty where there is none. */
export function mappingOf(part: unknown): JsonObject {
  return isJsonObject(part) ? part : {};
}

/** A number in a schema. */
export function numberOf(part: unknown): number | undefined {
  return typeof part === "number" ? part : undefined;
}
