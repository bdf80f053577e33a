// `npm run bench`. BENCH_ALL=1 adds the very large catalogs, which take half an hour more. BENCH_DATASETS (a list with commas)
// and BENCH_PAIRS set another size and number of runs; then the tables are only printed and the pages stay.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withCatalog } from "./catalog-process.mjs";
import { measureDescribed } from "./described.mjs";
import { writeBenchSection } from "./bench-section.mjs";
import {
  measureManyByRules,
  measurePackedDiffering,
  measurePackedInSync,
  measureTenfold,
} from "./packed.mjs";
import { measurePart } from "./part.mjs";
import { measureManyByPolicies, measurePolicies } from "./policies.mjs";
import { resultsMarkdown } from "./results-table.mjs";
import { measureRateLimit } from "./rate-limit.mjs";
import { makePackedSample, makeSample } from "./sample.mjs";
import { measureApply, measureExport, measurePlan, measureRules } from "./scenarios.mjs";
import { measureStartUp } from "./start-up.mjs";
import { measureThroughput } from "./throughput.mjs";
import { measureUnusual } from "./unusual.mjs";

const { BENCH_ALL, BENCH_DATASETS, BENCH_PAIRS } = process.env;
const sizes = (BENCH_DATASETS ?? "1000,10000").split(",").map(Number);

// As many of the long ones would make the whole too long to be run often.
const pairs = Number(BENCH_PAIRS ?? 5);
const pairsOfLong = (/** @type {number} */ datasets) => Number(BENCH_PAIRS ?? (datasets > 1000 ? 2 : 3));

// As many as the storm of the tests at its full size.
const writes = 10_000;
const documentsPerFile = 1000;

const directory = mkdtempSync(join(tmpdir(), "datahub-gitops-bench-"));
try {
  const whole = [];
  const parts = [];
  const views = [];
  const judged = [];
  let limited;
  for (const datasets of sizes) {
    const place = madeDirectory(String(datasets));
    say(`Making a sample of ${datasets} datasets`);
    const sample = await makeSample(place, datasets);
    say("Measuring plan");
    whole.push(await measurePlan(sample, pairs));
    say("Measuring plan by rules");
    whole.push(await measureRules(sample, pairs));
    say("Measuring export");
    whole.push(await measureExport(sample, pairsOfLong(datasets)));
    say("Measuring apply");
    whole.push(await measureApply(sample, pairsOfLong(datasets)));
    say("Measuring apply without reading back");
    whole.push(await measureApply(sample, pairsOfLong(datasets), ["--no-verify"]));
    say("Measuring apply to a server that limits the rate");
    limited ??= await measureRateLimit(sample, 20);
    say("Measuring the plan of a part");
    parts.push(await measurePart(sample, pairs));
    say("Measuring policies");
    const byPolicies = await measurePolicies(sample, pairsOfLong(datasets));
    views.push(...byPolicies.views);
    judged.push(...byPolicies.plans);
    rmSync(place, { recursive: true });
    say("Measuring the plan of described columns");
    const described = madeDirectory(`${datasets}-described`);
    whole.push(...(await measureDescribed(described, datasets, pairsOfLong(datasets))));
    rmSync(described, { recursive: true });
  }
  say("Measuring start-up");
  const startUp = await measureStartUp(pairs);
  say("Measuring very many of one thing");
  const unusual = await measureUnusual(madeDirectory("unusual"), pairsOfLong(0));
  const { packed, viewed } = BENCH_ALL === "1" ? await measureVeryLarge() : { packed: [], viewed: [] };
  say("Measuring the local catalog");
  const throughput = await withCatalog(join(directory, "throughput"), (catalog) =>
    measureThroughput(catalog, writes),
  );
  const policies = { views: [...views, ...viewed], plans: judged };
  const results = { whole, packed, parts, policies, startUp, unusual, throughput, limited };
  const all = resultsMarkdown(results);
  console.log(all);
  if (BENCH_DATASETS === undefined && BENCH_PAIRS === undefined) {
    say(
      writeBenchSection("docs/internals/performance.md", all)
        ? "Written into docs/internals/performance.md"
        : "It has no marks for it",
    );
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function measureVeryLarge() {
  say("Measuring plans of 100,000 datasets");
  const smaller = await makePackedSample(madeDirectory("100000"), 100_000, documentsPerFile);
  const inSync = await measurePackedInSync(smaller);
  const differing = await measurePackedDiffering(smaller);
  const byRules = await measureManyByRules(smaller);
  say("Measuring policies of 100,000 datasets");
  const viewed = await measureManyByPolicies(smaller);
  say("Measuring the plan of 1,000,000 datasets");
  const larger = await makePackedSample(madeDirectory("1000000"), 1_000_000, documentsPerFile);
  return { packed: [inSync, differing, byRules, await measureTenfold(larger, inSync)], viewed };
}

/** @param {string} name */
function madeDirectory(name) {
  const made = join(directory, name);
  mkdirSync(made, { recursive: true });
  return made;
}

/** @param {string} text */
function say(text) {
  console.error(text);
}
