import { expect, onTestFinished, test, vi } from "vitest";
import { setOf } from "../../src/model/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import { withEdgesAtGroups } from "../../src/plan/base/group-lists.ts";
import { ignoring } from "../../src/plan/base/ignore.ts";
import { matcherOf } from "../../src/model/text/pattern.ts";
import { noted } from "../support/noted.ts";
import { datasetNamed, entityOf, stateOf, urn, withGroups } from "../support/states.ts";

// How much work is done, and not how long it takes: that would depend on the machine.

test("a pattern of a rule is compared once with each entity and once with each value", () => {
  const rules = Array.from({ length: 20 }, (_, index) => ({
    urn: `*nothing ${index}*`,
    value: "*",
    reason: "r",
  }));
  const ignored = ignoring(rules);
  const comparisons = vi.spyOn(String.prototype, "startsWith");
  onTestFinished(() => comparisons.mockRestore());

  for (let index = 0; index < 10_000; index++) {
    ignored.value(
      `urn:li:dataset:(urn:li:dataPlatform:snowflake,${Math.floor(index / 10)}` as Urn,
      "tags",
      `urn:li:tag:${index % 50}`,
    );
  }

  expect(comparisons.mock.calls.length).toBeLessThanOrEqual(20 * (1000 + 50));
});

// As a regular expression this would not end.
test("a pattern with many stars goes through the text once", () => {
  const matches = matcherOf(`${"*a".repeat(30)}*b`);

  expect(matches("a".repeat(100_000))).toBe(false);
  expect(matches(`${"a".repeat(100_000)}c`)).toBe(false);
});

test("1,000 users of one group in base are sorted once", () => {
  const group = urn("urn:li:corpGroup:all");
  const listing = { origin: { file: "a.yaml", line: 1, column: 1 }, groups: new Set([group]) };
  const lists = new Map(
    Array.from({ length: 1000 }, (_, index) => [urn(`urn:li:corpuser:${index}`), listing] as const),
  );
  const state = withGroups(new Map(), lists);
  const sorting = vi.spyOn(Array.prototype, "toSorted");
  onTestFinished(() => sorting.mockRestore());

  const members = withEdgesAtGroups(state).get(group)?.facets.get("members");

  const lengths = sorting.mock.contexts.map((sorted) => (sorted as readonly unknown[]).length);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(1000);
  expect(members?.shape === "set" && members.members.length).toBe(1000);
});

test("each of 2,000 owners that go is looked at a few times, and not once for each other one", () => {
  const orders = datasetNamed("orders");
  let looks = 0;
  const owners = Array.from({ length: 2000 }, (_, index) => ({
    get owner() {
      looks += 1;
      return `urn:li:corpuser:${index}`;
    },
    type: "urn:li:ownershipType:x",
  }));
  const before = stateOf(entityOf("Dataset", orders, { owners: setOf(owners) }));
  const difference = {
    action: "update",
    shape: "set",
    kind: "Dataset",
    urn: orders,
    facet: "owners",
    add: [],
    remove: owners,
  } as const;
  looks = 0;

  const rules = { modes: {}, ignored: ignoring([]), base: before };
  const [change] = noted([difference], { desired: new Map(), live: before }, rules);

  expect(looks).toBeLessThanOrEqual(10 * owners.length);
  expect(change?.removed?.every(({ declaredBefore }) => declaredBefore === true)).toBe(true);
});
