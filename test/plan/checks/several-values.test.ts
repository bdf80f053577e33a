import { expect, test } from "vitest";
import { scalarOf, type State } from "../../../src/model/state.ts";
import { ignoring, nothingIgnored } from "../../../src/plan/base/ignore.ts";
import { severalValues } from "../../../src/plan/checks/several-values.ts";
import { datasetNamed, entityOf, liveOf, stateOf } from "../../support/states.ts";

const a = datasetNamed("a");
const origin = { file: "catalog/a.yaml", line: 4, column: 3 };
const sales = "urn:li:domain:sales";
const finance = "urn:li:domain:finance";
const live = { ...liveOf(new Map()), several: [{ urn: a, facet: "domain", values: [sales, finance] }] };
const declaring = (value: string | null): State =>
  stateOf(entityOf("Dataset", a, { domain: scalarOf(value, origin) }));

test.each([sales, finance, null])("several stored values are a warning where %s is declared", (value) => {
  expect(severalValues(declaring(value), live, nothingIgnored)).toEqual([
    {
      code: "several-values",
      severity: "warning",
      args: { kind: "Dataset", urn: a, facet: "domain", values: [sales, finance] },
      origin,
    },
  ]);
});

test("nothing is said where the facet, or the entity, is not declared", () => {
  expect(severalValues(stateOf(entityOf("Dataset", a, {})), live, nothingIgnored)).toEqual([]);
  expect(severalValues(new Map(), live, nothingIgnored)).toEqual([]);
});

test.each([
  [sales, 0],
  [finance, 1],
])("where %s is ignored, %i warning is given: the first value decides", (value, count) => {
  const ignored = ignoring([{ facet: "domain", value, reason: "r" }]);
  expect(severalValues(declaring(finance), live, ignored)).toHaveLength(count);
});
