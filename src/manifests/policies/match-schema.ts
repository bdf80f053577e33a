import type { Facet } from "../../facets/facet.ts";
import { hasKeys, plainFacets } from "../../facets/policy-facets.ts";
import type { Kind } from "../../kinds/kind.ts";
import { matchKeys, patternsSchema } from "../../kinds/match-key.ts";
import type { JsonObject } from "../../model/json.ts";

/** The facets by which policies match: those with references, maps by them, and the display name. */
function matchableFacets({ name, displayName }: Kind): readonly Facet[] {
  return plainFacets(name).filter(
    (facet) => facet.refersTo.length > 0 || facet.shape === "map" || facet.name === displayName,
  );
}

export const valuePatterns = patternsSchema(
  "The id or URN of a value that it has; `*` stands for any text.",
  "finance",
  ["finance", "ops*"],
);

export const valuePatternsByKey: JsonObject = {
  type: "object",
  minProperties: 1,
  description: "By key, a value that it has; `*` stands for any text.",
  examples: [{ tier: "1" }],
  additionalProperties: valuePatterns,
};

/** How the values of a facet are matched. */
export function facetMatch(facet: Facet): JsonObject {
  return hasKeys(facet) ? valuePatternsByKey : valuePatterns;
}

/** The keys by which policies and waivers match entities of a kind. */
export function matchProperties(kind: Kind): JsonObject {
  const keys = kind.matchedBy ?? matchKeys.filter(({ key }) => key === "urn");
  return {
    ...Object.fromEntries(matchableFacets(kind).map((facet) => [facet.name, facetMatch(facet)])),
    ...Object.fromEntries(keys.map(({ key, schema }) => [key, schema])),
  };
}

/** Keys that are matched, and `not` with the same keys. */
export function withExclusions(keys: JsonObject): JsonObject {
  const excluded = { type: "object", minProperties: 1, properties: keys, additionalProperties: false };
  return {
    ...keys,
    not: {
      if: { type: "array" },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { items: excluded, minItems: 1 },
      else: excluded,
      description: "What it leaves out: all keys hold. A list leaves out what one of its mappings does.",
      examples: [{ name: "*_tmp" }],
    },
  };
}
