/** Builds the JSON Schema of manifests from all kinds, rules, policies and waivers. */

import { assetKinds, kinds } from "../../kinds/index.ts";
import { matchKeys } from "../../kinds/match-key.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { schemaHead } from "../../model/schema-head.ts";
import { policyKind, policySchemaName, waiverKind } from "./policy-kinds.ts";
import { anyPolicySchema, policySchemaOf, sharedPolicyParts } from "./policy-schema.ts";
import { waiverSchema } from "./waiver-schema.ts";
import { anyRuleSchema, ruleKind, ruleSchemaName, ruleSchemaOf } from "./rule-schema.ts";
import { schemaOf } from "./schema.ts";

/** The possible values of `kind` in a manifest. */
const manifestKinds: readonly string[] = [...kinds.map(({ name }) => name), ruleKind, policyKind, waiverKind];

/** Definitions that several manifest schemas share. */
const sharedParts: Readonly<Record<string, JsonObject>> = {
  ...Object.fromEntries(matchKeys.map(({ key, schema }) => [`match_${key}`, schema])),
  ...sharedPolicyParts,
};

/** The JSON Schemas for manifests of each kind, and for the rules and policies that match each kind. */
const manifestDefinitions = withSharedParts(
  {
    manifest: {
      type: "object",
      required: ["kind"],
      properties: {
        kind: {
          enum: manifestKinds,
          description: "The kind of entity that the manifest declares, or `Rule`, `Policy` or `Waiver`.",
          examples: manifestKinds,
        },
      },
      allOf: manifestKinds.map((name) => whereKindIs(name, name)),
    },
    ...Object.fromEntries(kinds.map((kind) => [kind.name, schemaOf(kind)])),
    [ruleKind]: {
      ...anyRuleSchema,
      allOf: assetKinds.map(({ name }) => whereMatched(name, ruleSchemaName(name))),
    },
    ...Object.fromEntries(assetKinds.map((kind) => [ruleSchemaName(kind.name), ruleSchemaOf(kind)])),
    [policyKind]: {
      ...anyPolicySchema,
      allOf: kinds.map(({ name }) => whereMatched(name, policySchemaName(name))),
    },
    ...Object.fromEntries(kinds.map((kind) => [policySchemaName(kind.name), policySchemaOf(kind)])),
    [waiverKind]: waiverSchema,
  },
  sharedParts,
);

/** The JSON Schema for a YAML document that contains manifests. */
export const manifestSchema: JsonObject = {
  ...schemaHead("manifest", "A datahub-gitops manifest, or a list of manifests"),
  if: { type: "array" },
  // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword
  then: { items: { $ref: "#/definitions/manifest" } },
  else: { $ref: "#/definitions/manifest" },
  definitions: manifestDefinitions,
};

/**
 * Returns the schemas and the shared parts as definitions. In each schema, references to these definitions replace the shared
 * parts.
 */
function withSharedParts(
  schemas: Readonly<Record<string, JsonObject>>,
  parts: Readonly<Record<string, JsonObject>>,
): Readonly<Record<string, JsonObject>> {
  const names = new Map(Object.entries(parts).map(([name, part]) => [part, name]));
  const shared = (json: Json): Json => {
    if (isJsonList(json)) return json.map(shared);
    if (!isJsonObject(json)) return json;
    const name = names.get(json);
    return name === undefined ? inside(json) : { $ref: `#/definitions/${name}` };
  };
  const inside = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([key, value = null]) => [key, shared(value)]));
  return Object.fromEntries(
    Object.entries({ ...schemas, ...parts }).map(([name, schema]) => [name, inside(schema)]),
  );
}

function whereKindIs(name: string, definition: string): JsonObject {
  return {
    if: { properties: { kind: { const: name } }, required: ["kind"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword
    then: { $ref: `#/definitions/${definition}` },
  };
}

function whereMatched(name: string, definition: string): JsonObject {
  const match = { properties: { kind: { const: name } }, required: ["kind"] };
  return {
    if: { properties: { match }, required: ["match"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword
    then: { $ref: `#/definitions/${definition}` },
  };
}
