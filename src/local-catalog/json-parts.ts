import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";

/** The text under a key, or null where there is none. */
export function textAt(value: JsonObject | undefined, key: string): string | null {
  const part = value?.[key];
  return typeof part === "string" ? part : null;
}

/** The number under a key, or null where there is none. */
export function numberAt(value: JsonObject | undefined, key: string): number | null {
  const part = value?.[key];
  return typeof part === "number" ? part : null;
}

/** The object under a key, or undefined where there is none. */
export function objectAt(value: JsonObject | undefined, key: string): JsonObject | undefined {
  const part = value?.[key];
  return isJsonObject(part) ? part : undefined;
}

/** The objects of the list under a key; empty where there is none. */
export function objectsAt(value: JsonObject | undefined, key: string): readonly JsonObject[] {
  return listAt(value, key).filter(isJsonObject);
}

/** The texts of the list under a key; empty where there is none. */
export function textsAt(value: JsonObject | undefined, key: string): readonly string[] {
  return listAt(value, key).filter((entry) => typeof entry === "string");
}

function listAt(value: JsonObject | undefined, key: string): readonly Json[] {
  const part = value?.[key];
  return Array.isArray(part) ? (part as readonly Json[]) : [];
}
