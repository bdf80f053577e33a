import fc from "fast-check";

const { LAW_RUNS = "1000", LAW_SEED } = process.env;

/** `LAW_SEED` repeats the values of a law that failed: its message names the seed. */
export const seeded = LAW_SEED === undefined ? {} : { seed: Number(LAW_SEED) };

/** A law has no time-out: how long it takes depends on how many runs are asked for. */
export const patience = 0;

/** Tries a law with many values. */
export function forAll<T>(values: fc.Arbitrary<T>, holds: (value: T) => void): void {
  fc.assert(
    fc.property(values, (value) => {
      holds(value);
    }),
    { numRuns: Number(LAW_RUNS), ...seeded },
  );
}
