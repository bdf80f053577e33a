import { expect, test } from "vitest";
import { setOf } from "../../src/model/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import { withBaseMembers } from "../../src/plan/sides/base.ts";
import { ignoring } from "../../src/plan/adopt/ignore.ts";
import { matcherOf } from "../../src/text/pattern.ts";
import { withProvenance } from "../../src/plan/diff/provenance.ts";
import { datasetNamed, entityOf, stateOf, urn, withGroups } from "../support/states.ts";

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

test("100,000 users of one group in base take no more than a moment", () => {
  const group = urn("urn:li:corpGroup:all");
  const listing = { origin: { file: "a.yaml", line: 1, column: 1 }, groups: new Set([group]) };
  const lists = new Map(
    Array.from({ length: 100_000 }, (_, index) => [urn(`urn:li:corpuser:${index}`), listing] as const),
  );
  const state = withGroups(new Map(), lists);
  const started = performance.now();

  const members = withBaseMembers(state).get(group)?.facets.get("members");

  expect(members?.shape === "set" && members.members.length).toBe(100_000);
  expect(performance.now() - started).toBeLessThan(2000);
});

test("2,000 owners that go are looked up in base in no more than a moment", () => {
  const orders = datasetNamed("orders");
  const owners = Array.from({ length: 2000 }, (_, index) => ({
    owner: `urn:li:corpuser:${index}`,
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
  const started = performance.now();

  const rules = { modes: {}, ignored: ignoring([]), base: before };
  const [change] = withProvenance([difference], { desired: new Map(), live: before }, rules);

  expect(change?.removed?.every(({ declaredBefore }) => declaredBefore === true)).toBe(true);
  expect(performance.now() - started).toBeLessThan(2000);
});
