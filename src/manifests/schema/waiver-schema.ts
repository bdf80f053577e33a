/** Defines the JSON Schema for waivers. */

import { kinds } from "../../kinds/index.ts";
import { nonEmptyString, refersToKey } from "../../model/identifier.ts";
import type { JsonObject } from "../../model/json.ts";
import type { FromSchema } from "../../model/schema-type.ts";
import { matchProperties, withExclusions } from "./match-schema.ts";
import { policyType, waiverKind } from "./policy-kinds.ts";

/** The schema for waivers, which can cover entities of any kind. */
export const waiverSchema = {
  title: waiverKind,
  type: "object",
  required: ["kind", "policy", "match", "reason", "expires"],
  properties: {
    kind: {
      const: waiverKind,
      description: "Waives violations of a policy until a given date.",
      examples: [waiverKind],
    },
    policy: {
      ...nonEmptyString,
      [refersToKey]: policyType,
      description: "The id of the policy whose violations are waived.",
      examples: ["prod-governed"],
    },
    match: {
      type: "object",
      minProperties: 1,
      description:
        "Selects the entities that the waiver covers: those that match all keys, as in a policy's `match`.",
      examples: [{ name: "prod.legacy.*" }],
      properties: withExclusions(Object.assign({}, ...kinds.map(matchProperties)) as JsonObject),
      additionalProperties: false,
    },
    reason: {
      ...nonEmptyString,
      description: "The reason why the violations are acceptable for now.",
      examples: ["Will be replaced in the first quarter (see DATA-412)."],
    },
    expires: {
      ...nonEmptyString,
      description: "The last day on which the waiver applies, in UTC.",
      examples: ["2027-01-31"],
    },
  },
  additionalProperties: false,
} as const satisfies JsonObject;

/** The content of a waiver that matches the schema. */
export type WaiverContent = FromSchema<typeof waiverSchema>;
