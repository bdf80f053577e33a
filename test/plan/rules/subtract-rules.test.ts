import { expect, test } from "vitest";
import type { FacetValue } from "../../../src/model/state.ts";
import { subtractRules } from "../../../src/plan/rules/subtract-rules.ts";
import { datasetNamed, entityOf } from "../../support/states.ts";

const set = (...members: readonly string[]): FacetValue => ({ shape: "set", members });
const scalar = (value: string | null): FacetValue => ({ shape: "scalar", value });
const map = (entries: Readonly<Record<string, FacetValue>>): FacetValue => ({
  shape: "map",
  entries: new Map(Object.entries(entries)),
});

test.each<readonly [string, FacetValue, FacetValue | undefined, FacetValue, boolean]>([
  ["of a set the other elements are left", set("x", "y"), set("y", "z"), set("x"), false],
  ["of a set that rules declare nothing is left", set("x"), set("x", "y"), set(), true],
  ["of an empty set there was nothing to declare", set(), set("x"), set(), false],
  ["a single value that rules declare is not left", scalar("x"), scalar("x"), scalar(null), true],
  ["a single value that differs is left", scalar("x"), scalar("y"), scalar("x"), false],
  ["of no value there was nothing to declare", scalar(null), scalar("x"), scalar(null), false],
  [
    "of a map each key is judged by itself",
    map({ id: set("x"), email: set("x", "y"), name: scalar("n") }),
    map({ id: set("x"), email: set("y"), name: scalar("n") }),
    map({ id: set(), email: set("x"), name: scalar(null) }),
    false,
  ],
  [
    "of a map that rules declare nothing is left",
    map({ id: set("x") }),
    map({ id: set("x") }),
    map({ id: set() }),
    true,
  ],
  ["what rules do not declare is left", set("x"), undefined, set("x"), false],
])("%s", (_, value, declared, left, isRuled) => {
  const entity = entityOf("Dataset", datasetNamed("a"), { facet: value });
  const result = subtractRules(entity, new Map(declared ? [["facet", declared]] : []));

  expect(result).toEqual({
    entity: entityOf("Dataset", datasetNamed("a"), { facet: left }),
    ruled: isRuled ? ["facet"] : [],
  });
});
