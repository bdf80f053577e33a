/** Builds the JSON Schema for rules, and defines the names of their keys. */

import { columns } from "../../facets/columns.ts";
import type { Keys } from "../../facets/map-contract.ts";
import { facetsOf, isDeclarable } from "../../facets/index.ts";
import { assetKinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { nameKey, patternsSchema } from "../../kinds/match-key.ts";
import { nonEmptyString } from "../../model/identifier.ts";
import { isJsonObject, type Json, type JsonObject, textOf } from "../../model/json.ts";
import { manageSchemaOf } from "./manage-schema.ts";
import { outerKey } from "../../facets/places.ts";
import { exampleOf, facetProperties, firstExample, mappingSchema } from "./schema.ts";

/** The `kind` value for rules. It is not an entity kind, because DataHub has no rules. */
export const ruleKind = "Rule";

/** The key that contains a rule's declarations. */
export const declareKey = "declare";

/** The key that restricts a column pattern to native types. */
export const nativeTypeKey = "native_type";

/** The key that excludes columns from a pattern. */
export const notKey = "not";

/** The key that makes patterns ignore case. */
export const ignoreCaseKey = "ignore_case";

function ignoreCaseSchema(what: string): JsonObject {
  return {
    type: "boolean",
    default: false,
    description: `Whether ${what} ignore case.`,
    examples: [true],
  };
}

/** Returns the name of the rule schema for an asset kind. */
export function ruleSchemaName(kind: string): string {
  return `${kind}${ruleKind}`;
}

const kindNames = assetKinds.map(({ name }) => name);

const kindOfMatch: JsonObject = {
  enum: kindNames,
  description: "The kind of asset that the rule applies to.",
  examples: kindNames,
};

/** The schema for the fields that all rules have. */
export const anyRuleSchema: JsonObject = {
  title: ruleKind,
  type: "object",
  required: ["kind", "id", "match"],
  properties: {
    kind: {
      const: ruleKind,
      description: "Declares the same metadata for every asset that the rule matches.",
      examples: [ruleKind],
    },
    id: {
      ...nonEmptyString,
      description: "The unique name of the rule, shown in plans and messages.",
      examples: ["snowflake-finance"],
    },
    match: {
      type: "object",
      required: ["kind"],
      properties: { kind: kindOfMatch },
      description:
        "Selects the assets that the rule applies to: those that match all keys. In a pattern, `*` matches any text. A list matches if at least one of its patterns matches.",
      examples: [{ kind: kindNames[0] ?? null, platform: "snowflake", name: ["prod.finance.*"] }],
    },
  },
};

const descriptionSchema: JsonObject = {
  ...nonEmptyString,
  description: "The purpose of the rule.",
  examples: ["Everything in the finance database belongs to the finance team."],
};

/** Builds the schema for `declare` in rules for an asset kind. */
function declareSchemaOf(kind: Kind): JsonObject {
  const properties = facetProperties(kind, ruleMappingSchema);
  return {
    type: "object",
    description: "The metadata for each matched asset, written as in a manifest.",
    examples: [exampleOf(Object.entries(properties))],
    properties,
    additionalProperties: false,
  };
}

const prioritySchema: JsonObject = {
  type: "integer",
  default: 0,
  description:
    "If two rules set the same single-valued field, such as the domain, the rule with the higher priority wins.",
  examples: [10],
};

/** A rule's keys, except `declare`. */
export const ruleKeys: ReadonlySet<string> = new Set(
  Object.keys({ kind: true, id: true, description: true, match: true, priority: true, manage: true }),
);

/** Builds the schema for rules for an asset kind. */
export function ruleSchemaOf(kind: Kind): JsonObject {
  const { kind: name, id, match } = anyRuleSchema["properties"] as Readonly<Record<string, JsonObject>>;
  return {
    ...anyRuleSchema,
    required: ["kind", "id", "match", declareKey],
    properties: {
      kind: name ?? {},
      id: id ?? {},
      description: descriptionSchema,
      match: matchSchemaOf(kind, match ?? {}),
      priority: prioritySchema,
      [declareKey]: declareSchemaOf(kind),
      manage: manageSchemaOf(kind),
    },
    additionalProperties: false,
  };
}

/** Returns the keys that `declare` supports in rules for an asset kind. */
export function declarableKeys(kind: string): readonly string[] {
  return [...new Set(facetsOf(kind).filter(isDeclarable).map(outerKey))];
}

/** Returns an example of `match`: a platform, and a name pattern if names have several parts. */
function matchExample({ name: kind, fields }: Kind): JsonObject {
  const platform = firstExample(fields["platform"]) ?? "snowflake";
  const named = textOf(firstExample(fields[nameKey]) ?? "");
  return named.includes(".")
    ? { kind, platform, [nameKey]: [named.replace(/[^.]*$/, "*")] }
    : { kind, platform };
}

function matchSchemaOf(kind: Kind, match: JsonObject): JsonObject {
  const { matchedBy = [] } = kind;
  const keys = Object.fromEntries(matchedBy.map(({ key, schema }) => [key, schema]));
  const excluded = { type: "object", minProperties: 1, properties: keys, additionalProperties: false };
  return {
    ...match,
    examples: [matchExample(kind)],
    properties: {
      kind: { ...kindOfMatch, examples: [kind.name] },
      ...keys,
      [ignoreCaseKey]: ignoreCaseSchema("the patterns in `match`, including `not`,"),
      not: {
        if: { type: "array" },
        // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword
        then: { items: excluded, minItems: 1 },
        else: excluded,
        description:
          "Excludes assets that match all of these keys. A list of mappings excludes assets that match at least one of the mappings.",
        examples: [{ name: "*_tmp" }, [{ name: "*_tmp" }, { platform: "dbt" }]],
      },
    },
    additionalProperties: false,
  };
}

/** Builds the schema for a mapping in a rule. The keys for columns are patterns, and all other keys are exact. */
function ruleMappingSchema(keys: Keys, below: JsonObject, example: Json): JsonObject {
  const properties = isJsonObject(below["properties"]) ? below["properties"] : {};
  if (keys !== columns) return mappingSchema(keys, below, example);
  const nativeType = patternsSchema(
    "Limits the pattern to columns with this native type, as reported by the platform.",
    "VARCHAR*",
    ["VARCHAR*", "TEXT"],
  );
  const excluded = patternsSchema("Patterns for the names of columns to exclude.", [
    "*_hash",
    "email_opt_in",
  ]);
  return {
    type: "object",
    description:
      "Column metadata, keyed by column name pattern. Columns that match no pattern are not changed.",
    examples: [{ "*email*": example }],
    additionalProperties: {
      type: "object",
      properties: {
        ...properties,
        [nativeTypeKey]: nativeType,
        [notKey]: excluded,
        [ignoreCaseKey]: ignoreCaseSchema("the patterns for these column names and types"),
      },
      anyOf: Object.keys(properties).map((key): Json => ({ required: [key] })),
      additionalProperties: false,
    },
  };
}
