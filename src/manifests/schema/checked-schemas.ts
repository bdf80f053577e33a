import { assetKinds, kinds } from "../../kinds/index.ts";
import type { JsonObject } from "../../model/json.ts";
import { importFormats } from "../import/formats.ts";
import { anyRuleSchema, ruleKind, ruleSchemaName, ruleSchemaOf } from "../rules/rule-schema.ts";
import { schemaOf, settingsSchema } from "./schema.ts";

/** Schemas by name: of manifests of each kind, of rules for each kind of asset, of the settings, and of files to import. */
export const checkedSchemas: Readonly<Record<string, JsonObject>> = {
  ...Object.fromEntries(kinds.map((kind) => [kind.name, schemaOf(kind)])),
  [ruleKind]: anyRuleSchema,
  ...Object.fromEntries(assetKinds.map((kind) => [ruleSchemaName(kind.name), ruleSchemaOf(kind)])),
  settings: settingsSchema,
  ...Object.fromEntries(importFormats.map(({ name, schema }) => [name, schema])),
};

/** How Ajv compiles them. A test proves that they are valid, so Ajv does not look again. */
export const checkOptions = {
  allErrors: true,
  verbose: true,
  strict: false,
  validateSchema: false,
  meta: false,
} as const;
