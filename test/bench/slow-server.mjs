/**
 * Measures commands against a server that is as slow as a real one: each request takes longer by some milliseconds, and the index
 * lags by some seconds. Prints a table for docs/internals/performance.md, with the time that the requests would take if always as many as
 * allowed were under way. Run by hand after a build; BENCH_DATASETS sets another size:
 *
 *     node test/bench/slow-server.mjs
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withCatalog } from "./catalog-process.mjs";
import { cli, measure } from "./measured-process.mjs";
import { withPolicies } from "./policies.mjs";
import { countsOf } from "./rate-limit.mjs";
import { makeSample } from "./sample.mjs";
import { tags } from "./sample-dataset.mjs";
import { commit, writeRules } from "./sample-manifests.mjs";

const datasets = Number(process.env["BENCH_DATASETS"] ?? 1000);
const milliseconds = Number(process.env["SLOW_MILLISECONDS"] ?? 200);
const lag = Number(process.env["SLOW_LAG"] ?? 5);
const concurrency = Number(process.env["SLOW_CONCURRENCY"] ?? 8);

/** Each command follows the one before at once. */
const commands = [
  ["plan", "--detailed-exitcode"],
  ["apply", "--auto-approve"],
  ["plan", "--detailed-exitcode"],
  ["drift"],
];

/** A prune of what the first commit declares and the second does not. */
const prune = [["apply", "--auto-approve", "--prune", "--base", "HEAD~1", "--max-deletes", "2"]];

const directory = mkdtempSync(join(tmpdir(), "datahub-gitops-slow-"));
try {
  const { repository, before, inSync } = await makeSample(directory, datasets);
  const ruled = join(directory, "ruled");
  writeRules(ruled, datasets);
  const faults = join(directory, "faults.json");
  writeFileSync(faults, JSON.stringify({ faults: [{ fault: "latency", rate: 1, milliseconds }] }));
  console.log(
    "| manifests | command | seconds | requests | limit | ratio | outcome |\n| --- | --- | --: | --: | --: | --: | --- |",
  );
  for (const { title, cwd, state, run } of [
    { title: "a file for each dataset", cwd: repository, state: before, run: commands },
    { title: "20 rules", cwd: ruled, state: before, run: commands },
    { title: "20 policies", cwd: withPolicies({ repository }).repository, state: inSync, run: [["check"]] },
    { title: "two fewer tags", cwd: writePruned(join(directory, "pruned")), state: inSync, run: prune },
  ]) {
    const data = `${state}-${title.length}`;
    cpSync(state, data, { recursive: true });
    await withCatalog(data, (catalog) => runAll(title, cwd, run, catalog), { faults, lag });
  }
} finally {
  rmSync(directory, { recursive: true });
}

/**
 * Two tags that datasets of the sample have, which no dataset declares here, and then none of them.
 * @param {string} cwd
 */
function writePruned(cwd) {
  const manifest = (/** @type {string} */ id) => `- { kind: Tag, id: ${id} }\n`;
  mkdirSync(join(cwd, "catalog"), { recursive: true });
  const [first = "", second = "", third = ""] = tags.slice(-3);
  writeFileSync(join(cwd, "catalog/tags.yaml"), [first, second, third].map(manifest).join(""));
  commit(cwd, "Declare three tags");
  writeFileSync(join(cwd, "catalog/tags.yaml"), manifest(first));
  commit(cwd, "Declare one tag");
  return cwd;
}

/**
 * @param {string} title
 * @param {string} cwd
 * @param {readonly (readonly string[])[]} run
 * @param {import("./catalog-process.mjs").Catalog} catalog
 */
async function runAll(title, cwd, run, catalog) {
  const env = { DATAHUB_GMS_URL: catalog.url, DATAHUB_GMS_TOKEN: catalog.token };
  for (const [index, command] of run.entries()) {
    const sent = await requestsTo(catalog);
    const ends = index === 0 && command.includes("--detailed-exitcode") ? 2 : 0;
    const argv = [cli, ...command, "--concurrency", String(concurrency)];
    const { seconds, stdout } = await measure(argv, { cwd, env, ends });
    const requests = (await requestsTo(catalog)) - sent;
    const last = stdout.trimEnd().split("\n").at(-1) ?? "";
    const name = command.includes("--prune") ? "apply --prune" : command[0];
    const limit = (requests * milliseconds) / 1000 / concurrency;
    const cells = [title, name, seconds.toFixed(1), requests, limit.toFixed(1), (seconds / limit).toFixed(1)];
    console.log(`| ${[...cells, last].join(" | ")} |`);
  }
}

/** @param {import("./catalog-process.mjs").Catalog} catalog */
async function requestsTo(catalog) {
  const { requests } = await countsOf(catalog);
  return requests.reads + requests.writes;
}
