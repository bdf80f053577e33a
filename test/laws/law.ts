import fc from "fast-check";
import { test } from "vitest";

const { LAW_RUNS = "100", LAW_SEED } = process.env;

/** `LAW_SEED` repeats the values of a law that failed: its message names the seed. */
export const seeded = LAW_SEED === undefined ? {} : { seed: Number(LAW_SEED) };

/** A law has no time-out: how long it takes depends on how many runs are asked for. */
export const patience = 0;

type Law<T> = (value: T) => void;

/** Tries a law with many values. */
export function forAll<T>(values: fc.Arbitrary<T>, holds: Law<T>, seed: { seed?: number } = seeded): void {
  fc.assert(
    fc.property(values, (value) => {
      holds(value);
    }),
    { numRuns: Number(LAW_RUNS), ...seed },
  );
}

/**
 * Laws about the same values: what it answers with makes a test of each. The values are drawn once, and all laws are
 * tried with each. One that fails is tried by itself with the same values, for the smallest that it fails with. With
 * `LAW_SEED` each law is tried by itself.
 */
export function lawsOf<T>(values: fc.Arbitrary<T>): (title: string, holds: Law<T>) => void {
  const all = new Map<string, Law<T>>();
  let together: Trial | undefined;
  return (title, holds) => {
    all.set(title, holds);
    test.each([title])(
      "%s",
      () => {
        if (LAW_SEED !== undefined) return forAll(values, holds);
        together ??= triedTogether(values, all);
        const failure = together.failures.get(title);
        if (failure === undefined) return;
        forAll(values, holds, { seed: together.seed });
        throw failure.error;
      },
      patience,
    );
  };
}

/** What a trial of several laws found: of each that failed its first error. */
interface Trial {
  readonly seed: number;
  readonly failures: ReadonlyMap<string, { readonly error: unknown }>;
}

function triedTogether<T>(values: fc.Arbitrary<T>, all: ReadonlyMap<string, Law<T>>): Trial {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const failures = new Map<string, { readonly error: unknown }>();
  const tryAll = (value: T): void => {
    for (const [title, holds] of all) {
      try {
        if (!failures.has(title)) holds(value);
      } catch (error) {
        failures.set(title, { error });
      }
    }
  };
  forAll(values, tryAll, { seed });
  return { seed, failures };
}
