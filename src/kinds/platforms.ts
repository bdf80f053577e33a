/** Lists the data platforms that a new DataHub installation contains. */

/** The platform ids in DataHub's bootstrap_mcps/data-platforms.yaml, except a few that manifests are unlikely to contain. */
export const knownPlatforms: ReadonlySet<string> = new Set(
  `
    airflow athena bigquery cassandra clickhouse cockroachdb couchbase dagster databricks db2 dbt
    delta-lake dremio druid dynamodb elasticsearch fivetran gcs glue grafana hana hdfs hive iceberg
    kafka kafka-connect kusto looker mariadb metabase mlflow mode mongodb mssql mysql neo4j nifi oracle
    pinot postgres powerbi presto pulsar qlik-sense redash redshift s3 sagemaker salesforce sigma
    snowflake spark superset tableau teradata trino vertica
  `
    .trim()
    .split(/\s+/),
);
