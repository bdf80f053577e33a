/** Defines the kind for tables, views, topics and files. Only datasets have columns. */

import { assetKind } from "./asset.ts";

export const dataset = assetKind({
  name: "Dataset",
  noun: "dataset",
  plural: "datasets",
  entityType: "dataset",
  typename: "Dataset",
  searchType: "DATASET",
  page: "dataset",
  has: ["container", "subtype"],
  hasColumns: true,
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
