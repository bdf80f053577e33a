import fc from "fast-check";
import { expect, test } from "vitest";
import { pauseAfter } from "../../../src/cli/watch/schedule.ts";

const usual = { every: 900_000, took: 0, failures: 0, firstPause: 1_000, chance: 0 };

test.each([
  ["the interval", {}, 900_000],
  ["the rest of the interval", { took: 100_000 }, 800_000],
  ["nothing where the round took longer", { took: 900_001 }, 0],
  ["nothing where one follows the other", { every: 0 }, 0],
  ["a tenth more, by chance", { chance: 1 }, 990_000],
  ["a pause after a failure", { every: 0, failures: 1 }, 1_000],
  ["twice as long after each further one", { every: 0, failures: 4 }, 8_000],
  ["at most five minutes", { every: 0, failures: 2_000 }, 300_000],
  ["no more than the interval, where that is longer", { failures: 3 }, 900_000],
])("between two rounds is %s", (_, given, pause) => {
  expect(pauseAfter({ ...usual, ...given })).toBeCloseTo(pause);
});

test("a pause is never negative, and never ends before the interval", () => {
  const ended = fc.record({
    every: fc.nat(604_800_000),
    took: fc.nat(604_800_000),
    failures: fc.nat(100),
    firstPause: fc.nat(1_000),
    chance: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(ended, (each) => {
      const pause = pauseAfter(each);
      expect(pause).toBeGreaterThanOrEqual(Math.max(0, each.every - each.took));
      expect(pause).toBeLessThanOrEqual(Math.max(1.1 * each.every, 300_000));
    }),
  );
});
