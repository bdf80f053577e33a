import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withCatalog } from "./catalog-process.mjs";
import { inPairs } from "./pairs.mjs";
import {
  proveAllDiffer,
  proveInSync,
  recordRequests,
  runExportFloor,
  runFloor,
  runTool,
  withServerTime,
} from "./runs.mjs";
import { ruleCount, writeRules } from "./sample-manifests.mjs";

/** @typedef {import("./catalog-process.mjs").Catalog} Catalog */
/** @typedef {import("./measured-process.mjs").Measurement} Measurement */
/** @typedef {import("./sample.mjs").Sample} Sample */

/** @typedef {import("./pairs.mjs").Result} Result */

/**
 * A plan where there is nothing to do. Nothing is written, so every run has the same catalog, warm from a first one.
 * @param {Sample} sample
 * @param {number} pairCount
 * @returns {Promise<Result>}
 */
export function measurePlan(sample, pairCount) {
  return withCatalog(sample.inSync, async (catalog) => {
    const argv = ["plan"];
    await proveInSync(sample, catalog);
    const traffic = await recordRequests(argv, sample, catalog);
    const pairs = await inPairs(
      pairCount,
      () => runTool(argv, sample, catalog),
      () => runFloor(sample, catalog),
    );
    await proveInSync(sample, catalog);
    return { title: "plan, all in sync", datasets: sample.datasets, traffic, pairs };
  });
}

/**
 * The same where 20 rules declare of all datasets what is there: which they match is read of the catalog.
 * @param {Sample} sample
 * @param {number} pairCount
 * @returns {Promise<Result>}
 */
export async function measureRules(sample, pairCount) {
  const repository = join(sample.repository, "..", "rules");
  writeRules(repository, sample.datasets);
  const { title, ...result } = await measurePlan({ ...sample, repository }, pairCount);
  return { ...result, title: `${title}, by ${ruleCount} rules` };
}

/**
 * An export of all that is there into an empty directory. The floor sends the same requests and writes the same files.
 * @param {Sample} sample
 * @param {number} pairCount
 * @returns {Promise<Result>}
 */
export function measureExport(sample, pairCount) {
  const [out, files] = ["exported", "exported.json"].map((name) => join(sample.repository, "..", name));
  if (out === undefined || files === undefined) throw new Error("there is no place for the export");
  const argv = ["export", out];
  const afresh = () => rmSync(out, { recursive: true, force: true });
  return withCatalog(sample.inSync, async (catalog) => {
    const traffic = await recordRequests(argv, sample, catalog);
    writeFileSync(files, JSON.stringify(filesBelow(out)));
    /** @param {() => Promise<Measurement>} run */
    const exporting = (run) => async () => {
      afresh();
      return run();
    };
    const pairs = await inPairs(
      pairCount,
      exporting(() => runTool(argv, sample, catalog)),
      exporting(() => runExportFloor(sample, catalog, { files, out })),
    );
    afresh();
    return { title: "export", datasets: sample.datasets, traffic, pairs };
  });
}

/** @param {string} directory */
function filesBelow(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => [path.slice(directory.length + 1), readFileSync(path, "utf8")]);
}

/**
 * An apply that changes every facet of every dataset. Each run has a catalog of its own in the state before, warm
 * from a plan, and is followed by the proof that the catalog is as declared: for the floor as well, because a floor
 * whose writes fail would be fast.
 * @param {Sample} sample
 * @param {number} pairCount
 * @param {readonly string[]} flags of `apply`
 * @returns {Promise<Result>}
 */
export async function measureApply(sample, pairCount, flags = []) {
  const argv = ["apply", "--auto-approve", ...flags];
  const traffic = await changing(sample, (catalog) => recordRequests(argv, sample, catalog));
  const pairs = await inPairs(
    pairCount,
    () => changing(sample, (catalog) => withServerTime(catalog, () => runTool(argv, sample, catalog))),
    () => changing(sample, (catalog) => runFloor(sample, catalog)),
  );
  const title = ["apply to every dataset", ...flags].join(", ");
  return { title, datasets: sample.datasets, traffic, pairs };
}

/**
 * @template T
 * @param {Sample} sample
 * @param {(catalog: Catalog) => Promise<T>} change
 * @returns {Promise<T>}
 */
async function changing(sample, change) {
  const copy = `${sample.before}-copy`;
  cpSync(sample.before, copy, { recursive: true });
  try {
    return await withCatalog(copy, async (catalog) => {
      await proveAllDiffer(sample, catalog);
      const result = await change(catalog);
      await proveInSync(sample, catalog);
      return result;
    });
  } finally {
    rmSync(copy, { recursive: true });
  }
}
