import { columns, sampleDataset, sampleIndex } from "./sample-dataset.mjs";

/** @typedef {import("./sample-dataset.mjs").SampleDataset} SampleDataset */

/** What a stub says of every dataset: what the manifests declare, or what ingestion left. */
/** @typedef {"in-sync" | "differing"} StubState */

/**
 * What a stub stands for.
 * @typedef {object} Stubbed
 * @property {StubState} state
 * @property {number} datasets how many its index names
 */

/**
 * The answer to a request for datasets of the sample, as the local catalog gives it; `undefined` to any other request.
 * It is put together as text, because a server whose answers cost something would be part of the measurement.
 * @param {import("./proxy.mjs").ProxiedRequest} request
 * @param {Stubbed} stubbed
 */
export function stubAnswer({ body }, { state, datasets }) {
  if (body.includes("query Discover(")) return pageAnswer(JSON.parse(body).variables.input, datasets);
  const answer = answers.find(([query]) => body.includes(query))?.[1];
  if (!answer) return undefined;
  /** @type {{ variables: { urns: readonly string[], beside?: readonly string[] } }} */
  const { variables } = JSON.parse(body);
  const entities = variables.urns.map((urn) => answer(sampleDataset(sampleIndex(urn)), state));
  // Of columns there are no entities.
  const beside = variables.beside ? `,"beside":[${variables.beside.map(() => "null").join(",")}]` : "";
  return `{"data":{"entities":[${entities.join(",")}]${beside}}}`;
}

/** @type {readonly (readonly [query: string, answer: (dataset: SampleDataset, state: StubState) => string])[]} */
const answers = [
  ["query ReadAssets(", assetAnswer],
  ["query ReadAssetFacts(", factsAnswer],
  ["query ReadAssetColumns(", columnsAnswer],
];

// The rules of the sample match every dataset, so their filters leave out none.
/**
 * @param {{ types: readonly string[], count: number, scrollId?: string }} input
 * @param {number} datasets
 */
function pageAnswer({ types, count, scrollId = "0" }, datasets) {
  if (types.join() !== "DATASET") return undefined;
  const first = Number(scrollId);
  const length = Math.max(0, Math.min(count, datasets - first));
  const results = Array.from(
    { length },
    (_, index) => `{"entity":{"urn":"${sampleDataset(first + index).urn}"}}`,
  );
  const next = first + length < datasets ? `"${first + length}"` : "null";
  return `{"data":{"scrollAcrossEntities":{"nextScrollId":${next},"total":${datasets},"searchResults":[${results.join(",")}]}}}`;
}

/** @param {SampleDataset} dataset */
function factsAnswer({ urn }) {
  return `${present(urn)},"subTypes":null,"dataPlatformInstance":null,"container":null}`;
}

const names = JSON.stringify(columns.map((fieldPath) => ({ fieldPath, nativeDataType: "VARCHAR(255)" })));

/** @param {SampleDataset} dataset */
function columnsAnswer({ urn }) {
  return `${present(urn)},"columns":{"fields":${names}}}`;
}

/**
 * @param {SampleDataset} dataset
 * @param {StubState} state
 */
function assetAnswer(dataset, state) {
  return state === "in-sync" ? declaredAnswer(dataset) : ingestedAnswer(dataset);
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
  return `${present(urn)},"aspects":[{"aspectName":"domains","payload":${payload}}]`;
}

/** @param {string} urn */
function present(urn) {
  return `{"urn":"${urn}","__typename":"Dataset","exists":true,"status":{"removed":false}`;
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
