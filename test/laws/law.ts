import fc from "fast-check";
import { afterAll } from "vitest";

// LAW_RUNS for another number of runs, LAW_SEED to repeat one.
const numRuns = Number(process.env["LAW_RUNS"] ?? 2000);

/** Where the values of a file begin; printed when it is done, so that they can be had again. */
export const seed = Number(process.env["LAW_SEED"] ?? Date.now() % 2 ** 31);

/** How long a law of the core may take, in milliseconds. */
export const patience = 20_000 + numRuns * 50;

afterAll(() => {
  process.stderr.write(`LAW_SEED=${seed}\n`);
});

/** Tries a law with many values. */
export function forAll<T>(values: fc.Arbitrary<T>, holds: (value: T) => void): void {
  fc.assert(
    fc.property(values, (value) => {
      holds(value);
    }),
    { numRuns, seed },
  );
}
