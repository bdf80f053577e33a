/** Defines the values of structured properties: their type, their schema, and their format in aspects. */

import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { malformed } from "../model/answer.ts";

/** The value of a structured property. Dates, URNs and rich text are strings. */
export type PropertyValue = string | number;

/** The JSON Schema for a value. DataHub stores numbers as doubles (PrimitivePropertyValue.pdl). */
export const propertyValue: JsonObject = {
  type: ["string", "number"],
  minLength: 1,
  minimum: -Number.MAX_VALUE,
  maximum: Number.MAX_VALUE,
};

/** Converts a value to the format in which aspects store it. */
export function storedValue(value: PropertyValue): JsonObject {
  return typeof value === "number" ? { double: value } : { string: value };
}

/** Reads a stored value. Throws `CatalogError` if it is malformed. */
export function readStoredValue(stored: Json | undefined): PropertyValue {
  const { double: number, string }: JsonObject = isJsonObject(stored) ? stored : {};
  // The JSON parser keeps large integers as strings of digits, but these values are doubles.
  if (typeof number === "number" || typeof number === "string") return Number(number);
  if (typeof string === "string") return string;
  throw malformed("a value of a structured property", "is neither a number nor a string");
}
