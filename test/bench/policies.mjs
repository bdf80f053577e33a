import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withCatalog, withStub } from "./catalog-process.mjs";
import { inPairs } from "./pairs.mjs";
import { proveInSync, recordRequests, runFloor, runTool } from "./runs.mjs";
import { commit } from "./sample-manifests.mjs";

/** @typedef {import("./catalog-process.mjs").Catalog} Catalog */
/** @typedef {import("./pairs.mjs").Result} Result */
/** @typedef {import("./runs.mjs").Repository} Repository */

/** The views of a catalog beside the floor, and plans by policies beside those without. */
/** @typedef {{ readonly views: readonly Result[], readonly plans: readonly Result[] }} ByPolicies */

/** What is measured by policies, and with which repository. */
/** @typedef {Repository & { readonly datasets: number }} Sample */

/** What each policy of the sample says of datasets: all of them pass. */
const requirements = [
  "require: { domain: true }",
  "require: { domain: { any_of: [domain-*] } }",
  "require: { owners: { type: DATA_STEWARD, active: true } }",
  "require: { owners: { type: TECHNICAL_OWNER, kind: group } }",
  "require: { owners: { min: 2, max: 5 } }",
  "require: { tags: { min: 2 } }",
  "require: { tags: { none_of: [old-*] } }",
  "match: { name: prod.*, tags: topic-01 }, require: { owners: { min: 2 } }",
  "match: { platform: snowflake }, require: { tags: true, domain: true }",
  "match: { domain: domain-01 }, require: { owners: { kind: group } }",
  "match: { env: PROD, not: { name: '*_tmp' } }, require: { owners: true }",
  "match: { owners: team-01 }, require: { domain: true }",
  "columns: { match: { name: '*email*' }, require: { tags: { any_of: [pii] } } }",
  "columns: { match: { name: amount }, require: { tags: { any_of: [money] } } }",
  "columns: { match: { tags: pii }, require: { tags: { none_of: [money] } } }",
  "check: 'asset.owners.exists(o, o.type == \"DATA_STEWARD\" && o.active)'",
  "check: 'asset.tags.all(t, !t.startsWith(\"old-\"))'",
  'check: \'asset.columns.all(c, !c.name.contains("email") || "pii" in c.tags)\'',
  'check: \'asset.domain != "" && like(asset.name, "prod.*")\'',
  'check: \'asset.owners.exists(o, o.kind == "group" && o.id.startsWith("team-"))\'',
];

/**
 * A copy of a repository that declares 20 policies as well, of which five have a CEL expression.
 * @template {Repository} T
 * @param {T} sample
 * @returns {T}
 */
export function withPolicies(sample) {
  const repository = `${sample.repository}-policies`;
  cpSync(sample.repository, repository, { recursive: true });
  const documents = requirements.map((text, index) => {
    const matching = text.startsWith("match: { ")
      ? text.replace("match: { ", "match: { kind: Dataset, ")
      : `match: { kind: Dataset }, ${text}`;
    return `- { kind: Policy, id: policy-${index + 1}, ${matching} }\n`;
  });
  writeFileSync(join(repository, "catalog", "policies.yaml"), documents.join(""));
  commit(repository, "Declare policies");
  return { ...sample, repository };
}

/** The commands that look at all of the catalog, each with what it prints of all datasets. */
const views = [["check"], ["coverage", "--by", "domain"], ["list", "--kind", "Dataset", "--format", "csv"]];

/**
 * `check`, `coverage` and `list` of a catalog by 20 policies, beside the floor; then the plan by them beside the plan without.
 * @param {import("./sample.mjs").Sample} sample
 * @param {number} pairCount
 * @returns {Promise<ByPolicies>}
 */
export async function measurePolicies(sample, pairCount) {
  const judged = withPolicies(sample);
  const inSync = await withCatalog(sample.inSync, async (catalog) => {
    await proveInSync(judged, catalog);
    return {
      views: await measureViews(judged, catalog, pairCount),
      plan: await measurePlans("plan, all in sync", { sample, judged }, catalog, pairCount),
    };
  });
  const differing = await withCatalog(sample.before, (catalog) =>
    measurePlans("plan of every dataset", { sample, judged }, catalog, pairCount),
  );
  return { views: inSync.views, plans: [inSync.plan, differing] };
}

/**
 * The same views of a packed sample, once each, against a stub.
 * @param {import("./sample.mjs").PackedSample} sample
 * @returns {Promise<readonly Result[]>}
 */
export function measureManyByPolicies(sample) {
  const { definitions, datasets } = sample;
  const judged = withPolicies(sample);
  return withStub(definitions, { state: "in-sync", datasets }, (stub) => measureViews(judged, stub, 1));
}

/**
 * @param {Sample} judged
 * @param {import("./runs.mjs").Target} target
 * @param {number} pairCount
 * @returns {Promise<readonly Result[]>}
 */
async function measureViews(judged, target, pairCount) {
  const results = [];
  for (const argv of views) {
    const traffic = await recordRequests(argv, judged, target);
    const pairs = await inPairs(
      pairCount,
      () => proved(argv, judged, target),
      () => runFloor(judged, target),
    );
    results.push({ title: argv.join(" "), datasets: judged.datasets, traffic, pairs });
  }
  return results;
}

/**
 * @param {string} title
 * @param {{ readonly sample: Sample, readonly judged: Sample }} samples
 * @param {Catalog} catalog
 * @param {number} pairCount
 * @returns {Promise<Result>}
 */
async function measurePlans(title, { sample, judged }, catalog, pairCount) {
  const traffic = await recordRequests(["plan"], judged, catalog);
  const pairs = await inPairs(
    pairCount,
    () => runTool(["plan"], judged, catalog),
    () => runTool(["plan"], sample, catalog),
  );
  return { title, datasets: judged.datasets, traffic, pairs };
}

/**
 * One run of a view. Fails where it did not see all datasets, or a policy found something.
 * @param {readonly string[]} argv
 * @param {Sample} judged
 * @param {import("./runs.mjs").Target} target
 */
async function proved(argv, judged, target) {
  const measurement = await runTool(argv, judged, target);
  const { stdout } = measurement;
  const { datasets } = judged;
  const seen =
    argv[0] === "check"
      ? Number(/^policy policy-1: ([\d,]+) of \1 pass/m.exec(stdout)?.[1]?.replaceAll(",", ""))
      : argv[0] === "coverage"
        ? datasets
        : stdout.split("\n").length - 2;
  if (seen !== datasets)
    throw new Error(`${argv.join(" ")} saw ${seen} datasets, not ${datasets}: ${stdout.slice(0, 2000)}`);
  return measurement;
}
