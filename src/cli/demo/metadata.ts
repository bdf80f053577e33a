import type { JsonObject } from "../../model/json.ts";
import type { SampleDataset } from "./sample-dataset.ts";

/** One record of a DataHub metadata file: a proposal to set one aspect. */
export interface MetadataRecord {
  readonly entityType: string;
  readonly entityUrn: string;
  readonly changeType: "UPSERT";
  readonly aspectName: string;
  readonly aspect: { readonly json: JsonObject };
}

/** The records that give an entity its aspects. */
export function recordsOf(
  urn: string,
  aspects: Readonly<Record<string, JsonObject | undefined>>,
): readonly MetadataRecord[] {
  const entityType = urn.split(":", 3)[2] ?? "";
  return Object.entries(aspects).flatMap(([aspectName, json]) =>
    json === undefined
      ? []
      : [{ entityType, entityUrn: urn, changeType: "UPSERT", aspectName, aspect: { json } } as const],
  );
}

/** The URN of a dataset of the sample. */
export function urnOfDataset({ platform, name }: Pick<SampleDataset, "platform" | "name">): string {
  return `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`;
}

/** The exact field paths of the columns of a dataset, by plain name. */
export function fieldPathsOf({ platform, columns }: SampleDataset): ReadonlyMap<string, string> {
  const paths = columnsOf(columns).map(([name, type]) => [name, fieldPath(platform, name, type)] as const);
  return new Map(paths);
}

/** The records of a dataset of the sample. */
export function datasetRecords(dataset: SampleDataset): readonly MetadataRecord[] {
  const { name, description, domain, owners, tags, columnTags } = dataset;
  return recordsOf(urnOfDataset(dataset), {
    datasetProperties: { name: name.slice(name.lastIndexOf(".") + 1), description, customProperties: {} },
    status: { removed: false },
    schemaMetadata: schemaOf(dataset),
    domains: domain === undefined ? undefined : domainsOf(`urn:li:domain:${domain}`),
    ownership: owners && ownershipOf(owners),
    globalTags: tags && globalTags(tags),
    editableSchemaMetadata: columnTags && editableSchemaOf(dataset, columnTags),
  });
}

const neverChanged = { time: 0, actor: "urn:li:corpuser:unknown" };

/** The aspect `globalTags`. */
export function globalTags(ids: readonly string[]): JsonObject {
  return { tags: ids.map((id) => ({ tag: `urn:li:tag:${id}` })) };
}

function domainsOf(domain: string): JsonObject {
  return { domains: [domain], domainAssociations: [{ domain }] };
}

/** The aspect `ownership`, from owners as written in the sample. */
export function ownershipOf(owners: readonly string[]): JsonObject {
  return { owners: owners.map(ownerOf), lastModified: neverChanged };
}

function ownerOf(written: string): JsonObject {
  const [who = "", type = "TECHNICAL_OWNER"] = written.split(" ");
  const owner = who.replace(/^user:/, "urn:li:corpuser:").replace(/^group:/, "urn:li:corpGroup:");
  return { owner, type, typeUrn: `urn:li:ownershipType:__system__${type.toLowerCase()}` };
}

function editableSchemaOf(
  dataset: SampleDataset,
  tags: Readonly<Record<string, readonly string[]>>,
): JsonObject {
  const paths = fieldPathsOf(dataset);
  const editableSchemaFieldInfo = Object.entries(tags).map(([column, ids]) => ({
    fieldPath: paths.get(column),
    globalTags: globalTags(ids),
  }));
  return { editableSchemaFieldInfo, created: neverChanged, lastModified: neverChanged };
}

function schemaOf({ platform, name, columns, ingestedTags = {} }: SampleDataset): JsonObject {
  const fields = columnsOf(columns).map(([column, type]) => {
    const tags = ingestedTags[column];
    return {
      fieldPath: fieldPath(platform, column, type),
      nullable: true,
      recursive: false,
      type: { type: { [`com.linkedin.schema.${typeClasses[type] ?? "StringType"}`]: {} } },
      nativeDataType: type,
      ...(tags && { globalTags: globalTags(tags) }),
    };
  });
  return {
    schemaName: name,
    platform: `urn:li:dataPlatform:${platform}`,
    version: 0,
    hash: "",
    platformSchema: { "com.linkedin.schema.OtherSchema": { rawSchema: "" } },
    fields,
  };
}

function columnsOf(columns: string): readonly (readonly [name: string, type: string])[] {
  return columns.split(", ").map((column) => {
    const [name = "", type = ""] = column.split(" ");
    return [name, type];
  });
}

// The second version of field paths: the type of each level before its name (DataHub docs/advanced/field-path-spec-v2.md).
function fieldPath(platform: string, name: string, type: string): string {
  if (platform !== "kafka") return name;
  const levels = name.split(".");
  const last = levels.length - 1;
  const typed = levels.map((level, index) => {
    const typeOfLevel = index < last || type === "record" ? "struct" : type;
    return `[type=${typeOfLevel}].${level}`;
  });
  return ["[version=2.0].[type=struct]", ...typed].join(".");
}

const typeClasses: Readonly<Record<string, string>> = {
  bigint: "NumberType",
  integer: "NumberType",
  numeric: "NumberType",
  number: "NumberType",
  long: "NumberType",
  int: "NumberType",
  boolean: "BooleanType",
  date: "DateType",
  timestamp: "TimeType",
  record: "RecordType",
};
