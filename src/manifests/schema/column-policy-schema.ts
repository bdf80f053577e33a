/** Builds the JSON Schema for `columns` in a policy. */

import { columnFacets, hasKeys } from "../../facets/policy-facets.ts";
import type { Kind } from "../../kinds/kind.ts";
import { patternsSchema } from "../../kinds/match-key.ts";
import type { JsonObject } from "../../model/json.ts";
import { facetMatch, withExclusions } from "./match-schema.ts";
import { requireSchema } from "./requirement-schema.ts";

/** Builds the schema for requirements on a kind's columns; `undefined` if the kind has no columns. */
export function columnsSchema(kind: Kind) {
  const facets = [...columnFacets(kind.name)];
  if (facets.length === 0) return undefined;
  const matched = facets.filter(([, facet]) => facet.refersTo.length > 0 || hasKeys(facet));
  const keys: JsonObject = {
    name: patternsSchema("The column name, or a pattern.", "*email*"),
    type: patternsSchema("The native column type, as reported by the platform.", "VARCHAR*"),
    ...Object.fromEntries(matched.map(([key, facet]) => [key, facetMatch(facet)])),
  };
  return {
    type: "object",
    required: ["require"],
    properties: {
      match: {
        type: "object",
        minProperties: 1,
        description:
          "Selects the columns to check: those that match all keys. Without `match`, the policy checks all columns.",
        examples: [{ tags: "pii" }],
        properties: withExclusions(keys),
        additionalProperties: false,
      },
      require: {
        ...requireSchema(facets),
        description: "The conditions that each matched column must meet.",
        examples: [{ description: true }],
      },
    },
    additionalProperties: false,
    description: "Checks each matched column instead of the dataset.",
    examples: [{ match: { tags: "pii" }, require: { description: true } }],
  } as const;
}
