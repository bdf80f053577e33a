import { expect, test } from "vitest";
import type { Finding } from "../../../../src/model/plan.ts";
import {
  defaultLimits,
  guards,
  guardText,
  isOfGuard,
  limitsFrom,
  strictest,
} from "../../../../src/plan/checks/guards/index.ts";

const finding = (guard: string, numbers: Finding["numbers"], facet?: string): Finding => ({
  guard,
  severity: "error",
  numbers,
  flag: "",
  setting: "",
  changes: [],
  ...(facet !== undefined && { facet }),
});

test.each<readonly [Finding, string | undefined]>([
  [
    finding("removals", { removals: 7, existing: 12, percent: 58.4, max_percent: 30 }, "tags"),
    "7 of 12 live values of `tags` would be removed (58.4%, limit: 30%)",
  ],
  [
    finding("removals", { removals: 1, existing: 1, max_count: 0 }, "tags"),
    "1 of 1 live value of `tags` would be removed (limit: 0)",
  ],
  [finding("removals", {}), "0 of 0 live values of `` would be removed (limit: undefined)"],
  [finding("deletes", { deletes: 1, max_count: 0 }), "1 entity would be deleted (limit: 0)"],
  [finding("deletes", { deletes: 2, max_count: 1 }), "2 entities would be deleted (limit: 1)"],
  [
    finding("vanished", { vanished: 5, declared: 10, percent: 50, max_percent: 30 }),
    "5 of 10 entities declared in the base are no longer declared (50%, limit: 30%)",
  ],
  [
    finding("vanished", { vanished: 1, declared: 1, percent: 100, max_percent: 30 }),
    "1 of 1 entity declared in the base is no longer declared (100%, limit: 30%)",
  ],
  [
    { ...finding("spread", { assets: 3, max_count: 2 }), rule: "finance" },
    "rule `finance` would change 3 assets (limit: 2)",
  ],
  [finding("missing", { assets: 1 }), undefined],
])("%j is told as %j", (found, text) => {
  expect(guardText(found)).toBe(text);
});

test.each([
  [
    "removals",
    { max_percent: "30 percent", max_count: "200 count", min_existing: "10 count" },
    "--max-removals <n|p%>",
    { count: "max_count", percent: "max_percent" },
  ],
  ["deletes", { max_count: "0 count" }, "--max-deletes <n>", { count: "max_count" }],
  [
    "vanished",
    { max_percent: "30 percent", min_existing: "10 count" },
    "--max-vanished <p%>",
    { percent: "max_percent" },
  ],
  ["spread", { max_count: "500 count" }, "--max-spread <n>", { count: "max_count" }],
])("the guard %s has the limits %o by default, and %s sets them", (name, defaults, shown, sets) => {
  const { limits, flag } = guards.find((guard) => guard.name === name) ?? {};
  const own = Object.entries(limits ?? {}).map(([limit, { default: value, unit }]) => [
    limit,
    `${value} ${unit}`,
  ]);
  expect(Object.fromEntries(own)).toEqual(defaults);
  expect(`${flag?.name} ${flag?.argument}`).toBe(shown);
  expect(flag?.sets).toEqual(sets);
});

test("no two guards have one name or flag, and a flag sets limits of its guard", () => {
  const names = guards.flatMap(({ name, flag }) => [name, flag.name]);
  expect(new Set(names).size).toBe(names.length);
  for (const { limits, flag } of guards) {
    expect(Object.keys(limits)).toEqual(expect.arrayContaining(Object.values(flag.sets)));
  }
});

test("each guard, limit and flag is described", () => {
  const texts = guards.flatMap(({ description, limits, flag }) => [
    description,
    flag.description,
    ...Object.values(limits).map((limit) => limit.description),
  ]);
  expect(texts.filter((text) => text.length < 10)).toEqual([]);
});

test("limits that are not given have their defaults", () => {
  const { removals, ...others } = defaultLimits;
  expect(limitsFrom({})).toEqual(defaultLimits);
  expect(limitsFrom({ removals: { max_count: 5 } })).toEqual({
    ...others,
    removals: { ...removals, max_count: 5 },
  });
  for (const { name, limits } of guards) {
    const defaults = Object.entries(limits).map(([limit, { default: value }]) => [limit, value]);
    expect(defaultLimits).toHaveProperty(name, Object.fromEntries(defaults));
  }
});

test("of two sets of limits the stricter is for each limit the lower one", () => {
  const [one, other] = [
    limitsFrom({ removals: { max_percent: 10, max_count: 900 }, spread: { max_count: 3 } }),
    limitsFrom({ removals: { max_percent: 20, max_count: 800 }, vanished: { min_existing: 0 } }),
  ];
  const stricter = limitsFrom({
    removals: { max_percent: 10, max_count: 800 },
    vanished: { min_existing: 0 },
    spread: { max_count: 3 },
  });
  expect(strictest(one, other)).toStrictEqual(stricter);
  expect(strictest(other, one)).toStrictEqual(stricter);
});

test("a finding is one of a guard where a guard has that name", () => {
  expect(guards.map(({ name }) => isOfGuard(finding(name, {})))).not.toContain(false);
  expect(isOfGuard(finding("missing", {}))).toBe(false);
});
