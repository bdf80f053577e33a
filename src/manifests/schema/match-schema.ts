/** Builds the JSON Schema for `match` in policies and waivers. */

import type { Facet } from "../../facets/facet.ts";
import { facets } from "../../facets/index.ts";
import { hasKeys, plainFacets } from "../../facets/policy-facets.ts";
import type { Kind } from "../../kinds/kind.ts";
import { matchKeys, nameKey, patternsSchema, urnKey } from "../../kinds/match-key.ts";
import type { Json, JsonObject } from "../../model/json.ts";

/**
 * Returns the facets that a policy's `match` supports: facets that contain references, maps whose keys are references, and the
 * display name.
 */
function matchableFacets({ name, displayName }: Kind): readonly Facet[] {
  return plainFacets(name).filter(
    (facet) => facet.refersTo.length > 0 || facet.shape === "map" || facet.name === displayName,
  );
}

/** The schema for patterns that match a string, such as a display name. */
export const textPatterns = patternsSchema("The display name. `*` matches any text.", "Finance*", [
  "Finance*",
  "Public Health",
]);

const textPatternsOfKey = patternsSchema("The property value. `*` matches any text.", "365", [
  "monthly",
  "quarter*",
]);

export const valuePatternsByKey: JsonObject = {
  type: "object",
  minProperties: 1,
  description: "Structured property values, keyed by the id or URN of the property. `*` matches any text.",
  examples: [{ retention_days: "365" }],
  additionalProperties: textPatternsOfKey,
};

const byFacet = new Map<string, JsonObject>();

/** Builds the schema for patterns that match the ids and URNs in a facet. Uses examples for that facet. */
function referencePatterns({ name, schema = {}, set }: Facet): JsonObject {
  const example = firstText(schema["examples"] ?? []) ?? "finance";
  const patterns =
    byFacet.get(name) ??
    patternsSchema(
      `Matches if \`${name}\` ${set ? "contains" : "is"} this id or URN. \`*\` matches any text.`,
      example,
      [`${beginningOf(example)}*`],
    );
  byFacet.set(name, patterns);
  return patterns;
}

function beginningOf(example: string): string {
  return /^(?:urn:li:\w+:|\w+)/.exec(example)?.[0] ?? "";
}

function firstText(value: Json): string | undefined {
  if (typeof value === "string") return value === "" || value === "none" ? undefined : value;
  if (typeof value !== "object" || value === null) return undefined;
  for (const part of Object.values(value) as Json[]) {
    const found = firstText(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Builds the pattern schemas for all facets with references, keyed by definition name. */
export function sharedPatterns(): Readonly<Record<string, JsonObject>> {
  const referring = facets.filter((facet) => facet.refersTo.length > 0 && !hasKeys(facet));
  return Object.fromEntries(
    referring.map((facet) => [`${facet.name.replace(".", "_")}_patterns`, referencePatterns(facet)]),
  );
}

/** Builds the schema for patterns that match a facet's values. */
export function facetMatch(facet: Facet): JsonObject {
  if (hasKeys(facet)) return valuePatternsByKey;
  return facet.refersTo.length > 0 ? referencePatterns(facet) : textPatterns;
}

/** Builds the schemas for the `match` keys that policies and waivers support for a kind. */
export function matchProperties(kind: Kind): JsonObject {
  const keys = kind.matchedBy ?? matchKeys.filter(({ key }) => key === "urn");
  return {
    ...Object.fromEntries(matchableFacets(kind).map((facet) => [facet.name, facetMatch(facet)])),
    ...Object.fromEntries(keys.map(({ key, schema }) => [key, schema])),
  };
}

const excludedName: JsonObject = { [nameKey]: "*_tmp" };

/** Returns the schemas for these keys, and adds a `not` that accepts the same keys. */
export function withExclusions(keys: JsonObject, example = excludedName) {
  const excluded = {
    type: "object",
    minProperties: 1,
    properties: keys,
    additionalProperties: false,
  } as const;
  return {
    ...keys,
    not: {
      if: { type: "array" },
      // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword
      then: { items: excluded, minItems: 1 },
      else: excluded,
      description:
        "Excludes entities that match all of these keys. A list of mappings excludes entities that match at least one of the mappings.",
      examples: [example],
    },
  } as const;
}

/** Returns an example of `not` in a `match` for a kind. */
export function exclusionFor({ matchedBy, displayName = urnKey }: Kind): JsonObject {
  return matchedBy ? excludedName : { [displayName]: "Test*" };
}
