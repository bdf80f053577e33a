/** Builds the JSON Schema for a mapping with fixed keys. */

import { isJsonList, type Json, type JsonObject } from "../../model/json.ts";

/** Builds the schema for a mapping that allows only these keys. The schema's example contains all of the keys. */
export function mapping<const Properties extends Readonly<Record<string, JsonObject>>>(
  description: string,
  properties: Properties,
) {
  const examples = [Object.fromEntries(Object.entries(properties).map(exampleOf))];
  return { type: "object", description, examples, properties, additionalProperties: false } as const;
}

function exampleOf([key, { examples }]: readonly [string, JsonObject]): readonly [string, Json] {
  return [key, isJsonList(examples) ? (examples[0] ?? null) : null];
}
