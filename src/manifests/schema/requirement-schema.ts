/** The JSON Schema of `require` in policies. */

import type { Facet } from "../../facets/facet.ts";
import { hasKeys } from "../../facets/policy-facets.ts";
import { nonEmptyString, patternString } from "../../model/identifier.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { FromSchema } from "../../model/schema-type.ts";

const list = { type: "array", minItems: 1, items: patternString } as const;

const ofSets = {
  min: { type: "integer", minimum: 0, description: "How many values there must be.", examples: [2] },
  max: { type: "integer", minimum: 0, description: "How many values there may be.", examples: [3] },
} as const satisfies JsonObject;

const ofReferences = {
  any_of: {
    ...list,
    description: "One value must match one of these patterns of ids or URNs.",
    examples: [["classification.*"]],
  },
  none_of: {
    ...list,
    description: "No value may match one of these patterns of ids or URNs.",
    examples: [["old-*"]],
  },
} as const satisfies JsonObject;

const ofOwners = {
  type: {
    if: { type: "array" },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { items: nonEmptyString, minItems: 1 },
    else: nonEmptyString,
    description: "Only owners of this ownership type, or of one of these, count.",
    examples: ["DATA_STEWARD"],
  },
  kind: { enum: ["user", "group"], description: "Only users, or only groups, count.", examples: ["group"] },
  active: {
    const: true,
    description: "Only owners count that exist, and are neither removed nor suspended.",
    examples: [true],
  },
} as const satisfies JsonObject;

const ofTexts = {
  pattern: {
    ...patternString,
    description: "What the text must match; `*` stands for any text, `?` for one character.",
    examples: ["?*"],
  },
  one_of: {
    type: "array",
    minItems: 1,
    items: { type: ["string", "number", "boolean"] },
    description: "Each value must be one of these.",
    examples: [[90, 365]],
  },
} as const satisfies JsonObject;

/** The content of a requirement that is a mapping. Each facet has some of the keys. */
export type RequirementContent = FromSchema<{
  readonly type: "object";
  readonly properties: typeof ofOwners & typeof ofSets & typeof ofReferences & typeof ofTexts;
}>;

function requirementOf(properties: JsonObject, example: Json = true): JsonObject {
  return {
    if: { type: "boolean" },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { type: "boolean" },
    else: { type: "object", minProperties: 1, properties, additionalProperties: false },
    description:
      "`true` if it must have a value, `false` if it must have none, or what must be true of its values.",
    examples: [example],
  };
}

/** The schemas of requirements, by the shape of the values. */
export const requirements = {
  owners: requirementOf({ ...ofOwners, ...ofSets, ...ofReferences }, { type: "DATA_STEWARD", active: true }),
  references: requirementOf({ ...ofSets, ...ofReferences }),
  reference: requirementOf(ofReferences),
  texts: requirementOf({ ...ofSets, ...ofReferences, ...ofTexts }),
  text: requirementOf({ ...ofReferences, ...ofTexts }),
};

/** The schema of requirements for a facet with keys. */
export const requirementByKey: JsonObject = {
  type: "object",
  minProperties: 1,
  description: "By key, what must be true of its values.",
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

/** The schema of requirements for these facets, by key. */
export function requireSchema(facets: readonly (readonly [key: string, facet: Facet])[]) {
  return {
    type: "object",
    minProperties: 1,
    properties: Object.fromEntries(facets.map(([key, facet]) => [key, requirementSchema(facet)])),
    additionalProperties: false,
  } as const;
}
