import type { Facet } from "../../facets/facet.ts";
import { facetsOf } from "../../facets/index.ts";
import { type Kind, withExamplesOf } from "../../kinds/kind.ts";
import { nonEmptyString } from "../../model/identifier.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { schemaHead } from "../../model/schema-head.ts";
import { manageSchemaOf } from "./manage-schema.ts";
import { settingsFields } from "../settings/settings-fields.ts";

const kindMeaning = "What the manifest declares.";

/** JSON Schema of the rules that a document leaves out. */
const exemptSchema: JsonObject = {
  type: "array",
  description: "The ids of rules that do not apply to this asset, though they match it.",
  examples: [["snowflake-finance"]],
  items: nonEmptyString,
};

/** JSON Schema of one manifest of a kind. */
export function schemaOf(kind: Kind): JsonObject {
  const required = kind.constraints["required"];
  const properties: JsonObject = {
    kind: { const: kind.name, description: kindMeaning, examples: [kind.name] },
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

/** JSON Schema of the settings. */
export const settingsSchema: JsonObject = {
  ...schemaHead("settings", "The settings of datahub-gitops"),
  type: "object",
  required: ["version"],
  properties: settingsFields,
  additionalProperties: false,
};

/** The facets of a kind by key. `columns.x` is the key `x` of each column. */
export function facetProperties(kind: Kind, columns: ColumnsSchema = columnsSchema): JsonObject {
  const facets = facetsOf(kind.name).filter(({ schema }) => schema !== undefined);
  const plain = facets.filter(({ shape }) => shape !== "map");
  const maps = facets.filter(({ shape }) => shape === "map");
  const parents = new Set(maps.map(({ name }) => mapKeys(name).parent));
  const nested = [...parents].map((parent): readonly [string, Json] => {
    const own = maps.filter(({ name }) => mapKeys(name).parent === parent);
    const entries = own.map(({ name, schema = {} }) => [mapKeys(name).child, schema] as const);
    return [parent, columns(Object.fromEntries(entries), exampleOf(entries))];
  });
  return {
    ...Object.fromEntries(
      plain.map(({ name, schema = {}, schemaFor }) => [
        name,
        withExamplesOf(kind, name, schemaFor?.[kind.name] ?? schema),
      ]),
    ),
    ...Object.fromEntries(nested),
  };
}

/** Makes the schema of the key that holds columns, from that of what is declared of each, and an example of it. */
type ColumnsSchema = (properties: Readonly<Record<string, JsonObject>>, example: JsonObject) => JsonObject;

/** An example of a mapping: the first one of each of its keys. */
export function exampleOf(properties: readonly (readonly [string, Json | undefined])[]): JsonObject {
  const examples = properties.map(([key, schema]) => {
    const all = isJsonObject(schema) ? schema["examples"] : undefined;
    return [key, isJsonList(all) ? all[0] : undefined];
  });
  return Object.fromEntries(examples) as JsonObject;
}

/** The schema of a mapping from columns to what is declared of each. */
function columnsSchema(properties: Readonly<Record<string, JsonObject>>, example: JsonObject): JsonObject {
  return {
    type: "object",
    description:
      "What is declared of columns, by the name of the column or its full field path. A column that is not listed is not managed.",
    examples: [{ "customer.email": example }],
    additionalProperties: { type: "object", properties, additionalProperties: false },
  };
}

/** The key of a manifest under which a facet stands. */
export function outerKey({ name, shape }: Facet): string {
  return shape === "map" ? mapKeys(name).parent : name;
}

/** The two keys of a facet of map shape: `columns.tags` is `tags` in each entry of `columns`. */
export function mapKeys(name: string): { readonly parent: string; readonly child: string } {
  const dot = name.indexOf(".");
  return { parent: name.slice(0, dot), child: name.slice(dot + 1) };
}
