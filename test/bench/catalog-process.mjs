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
 * @param {{ load?: readonly string[] }} options metadata files to load first
 * @returns {Promise<Catalog>}
 */
export async function startCatalog(data, { load = [] } = {}) {
  const loading = load.length > 0 ? ["--load", ...load] : [];
  const child = spawn(process.execPath, [cli, "serve", "--port", "0", "--data", data, ...loading], {
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
 * @returns {Promise<T>}
 */
export async function withCatalog(data, use) {
  const catalog = await startCatalog(data);
  try {
    return await use(catalog);
  } finally {
    await catalog.stop();
  }
}
