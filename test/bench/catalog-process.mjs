import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { cli, environment } from "./measured-process.mjs";

/**
 * A local catalog in a process of its own.
 * @typedef {object} Catalog
 * @property {string} url
 * @property {string} token
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a local catalog on a data directory, which is made where it is missing.
 * @param {string} data
 * @param {{ load?: readonly string[], faults?: string }} options metadata files to load first, and a file of faults
 * @returns {Promise<Catalog>}
 */
export async function startCatalog(data, { load = [], faults } = {}) {
  const loading = load.length > 0 ? ["--load", ...load] : [];
  const failing = faults === undefined ? [] : ["--faults", faults];
  const argv = ["serve", "--port", "0", "--data", data, ...loading, ...failing];
  const child = spawn(process.execPath, [cli, ...argv], {
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([once(lines, "line"), ended]);
  const [, url] = /^Catalog listening on (\S+)$/.exec(String(line)) ?? [];
  if (url === undefined) throw new Error(`the catalog did not start: ${line}`);
  return {
    url,
    token: readFileSync(join(data, "token"), "utf8").trim(),
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/**
 * Starts a local catalog, hands it to `use`, and stops it whatever happens.
 * @template T
 * @param {string} data
 * @param {(catalog: Catalog) => Promise<T>} use
 * @param {{ faults?: string }} options
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
