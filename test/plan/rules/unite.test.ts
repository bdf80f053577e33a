import { expect, test } from "vitest";
import type { Modes } from "../../../src/model/settings.ts";
import { type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import { type Contributor, unite } from "../../../src/plan/rules/unite.ts";
import { originOf } from "../../support/assets.ts";

const [one, two] = ["one", "two"] as const;

const contributor = (
  rule: string,
  facets: Readonly<Record<string, FacetValue>>,
  manage: Modes = {},
): Contributor => ({
  rule,
  priority: 0,
  facets: new Map(Object.entries(facets)),
  manage,
  modePlace: () => originOf(rule),
});

test("nobody's mode is none", () => {
  expect(unite([contributor(one, { tags: setOf(["a"]) })])).toEqual({
    facets: new Map([["tags", { ...setOf(["a"]), by: [{ rule: one, values: ["a"] }] }]]),
    clashes: [],
  });
});

test("the mode of the facets that somebody declares counts, once where both give it", () => {
  const tags = setOf(["a"]);
  const first = contributor(one, { tags }, { tags: "additive", domain: "additive" });

  const { manage, clashes } = unite([first, contributor(two, { tags }, { tags: "additive" })]);

  expect({ manage, clashes }).toEqual({ manage: { tags: "additive" }, clashes: [] });
});

test("a set takes nothing from a single value that another rule declares in its place", () => {
  const first = contributor(one, { tags: setOf(["a"]) });

  const { facets } = unite([first, contributor(two, { tags: scalarOf("b") })]);

  expect(facets.get("tags")).toMatchObject(setOf(["a"]));
});

test("of rules that differ in a single value, both are named", () => {
  const [first, second] = [scalarOf("a", originOf(one)), scalarOf("b", originOf(two))];

  expect(unite([contributor(one, { domain: first }), contributor(two, { domain: second })])).toEqual({
    facets: new Map(),
    clashes: [
      {
        about: "value",
        facet: "domain",
        first: { rule: one, origin: originOf(one) },
        second: { rule: two, origin: originOf(two) },
      },
    ],
  });
});
