/** @typedef {import("./measured-process.mjs").Measurement} Measurement */

/** What was measured, and what it is compared with. */
/** @typedef {{ readonly tool: Measurement, readonly floor: Measurement }} Pair */

/**
 * @typedef {object} Result
 * @property {string} title
 * @property {number} datasets
 * @property {import("./runs.mjs").Traffic} [traffic] of the tool
 * @property {readonly Pair[]} pairs
 */

/**
 * Both in turn, so that what else the machine does falls on both.
 * @param {number} count
 * @param {() => Promise<Measurement>} tool
 * @param {() => Promise<Measurement>} floor
 */
export async function inPairs(count, tool, floor) {
  /** @type {Pair[]} */
  const pairs = [];
  while (pairs.length < count) pairs.push({ tool: await tool(), floor: await floor() });
  return pairs;
}

/**
 * @param {readonly Pair[]} pairs
 * @param {(pair: Pair) => number} value
 */
export function medianOf(pairs, value) {
  const sorted = pairs.map(value).toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle) - 1] ?? Number.NaN)) / 2;
}
