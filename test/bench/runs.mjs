import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cli, measure } from "./measured-process.mjs";
import { recordingText, startRecordingProxy } from "./recording-proxy.mjs";

/** @typedef {import("./catalog-process.mjs").Catalog} Catalog */
/** @typedef {import("./sample.mjs").Sample} Sample */
/** @typedef {Pick<Catalog, "url" | "token">} Target */

const floorScript = fileURLToPath(new URL("floor.mjs", import.meta.url));

/**
 * One run of the tool against a catalog.
 * @param {readonly string[]} argv
 * @param {Sample} sample
 * @param {Target} target
 */
export function runTool(argv, { repository }, target) {
  return measure([cli, ...argv], { cwd: repository, env: variablesOf(target) });
}

/**
 * One run of the floor with what `recordRequests` has recorded.
 * @param {Sample} sample
 * @param {Target} target
 */
export function runFloor(sample, target) {
  const { repository } = sample;
  return measure([floorScript, "catalog", recordingFile(sample)], {
    cwd: repository,
    env: variablesOf(target),
  });
}

/**
 * One run of the floor of an export: the requests that `recordRequests` has recorded, and the files of an export written.
 * @param {Sample} sample
 * @param {Target} target
 * @param {{ readonly files: string, readonly out: string }} writing a list of names and texts as JSON, and where they go
 */
export function runExportFloor(sample, target, { files, out }) {
  return measure([floorScript, "", recordingFile(sample), files, out], {
    cwd: sample.repository,
    env: variablesOf(target),
  });
}

/**
 * Runs the tool once, writes down for the floor what it asks of the catalog, and tells how many requests that were.
 * @param {readonly string[]} argv
 * @param {Sample} sample
 * @param {Target} target
 * @returns {Promise<number>}
 */
export async function recordRequests(argv, sample, { url, token }) {
  const proxy = await startRecordingProxy(url);
  await runTool(argv, sample, { url: proxy.url, token }).finally(proxy.stop);
  writeFileSync(recordingFile(sample), recordingText(proxy.requests));
  return proxy.requests.length;
}

/**
 * Fails unless a plan has nothing to do.
 * @param {Sample} sample
 * @param {Target} target
 */
export async function proveInSync(sample, target) {
  const { stdout } = await runTool(["plan"], sample, target);
  checkLastLine(stdout, /^No changes\. (\d+) entities in sync\.$/, sample.datasets);
}

/**
 * Fails unless a plan changes every dataset.
 * @param {Sample} sample
 * @param {Target} target
 */
export async function proveAllDiffer(sample, target) {
  const { stdout } = await runTool(["plan"], sample, target);
  checkLastLine(stdout, /^Plan: 0 to create, (\d+) to update,/, sample.datasets);
}

// More than the datasets may be in sync: what they refer to is declared as well.
/**
 * @param {string} stdout
 * @param {RegExp} expected with the number of entities as its group
 * @param {number} least
 */
function checkLastLine(stdout, expected, least) {
  const line = stdout.trimEnd().split("\n").at(-1) ?? "";
  const [, count] = expected.exec(line) ?? [];
  if (count === undefined || Number(count) < least)
    throw new Error(`expected ${expected} with at least ${least} entities, and the plan says: ${line}`);
}

/** @param {Sample} sample */
function recordingFile({ repository }) {
  return join(repository, "..", "recording.txt");
}

/** @param {Target} target */
function variablesOf({ url, token }) {
  return { DATAHUB_GMS_URL: url, DATAHUB_GMS_TOKEN: token };
}
