/** Defines the facets of structured property definitions: value type, cardinality, version, entity types and allowed values. */

import { propertyDefinition } from "../kinds/structured-property.ts";
import { nonEmptyString } from "../model/identifier.ts";
import { isJsonList, isJsonObject, type JsonObject, textOf } from "../model/json.ts";
import { malformed, aspectIn, storedList } from "../model/answer.ts";
import { proposal, scalarFacet, setFacet } from "./build.ts";
import type { FacetContract, ScalarFacet, SetFacet } from "./facet.ts";
import { fieldFacet } from "./field.ts";
import { propertyValue, storedValue, readStoredValue } from "./property-value.ts";

const common = {
  kinds: ["StructuredProperty"],
  aspects: () => [propertyDefinition],
  storedIn: () => propertyDefinition,
} satisfies Partial<FacetContract>;

/** The value types in a new DataHub installation (bootstrap_mcps/data-types.yaml), with their names in manifests. */
const valueTypes = ["string", "number", "date", "urn", "rich_text"] as const;

const typePrefix = "urn:li:dataType:datahub.";

export const valueType: ScalarFacet = scalarFacet({
  ...common,
  name: "value_type",
  schema: {
    enum: valueTypes,
    description: "The data type of the values.",
    default: "string",
    examples: ["number", "string", "date", "urn", "rich_text"],
  },
  isRequired: true,
  implied: { for: "new-entity", value: () => "string" },
  parse: (written) => ({ value: textOf(written), references: [] }),
  observe: (aspects) => shortened(textOf(definitionIn(aspects)["valueType"] ?? ""), typePrefix),
  requests: ({ urn, after }) => {
    const type = typeof after === "string" ? lengthened(after, typePrefix) : null;
    return [proposal(urn, propertyDefinition, { valueType: type })];
  },
});

export const cardinality: ScalarFacet = fieldFacet({
  name: "cardinality",
  schema: {
    enum: ["SINGLE", "MULTIPLE"],
    description: "Whether an entity can have one value (`SINGLE`) or several (`MULTIPLE`).",
    default: "SINGLE",
    examples: ["SINGLE", "MULTIPLE"],
  },
  isRequired: true,
  implied: { for: "new-entity", value: () => "SINGLE" },
  // GraphQL returns this value if the field is absent (StructuredPropertyDefinition.pdl).
  absent: "SINGLE",
});

export const version: ScalarFacet = {
  ...fieldFacet({
    name: "version",
    schema: {
      type: "string",
      pattern: "^[0-9]{14}$",
      description:
        "The version: 14 digits in quotes, such as a timestamp. DataHub requires a later version for changes that could make existing values invalid.",
      examples: ["20270630120000"],
    },
    isRequired: true,
  }),
  isOnlyStored: () => true,
};

/** The entity types that can have structured properties, spelled as in URNs (entity-registry.yml). */
const entityTypeNames = [
  "dataset",
  "schemaField",
  "container",
  "chart",
  "dashboard",
  "dataFlow",
  "dataJob",
  "mlModel",
  "mlModelGroup",
  "mlFeatureTable",
  "mlFeature",
  "mlPrimaryKey",
  "dataProduct",
  "domain",
  "glossaryNode",
  "glossaryTerm",
  "corpuser",
  "corpGroup",
  "dataContract",
  "application",
  "document",
];

const entityTypePrefix = "urn:li:entityType:datahub.";

export const entityTypes: SetFacet = setFacet<string>({
  ...common,
  name: "entity_types",
  schema: {
    type: "array",
    description: "The entity types that can have the property. `schemaField` means a column.",
    examples: [["dataset", "schemaField"]],
    items: { enum: entityTypeNames },
  },
  parse: (written) => ({ value: textOf(written), references: [] }),
  observe: (aspects) => typesIn(definitionIn(aspects)),
  editing: {
    aspect: () => propertyDefinition,
    edits: (_place, add, remove) => [
      {
        at: ["entityTypes"],
        add: add.map((type) => ({ element: lengthened(type, entityTypePrefix) })),
        remove: remove.map((type) => lengthened(type, entityTypePrefix)),
      },
    ],
  },
});

type AllowedValue = { readonly value: string | number; readonly description?: string };

export const allowedValues: SetFacet = setFacet<AllowedValue>({
  ...common,
  name: "allowed_values",
  schema: {
    type: "array",
    description: "The allowed values. `[]` allows any value.",
    examples: [[{ value: 90 }, { value: 365, description: "A year" }], []],
    items: {
      type: "object",
      required: ["value"],
      properties: {
        value: { ...propertyValue, description: "An allowed value.", examples: [365, "monthly"] },
        description: {
          ...nonEmptyString,
          description: "Explains what the value means.",
          examples: ["A year"],
        },
      },
      additionalProperties: false,
    },
  },
  parse: (written) => ({ value: allowedIn(isJsonObject(written) ? written : {}), references: [] }),
  format: ({ value, description }) => (description === undefined ? `${value}` : `${value} (${description})`),
  observe: (aspects) => allowedValuesIn(definitionIn(aspects)),
  editing: {
    aspect: () => propertyDefinition,
    edits: (_place, add, remove) => [
      {
        at: ["allowedValues"],
        add: add.map(({ value, ...more }) => ({ element: { value: storedValue(value), ...more } })),
        remove: remove.map(({ value, description = null }) => ({ value: storedValue(value), description })),
        // An empty list would forbid all values, so the field is removed instead.
        emptied: "field",
      },
    ],
  },
});

function allowedIn({ value = null, description }: JsonObject): AllowedValue {
  return {
    value: typeof value === "number" ? value : textOf(value),
    ...(typeof description === "string" && { description }),
  };
}

function allowedValuesIn({ allowedValues: list }: JsonObject): readonly AllowedValue[] {
  return storedList(list, "the allowed values").map(({ value, description }) => ({
    value: readStoredValue(value),
    ...(typeof description === "string" && description !== "" && { description }),
  }));
}

function typesIn({ entityTypes: list }: JsonObject): readonly string[] {
  if (list === undefined || list === null) return [];
  if (isJsonList(list) && list.every((type) => typeof type === "string"))
    return list.map((type) => shortened(type, entityTypePrefix));
  throw malformed("the entity types", "are not a list of strings");
}

function definitionIn(aspects: JsonObject): JsonObject {
  return aspectIn(aspects, propertyDefinition);
}

function shortened(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

function lengthened(text: string, prefix: string): string {
  return text.startsWith("urn:li:") ? text : prefix + text;
}
