/** Builds the JSON Schema for policies. */

import { plainFacets } from "../../facets/policy-facets.ts";
import { assetKinds, kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { nonEmptyString } from "../../model/identifier.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { FromSchema } from "../../model/schema-type.ts";
import { columnsSchema } from "./column-policy-schema.ts";
import {
  exclusionFor,
  matchProperties,
  sharedPatterns,
  textPatterns,
  valuePatternsByKey,
  withExclusions,
} from "./match-schema.ts";
import { policyKind } from "./policy-kinds.ts";
import { requirementByKey, requirements, requireSchema } from "./requirement-schema.ts";

const kindNames = kinds.map(({ name }) => name);

const exampleKinds = assetKinds.slice(0, 1).map(({ name }) => name);

const kindOfMatch = {
  enum: kindNames,
  description: "The kind of entity to check.",
  examples: exampleKinds,
} as const satisfies JsonObject;

/** The schema for the fields that all policies have. */
export const anyPolicySchema = {
  title: policyKind,
  type: "object",
  required: ["kind", "id", "match"],
  properties: {
    kind: {
      const: policyKind,
      description: "Checks the entities that the policy matches. A policy never changes anything.",
      examples: [policyKind],
    },
    id: {
      ...nonEmptyString,
      description: "The unique name of the policy, shown in plans and messages.",
      examples: ["prod-governed"],
    },
    match: {
      type: "object",
      required: ["kind"],
      properties: { kind: kindOfMatch },
      description:
        "Selects the entities to check: those that match all keys once the plan is applied. In a pattern, `*` matches any text. A list matches if at least one of its patterns matches.",
      examples: exampleKinds.map((kind) => ({ kind, env: "PROD" })),
    },
  },
} as const satisfies JsonObject;

/** Builds the schema for policies that check entities of a kind. */
export function policySchemaOf(kind: Kind) {
  const { kind: name, id, match } = anyPolicySchema.properties;
  const columns = columnsSchema(kind);
  const examples = examplesFor(kind);
  const branches = ["require", "check", ...(columns ? ["columns"] : [])];
  return {
    ...anyPolicySchema,
    anyOf: branches.map((key): Json => ({ required: [key] })),
    properties: {
      kind: name,
      id,
      description: {
        ...nonEmptyString,
        description: "The purpose of the policy.",
        examples: [examples.description],
      },
      severity: {
        enum: ["error", "warning"],
        default: "error",
        description: "Whether a new violation blocks the plan (`error`) or is only reported (`warning`).",
        examples: ["warning"],
      },
      match: {
        ...match,
        properties: {
          kind: { ...kindOfMatch, examples: [kind.name] },
          ...withExclusions(matchProperties(kind), exclusionFor(kind)),
        },
        additionalProperties: false,
        examples: [examples.match],
      },
      require: {
        ...requireSchema(plainFacets(kind.name).map((facet) => [facet.name, facet])),
        description: "The conditions that each matched entity must meet.",
        examples: [examples.require],
      },
      check: {
        ...nonEmptyString,
        description:
          "A CEL expression over `asset` that must be true. Use it for conditions that `require` cannot express.",
        examples: [examples.check],
      },
      ...(columns && { columns }),
      coverage: {
        type: "object",
        required: ["min_percent"],
        properties: {
          min_percent: {
            type: "number",
            minimum: 0,
            maximum: 100,
            description: "The minimum percentage of matched entities that must pass.",
            examples: [80],
          },
        },
        additionalProperties: false,
        description: "Requires a minimum percentage of the matched entities to pass.",
        examples: [{ min_percent: 80 }],
      },
      fail_on: {
        enum: ["introduced", "any"],
        default: "introduced",
        description:
          "Which violations block a plan: only new ones (`introduced`), or any violation on an entity that the plan changes (`any`).",
        examples: ["any"],
      },
      message: {
        ...nonEmptyString,
        description:
          "The message for a violation. It can contain the placeholders `{name}`, `{urn}`, `{kind}`, `{platform}`, `{env}` and `{column}`.",
        examples: [examples.message],
      },
    },
    additionalProperties: false,
  } as const satisfies JsonObject;
}

/** Returns examples for a kind: a policy about owners, or about descriptions if entities of the kind have no owners. */
function examplesFor({ name, noun, ownable, fields }: Kind) {
  const match: JsonObject = fields["env"] === undefined ? { kind: name } : { kind: name, env: "PROD" };
  return ownable
    ? {
        match,
        description: `Every ${noun} has a steward who still works here.`,
        require: { owners: { type: "DATA_STEWARD", active: true } },
        check: 'asset.owners.exists(o, o.type == "DATA_STEWARD" && o.active)',
        message: "{name} has no steward",
      }
    : {
        match,
        description: `Every ${noun} has a description.`,
        require: { description: true },
        check: 'asset.description != ""',
        message: "{name} has no description",
      };
}

/** The content of a policy that matches the schema. */
export type PolicyContent = FromSchema<ReturnType<typeof policySchemaOf>>;

/** Definitions that policy schemas share, keyed by name. */
export const sharedPolicyParts: Readonly<Record<string, JsonObject>> = {
  ...sharedPatterns(),
  textPatterns,
  valuePatternsByKey,
  ...Object.fromEntries(
    Object.entries(requirements).map(([values, schema]) => [`${values}Requirement`, schema]),
  ),
  requirementByKey,
};
