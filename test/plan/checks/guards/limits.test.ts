import { expect, test } from "vitest";
import {
  defaultLimits,
  limitsFrom,
  strictest,
  unlimited,
  withoutDefaults,
} from "../../../../src/plan/checks/guards/index.ts";

test("limits that are not set have their defaults", () => {
  expect(limitsFrom({ removals: { max_count: 5 } })).toEqual({
    ...defaultLimits,
    removals: { ...defaultLimits.removals, max_count: 5 },
  });
});

test("of limits that are all defaults nothing is noted, else what differs", () => {
  const changed = limitsFrom({ removals: { max_count: 5, max_percent: 30 }, deletes: { max_count: 1 } });

  expect(withoutDefaults(defaultLimits)).toEqual({});
  expect(withoutDefaults(changed)).toEqual({ removals: { max_count: 5 }, deletes: { max_count: 1 } });
});

test("a limit of a guard that is not known differs", () => {
  expect(withoutDefaults({ unknown: { max_count: 5 } })).toEqual({ unknown: { max_count: 5 } });
});

test("without limits each percentage is 100, and each number as large as it can be", () => {
  const values = Object.values(unlimited).flatMap((own) => Object.entries(own));

  expect(new Set(values.map(([name, value]) => `${name} ${value}`))).toMatchInlineSnapshot(`
    Set {
      "max_percent 100",
      "max_count 9007199254740991",
      "min_existing 9007199254740991",
    }
  `);
});

test("of two limits the lower one counts", () => {
  const one = limitsFrom({ removals: { max_count: 5, max_percent: 90 } });
  const other = limitsFrom({ removals: { max_count: 7, max_percent: 10 } });

  expect(strictest(one, other)).toEqual(limitsFrom({ removals: { max_count: 5, max_percent: 10 } }));
});
