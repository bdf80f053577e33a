/** A dataset of the sample: what ingestion wrote, and what people added in the UI. */
export interface SampleDataset {
  readonly platform: "postgres" | "kafka" | "snowflake";
  readonly name: string;
  readonly description: string;
  /** `name type`, separated by commas. A dot in a name separates the levels of a record. */
  readonly columns: string;
  readonly domain?: string;
  /** `user:<id>` or `group:<id>`, followed by the ownership type if it is not TECHNICAL_OWNER. */
  readonly owners?: readonly string[];
  readonly tags?: readonly string[];
  /** Tags that people added to columns. */
  readonly columnTags?: Readonly<Record<string, readonly string[]>>;
  /** Tags that ingestion set with the schema. DataHub cannot edit them. */
  readonly ingestedTags?: Readonly<Record<string, readonly string[]>>;
}
