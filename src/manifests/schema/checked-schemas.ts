import { assetKinds, kinds } from "../../kinds/index.ts";
import type { JsonObject } from "../../model/json.ts";
import { anyRuleSchema, ruleKind, ruleSchemaName, ruleSchemaOf } from "../rules/rule-schema.ts";
import { schemaOf, settingsSchema } from "./schema.ts";

/** Schemas by name: of manifests of each kind, of rules for each kind of asset, and of the settings. */
export const checkedSchemas: Readonly<Record<string, JsonObject>> = {
  ...Object.fromEntries(kinds.map((kind) => [kind.name, schemaOf(kind)])),
  [ruleKind]: anyRuleSchema,
  ...Object.fromEntries(assetKinds.map((kind) => [ruleSchemaName(kind.name), ruleSchemaOf(kind)])),
  settings: settingsSchema,
};

/** How Ajv compiles them. A test proves that they are valid, so Ajv does not look again. */
export const checkOptions = {
  allErrors: true,
  verbose: true,
  strict: false,
  validateSchema: false,
  meta: false,
} as const;
