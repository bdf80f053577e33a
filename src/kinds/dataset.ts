/** The kind of tables, views, topics and files. Only datasets have columns. */

import { isJsonList, isJsonObject, type Json } from "../model/json.ts";
import { assetKind } from "./asset.ts";

/** Keeps the fields that rules match. All fields of many columns would take much memory. */
function onlyNamed(fields: Json | undefined): Json | undefined {
  if (!isJsonList(fields)) return fields;
  return fields.map((field) => {
    if (!isJsonObject(field)) return field;
    const { fieldPath, nativeDataType } = field;
    return { fieldPath, nativeDataType };
  });
}

export const dataset = assetKind({
  name: "Dataset",
  noun: "dataset",
  plural: "datasets",
  entityType: "dataset",
  typename: "Dataset",
  searchType: "DATASET",
  page: "dataset",
  has: ["container", "subtype"],
  columns: {
    columns: "columns: schemaMetadata { fields { fieldPath nativeDataType } }",
    editedColumns: "edited: editableSchemaMetadata { fields: editableSchemaFieldInfo { fieldPath } }",
    columnsFromStored: [
      { aspect: "schemaMetadata", answer: ({ fields }) => ({ columns: { fields: onlyNamed(fields) } }) },
      {
        aspect: "editableSchemaMetadata",
        answer: ({ editableSchemaFieldInfo: fields }) => ({ edited: { fields: onlyNamed(fields) } }),
      },
    ],
  },
  describedAs: "One row per invoice.",
  examples: {
    urn: ["urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.finance.invoices,PROD)"],
    platform: [
      "snowflake",
      "urn:li:dataPlatform:snowflake",
      "bigquery",
      "redshift",
      "databricks",
      "postgres",
      "mysql",
      "mssql",
      "oracle",
      "kafka",
      "s3",
      "hive",
      "dbt",
    ],
    name: ["prod.finance.invoices"],
    platform_instance: ["eu"],
  },
});
