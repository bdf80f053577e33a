// `npm run bench`. BENCH_DATASETS (a list with commas) and BENCH_PAIRS set another size and number of runs; then the
// table is only printed and the pages stay. With BENCH_ALL=1 rules are measured with 100,000 datasets, too.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withCatalog } from "./catalog-process.mjs";
import { writeBenchSections } from "./bench-sections.mjs";
import { resultsMarkdown } from "./results-table.mjs";
import { measureRateLimit } from "./rate-limit.mjs";
import { makeSample } from "./sample.mjs";
import { measureApply, measureExport, measurePlan, measureRules } from "./scenarios.mjs";
import { measureThroughput } from "./throughput.mjs";

const { BENCH_DATASETS, BENCH_PAIRS, BENCH_ALL } = process.env;
const sizes = (BENCH_DATASETS ?? "1000,10000").split(",").map(Number);

// Three runs of the long ones would make the whole too long to be run often.
const pairsOfPlan = Number(BENCH_PAIRS ?? 3);
const pairsOfApply = (/** @type {number} */ datasets) => Number(BENCH_PAIRS ?? (datasets > 1000 ? 2 : 3));

// As many as the storm of the tests at its full size.
const writes = 10_000;

const directory = mkdtempSync(join(tmpdir(), "datahub-gitops-bench-"));
try {
  const results = [];
  let limited;
  for (const datasets of sizes) {
    const place = join(directory, String(datasets));
    mkdirSync(place);
    console.error(`Making a sample of ${datasets} datasets`);
    const sample = await makeSample(place, datasets);
    console.error("Measuring plan");
    results.push(await measurePlan(sample, pairsOfPlan));
    console.error("Measuring plan by rules");
    results.push(await measureRules(sample, pairsOfPlan));
    console.error("Measuring export");
    results.push(await measureExport(sample, pairsOfPlan));
    console.error("Measuring apply");
    results.push(await measureApply(sample, pairsOfApply(datasets)));
    console.error("Measuring apply without reading back");
    results.push(await measureApply(sample, pairsOfApply(datasets), ["--no-verify"]));
    console.error("Measuring apply to a server that limits the rate");
    limited ??= await measureRateLimit(sample, 20);
    rmSync(place, { recursive: true });
  }
  if (BENCH_ALL === "1") results.push(await measureManyByRules());
  console.error("Measuring the local catalog");
  const throughput = await withCatalog(join(directory, "throughput"), (catalog) =>
    measureThroughput(catalog, writes),
  );
  const markdown = resultsMarkdown(results, throughput, limited);
  console.log(markdown);
  if (BENCH_DATASETS === undefined && BENCH_PAIRS === undefined) {
    const written = writeBenchSections(markdown);
    console.error(written.length > 0 ? `Written into ${written.join(", ")}` : "No page has marks for it");
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** That takes minutes, so it is done only where it is asked for. */
async function measureManyByRules() {
  const datasets = 100_000;
  const place = join(directory, String(datasets));
  mkdirSync(place);
  console.error(`Making a sample of ${datasets} datasets`);
  const sample = await makeSample(place, datasets);
  console.error("Measuring plan by rules");
  const result = await measureRules(sample, 1);
  rmSync(place, { recursive: true });
  return result;
}
