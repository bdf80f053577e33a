import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { malformed } from "./answer.ts";

/** A value of a structured property. Dates, URNs and rich texts are texts. */
export type PropertyValue = string | number;

/** JSON Schema of a value. Beyond these bounds the last digits of a number would be lost. */
export const propertyValue: JsonObject = {
  type: ["string", "number"],
  minLength: 1,
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
};

/** A value as aspects store it (PrimitivePropertyValue.pdl). */
export function storedValue(value: PropertyValue): JsonObject {
  return typeof value === "number" ? { double: value } : { string: value };
}

/** A stored value. Throws `CatalogError` where it is none. */
export function valueIn(stored: Json | undefined): PropertyValue {
  const { double: number, string }: JsonObject = isJsonObject(stored) ? stored : {};
  // A text is a number that JavaScript cannot represent, digit by digit.
  if (typeof number === "number" || typeof number === "string") return number;
  if (typeof string === "string") return string;
  throw malformed("a value of a structured property", "is neither a number nor a text");
}
