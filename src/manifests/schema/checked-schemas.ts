import { assetKinds, kinds } from "../../kinds/index.ts";
import type { JsonObject } from "../../model/json.ts";
import { importFormats } from "../import/formats.ts";
import { policyKind, policySchemaName, waiverKind } from "../policies/policy-kinds.ts";
import { anyPolicySchema } from "../policies/policy-schema.ts";
import { anyRuleSchema, ruleKind, ruleSchemaName } from "../rules/rule-schema.ts";
import { manifestSchema } from "./manifest-schema.ts";
import { settingsSchema } from "./schema.ts";

/** Schemas that can be checked as a whole, by the names of their checks. */
const ownSchemas: Readonly<Record<string, JsonObject>> = {
  [ruleKind]: anyRuleSchema,
  [policyKind]: anyPolicySchema,
  settings: settingsSchema,
  ...Object.fromEntries(importFormats.map(({ name, schema }) => [name, schema])),
};

/** All schemas by name: of manifests, of rules and policies whose match is not known, of the settings, and of files to import. */
export const checkedSchemas: Readonly<Record<string, JsonObject>> = {
  ...ownSchemas,
  manifest: manifestSchema,
};

const definitions = [
  ...kinds.map(({ name }) => name),
  ...assetKinds.map(({ name }) => ruleSchemaName(name)),
  ...kinds.map(({ name }) => policySchemaName(name)),
  waiverKind,
];

/** By the name of each check a reference to its schema: one of them, or a definition of that of manifests. */
export const checkReferences: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(ownSchemas).map((name) => [name, name])),
  ...Object.fromEntries(definitions.map((name) => [name, `manifest#/definitions/${name}`])),
};

/** How Ajv compiles them. A test proves that they are valid, so Ajv does not look again. What many refer to is compiled once. */
export const checkOptions = {
  allErrors: true,
  verbose: true,
  strict: false,
  validateSchema: false,
  meta: false,
  inlineRefs: false,
} as const;
