import { cpSync, rmSync, writeFileSync } from "node:fs";
import { withCatalog } from "./catalog-process.mjs";
import { runTool } from "./runs.mjs";

/** @typedef {import("./sample.mjs").Sample} Sample */

/**
 * An apply to a server that answers a certain number of requests a second and refuses others.
 * @typedef {object} Limited
 * @property {number} perSecond
 * @property {number} requests that were answered
 * @property {number} refused
 * @property {number} seconds
 */

/**
 * Applies to every dataset of a catalog that answers so many requests a second.
 * @param {Sample} sample
 * @param {number} perSecond
 * @returns {Promise<Limited>}
 */
export async function measureRateLimit(sample, perSecond) {
  const copy = `${sample.before}-limited`;
  const faults = `${copy}.json`;
  cpSync(sample.before, copy, { recursive: true });
  writeFileSync(faults, JSON.stringify({ requests_per_second: perSecond }));
  try {
    return await withCatalog(
      copy,
      async (catalog) => {
        const { seconds } = await runTool(["apply", "--auto-approve"], sample, catalog);
        const { requests, refused_by_rate_limit: refused } = await countsOf(catalog);
        return { perSecond, requests: requests.reads + requests.writes - refused, refused, seconds };
      },
      { faults },
    );
  } finally {
    rmSync(copy, { recursive: true });
    rmSync(faults);
  }
}

/**
 * What a catalog with faults has counted.
 * @param {Pick<import("./catalog-process.mjs").Catalog, "url" | "token">} catalog
 */
export async function countsOf({ url, token }) {
  const response = await fetch(`${url}/faults`, { headers: { authorization: `Bearer ${token}` } });
  /** @type {{ requests: { reads: number, writes: number }, refused_by_rate_limit: number }} */
  const counts = JSON.parse(await response.text());
  return counts;
}
