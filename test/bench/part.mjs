import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withCatalog } from "./catalog-process.mjs";
import { inPairs } from "./pairs.mjs";
import { recordRequests, runTool } from "./runs.mjs";
import { domains, sampleDataset } from "./sample-dataset.mjs";
import { commit, manifestFile } from "./sample-manifests.mjs";

/** @typedef {import("./sample.mjs").Sample} Sample */
/** @typedef {import("./runs.mjs").Target} Target */

/**
 * A plan of three files that changed since a commit, beside the plan of the whole. The catalog differs from other files,
 * too, so that the plan of the part has something to leave out.
 * @param {Sample} sample
 * @param {number} pairCount
 * @returns {Promise<import("./pairs.mjs").Result>}
 */
export function measurePart(sample, pairCount) {
  const repository = `${sample.repository}-changed`;
  cpSync(sample.repository, repository, { recursive: true });
  const changed = { ...sample, repository };
  const step = Math.floor(sample.datasets / 7);
  declareOtherDomain(repository, [0, 2 * step, 4 * step]);
  commit(repository, "Move three datasets");
  const urns = [step, 3 * step, 5 * step].map((index) => sampleDataset(index).urn);
  declareOtherDomain(repository, [step, 3 * step, 5 * step]);
  commit(repository, "Move three others");
  const argv = ["plan", "--changed-since", "HEAD~1"];
  return withCatalog(sample.inSync, async (catalog) => {
    await provePart(changed, catalog, { argv, urns });
    const traffic = await recordRequests(argv, changed, catalog);
    const pairs = await inPairs(
      pairCount,
      () => runTool(argv, changed, catalog),
      () => runTool(["plan"], changed, catalog),
    );
    return { title: "plan --changed-since, 3 files", datasets: sample.datasets, traffic, pairs };
  });
}

/**
 * @param {string} repository
 * @param {readonly number[]} indices
 */
function declareOtherDomain(repository, indices) {
  for (const index of indices) {
    const file = join(repository, "catalog", manifestFile(index));
    const other = domains.find((id) => id !== sampleDataset(index).domain);
    writeFileSync(file, readFileSync(file, "utf8").replace(/^domain: .*$/m, `domain: ${other}`));
  }
}

/**
 * Fails unless the changes of the part are those that the whole plan has for its entities, and these are not all of them.
 * @param {Sample} sample
 * @param {Target} target
 * @param {{ argv: readonly string[], urns: readonly string[] }} part
 */
async function provePart(sample, target, { argv, urns }) {
  // Without a base the part takes the commit that it compares with for one.
  const whole = await changesOf(["plan", "--base", "HEAD~1"], sample, target);
  const part = await changesOf(argv, sample, target);
  const own = whole.filter(({ urn }) => urns.includes(urn));
  if (
    own.length !== urns.length ||
    whole.length === own.length ||
    JSON.stringify(own) !== JSON.stringify(part)
  )
    throw new Error(`the plan of a part is not a part of the plan: ${JSON.stringify({ own, part })}`);
}

/**
 * @param {readonly string[]} argv
 * @param {Sample} sample
 * @param {Target} target
 */
async function changesOf(argv, sample, target) {
  const { stdout } = await runTool([...argv, "--format", "json"], sample, target);
  /** @type {{ changes: readonly { urn: string }[] }} */
  const { changes } = JSON.parse(stdout);
  return changes;
}
