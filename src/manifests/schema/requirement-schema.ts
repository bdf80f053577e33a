/** Builds the JSON Schema for `require` in policies. */

import type { Facet } from "../../facets/facet.ts";
import { hasKeys } from "../../facets/policy-facets.ts";
import { nonEmptyString, patternString } from "../../model/identifier.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { FromSchema } from "../../model/schema-type.ts";

const list = { type: "array", minItems: 1, items: patternString } as const;

const ofSets = {
  min: { type: "integer", minimum: 0, description: "The minimum number of values.", examples: [2] },
  max: { type: "integer", minimum: 0, description: "The maximum number of values.", examples: [3] },
} as const satisfies JsonObject;

const ofReferences = {
  ...patternsOf("At least one value must match one of these ids, URNs or patterns.", ["finance*"]),
  ...excludedPatternsOf("The values must not match any of these ids, URNs or patterns.", ["old-*"]),
} as const satisfies JsonObject;

const ofOwners = {
  type: {
    if: { type: "array" },
    // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword
    then: { items: nonEmptyString, minItems: 1 },
    else: nonEmptyString,
    description: "Counts only owners with this ownership type, or with one of the listed types.",
    examples: ["DATA_STEWARD"],
  },
  kind: {
    enum: ["user", "group"],
    description: "Counts only users (`user`), or only groups (`group`).",
    examples: ["group"],
  },
  active: {
    const: true,
    description: "Counts only owners that exist and are not soft-deleted, suspended or inactive.",
    examples: [true],
  },
} as const satisfies JsonObject;

const ofTexts = {
  pattern: {
    ...patternString,
    description: "The pattern that the text must match: `*` matches any text, and `?` matches one character.",
    examples: ["?*"],
  },
  one_of: {
    type: "array",
    minItems: 1,
    items: { type: ["string", "number", "boolean"] },
    description: "The text must be one of these values.",
    examples: [["Finance", "Sales"]],
  },
} as const satisfies JsonObject;

function patternsOf(description: string, example: readonly string[]) {
  return { any_of: { ...list, description, examples: [example] } } as const;
}

function excludedPatternsOf(description: string, example: readonly string[]) {
  return { none_of: { ...list, description, examples: [example] } } as const;
}

/** A requirement that is written as a mapping. Each facet allows some of these keys. */
export type RequirementContent = FromSchema<{
  readonly type: "object";
  readonly properties: typeof ofOwners & typeof ofSets & typeof ofReferences & typeof ofTexts;
}>;

function requirementOf(properties: JsonObject, example: Json = true): JsonObject {
  return {
    if: { type: "boolean" },
    // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword
    then: { type: "boolean" },
    else: { type: "object", minProperties: 1, properties, additionalProperties: false },
    description: "`true` requires a value, and `false` forbids one. A mapping sets conditions on the values.",
    examples: [example],
  };
}

/** The schemas for requirements, keyed by the type of the values. */
export const requirements = {
  owners: requirementOf({ ...ofOwners, ...ofSets, ...ofReferences }, { type: "DATA_STEWARD", active: true }),
  references: requirementOf({ ...ofSets, ...ofReferences }),
  reference: requirementOf(ofReferences),
  texts: requirementOf({
    ...ofSets,
    ...patternsOf("At least one value must match one of these patterns.", ["month*"]),
    ...excludedPatternsOf("The values must not match any of these patterns.", ["year*"]),
    ...ofTexts,
    one_of: { ...ofTexts.one_of, description: "Every value must be one of these.", examples: [[90, 365]] },
  }),
  text: requirementOf({
    ...patternsOf("The text must match at least one of these patterns.", ["*customer*"]),
    ...excludedPatternsOf("The text must not match any of these patterns.", ["TODO*"]),
    ...ofTexts,
  }),
};

/** The schema for requirements on a facet with keys. */
export const requirementByKey: JsonObject = {
  type: "object",
  minProperties: 1,
  description: "Conditions on structured property values, keyed by the id or URN of the property.",
  examples: [{ retention_days: { one_of: [90, 365] } }],
  additionalProperties: requirements.texts,
};

function requirementSchema(facet: Facet): JsonObject {
  const { isOwnership, refersTo, set } = facet;
  if (hasKeys(facet)) return requirementByKey;
  if (isOwnership === true) return requirements.owners;
  if (refersTo.length > 0) return set ? requirements.references : requirements.reference;
  return set ? requirements.texts : requirements.text;
}

/** Builds the schema for `require`, which has one key for each of these facets. */
export function requireSchema(facets: readonly (readonly [key: string, facet: Facet])[]) {
  return {
    type: "object",
    minProperties: 1,
    properties: Object.fromEntries(facets.map(([key, facet]) => [key, requirementSchema(facet)])),
    additionalProperties: false,
  } as const;
}
