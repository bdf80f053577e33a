/**
 * Measures commands against a server that is as slow as a real one: each request takes longer by some milliseconds, and the index
 * lags by some seconds. Prints a table for docs/performance.md. Run by hand after a build:
 *
 *     node test/bench/slow-server.mjs
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withCatalog } from "./catalog-process.mjs";
import { cli, measure } from "./measured-process.mjs";
import { countsOf } from "./rate-limit.mjs";
import { makeSample } from "./sample.mjs";
import { writeRules } from "./sample-manifests.mjs";

const datasets = Number(process.env["SLOW_DATASETS"] ?? 1000);
const milliseconds = Number(process.env["SLOW_MILLISECONDS"] ?? 200);
const lag = Number(process.env["SLOW_LAG"] ?? 5);

/** Each command follows the one before at once. */
const commands = [
  ["plan", "--detailed-exitcode"],
  ["apply", "--auto-approve"],
  ["plan", "--detailed-exitcode"],
  ["drift"],
];

const directory = mkdtempSync(join(tmpdir(), "datahub-gitops-slow-"));
try {
  const { repository, before } = await makeSample(directory, datasets);
  const ruled = join(directory, "ruled");
  writeRules(ruled, datasets);
  const faults = join(directory, "faults.json");
  writeFileSync(faults, JSON.stringify({ faults: [{ fault: "latency", rate: 1, milliseconds }] }));
  console.log("| manifests | command | seconds | requests | outcome |\n| --- | --- | --: | --: | --- |");
  for (const [title, cwd] of [
    ["a file for each dataset", repository],
    ["20 rules", ruled],
  ]) {
    const data = `${before}-${title?.length}`;
    cpSync(before, data, { recursive: true });
    await withCatalog(data, (catalog) => runAll(title ?? "", cwd ?? "", catalog), { faults, lag });
  }
} finally {
  rmSync(directory, { recursive: true });
}

/**
 * @param {string} title
 * @param {string} cwd
 * @param {import("./catalog-process.mjs").Catalog} catalog
 */
async function runAll(title, cwd, catalog) {
  const env = { DATAHUB_GMS_URL: catalog.url, DATAHUB_GMS_TOKEN: catalog.token };
  for (const [index, command] of commands.entries()) {
    const sent = await requestsTo(catalog);
    const ends = index === 0 ? 2 : 0;
    const { seconds, stdout } = await measure([cli, ...command], { cwd, env, ends });
    const requests = (await requestsTo(catalog)) - sent;
    const last = stdout.trimEnd().split("\n").at(-1) ?? "";
    console.log(`| ${title} | ${command[0]} | ${seconds.toFixed(1)} | ${requests} | ${last} |`);
  }
}

/** @param {import("./catalog-process.mjs").Catalog} catalog */
async function requestsTo(catalog) {
  const { requests } = await countsOf(catalog);
  return requests.reads + requests.writes;
}
