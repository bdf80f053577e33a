import fc from "fast-check";
import { test } from "vitest";
import { counted, lawSeed, runsOf } from "../support/runs.ts";

type Law<T> = (value: T) => void;

/** Tries a law with so many values, or with more or fewer by `RUNS`. */
export function forAll<T>(
  values: fc.Arbitrary<T>,
  count: number,
  holds: Law<T>,
  seed: { readonly seed?: number } = {},
): void {
  fc.assert(
    fc.property(values, (value) => {
      holds(value);
    }),
    { numRuns: runsOf(count), ...seed },
  );
}

/**
 * Laws about the same values, so many as for `forAll`: what it answers with makes a test of each. The values are drawn once, and
 * all laws are tried with each. One that fails is tried by itself with the same values, for the smallest that it fails with. With
 * `LAWS_APART` each law is tried by itself.
 */
export function lawsOf<T>(values: fc.Arbitrary<T>, count: number): (title: string, holds: Law<T>) => void {
  const all = new Map<string, Law<T>>();
  let together: Trial | undefined;
  return (title, holds) => {
    all.set(title, holds);
    test.each([title])("%s", counted, () => {
      if (process.env["LAWS_APART"] === "1") return forAll(values, count, holds);
      together ??= triedTogether(values, count, all);
      const failure = together.failures.get(title);
      if (failure === undefined) return;
      forAll(values, count, holds, { seed: together.seed });
      throw failure.error;
    });
  };
}

/** What a trial of several laws found: of each that failed its first error. */
interface Trial {
  readonly seed: number;
  readonly failures: ReadonlyMap<string, { readonly error: unknown }>;
}

function triedTogether<T>(values: fc.Arbitrary<T>, count: number, all: ReadonlyMap<string, Law<T>>): Trial {
  const seed = lawSeed ?? Math.floor(Math.random() * 2 ** 31);
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
  forAll(values, count, tryAll, { seed });
  return { seed, failures };
}
