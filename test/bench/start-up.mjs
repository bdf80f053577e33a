import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { cli, environment } from "./measured-process.mjs";
import { inPairs } from "./pairs.mjs";
import { childrenProcessorTime } from "./processor-time.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** In one measurement: a run takes a few ticks of the clock that counts processor time. */
const runs = 10;

/**
 * How long it takes to begin: commands that do almost nothing, beside a Node process that does nothing at all.
 * @param {number} pairCount
 * @returns {Promise<readonly import("./pairs.mjs").Result[]>}
 */
export async function measureStartUp(pairCount) {
  const results = [];
  for (const [title, argv] of /** @type {const} */ ([
    ["--help", ["--help"]],
    ["validate the catalog of the demo", ["validate", "catalog"]],
  ])) {
    const pairs = await inPairs(
      pairCount,
      async () => manyRuns([cli, ...argv]),
      async () => manyRuns(["-e", "0"]),
    );
    results.push({ title, datasets: 0, pairs });
  }
  return results;
}

/**
 * The mean of several runs, without anything loaded into them: so nothing tells how much memory they took.
 * @param {readonly string[]} argv
 */
function manyRuns(argv) {
  const [started, before] = [performance.now(), childrenProcessorTime()];
  for (let run = 0; run < runs; run += 1) {
    const { status } = spawnSync(process.execPath, argv, { cwd: root, env: environment(), stdio: "ignore" });
    if (status !== 0) throw new Error(`${argv.join(" ")} ended with ${status}`);
  }
  const seconds = (performance.now() - started) / 1000 / runs;
  return { seconds, processor: (childrenProcessorTime() - before) / runs, bytes: 0, stdout: "" };
}
