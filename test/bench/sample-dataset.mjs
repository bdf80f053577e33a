/**
 * One dataset of the sample and what its manifest declares. Ids only; the files that need URNs make them.
 * @typedef {object} SampleDataset
 * @property {string} platform
 * @property {string} database
 * @property {string} schema
 * @property {string} table
 * @property {string} urn
 * @property {string} domain
 * @property {string} staleDomain the domain that it has before the manifests are applied
 * @property {string} group the technical owner
 * @property {string} user the data steward
 * @property {readonly string[]} tags
 * @property {Readonly<Record<string, readonly string[]>>} columnTags
 */

const platforms = ["snowflake", "postgres", "bigquery", "mysql"];
const tablesPerSchema = 50;

/** Columns that every dataset has. */
export const columns = [
  "id",
  "created_at",
  "updated_at",
  "status",
  "customer_email",
  "amount",
  "currency",
  "country",
  "source_system",
  "comment",
];

export const domains = ids("domain", 20);
export const users = ids("user", 40).map((id) => `${id}@example.com`);
export const groups = ids("team", 20);
const topics = ids("topic", 30);
export const tags = ["pii", "money", ...topics];

/**
 * The dataset with a number from 0. The same number gives the same dataset in every run.
 * @param {number} index
 * @returns {SampleDataset}
 */
export function sampleDataset(index) {
  const schemaNumber = Math.floor(index / tablesPerSchema);
  const platform = pick(platforms, schemaNumber);
  const database = "prod";
  const schema = `schema_${pad(schemaNumber, 4)}`;
  const table = `table_${pad(index, 6)}`;
  return {
    platform,
    database,
    schema,
    table,
    urn: `urn:li:dataset:(urn:li:dataPlatform:${platform},${database}.${schema}.${table},PROD)`,
    domain: pick(domains, schemaNumber),
    staleDomain: pick(domains, schemaNumber + 1),
    group: pick(groups, schemaNumber),
    user: pick(users, index),
    tags: [pick(topics, index), pick(topics, index + 7), pick(topics, index + 16)],
    columnTags: { customer_email: ["pii"], amount: ["money"] },
  };
}

/**
 * The number of the dataset that has a URN.
 * @param {string} urn
 */
export function sampleIndex(urn) {
  return Number(/\.table_(\d+),/.exec(urn)?.[1]);
}

/**
 * @param {string} word
 * @param {number} count
 */
function ids(word, count) {
  return Array.from({ length: count }, (_, index) => `${word}-${pad(index + 1, 2)}`);
}

/**
 * @param {readonly string[]} list
 * @param {number} index
 */
function pick(list, index) {
  return list[index % list.length] ?? "";
}

/**
 * @param {number} value
 * @param {number} length
 */
function pad(value, length) {
  return String(value).padStart(length, "0");
}
