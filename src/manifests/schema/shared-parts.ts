/** Moves subschemas that several schemas share into definitions. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";

/**
 * Returns the schemas and the shared parts as definitions. In each schema, references to these definitions replace the shared
 * parts.
 */
export function withSharedParts(
  schemas: Readonly<Record<string, JsonObject>>,
  parts: Readonly<Record<string, JsonObject>>,
): Readonly<Record<string, JsonObject>> {
  const names = new Map(Object.entries(parts).map(([name, part]) => [part, name]));
  const shared = (json: Json): Json => {
    if (isJsonList(json)) return json.map(shared);
    if (!isJsonObject(json)) return json;
    const name = names.get(json);
    return name === undefined ? inside(json) : { $ref: `#/definitions/${name}` };
  };
  const inside = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([key, value = null]) => [key, shared(value)]));
  return Object.fromEntries(
    [...Object.entries(schemas), ...Object.entries(parts)].map(([name, schema]) => [name, inside(schema)]),
  );
}
