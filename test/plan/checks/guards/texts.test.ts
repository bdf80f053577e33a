import { expect, test } from "vitest";
import type { Finding } from "../../../../src/model/plan.ts";
import {
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

test("each guard has its limits with their defaults, and a flag that sets some of them", () => {
  const told = guards.map(({ name, limits, flag }) => ({
    name,
    limits: Object.entries(limits).map(([limit, { default: value, unit }]) => `${limit} ${value} ${unit}`),
    flag: `${flag.name} ${flag.argument}`,
    sets: flag.sets,
  }));
  expect(told).toEqual([
    {
      name: "removals",
      limits: ["max_percent 30 percent", "max_count 200 count", "min_existing 10 count"],
      flag: "--max-removals <n|p%>",
      sets: { count: "max_count", percent: "max_percent" },
    },
    {
      name: "deletes",
      limits: ["max_count 0 count"],
      flag: "--max-deletes <n>",
      sets: { count: "max_count" },
    },
    {
      name: "vanished",
      limits: ["max_percent 30 percent", "min_existing 10 count"],
      flag: "--max-vanished <p%>",
      sets: { percent: "max_percent" },
    },
    {
      name: "spread",
      limits: ["max_count 500 count"],
      flag: "--max-spread <n>",
      sets: { count: "max_count" },
    },
  ]);
});

test("each guard, limit and flag is described", () => {
  const texts = guards.flatMap(({ description, limits, flag }) => [
    description,
    flag.description,
    ...Object.values(limits).map((limit) => limit.description),
  ]);
  expect(texts.filter((text) => text.length < 10)).toEqual([]);
});

test("limits that are not given have their defaults, and unknown ones are kept out of nothing else", () => {
  expect(limitsFrom({ removals: { max_count: 5 } })).toEqual({
    removals: { max_percent: 30, max_count: 5, min_existing: 10 },
    deletes: { max_count: 0 },
    vanished: { max_percent: 30, min_existing: 10 },
    spread: { max_count: 500 },
  });
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
  expect(guards.map(({ name }) => isOfGuard(finding(name, {})))).toEqual([true, true, true, true]);
  expect(isOfGuard(finding("missing", {}))).toBe(false);
});
