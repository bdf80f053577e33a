import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cli } from "./measured-process.mjs";
import { startServer } from "./server-process.mjs";

const stubServer = fileURLToPath(new URL("stub-server.mjs", import.meta.url));

/**
 * A local catalog in a process of its own.
 * @typedef {object} Catalog
 * @property {string} url
 * @property {string} token
 * @property {() => number} processor seconds of processor time that it took so far
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a local catalog on a data directory, which is made where it is missing.
 * @param {string} data
 * @param {{ load?: readonly string[], faults?: string, lag?: number }} options metadata files to load first, a file of faults,
 *   and by how many seconds the index lags
 * @returns {Promise<Catalog>}
 */
export async function startCatalog(data, { load = [], faults, lag = 0 } = {}) {
  const loading = load.length > 0 ? ["--load", ...load] : [];
  const failing = faults === undefined ? [] : ["--faults", faults];
  const late = ["--lag", String(lag)];
  const server = await startServer([
    cli,
    "serve",
    "--port",
    "0",
    "--data",
    data,
    ...loading,
    ...failing,
    ...late,
  ]);
  return { ...server, token: readFileSync(join(data, "token"), "utf8").trim() };
}

/**
 * Starts a local catalog, hands it to `use`, and stops it whatever happens.
 * @template T
 * @param {string} data
 * @param {(catalog: Catalog) => Promise<T>} use
 * @param {{ faults?: string, lag?: number }} options
 * @returns {Promise<T>}
 */
export async function withCatalog(data, use, options = {}) {
  const catalog = await startCatalog(data, options);
  try {
    return await use(catalog);
  } finally {
    await catalog.stop();
  }
}

/**
 * The same with a stub in front of the catalog, which answers for the datasets of the sample.
 * @template T
 * @param {string} data
 * @param {import("./stub-answer.mjs").Stubbed} stubbed
 * @param {(catalog: Catalog) => Promise<T>} use
 * @returns {Promise<T>}
 */
export function withStub(data, { state, datasets }, use) {
  return withCatalog(data, async ({ url, token }) => {
    const stub = await startServer([stubServer, url, state, String(datasets)]);
    try {
      return await use({ ...stub, token });
    } finally {
      await stub.stop();
    }
  });
}
