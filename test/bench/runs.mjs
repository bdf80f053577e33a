import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cli, measure } from "./measured-process.mjs";
import { startProxy } from "./proxy.mjs";

/** @typedef {import("./catalog-process.mjs").Catalog} Catalog */
/** @typedef {import("./sample.mjs").Sample} Sample */
/** @typedef {Pick<Catalog, "url" | "token">} Target */
/** @typedef {{ readonly repository: string }} Repository */

const floorScript = fileURLToPath(new URL("floor.mjs", import.meta.url));

/**
 * One run of the tool against a catalog.
 * @param {readonly string[]} argv
 * @param {Repository} sample
 * @param {Target} target
 * @param {number} [ends] the exit code that is right
 */
export function runTool(argv, { repository }, target, ends = 0) {
  return measure([cli, ...argv], { cwd: repository, env: variablesOf(target), ends });
}

/**
 * A run, and the processor time that the catalog took meanwhile.
 * @param {Catalog} catalog
 * @param {() => Promise<import("./measured-process.mjs").Measurement>} run
 */
export async function withServerTime({ processor }, run) {
  const before = processor();
  const measurement = await run();
  return { ...measurement, server: processor() - before };
}

/**
 * One run of the floor with what `recordRequests` has recorded.
 * @param {Repository} sample
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
 * The requests of a run, and the bytes of the bodies that it sent and received.
 * @typedef {{ readonly requests: number, readonly sent: number, readonly received: number }} Traffic
 */

/**
 * Runs the tool once, writes down for the floor what it asks of the catalog, and tells how much that was.
 * @param {readonly string[]} argv
 * @param {Repository} sample
 * @param {Target} target
 * @returns {Promise<Traffic>}
 */
export async function recordRequests(argv, sample, { url, token }) {
  // Two lines for each request: method and path, then the body as it was sent. JSON has no line breaks of its own here.
  const lines = openSync(recordingFile(sample), "w");
  const traffic = { requests: 0, sent: 0, received: 0 };
  const proxy = await startProxy(
    url,
    ({ method, path, body }) => {
      writeSync(lines, `${method} ${path}\n${body}\n`);
      traffic.requests += 1;
      traffic.sent += Buffer.byteLength(body);
      return undefined;
    },
    (body) => (traffic.received += Buffer.byteLength(body)),
  );
  await runTool(argv, sample, { url: proxy.url, token }).finally(proxy.stop);
  closeSync(lines);
  return traffic;
}

/** @typedef {Repository & { readonly datasets: number }} Datasets */

/**
 * Fails unless a plan has nothing to do.
 * @param {Datasets} sample
 * @param {Target} target
 */
export async function proveInSync(sample, target) {
  checkInSync(sample, await runTool(["plan"], sample, target));
}

/**
 * Fails unless a plan changes every dataset.
 * @param {Datasets} sample
 * @param {Target} target
 */
export async function proveAllDiffer(sample, target) {
  checkAllDiffer(sample, await runTool(["plan"], sample, target));
}

/**
 * Fails unless a plan had nothing to do.
 * @param {Datasets} sample
 * @param {{ readonly stdout: string }} plan
 */
export function checkInSync({ datasets }, { stdout }) {
  checkLastLine(stdout, /^No changes\. (\d+) entities in sync\.$/, datasets);
}

/**
 * Fails unless a plan changed every dataset.
 * @param {Datasets} sample
 * @param {{ readonly stdout: string }} plan
 */
export function checkAllDiffer({ datasets }, { stdout }) {
  checkLastLine(stdout, /^Plan: 0 to create, (\d+) to update,/, datasets);
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

/** @param {Repository} sample */
function recordingFile({ repository }) {
  return join(repository, "..", "recording.txt");
}

/** @param {Target} target */
function variablesOf({ url, token }) {
  return { DATAHUB_GMS_URL: url, DATAHUB_GMS_TOKEN: token };
}
