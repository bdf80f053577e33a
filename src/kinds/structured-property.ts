/** Defines the kind for structured properties, and finds changes to their definitions that DataHub rejects. */

import { isJsonList, isJsonObject, type Json, type JsonObject, textOf } from "../model/json.ts";
import type { Scalar } from "../model/state.ts";
import { identifiedById } from "./build.ts";
import type { Kind, RefusedChange, SearchFilter } from "./kind.ts";

/** The aspect that stores a structured property's definition. */
export const propertyDefinition = "propertyDefinition";

const identity = identifiedById("structuredProperty", "structured property", "retention_days");

export const structuredProperty: Kind<"StructuredProperty"> = {
  name: "StructuredProperty",
  noun: "structured property",
  plural: "structured properties",
  typename: "StructuredPropertyEntity",
  searchType: "STRUCTURED_PROPERTY",
  page: "structured-properties",
  lifecycle: "owned",
  softDeletable: true,
  ownable: false,
  displayName: "display_name",
  storage: {
    display_name: [propertyDefinition, "displayName"],
    description: [propertyDefinition, "description"],
    cardinality: [propertyDefinition, "cardinality"],
    version: [propertyDefinition, "version"],
  },
  aspectFields: {
    selection: `definition { displayName description cardinality valueType { urn } entityTypes { urn }
      allowedValues { description value { ... on StringValue { stringValue } ... on NumberValue { numberValue } } } }`,
    aspectsIn: ({ definition }) =>
      isJsonObject(definition) ? { [propertyDefinition]: stored(definition) } : {},
  },
  // After a property is permanently deleted, DataHub never accepts its name again (PropertyDefinitionValidator.java). Newer
  // servers refuse to delete a property that is not soft-deleted (pull request #19445). All releases support soft deletion.
  deletion: {
    relationships: [],
    searchFields: [],
    usedIn: (key) => {
      const anyOf = [key, indexNameOf(key)].map((name): readonly SearchFilter[] => [
        { field: `structuredProperties.${name}`, values: [], condition: "EXISTS" },
      ]);
      return [{ anyOf }, { type: "SCHEMA_FIELD", anyOf }];
    },
    aftermath:
      "the property is soft-deleted and can be declared again; its values remain stored on an asset until other structured properties of that asset are written",
  },
  descriptions: {
    description: "Explains what the property means. `none` removes the description.",
  },
  examples: {
    display_name: ["Retention in days"],
    description: ["How long rows are kept."],
  },
  ...identity,
  // DataHub does not allow white space in ids (PropertyDefinitionValidator.java).
  urnOf: (document) =>
    /\s/.test(textOf(document["id"]))
      ? { fault: { reason: "blank" }, field: "id" }
      : identity.urnOf(document),
  uniqueName: {
    what: "field in DataHub's search index",
    way: "rename one of them, or declare a `version` (a 14-digit timestamp) for one of them",
    of: (key, facets) => `${indexNameOf(key)} ${textOf(scalarIn(facets, "version") ?? "")}`,
  },
  refusedChanges: refusedIn,
  outdatesValues: (before, after) => incompatibleIn(before, after).length > 0,
  initial: (key) => ({
    [propertyDefinition]: {
      qualifiedName: key,
      valueType: "urn:li:dataType:datahub.string",
      entityTypes: [],
    },
  }),
};

/**
 * Returns the property's field name in the search index (StructuredPropertyUtils.toElasticsearchFieldName). The field remains in
 * the index after the property is deleted.
 */
function indexNameOf(key: string): string {
  return key.replaceAll(".", "_");
}

type Facets = Parameters<NonNullable<Kind["refusedChanges"]>>[0];

const laterVersion = "declare a later `version` (a 14-digit timestamp), or a different property";

/**
 * Finds changes that could make existing values invalid. DataHub rejects such a change unless the definition also gets a later
 * version (PropertyDefinitionValidator.java).
 */
function refusedIn(before: Facets, after: Facets): readonly RefusedChange[] {
  const [was, is] = [before, after].map((facets) => textOf(scalarIn(facets, "version") ?? ""));
  if (is !== undefined && was !== undefined && is !== was) {
    if (is > was) return [];
    return [
      {
        facet: "version",
        reason: `is ${was} in the catalog, and can only change to a later version`,
        way: "declare a later version, or remove the key",
      },
    ];
  }
  return incompatibleIn(before, after);
}

function incompatibleIn(before: Facets, after: Facets): readonly RefusedChange[] {
  const refused: RefusedChange[] = [];
  if (scalarIn(before, "value_type") !== scalarIn(after, "value_type"))
    refused.push({ facet: "value_type", reason: "cannot change", way: laterVersion });
  if (scalarIn(before, "cardinality") === "MULTIPLE" && scalarIn(after, "cardinality") !== "MULTIPLE")
    refused.push({
      facet: "cardinality",
      reason: "can only change from SINGLE to MULTIPLE",
      way: laterVersion,
    });
  const [allowed, stays] = [valuesIn(before), valuesIn(after)];
  const isRestricted =
    stays.size > 0 && (allowed.size === 0 || [...allowed].some((value) => !stays.has(value)));
  if (isRestricted)
    refused.push({
      facet: "allowed_values",
      reason: "can only be extended, or removed to allow all values",
      way: laterVersion,
    });
  return refused;
}

function scalarIn(facets: Facets, name: string): Scalar {
  const value = facets.get(name);
  return value?.shape === "scalar" ? value.value : null;
}

function valuesIn(facets: Facets): ReadonlySet<string | number | undefined> {
  const value = facets.get("allowed_values");
  const members = value?.shape === "set" ? value.members : [];
  return new Set(members.map((member) => (typeof member === "object" ? member["value"] : member)));
}

/** Converts a definition's GraphQL fields into the stored form of the aspect (StructuredPropertyMapper.java). */
function stored({ valueType, entityTypes, allowedValues, ...texts }: JsonObject): JsonObject {
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== null)),
    valueType: urnIn(valueType),
    entityTypes: (isJsonList(entityTypes) ? entityTypes : []).map(urnIn),
    ...(isJsonList(allowedValues) && { allowedValues: allowedValues.filter(isJsonObject).map(allowedValue) }),
  };
}

function allowedValue({ value, description }: JsonObject): JsonObject {
  const { numberValue, stringValue = null }: JsonObject = isJsonObject(value) ? value : {};
  return {
    value: numberValue === undefined ? { string: stringValue } : { double: numberValue },
    ...(typeof description === "string" && { description }),
  };
}

function urnIn(entity: Json | undefined): Json {
  return isJsonObject(entity) ? (entity["urn"] ?? null) : null;
}
