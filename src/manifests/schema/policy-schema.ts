/** The JSON Schema of policies. */

import { plainFacets } from "../../facets/policy-facets.ts";
import { assetKinds, kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { nonEmptyString } from "../../model/identifier.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { FromSchema } from "../../model/schema-type.ts";
import { columnsSchema } from "./column-policy-schema.ts";
import {
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
  description: "The kind of what it matches.",
  examples: exampleKinds,
} as const satisfies JsonObject;

/** The schema of the fields of all policies. */
export const anyPolicySchema = {
  title: policyKind,
  type: "object",
  required: ["kind", "id", "match"],
  properties: {
    kind: {
      const: policyKind,
      description: "Says what must be true of the entities that it matches. It writes nothing.",
      examples: [policyKind],
    },
    id: {
      ...nonEmptyString,
      description: "The name of the policy in plans and messages. No other policy has the same.",
      examples: ["prod-governed"],
    },
    match: {
      type: "object",
      required: ["kind"],
      properties: { kind: kindOfMatch },
      description:
        "Which entities it is about: all keys must hold. A list matches where one of its patterns does. Facets are matched as they will be.",
      examples: exampleKinds.map((kind) => ({ kind, env: "PROD" })),
    },
  },
} as const satisfies JsonObject;

/** The schema of a policy for entities of a kind. */
export function policySchemaOf(kind: Kind) {
  const { kind: name, id, match } = anyPolicySchema.properties;
  const columns = columnsSchema(kind);
  const branches = ["require", "check", ...(columns ? ["columns"] : [])];
  return {
    ...anyPolicySchema,
    anyOf: branches.map((key): Json => ({ required: [key] })),
    properties: {
      kind: name,
      id,
      description: {
        ...nonEmptyString,
        description: "What the policy is for.",
        examples: ["Production data has a domain and a steward who still works here."],
      },
      severity: {
        enum: ["error", "warning"],
        default: "error",
        description: "Whether a violation that a plan introduces stops it, or is only reported.",
        examples: ["warning"],
      },
      match: {
        ...match,
        properties: { kind: kindOfMatch, ...withExclusions(matchProperties(kind)) },
        additionalProperties: false,
      },
      require: {
        ...requireSchema(plainFacets(kind.name).map((facet) => [facet.name, facet])),
        description: "What must be true of each entity that it matches.",
        examples: [{ owners: { type: "DATA_STEWARD", active: true } }],
      },
      check: {
        ...nonEmptyString,
        description: "An expression of CEL about `asset` that must be true, for what `require` cannot say.",
        examples: ['asset.owners.exists(o, o.type == "DATA_STEWARD" && o.active)'],
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
            description: "The least share that passes.",
            examples: [80],
          },
        },
        additionalProperties: false,
        description: "How much of what it matches must pass.",
        examples: [{ min_percent: 80 }],
      },
      fail_on: {
        enum: ["introduced", "any"],
        default: "introduced",
        description: "Which violations stop a plan: those that it introduces, or any of what it changes.",
        examples: ["any"],
      },
      message: {
        ...nonEmptyString,
        description:
          "What a violation says, with `{name}`, `{urn}`, `{kind}`, `{platform}`, `{env}` and `{column}`.",
        examples: ["{name} has no steward"],
      },
    },
    additionalProperties: false,
  } as const satisfies JsonObject;
}

/** The content of a policy that fits the schema. */
export type PolicyContent = FromSchema<ReturnType<typeof policySchemaOf>>;

/** The common parts of the schemas of policies, by the name of their definition. */
export const sharedPolicyParts: Readonly<Record<string, JsonObject>> = {
  ...sharedPatterns(),
  textPatterns,
  valuePatternsByKey,
  ...Object.fromEntries(
    Object.entries(requirements).map(([values, schema]) => [`${values}Requirement`, schema]),
  ),
  requirementByKey,
};
