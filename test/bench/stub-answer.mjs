import { columns, sampleDataset, sampleIndex } from "./sample-dataset.mjs";

/** @typedef {import("./sample-dataset.mjs").SampleDataset} SampleDataset */

/** What a stub says of every dataset: what the manifests declare, or what ingestion left. */
/** @typedef {"in-sync" | "differing"} StubState */

/**
 * The answer to a request for datasets of the sample, as the local catalog gives it; `undefined` to any other request.
 * It is put together as text, because a server whose answers cost something would be part of the measurement.
 * @param {import("./proxy.mjs").ProxiedRequest} request
 * @param {StubState} state
 */
export function stubAnswer({ body }, state) {
  if (!body.includes("query ReadAssets(")) return undefined;
  /** @type {{ variables: { urns: readonly string[] } }} */
  const { variables } = JSON.parse(body);
  const answers = variables.urns.map((urn) => {
    const dataset = sampleDataset(sampleIndex(urn));
    return state === "in-sync" ? declaredAnswer(dataset) : ingestedAnswer(dataset);
  });
  return `{"data":{"entities":[${answers.join(",")}]}}`;
}

const fields = JSON.stringify(
  columns.map((fieldPath) => ({ fieldPath, tags: null, schemaFieldEntity: { tags: null } })),
);

/** @param {SampleDataset} dataset */
function declaredAnswer({ urn, domain, group, user, tags, columnTags }) {
  const columnList = Object.entries(columnTags).map(
    ([fieldPath, list]) => `{"fieldPath":"${fieldPath}","tags":${tagsText(list)}}`,
  );
  const owners = [
    ownerText(`urn:li:corpGroup:${group}`, "TECHNICAL_OWNER"),
    ownerText(`urn:li:corpuser:${user}`, "DATA_STEWARD"),
  ];
  return `${head(urn, domain)},"ownership":{"owners":[${owners.join(",")}]},"tags":${tagsText(tags)},"schemaMetadata":{"fields":${fields}},"editableSchemaMetadata":{"editableSchemaFieldInfo":[${columnList.join(",")}]}}`;
}

/** @param {SampleDataset} dataset */
function ingestedAnswer({ urn, staleDomain }) {
  return `${head(urn, staleDomain)},"ownership":null,"tags":null,"schemaMetadata":{"fields":${fields}},"editableSchemaMetadata":null}`;
}

/**
 * @param {string} urn
 * @param {string} domain
 */
function head(urn, domain) {
  const payload = JSON.stringify(JSON.stringify({ domains: [`urn:li:domain:${domain}`] }));
  return `{"urn":"${urn}","__typename":"Dataset","exists":true,"status":{"removed":false},"aspects":[{"aspectName":"domains","payload":${payload}}]`;
}

/**
 * @param {string} owner
 * @param {string} type
 */
function ownerText(owner, type) {
  const ownershipType = `urn:li:ownershipType:__system__${type.toLowerCase()}`;
  return `{"owner":{"urn":"${owner}"},"type":"${type}","ownershipType":{"urn":"${ownershipType}"}}`;
}

/** @param {readonly string[]} list */
function tagsText(list) {
  return `{"tags":[${list.map((id) => `{"tag":{"urn":"urn:li:tag:${id}"}}`).join(",")}]}`;
}
