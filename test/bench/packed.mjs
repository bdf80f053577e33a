import { join } from "node:path";
import { withStub } from "./catalog-process.mjs";
import { checkAllDiffer, checkInSync, recordRequests, runFloor, runTool } from "./runs.mjs";
import { ruleCount, writeRules } from "./sample-manifests.mjs";

/** @typedef {import("./sample.mjs").PackedSample} PackedSample */
/** @typedef {import("./pairs.mjs").Result} Result */

/**
 * One run of a plan of a packed sample where all is in sync, beside the floor.
 * @param {PackedSample} sample
 * @returns {Promise<Result>}
 */
export function measurePackedInSync(sample) {
  const title = "plan, all in sync, packed";
  return measurePacked(sample, { title, state: "in-sync", check: checkInSync });
}

/**
 * The same where rules declare of all datasets what is there, and no document does.
 * @param {PackedSample} sample
 * @returns {Promise<Result>}
 */
export function measureManyByRules(sample) {
  const repository = join(sample.repository, "..", "rules");
  writeRules(repository, sample.datasets);
  const title = `plan, all in sync, by ${ruleCount} rules`;
  return measurePacked({ ...sample, repository }, { title, state: "in-sync", check: checkInSync });
}

/**
 * One run of a plan of a packed sample that changes every dataset in each of its facets, beside the floor.
 * @param {PackedSample} sample
 * @returns {Promise<Result>}
 */
export function measurePackedDiffering(sample) {
  const title = "plan of every dataset, packed";
  return measurePacked(sample, { title, state: "differing", check: checkAllDiffer });
}

/**
 * What is planned, against which state of the stub, and whether that was the plan.
 * @typedef {object} Planned
 * @property {string} title
 * @property {import("./stub-answer.mjs").StubState} state
 * @property {(sample: PackedSample, plan: import("./measured-process.mjs").Measurement) => void} check
 */

/**
 * @param {PackedSample} sample
 * @param {Planned} planned
 * @returns {Promise<Result>}
 */
function measurePacked(sample, { title, state, check }) {
  const { datasets, definitions } = sample;
  return withStub(definitions, { state, datasets }, async (stub) => {
    const traffic = await recordRequests(["plan"], sample, stub);
    const tool = await runTool(["plan"], sample, stub);
    check(sample, tool);
    const floor = await runFloor(sample, stub);
    return { title, datasets, traffic, pairs: [{ tool, floor }] };
  });
}

/**
 * The same of a sample that is ten times as large as another one, whose plan stands in place of the floor.
 * @param {PackedSample} sample
 * @param {Result} smaller
 * @returns {Promise<Result>}
 */
export function measureTenfold(sample, { pairs: [pair] }) {
  if (!pair) throw new Error("there is nothing to compare with");
  return withStub(sample.definitions, { state: "in-sync", datasets: sample.datasets }, async (stub) => {
    const tool = await runTool(["plan"], sample, stub);
    checkInSync(sample, tool);
    return {
      title: "plan, all in sync, packed; against a tenth",
      datasets: sample.datasets,
      pairs: [{ tool, floor: pair.tool }],
    };
  });
}
