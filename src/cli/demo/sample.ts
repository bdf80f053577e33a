import { datasetRecords, globalTags, type MetadataRecord, ownershipOf, recordsOf } from "./metadata.ts";
import type { SampleDataset } from "./sample-dataset.ts";
import { kafkaDatasets } from "./sample-kafka.ts";
import { postgresDatasets } from "./sample-postgres.ts";
import { snowflakeDatasets } from "./sample-snowflake.ts";

/** The datasets of a fictional bicycle shop. */
export const sampleDatasets: readonly SampleDataset[] = [
  ...postgresDatasets,
  ...kafkaDatasets,
  ...snowflakeDatasets,
];

/** The sample as a DataHub metadata file: what ingestion wrote, and what people added in the UI. */
export const sampleRecords: readonly MetadataRecord[] = [
  ...sampleDatasets.flatMap(datasetRecords),
  ...container("7d0c4b1f9a6e4c2d8b35e1f0a2c96d47", "finance", {
    domains: { domains: ["urn:li:domain:finance"] },
    ownership: ownershipOf(["group:finance-data"]),
    globalTags: globalTags(["confidential"]),
  }),
  ...container("2e91a7c05f3d4b68a1c4d90b7e28f653", "customers", {}),
  // Not declared in the repository: tags of other tools that write to DataHub, and a former colleague.
  ...tag("dbt:masked"),
  ...tag("legacy-etl"),
  ...recordsOf("urn:li:corpuser:kai.werner", { corpUserInfo: { active: false, displayName: "Kai Werner" } }),
];

function container(
  guid: string,
  name: string,
  aspects: Parameters<typeof recordsOf>[1],
): readonly MetadataRecord[] {
  return recordsOf(`urn:li:container:${guid}`, {
    containerProperties: { name, qualifiedName: `analytics.${name}`, customProperties: {} },
    dataPlatformInstance: { platform: "urn:li:dataPlatform:snowflake" },
    status: { removed: false },
    ...aspects,
  });
}

function tag(name: string): readonly MetadataRecord[] {
  return recordsOf(`urn:li:tag:${name}`, { tagProperties: { name } });
}
