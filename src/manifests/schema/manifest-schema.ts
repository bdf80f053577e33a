import { assetKinds, kinds } from "../../kinds/index.ts";
import type { JsonObject } from "../../model/json.ts";
import { schemaHead } from "../../model/schema-head.ts";
import { anyRuleSchema, ruleKind, ruleSchemaName, ruleSchemaOf } from "../rules/rule-schema.ts";
import { schemaOf } from "./schema.ts";

/** What `kind` can be in a manifest. */
const manifestKinds: readonly string[] = [...kinds.map(({ name }) => name), ruleKind];

/** JSON Schema of any YAML document that holds manifests. */
export const manifestSchema: JsonObject = {
  ...schemaHead("manifest", "A manifest of datahub-gitops, or a list of manifests"),
  if: { type: "array" },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { items: { $ref: "#/definitions/manifest" } },
  else: { $ref: "#/definitions/manifest" },
  definitions: {
    manifest: {
      type: "object",
      required: ["kind"],
      properties: {
        kind: {
          enum: manifestKinds,
          description: "What the manifest declares.",
          examples: manifestKinds,
        },
      },
      allOf: manifestKinds.map((name) => whereKindIs(name, name)),
    },
    ...Object.fromEntries(kinds.map((kind) => [kind.name, schemaOf(kind)])),
    [ruleKind]: { ...anyRuleSchema, allOf: assetKinds.map(({ name }) => whereMatched(name)) },
    ...Object.fromEntries(assetKinds.map((kind) => [ruleSchemaName(kind.name), ruleSchemaOf(kind)])),
  },
};

function whereKindIs(name: string, definition: string): JsonObject {
  return {
    if: { properties: { kind: { const: name } }, required: ["kind"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { $ref: `#/definitions/${definition}` },
  };
}

function whereMatched(name: string): JsonObject {
  const match = { properties: { kind: { const: name } }, required: ["kind"] };
  return {
    if: { properties: { match }, required: ["match"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { $ref: `#/definitions/${ruleSchemaName(name)}` },
  };
}
