/** Converts schemas and their columns to GraphQL values, and reads aspects and URNs of schema fields. */

import type { JsonObject } from "../../../model/json.ts";
import { tagsValue, termsValue } from "./association-values.ts";
import type { EntityField } from "./field.ts";
import { schemaFieldSource } from "./source.ts";
import { objectAt, objectsAt, stringAt } from "../../json.ts";

// Data types, keyed by the class name in `type.type` without the package (SchemaFieldMapper.mapSchemaFieldDataType).
const dataTypes: Readonly<Record<string, string>> = {
  BooleanType: "BOOLEAN",
  FixedType: "FIXED",
  StringType: "STRING",
  BytesType: "BYTES",
  NumberType: "NUMBER",
  DateType: "DATE",
  TimeType: "TIME",
  EnumType: "ENUM",
  NullType: "NULL",
  MapType: "MAP",
  ArrayType: "ARRAY",
  UnionType: "UNION",
  RecordType: "STRUCT",
};

/** Converts a `schemaMetadata` aspect to GraphQL's SchemaMetadata, which contains the columns as ingestion wrote them. */
export function schemaValue(schema: JsonObject, dataset: string): object {
  return { fields: objectsAt(schema, "fields").map((field) => columnValue(field, dataset)) };
}

/** Converts an `editableSchemaMetadata` aspect to GraphQL's EditableSchemaMetadata, which contains users' edits to columns. */
export function editableSchemaValue(schema: JsonObject, dataset: string): object {
  return {
    editableSchemaFieldInfo: objectsAt(schema, "editableSchemaFieldInfo").map((info) => {
      return {
        fieldPath: stringAt(info, "fieldPath"),
        description: stringAt(info, "description"),
        ...columnLabels(info, dataset),
      };
    }),
  };
}

/**
 * Creates a field that reads one aspect of a schema-field entity. Such an entity stores a column's tags and terms in addition to
 * those in the dataset's two schema aspects. The field is null if the entity lacks the aspect.
 */
export function ofSchemaField(aspect: string, read: (value: JsonObject, urn: string) => object): EntityField {
  return {
    aspects: () => [],
    read(urn, reader) {
      // A single query reads this aspect for all columns of the dataset.
      const columns = `urn:li:schemaField:(${datasetOfSchemaField(urn)},`;
      const value = reader.aspectUnder(columns, aspect).get(urn);
      return value ? read(value, urn) : null;
    },
  };
}

/** Returns the dataset URN that a schema field's URN contains. */
export function datasetOfSchemaField(urn: string): string {
  const inner = urn.slice("urn:li:schemaField:(".length);
  return inner.slice(0, inner.indexOf(")") + 1);
}

/** Returns the field path that a schema field's URN contains. */
export function fieldPathOfSchemaField(urn: string): string {
  const path = urn.slice(`urn:li:schemaField:(${datasetOfSchemaField(urn)},`.length, -1);
  return path.replace(/%28|%29|%2C/g, decodeURIComponent);
}

function columnValue(field: JsonObject, dataset: string): object {
  const fieldPath = stringAt(field, "fieldPath") ?? "";
  return {
    fieldPath,
    type: dataTypeOf(field),
    nativeDataType: stringAt(field, "nativeDataType"),
    nullable: field["nullable"] === true,
    description: stringAt(field, "description"),
    ...columnLabels(field, dataset),
    schemaFieldEntity: () => schemaFieldSource(dataset, fieldPath),
  };
}

function columnLabels(column: JsonObject, dataset: string): object {
  const globalTags = objectAt(column, "globalTags");
  const glossaryTerms = objectAt(column, "glossaryTerms");
  const tags = globalTags ? tagsValue(globalTags, dataset) : null;
  return { tags, globalTags: tags, glossaryTerms: glossaryTerms ? termsValue(glossaryTerms, dataset) : null };
}

function dataTypeOf(field: JsonObject): string {
  const union = objectAt(objectAt(field, "type"), "type");
  const [className = ""] = Object.keys(union ?? {});
  return dataTypes[className.slice(className.lastIndexOf(".") + 1)] ?? "NULL";
}
