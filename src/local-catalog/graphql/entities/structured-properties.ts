/** Defines the GraphQL fields for structured properties, and converts the property values of entities. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import { listAt, objectAt, objectsAt, stringAt, stringsAt } from "../../json.ts";
import { graphqlTypeNamed } from "../../registry/graphql-types.ts";
import { attributionValue } from "./association-values.ts";
import { aspectField, plainField, type EntityFields } from "./field.ts";
import { createdOn, entityAt, stringFields } from "./property-values.ts";
import { keyFields } from "./shared-fields.ts";
import { entitySource, findEntitySource, urnKey } from "./source.ts";

/** Converts a `structuredProperties` aspect to GraphQL's StructuredProperties (StructuredPropertiesMapper.java). */
export function structuredPropertiesValue(value: JsonObject, associatedUrn: string): object {
  return {
    properties: objectsAt(value, "properties").map((assignment) => ({
      structuredProperty: entityAt(assignment, "propertyUrn"),
      values: listAt(assignment, "values").map(propertyValue),
      valueEntities: listAt(assignment, "values").flatMap((each) =>
        isJsonObject(each) ? (findEntitySource(stringAt(each, "string") ?? "") ?? []) : [],
      ),
      associatedUrn,
      attribution: attributionValue(assignment),
    })),
  };
}

/** The field for an entity's structured properties. */
export const withProperties: EntityFields = {
  structuredProperties: aspectField("structuredProperties", structuredPropertiesValue),
};

/** Fields for structured property definitions, and for the types that definitions refer to (StructuredPropertyMapper.java). */
export const structuredPropertyFields: Readonly<Record<string, EntityFields>> = {
  StructuredPropertyEntity: {
    // DataHub's GraphQL schema declares `relationships` for definitions, but DataHub does not resolve the field
    // (GmsGraphQLEngine.java).
    ...keyFields("structuredProperty"),
    definition: aspectField("propertyDefinition", definitionValue),
  },
  DataTypeEntity: { info: plainField((urn) => ({ qualifiedName: urnKey(urn), type: dataType(urn) })) },
  EntityTypeEntity: { info: plainField((urn) => ({ qualifiedName: urnKey(urn), type: entityType(urn) })) },
};

function definitionValue(value: JsonObject): object {
  const allowedTypes = stringsAt(objectAt(value, "typeQualifier"), "allowedTypes");
  return {
    ...stringFields(value, ["qualifiedName", "displayName", "description"]),
    cardinality: stringAt(value, "cardinality") ?? "SINGLE",
    valueType: entityAt(value, "valueType"),
    typeQualifier: allowedTypes.length > 0 ? { allowedTypes: allowedTypes.map(entitySource) } : null,
    entityTypes: stringsAt(value, "entityTypes").map(entitySource),
    immutable: value["immutable"] === true,
    created: createdOn(objectAt(value, "created")),
    lastModified: createdOn(objectAt(value, "lastModified")),
    allowedValues: isJsonList(value["allowedValues"])
      ? objectsAt(value, "allowedValues").map((allowed) => ({
          value: propertyValue(allowed["value"] ?? null),
          description: stringAt(allowed, "description"),
        }))
      : null,
  };
}

function propertyValue(value: Json): object {
  const { double: number, string } = isJsonObject(value) ? value : {};
  return typeof number === "number"
    ? { typename: "NumberValue", numberValue: number }
    : { typename: "StringValue", stringValue: string };
}

const dataTypes: ReadonlySet<string> = new Set(["STRING", "NUMBER", "URN", "RICH_TEXT", "DATE"]);

function dataType(urn: string): string {
  const name = urn.slice(urn.lastIndexOf(".") + 1).toUpperCase();
  return dataTypes.has(name) ? name : "OTHER";
}

function entityType(urn: string): string {
  return graphqlTypeNamed(urn.slice(urn.lastIndexOf(".") + 1))?.type ?? "OTHER";
}
