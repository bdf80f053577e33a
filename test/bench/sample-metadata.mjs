import { closeSync, openSync, writeSync } from "node:fs";
import { columns, domains, groups, sampleDataset, tags, users } from "./sample-dataset.mjs";

/** @typedef {import("./sample-dataset.mjs").SampleDataset} SampleDataset */
/** @typedef {readonly [urn: string, aspect: string, value: object]} Aspect */

/** Who wrote a value, and when. */
export const stamp = { time: 1_700_000_000_000, actor: "urn:li:corpuser:datahub" };

/**
 * Writes a metadata file with what ingestion leaves in a catalog, and everything that the manifests refer to. Each
 * dataset has another domain than its manifest says, and no owners and tags.
 * @param {string} file
 * @param {number} count of datasets
 */
export function writeIngested(file, count) {
  writeProposals(file, referredTo(), count, ingestedAspects);
}

/**
 * Writes a metadata file with all that the manifests of the datasets declare, and nothing else.
 * @param {string} file
 * @param {number} count of datasets
 */
export function writeDeclared(file, count) {
  writeProposals(file, [], count, declaredAspects);
}

/** @returns {readonly Aspect[]} */
function referredTo() {
  return [
    ...domains.map((id) => aspect(`urn:li:domain:${id}`, "domainProperties", { name: id })),
    ...tags.map((id) => aspect(`urn:li:tag:${id}`, "tagProperties", { name: id })),
    ...users.map((id) => aspect(`urn:li:corpuser:${id}`, "corpUserInfo", { active: true, displayName: id })),
    ...groups.map((id) =>
      aspect(`urn:li:corpGroup:${id}`, "corpGroupInfo", {
        displayName: id,
        admins: [],
        members: [],
        groups: [],
      }),
    ),
  ];
}

/**
 * @param {SampleDataset} dataset
 * @returns {readonly Aspect[]}
 */
function ingestedAspects({ urn, platform, schema, table, staleDomain }) {
  return [
    [urn, "datasetProperties", { name: table, description: `${table} of ${schema}`, customProperties: {} }],
    [urn, "status", { removed: false }],
    [urn, "schemaMetadata", schemaMetadata(platform, table, columns)],
    [urn, "domains", { domains: [`urn:li:domain:${staleDomain}`] }],
  ];
}

/**
 * @param {SampleDataset} dataset
 * @returns {readonly Aspect[]}
 */
function declaredAspects({ urn, domain, group, user, tags: own, columnTags }) {
  const owners = [
    ownerValue(`urn:li:corpGroup:${group}`, "TECHNICAL_OWNER"),
    ownerValue(`urn:li:corpuser:${user}`, "DATA_STEWARD"),
  ];
  const editableSchemaFieldInfo = Object.entries(columnTags).map(([fieldPath, list]) => {
    return { fieldPath, globalTags: tagsValue(list) };
  });
  return [
    [urn, "domains", { domains: [`urn:li:domain:${domain}`] }],
    [urn, "ownership", { owners, lastModified: stamp }],
    [urn, "globalTags", tagsValue(own)],
    [urn, "editableSchemaMetadata", { editableSchemaFieldInfo, created: stamp, lastModified: stamp }],
  ];
}

/**
 * @param {string} platform
 * @param {string} table
 * @param {readonly string[]} fieldPaths
 */
export function schemaMetadata(platform, table, fieldPaths) {
  return {
    schemaName: table,
    platform: `urn:li:dataPlatform:${platform}`,
    version: 0,
    hash: "",
    platformSchema: { "com.linkedin.schema.OtherSchema": { rawSchema: "" } },
    fields: fieldPaths.map((fieldPath) => ({
      fieldPath,
      nullable: true,
      description: `The ${fieldPath} of a row`,
      type: { type: { "com.linkedin.schema.StringType": {} } },
      nativeDataType: "VARCHAR(255)",
      recursive: false,
    })),
  };
}

/**
 * @param {string} owner
 * @param {string} type
 */
function ownerValue(owner, type) {
  return { owner, type, typeUrn: `urn:li:ownershipType:__system__${type.toLowerCase()}` };
}

/** @param {readonly string[]} list */
function tagsValue(list) {
  return { tags: list.map((id) => ({ tag: `urn:li:tag:${id}` })) };
}

/**
 * @param {string} urn
 * @param {string} name
 * @param {object} value
 * @returns {Aspect}
 */
function aspect(urn, name, value) {
  return [urn, name, value];
}

/**
 * Writes a metadata file of some aspects, and of those of each dataset.
 * @param {string} file
 * @param {readonly Aspect[]} first
 * @param {number} count of datasets
 * @param {(dataset: SampleDataset) => readonly Aspect[]} aspectsOf
 */
export function writeProposals(file, first, count, aspectsOf) {
  const opened = openSync(file, "w");
  let separator = "[\n";
  /** @param {readonly Aspect[]} aspects */
  const write = (aspects) => {
    for (const each of aspects) {
      writeSync(opened, separator + JSON.stringify(proposal(each)));
      separator = ",\n";
    }
  };
  write(first);
  for (let index = 0; index < count; index += 1) write(aspectsOf(sampleDataset(index)));
  writeSync(opened, "\n]\n");
  closeSync(opened);
}

/**
 * A metadata file of some aspects, as text.
 * @param {readonly Aspect[]} aspects
 */
export function proposalsText(aspects) {
  return JSON.stringify(aspects.map(proposal));
}

/** @param {Aspect} aspect */
function proposal([entityUrn, aspectName, json]) {
  const entityType = entityUrn.split(":")[2];
  return { entityType, entityUrn, changeType: "UPSERT", aspectName, aspect: { json } };
}
