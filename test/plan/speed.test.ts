import { expect, test } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import { ignoring } from "../../src/plan/ignore.ts";
import { matcherOf } from "../../src/plan/pattern.ts";

test("100,000 values and 20 rules are compared in less than a second", () => {
  const rules = Array.from({ length: 20 }, (_, index) => ({
    urn: `*nothing ${index}*`,
    value: "*",
    reason: "r",
  }));
  const ignored = ignoring(rules);
  const started = performance.now();

  for (let index = 0; index < 100_000; index++) {
    ignored.value(
      `urn:li:dataset:(urn:li:dataPlatform:snowflake,${Math.floor(index / 10)}` as Urn,
      "tags",
      `urn:li:tag:${index % 500}`,
    );
  }

  expect(performance.now() - started).toBeLessThan(1000);
});

test("a pattern with many stars takes no longer than the text is long", () => {
  const matches = matcherOf(`${"*a".repeat(30)}*b`);
  const started = performance.now();

  expect(matches("a".repeat(100_000))).toBe(false);
  expect(matches(`${"a".repeat(100_000)}c`)).toBe(false);
  expect(performance.now() - started).toBeLessThan(1000);
});
