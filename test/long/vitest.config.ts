import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import usual, { long, projectsOf } from "../../vitest.config.ts";

/** How often each is tried, unless the environment says otherwise. `npm test` tries the same less often. */
const counts = {
  LAW_RUNS: "3000",
  HTTP_LAW_RUNS: "50",
  HISTORY_RUNS: "200",
  FUZZ_RUNS: "3000",
  CEL_RUNS: "100000",
  TREE_RUNS: "300",
  STORM_WRITES: "5000",
  STORM_DATASETS: "100",
  STORM_SEEDS: "1",
  STORM_SILENCE: "1",
  RACE_SEEDS: "100",
  INTERRUPTION_POINTS: "12",
  ANSWER_RUNS: "60",
  STORY_SNAPSHOTS: "1",
};

/** A test file that is too long for `npm test`, reads one of the counts, or has `laws/law.ts` read it. */
const isCounted = new RegExp(
  `"(${Object.keys(counts).join("|")}|.*/law\\.ts|\\./(world|in-the-middle)\\.ts)"`,
);

const files = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => join("test", name).replaceAll("\\", "/"))
  .filter((file) => file.endsWith(long) || isCounted.test(readFileSync(file, "utf8")));

export default defineConfig({
  ...usual,
  test: {
    ...usual.test,
    projects: projectsOf({
      product: files,
      ofPlaces: files.filter((file) => file.startsWith("test/places/")),
    }),
    env: Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, process.env[name] ?? count]),
    ),
    // The counts may be as high as somebody likes.
    testTimeout: 0,
  },
});
