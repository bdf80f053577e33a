/** Builds the JSON Schema for one kind's manifests, and for the settings. */

import type { Facet } from "../../facets/facet.ts";
import type { Keys } from "../../facets/map-contract.ts";
import { facetsOf, isDeclarable } from "../../facets/index.ts";
import { innerKey, outerKey } from "../../facets/places.ts";
import { fittedTo, type Kind } from "../../kinds/kind.ts";
import { groupBy } from "../../model/group-by.ts";
import { keysReferToKey, nonEmptyString } from "../../model/identifier.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Place } from "../../model/place.ts";
import { schemaHead } from "../../model/schema-head.ts";
import { manageSchemaOf } from "./manage-schema.ts";
import { settingsFields } from "./settings-fields.ts";

/** Returns the description of a kind's manifests. */
function kindMeaning({ noun, lifecycle }: Kind): string {
  const what = /^(?:[aeio]|ML)/.test(noun) ? `an ${noun}` : `a ${noun}`;
  return lifecycle === "owned"
    ? `Defines ${what}. \`apply\` creates it if it does not exist, and updates it otherwise.`
    : `Adds metadata to ${what} that already exists in DataHub. \`apply\` never creates or deletes it.`;
}

/** The JSON Schema for `exempt`, which lists the rules from which an asset is exempt. */
const exemptSchema: JsonObject = {
  type: "array",
  description: "The ids of rules that do not apply to this asset, even if they match it.",
  examples: [["snowflake-finance"]],
  items: nonEmptyString,
};

/** Builds the JSON Schema for one manifest of a kind. */
export function schemaOf(kind: Kind): JsonObject {
  const required = kind.constraints["required"];
  const properties: JsonObject = {
    kind: { const: kind.name, description: kindMeaning(kind), examples: [kind.name] },
    ...kind.fields,
    ...facetProperties(kind),
    manage: manageSchemaOf(kind),
    ...(kind.matchedBy && { exempt: exemptSchema }),
  };
  return {
    title: kind.name,
    type: "object",
    ...kind.constraints,
    properties,
    required: ["kind", ...(isJsonList(required) ? required : [])],
    additionalProperties: false,
  };
}

/** The JSON Schema for the settings. */
export const settingsSchema: JsonObject = {
  ...schemaHead("settings", "Settings for datahub-gitops"),
  type: "object",
  required: ["version"],
  properties: settingsFields,
  additionalProperties: false,
};

/** Builds the schemas for a kind's facets, keyed by manifest key. A facet `columns.x` becomes the key `x` for each column. */
export function facetProperties(kind: Kind, mapping: MappingSchema = mappingSchema): JsonObject {
  const facets = facetsOf(kind.name).filter(isDeclarable);
  const [plain, nested] = [facets.filter((facet) => !isNested(facet)), facets.filter(isNested)];
  const below = groupBy(nested, outerKey);
  return {
    ...Object.fromEntries(
      plain.map((facet) => [facet.name, schemaBelow(facet, keysBelow(facet), kind, mapping)]),
    ),
    ...Object.fromEntries([...below].map(([outer, own]) => [outer, nestedSchema(own, kind, mapping)])),
  };
}

/** Builds the schema for a mapping, given its keys, the schema for its values, and an example value. */
type MappingSchema = (keys: Keys, below: JsonObject, example: Json) => JsonObject;

/** Builds the schema for a mapping that allows any key. */
export function mappingSchema(
  { description, example: key, entityType }: Keys,
  below: JsonObject,
  example: Json,
): JsonObject {
  return {
    type: "object",
    description,
    examples: [{ [key]: example }],
    additionalProperties: below,
    ...(entityType !== undefined && { [keysReferToKey]: entityType }),
  };
}

/** Builds the schema for a facet: nested mappings, one for each of these keys, with the facet's own schema inside. */
function schemaBelow(facet: Facet, keys: readonly Keys[], kind: Kind, mapping: MappingSchema): JsonObject {
  const [first, ...rest] = keys;
  if (!first) {
    const { name, schema = {}, schemaFor } = facet;
    return fittedTo(kind, name, schemaFor?.[kind.name] ?? schema);
  }
  const below = schemaBelow(facet, rest, kind, mapping);
  return mapping(first, below, firstExample(below) ?? null);
}

/** Builds the schema for a mapping that several facets share. Each entry in the mapping has one key for each facet. */
function nestedSchema(facets: readonly Facet[], kind: Kind, mapping: MappingSchema): JsonObject {
  const entries = facets.map(
    (facet) => [innerKey(facet) ?? "", schemaBelow(facet, keysBelow(facet).slice(1), kind, mapping)] as const,
  );
  const [keys] = facets.flatMap(keysBelow);
  const below = { type: "object", properties: Object.fromEntries(entries), additionalProperties: false };
  return keys ? mapping(keys, below, exampleOf(entries)) : below;
}

function keysBelow(facet: Facet): readonly Keys[] {
  return facet.shape === "map" ? facet.keys : [];
}

/** Builds an example of a mapping from the first example for each key. */
export function exampleOf(properties: readonly (readonly [string, Json | undefined])[]): JsonObject {
  return Object.fromEntries(properties.map(([key, schema]) => [key, firstExample(schema)]));
}

/** Returns a schema's first example; `undefined` if it has none. */
export function firstExample(schema: Json | undefined): Json | undefined {
  const all = isJsonObject(schema) ? schema["examples"] : undefined;
  return isJsonList(all) ? all[0] : undefined;
}

/**
 * Returns the manifest keys that lead to a value. For the column `email` in `columns.tags`, these are `columns`, `email` and
 * `tags`.
 */
export function manifestKeys({ facet, path = [] }: Place): readonly [string, ...string[]] {
  const [outer = facet, ...inner] = facet.split(".");
  return [outer, ...path.slice(0, 1), ...inner, ...path.slice(1)];
}

function isNested(facet: Facet): boolean {
  return innerKey(facet) !== undefined;
}
