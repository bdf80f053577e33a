/**
 * The counts of tests with drawn values, such as laws. Each test has a count of its own, by what one try costs: with it the test
 * takes a few seconds. `RUNS` multiplies all counts, and may be a fraction. Without it, as in `npm test`, it is a quarter.
 */
const factor = Number(process.env["RUNS"] ?? 0.25);

/** Whether each count is tried in full, or more: then storms are large, too, and may leave requests without an answer. */
export const isInFull = factor >= 1;

/** How often a test tries. */
export function runsOf(count: number): number {
  return Math.max(1, Math.round(count * factor));
}

/** `LAW_SEED` repeats what a failed run has drawn. */
export const lawSeed = process.env["LAW_SEED"] === undefined ? undefined : Number(process.env["LAW_SEED"]);

/**
 * The options of a test that has a count: by the tag `npm run test:long` finds it. It has no time-out, because how long it takes
 * depends on `RUNS`.
 */
export const counted = { tags: ["counted"], timeout: 0 };
