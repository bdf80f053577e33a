/** Lists the schemas that Ajv checks, and defines how Ajv compiles them. */

import { assetKinds, kinds } from "../../kinds/index.ts";
import type { JsonObject } from "../../model/json.ts";
import { importFormats } from "../import-formats/formats.ts";
import { policyKind, policySchemaName, waiverKind } from "./policy-kinds.ts";
import { anyPolicySchema } from "./policy-schema.ts";
import { anyRuleSchema, ruleKind, ruleSchemaName } from "./rule-schema.ts";
import { manifestSchema } from "./manifest-schema.ts";
import { settingsSchema } from "./schema.ts";

/** The schemas with their own checks, keyed by check name. All other checks use definitions in the manifest schema. */
const ownSchemas: Readonly<Record<string, JsonObject>> = {
  [ruleKind]: anyRuleSchema,
  [policyKind]: anyPolicySchema,
  settings: settingsSchema,
  ...Object.fromEntries(importFormats.map(({ name, schema }) => [name, schema])),
};

/**
 * All schemas, keyed by name: for manifests, for rules and policies with an unknown kind, for the settings, and for imported
 * files.
 */
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

/** The schema reference for each check: the name of a schema, or a definition in the manifest schema. */
export const checkReferences: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(ownSchemas).map((name) => [name, name])),
  ...Object.fromEntries(definitions.map((name) => [name, `manifest#/definitions/${name}`])),
};

/**
 * The options for Ajv. A test ensures that the schemas are valid, so Ajv does not validate them again. Shared schemas are
 * compiled only once.
 */
export const checkOptions = {
  allErrors: true,
  verbose: true,
  strict: false,
  validateSchema: false,
  meta: false,
  inlineRefs: false,
} as const;
