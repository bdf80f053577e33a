/** Defines structured property values: their type, their schema, and how aspects store them. */

import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { malformed } from "../model/answer.ts";

/** A property value. Dates, URNs and rich texts are strings. */
export type PropertyValue = string | number;

/** JSON Schema for a value. DataHub stores a number as a double (PrimitivePropertyValue.pdl). */
export const propertyValue: JsonObject = {
  type: ["string", "number"],
  minLength: 1,
  minimum: -Number.MAX_VALUE,
  maximum: Number.MAX_VALUE,
};

/** Converts a value to the structure that aspects store. */
export function storedValue(value: PropertyValue): JsonObject {
  return typeof value === "number" ? { double: value } : { string: value };
}

/** Reads a stored value. Throws `CatalogError` if it is malformed. */
export function readStoredValue(stored: Json | undefined): PropertyValue {
  const { double: number, string }: JsonObject = isJsonObject(stored) ? stored : {};
  // The JSON parser keeps large integers as texts of digits, but they are doubles.
  if (typeof number === "number" || typeof number === "string") return Number(number);
  if (typeof string === "string") return string;
  throw malformed("a value of a structured property", "is neither a number nor a text");
}
