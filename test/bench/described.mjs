import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { measurePlan } from "./scenarios.mjs";
import { sampleDataset } from "./sample-dataset.mjs";
import { load } from "./sample.mjs";
import { commit } from "./sample-manifests.mjs";
import { schemaMetadata, stamp, writeProposals } from "./sample-metadata.mjs";

/** @typedef {import("./pairs.mjs").Result} Result */
/** @typedef {import("./sample-dataset.mjs").SampleDataset} SampleDataset */
/** @typedef {import("./sample-metadata.mjs").Aspect} Aspect */

const columns = Array.from({ length: 20 }, (_, index) => `column_${index + 1}`);
const terms = ["confidential", "public", "revenue"];
const perFile = 100;

/**
 * Plans where there is nothing to do, of datasets each of whose 20 columns has a description and a glossary term: where
 * manifests declare these, and where they declare of the same datasets a term alone.
 * @param {string} directory
 * @param {number} datasets
 * @param {number} pairCount
 * @returns {Promise<readonly Result[]>}
 */
export async function measureDescribed(directory, datasets, pairCount) {
  const inSync = join(directory, "in-sync");
  const metadata = join(directory, "described.json");
  writeProposals(metadata, terms.map(termAspect), datasets, aspectsOf);
  await load(inSync, metadata);
  const results = [];
  for (const isWithColumns of [true, false]) {
    const repository = join(directory, isWithColumns ? "columns" : "datasets");
    writeRepository(repository, datasets, isWithColumns);
    const result = await measurePlan({ datasets, repository, before: inSync, inSync }, pairCount);
    results.push({ ...result, title: `plan, terms${isWithColumns ? ", of 20 columns each, too" : ""}` });
  }
  return results;
}

/**
 * @param {string} id
 * @returns {Aspect}
 */
function termAspect(id) {
  return [`urn:li:glossaryTerm:${id}`, "glossaryTermInfo", { definition: id, termSource: "INTERNAL" }];
}

/**
 * @param {SampleDataset} dataset
 * @returns {readonly Aspect[]}
 */
function aspectsOf({ urn, platform, table }) {
  const editableSchemaFieldInfo = columns.map((fieldPath, index) => ({
    fieldPath,
    description: descriptionOf(table, fieldPath),
    glossaryTerms: termsValue(termAt(index)),
  }));
  return [
    [urn, "status", { removed: false }],
    [urn, "schemaMetadata", schemaMetadata(platform, table, columns)],
    [urn, "glossaryTerms", termsValue(termAt(0))],
    [urn, "editableSchemaMetadata", { editableSchemaFieldInfo, created: stamp, lastModified: stamp }],
  ];
}

/** @param {string} id */
function termsValue(id) {
  return { terms: [{ urn: `urn:li:glossaryTerm:${id}` }], auditStamp: stamp };
}

/** @param {number} index */
function termAt(index) {
  return terms[index % terms.length] ?? "";
}

/**
 * @param {string} table
 * @param {string} column
 */
function descriptionOf(table, column) {
  return `What ${column} of ${table} holds, as the team wrote it.`;
}

/**
 * @param {string} directory
 * @param {number} count
 * @param {boolean} isWithColumns
 */
function writeRepository(directory, count, isWithColumns) {
  const catalog = join(directory, "catalog");
  mkdirSync(catalog, { recursive: true });
  for (let first = 0; first < count; first += perFile) {
    const length = Math.min(perFile, count - first);
    const documents = Array.from({ length }, (_, index) =>
      manifestOf(sampleDataset(first + index), isWithColumns),
    );
    writeFileSync(join(catalog, `from-${first}.yaml`), documents.join("---\n"));
  }
  commit(directory, "Declare the datasets");
}

/**
 * @param {SampleDataset} dataset
 * @param {boolean} isWithColumns
 */
function manifestOf({ platform, database, schema, table }, isWithColumns) {
  const lines = columns.map(
    (column, index) =>
      `  ${column}: { glossary_terms: [${termAt(index)}], description: "${descriptionOf(table, column)}" }\n`,
  );
  return `kind: Dataset
platform: ${platform}
name: ${database}.${schema}.${table}
glossary_terms: [${termAt(0)}]
${isWithColumns ? `columns:\n${lines.join("")}` : ""}`;
}
