/** Building blocks of the JSON Schemas of plans and reports. */

import { plannedFacets } from "../../facets/index.ts";
import { kinds } from "../../kinds/index.ts";
import type { JsonObject } from "../../model/json.ts";

export const formatVersion: JsonObject = { const: "1" };
export const count: JsonObject = { type: "integer", minimum: 0 };
export const text: JsonObject = { type: "string" };
export const textOrNull: JsonObject = { type: ["string", "null"] };
export const urn: JsonObject = { type: "string", pattern: "^urn:li:" };
export const kind: JsonObject = { enum: kinds.map(({ name }) => name) };
export const facet: JsonObject = { enum: plannedFacets.map(({ name }) => name) };
const part: JsonObject = { type: ["string", "number"] };
export const scalar: JsonObject = {
  type: ["string", "number", "boolean", "object", "null"],
  additionalProperties: part,
};
export const member: JsonObject = { type: ["string", "number", "object"], additionalProperties: part };
/** An object as DataHub stores it. */
export const object: JsonObject = { type: "object" };
export const values: JsonObject = { anyOf: [scalar, list(member)] };
export const position: JsonObject = { type: "integer", minimum: 1 };
export const sha256: JsonObject = { type: "string", pattern: "^sha256:[0-9a-f]{64}$" };
export const place: JsonObject = { file: text, line: position, column: position };
export const origin = record(place);
export const base = described(
  { const: true },
  "The place is in the base commit, because the current manifests no longer declare the value.",
);
export const written: JsonObject = { actor: text, time: text, lastWriterOfAspect: { const: true } };
export const keys: JsonObject = { type: "array", items: text, minItems: 1 };
export const path = described(keys, "The keys from the field to the value, if there are more than `column`.");

/** A list of elements. */
export function list(items: JsonObject): JsonObject {
  return { type: "array", items };
}

/** An object of these fields and of no others. */
export function record(
  required: JsonObject,
  optional: JsonObject = {},
  constraints: JsonObject = {},
): JsonObject {
  return {
    type: "object",
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
    ...constraints,
  };
}

/** Fields of the same schema. */
export function fields(schema: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, schema]));
}

/** A schema with a description. */
export function described(schema: JsonObject, description: string): JsonObject {
  return { ...schema, description };
}
