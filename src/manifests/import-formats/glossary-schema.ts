/** Defines the JSON Schema for business glossaries. */

import type { JsonObject } from "../../model/json.ts";
import { text, textOrNull } from "../../model/schema-parts.ts";

const texts: JsonObject = { type: ["array", "null"], items: text };
const owners: JsonObject = { $ref: "#/$defs/owners" };
const nodes: JsonObject = { type: ["array", "null"], items: { $ref: "#/$defs/node" } };
const terms: JsonObject = { type: ["array", "null"], items: { $ref: "#/$defs/term" } };

function mapping(required: readonly string[], properties: JsonObject): JsonObject {
  return { type: "object", required, properties, additionalProperties: false };
}

const entry: JsonObject = {
  id: { ...textOrNull, minLength: 1 },
  name: { type: "string", minLength: 1 },
  description: text,
  owners: { if: { type: "null" }, else: owners },
  // No manifest can declare these fields, so the schema accepts any value for them.
  custom_properties: {},
  knowledge_links: {},
};

/** The schema for business glossaries. It follows the models in the ingestion source, which also reject unknown fields. */
export const glossarySchema: JsonObject = {
  ...mapping(["version", "owners"], {
    version: { enum: ["1", 1] },
    source: textOrNull,
    url: textOrNull,
    source_type: text,
    owners,
    nodes,
    terms,
  }),
  $defs: {
    node: mapping(["name", "description"], { ...entry, nodes, terms }),
    term: mapping(["name", "description"], {
      ...entry,
      term_source: textOrNull,
      source_ref: textOrNull,
      source_url: textOrNull,
      inherits: texts,
      contains: texts,
      values: texts,
      related_terms: texts,
      domain: textOrNull,
    }),
    owners: {
      if: { type: "array" },
      // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword
      then: { items: { $ref: "#/$defs/ownersOfType" } },
      else: { $ref: "#/$defs/ownersOfType" },
    },
    ownersOfType: mapping([], { type: text, typeUrn: textOrNull, users: texts, groups: texts }),
  },
};
