/** Determines whether a manifest can express a value that the catalog stores. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { isFields, isSameValue, type Member, type Scalar } from "../model/state.ts";
import { isUrn, type Urn } from "../model/urn.ts";
import type { Facet } from "./facet.ts";
import { isSameProse } from "./prose.ts";

/**
 * Whether a manifest can express a value: in manifest notation, it must match the schema of the facet, and must parse to the same
 * value. Values of facets without a schema, and references that are not URNs, are not checked and count as expressible.
 */
export function isExpressible(facet: Facet, urn: Urn, value: Member | Scalar): boolean {
  const { schema, refersTo, refusesItself, set } = facet;
  if (schema === undefined || value === null) return true;
  if (refusesItself === true && value === urn) return false;
  // DataHub stores references only as URNs, so any other value counts as expressible.
  if (refersTo.length > 0 && !namesEntity(value)) return true;
  const written = facet.written(value);
  if (!fits(schema, set ? [written] : written)) return false;
  const parsed = facet.parse(written);
  return "value" in parsed && (facet.isProse ? isSameProse : isSameValue)(parsed.value, value);
}

function namesEntity(value: Member | Scalar): boolean {
  return isUrn(value) || (isFields(value) && Object.values(value).some(isUrn));
}

/**
 * Validates a value against a schema. Supports only the keywords that facet schemas use. `src/manifests` validates complete
 * manifests.
 */
function fits(schema: JsonObject, value: Json): boolean {
  const { if: condition, then: fitting, else: other } = schema;
  if (isJsonObject(condition)) {
    const branch = fits(condition, value) ? fitting : other;
    if (isJsonObject(branch) && !fits(branch, value)) return false;
  }
  const { type, enum: names } = schema;
  if (type !== undefined && ![type].flat().some((each) => isOfType(value, each))) return false;
  if (isJsonList(names) && !names.includes(value)) return false;
  if (typeof value === "string") return fitsText(schema, value);
  if (typeof value === "number") return fitsNumber(schema, value);
  const { items, properties } = schema;
  if (isJsonList(value)) return !isJsonObject(items) || value.every((each) => fits(items, each));
  if (!isJsonObject(value) || !isJsonObject(properties)) return true;
  return Object.entries(properties).every(([field, own]) => {
    const part = value[field];
    return part === undefined || !isJsonObject(own) || fits(own, part);
  });
}

function isOfType(value: Json, type: Json | undefined): boolean {
  if (type === "array") return isJsonList(value);
  if (type === "object") return isJsonObject(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

function fitsText({ minLength = 0, pattern }: JsonObject, text: string): boolean {
  const isLongEnough = typeof minLength !== "number" || text.length >= minLength;
  return isLongEnough && (typeof pattern !== "string" || new RegExp(pattern, "u").test(text));
}

function fitsNumber({ minimum = -Infinity, maximum = Infinity }: JsonObject, number: number): boolean {
  return Number(minimum) <= number && number <= Number(maximum);
}
