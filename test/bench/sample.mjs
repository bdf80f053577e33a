import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { startCatalog } from "./catalog-process.mjs";
import { writeManifests } from "./sample-manifests.mjs";
import { writeDeclared, writeIngested } from "./sample-metadata.mjs";

/**
 * A repository of manifests, and the data directories of a catalog in two states.
 * @typedef {object} Sample
 * @property {number} datasets
 * @property {string} repository
 * @property {string} before every dataset differs in each of its facets
 * @property {string} inSync as the manifests declare it
 */

/**
 * Makes the sample under a directory; the same count makes the same sample.
 * @param {string} directory
 * @param {number} datasets
 * @returns {Promise<Sample>}
 */
export async function makeSample(directory, datasets) {
  const [repository = "", before = "", inSync = "", ingested = "", declared = ""] = [
    "repository",
    "before",
    "in-sync",
    "ingested.json",
    "declared.json",
  ].map((name) => join(directory, name));
  mkdirSync(repository, { recursive: true });
  writeManifests(repository, datasets);
  writeIngested(ingested, datasets);
  writeDeclared(declared, datasets);
  await load(before, ingested);
  cpSync(before, inSync, { recursive: true });
  await load(inSync, declared);
  return { datasets, repository, before, inSync };
}

/**
 * A repository of manifests in files of many documents, and the data directory of a catalog with what they refer to.
 * Such a sample is planned against a server that answers for the datasets itself.
 * @typedef {object} PackedSample
 * @property {number} datasets
 * @property {string} repository
 * @property {string} definitions
 */

/**
 * @param {string} directory
 * @param {number} datasets
 * @param {number} perFile
 * @returns {Promise<PackedSample>}
 */
export async function makePackedSample(directory, datasets, perFile) {
  const [repository = "", definitions = "", ingested = ""] = [
    "repository",
    "definitions",
    "ingested.json",
  ].map((name) => join(directory, name));
  mkdirSync(repository, { recursive: true });
  writeManifests(repository, datasets, perFile);
  writeIngested(ingested, 0);
  await load(definitions, ingested);
  return { datasets, repository, definitions };
}

// Stopping brings the whole state into the database file, so a copy of the directory is a copy of the catalog.
/**
 * Loads a metadata file into the catalog of a data directory.
 * @param {string} data
 * @param {string} file
 */
export async function load(data, file) {
  const catalog = await startCatalog(data, { load: [file] });
  await catalog.stop();
}
