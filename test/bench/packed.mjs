import { withStub } from "./catalog-process.mjs";
import { checkAllDiffer, checkInSync, recordRequests, runFloor, runTool } from "./runs.mjs";

/** @typedef {import("./sample.mjs").PackedSample} PackedSample */
/** @typedef {import("./pairs.mjs").Result} Result */

/**
 * One run of a plan of a packed sample where all is in sync, beside the floor.
 * @param {PackedSample} sample
 * @returns {Promise<Result>}
 */
export function measurePackedInSync(sample) {
  return measurePacked(sample, "in-sync", (plan) => checkInSync(sample, plan));
}

/**
 * One run of a plan of a packed sample that changes every dataset in each of its facets, beside the floor.
 * @param {PackedSample} sample
 * @returns {Promise<Result>}
 */
export function measurePackedDiffering(sample) {
  return measurePacked(sample, "differing", (plan) => checkAllDiffer(sample, plan));
}

/**
 * @param {PackedSample} sample
 * @param {import("./stub-answer.mjs").StubState} state
 * @param {(plan: import("./measured-process.mjs").Measurement) => void} check
 * @returns {Promise<Result>}
 */
function measurePacked(sample, state, check) {
  return withStub(sample.definitions, { state, datasets: sample.datasets }, async (stub) => {
    const requests = await recordRequests(["plan"], sample, stub);
    const tool = await runTool(["plan"], sample, stub);
    check(tool);
    const floor = await runFloor(sample, stub);
    const title = state === "in-sync" ? "plan, all in sync, packed" : "plan of every dataset, packed";
    return { title, datasets: sample.datasets, requests, pairs: [{ tool, floor }] };
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
