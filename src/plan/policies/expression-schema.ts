/** Generates the JSON Schema of `asset`, the variable in policy expressions. */

import { kinds } from "../../kinds/index.ts";
import type { JsonObject } from "../../model/json.ts";
import { schemaHead } from "../../model/schema-head.ts";
import { entityTypesOf } from "./expression-types.ts";
import { functionNames } from "./expression-faults.ts";
import type { ObjectType } from "./expression.ts";

/** Generates the JSON Schema for `asset` from the types that are used to check expressions. */
export function expressionSchema(): JsonObject {
  const types = kinds.map(({ name }) => ({ name, ...entityTypesOf(name) }));
  return {
    ...schemaHead("policy", "The `asset` variable in a policy's `check`, for each kind of entity"),
    description: `The fields of \`asset\`, for use in a \`check\`. Ids are taken from URNs. A field that is not set is an empty string or list. Available functions: ${functionNames.join(", ")}.`,
    oneOf: types.map(({ name }) => reference(name)),
    definitions: Object.fromEntries(
      types.flatMap(({ name, asset, below }) => [
        [name, objectSchema(asset, { kind: { const: name } })],
        ...below.map((type) => [type.name, objectSchema(type)]),
      ]),
    ),
  };
}

function objectSchema({ fields }: ObjectType, known: JsonObject = {}): JsonObject {
  const properties = Object.entries(fields).map(([field, type]) => [field, known[field] ?? schemaOf(type)]);
  return {
    type: "object",
    properties: Object.fromEntries(properties) as JsonObject,
    required: Object.keys(fields),
    additionalProperties: false,
  };
}

/** Converts a type in CEL notation into a JSON Schema. */
function schemaOf(type: string): JsonObject {
  if (type === "string") return { type };
  if (type === "bool") return { type: "boolean" };
  const items = /^list<(.*)>$/.exec(type)?.[1];
  if (items !== undefined) return { type: "array", items: schemaOf(items) };
  const values = /^map<string, (.*)>$/.exec(type)?.[1];
  return values === undefined ? reference(type) : { type: "object", additionalProperties: schemaOf(values) };
}

function reference(definition: string): JsonObject {
  return { $ref: `#/definitions/${definition}` };
}
