/** The JSON Schema of `columns` in a policy. */

import { columnFacets, hasKeys } from "../../facets/policy-facets.ts";
import type { Kind } from "../../kinds/kind.ts";
import { patternsSchema } from "../../kinds/match-key.ts";
import type { JsonObject } from "../../model/json.ts";
import { facetMatch, withExclusions } from "./match-schema.ts";
import { requireSchema } from "./requirement-schema.ts";

/** The schema of the requirements for the columns of a kind; `undefined` if the kind has no columns. */
export function columnsSchema(kind: Kind) {
  const facets = [...columnFacets(kind.name)];
  if (facets.length === 0) return undefined;
  const matched = facets.filter(([, facet]) => facet.refersTo.length > 0 || hasKeys(facet));
  const keys: JsonObject = {
    name: patternsSchema("The name of the column, or a pattern.", "*email*"),
    type: patternsSchema("The type of the column, as the platform names it.", "VARCHAR*"),
    ...Object.fromEntries(matched.map(([key, facet]) => [key, facetMatch(facet)])),
  };
  return {
    type: "object",
    required: ["require"],
    properties: {
      match: {
        type: "object",
        minProperties: 1,
        description: "Which columns to check: those that match all keys. Without `match`, all columns.",
        examples: [{ tags: "pii" }],
        properties: withExclusions(keys),
        additionalProperties: false,
      },
      require: {
        ...requireSchema(facets),
        description: "What each of these columns must have.",
        examples: [{ description: true }],
      },
    },
    additionalProperties: false,
    description: "Checks each matched column, instead of the dataset.",
    examples: [{ match: { tags: "pii" }, require: { description: true } }],
  } as const;
}
