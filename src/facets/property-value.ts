/** Values of structured properties: their type, their schema, and the form in which aspects store them. */

import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { malformed } from "../model/answer.ts";

/** Dates, URNs and rich texts are texts. */
export type PropertyValue = string | number;

/** JSON Schema of a value. DataHub stores a number as a double (PrimitivePropertyValue.pdl). */
export const propertyValue: JsonObject = {
  type: ["string", "number"],
  minLength: 1,
  minimum: -Number.MAX_VALUE,
  maximum: Number.MAX_VALUE,
};

/** A value as aspects store it. */
export function storedValue(value: PropertyValue): JsonObject {
  return typeof value === "number" ? { double: value } : { string: value };
}

/** Reads a stored value. Throws `CatalogError` if it is malformed. */
export function readStoredValue(stored: Json | undefined): PropertyValue {
  const { double: number, string }: JsonObject = isJsonObject(stored) ? stored : {};
  // The JSON parser keeps large integers as texts of digits. They are doubles all the same.
  if (typeof number === "number" || typeof number === "string") return Number(number);
  if (typeof string === "string") return string;
  throw malformed("a value of a structured property", "is neither a number nor a text");
}
