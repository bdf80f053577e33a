/** One row of the sample: a dataset as ingestion found it, and what people have added in the UI since. */
export interface SampleDataset {
  readonly platform: "postgres" | "kafka" | "snowflake";
  readonly name: string;
  readonly description: string;
  /** `name type`, separated by commas; a dot in a name leads into a record. */
  readonly columns: string;
  readonly domain?: string;
  /** `user:<id>` or `group:<id>`, then the ownership type where it is not TECHNICAL_OWNER. */
  readonly owners?: readonly string[];
  readonly tags?: readonly string[];
  /** Tags that people gave to columns. */
  readonly columnTags?: Readonly<Record<string, readonly string[]>>;
  /** Tags that came with the schema: nobody can edit them in DataHub. */
  readonly ingestedTags?: Readonly<Record<string, readonly string[]>>;
}
