import { expect, test } from "vitest";
import type { FacetChange } from "../../../src/model/change.ts";
import { type Contribution, type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import { splitRuleValues } from "../../../src/workflow/pull/split-rule-values.ts";
import { datasetNamed, entityOf, stateOf } from "../../support/states.ts";

const a = datasetNamed("a");
const about = { action: "update", kind: "Dataset", urn: a, fingerprint: "" } as const;

const byRule = (rule: string, ...values: readonly string[]): Contribution => {
  return { rule, origin: { file: "rules.yaml", line: 1, column: 1 }, values };
};

/** What rules declare: tags by two of them, one that only says that there are no others, and a domain. */
const ruled = new Map<string, FacetValue>([
  [
    "tags",
    { ...setOf(["gold", "silver"]), by: [byRule("s", "silver"), byRule("g", "gold"), byRule("none")] },
  ],
  ["domain", { ...scalarOf("finance"), by: [byRule("g", "finance")] }],
]);

const tags = (add: readonly string[], remove: readonly string[], rules?: readonly string[]): FacetChange => {
  return { ...about, shape: "set", facet: "tags", add, remove, ...(rules && { rules }) };
};
const domain: FacetChange = { ...about, shape: "scalar", facet: "domain", before: "sales", after: "finance" };
const described: FacetChange = { ...domain, facet: "description" };

type Documents = Readonly<Record<string, FacetValue>>;
const declaring: Documents = { tags: setOf([]), domain: scalarOf("finance") };

test.each<readonly [string, FacetChange, Documents, FacetChange | undefined, readonly string[]]>([
  ["what no rule declares is taken over", described, {}, described, []],
  ["what only rules declare is left to all of them", tags(["gold"], []), {}, undefined, ["g", "none", "s"]],
  [
    "it is left to those behind the change, where these declare it",
    tags(["gold"], [], ["g", "x"]),
    {},
    undefined,
    ["g"],
  ],
  ["a single value is left to its rule", domain, {}, undefined, ["g"]],
  ["a single value that a document declares, too, is taken over", domain, declaring, domain, []],
  [
    "of a set what a rule adds is left to it",
    tags(["gold", "x"], ["old"]),
    declaring,
    tags(["x"], ["old"]),
    ["g"],
  ],
  ["of a set nothing may be left", tags(["x"], ["old"]), declaring, tags(["x"], ["old"]), []],
  ["of a set all may be left", tags(["gold", "silver"], []), declaring, undefined, ["g", "s"]],
])("%s", (_, change, documents, own, rules) => {
  const state = stateOf(entityOf("Dataset", a, documents));

  expect(splitRuleValues(change, { state, ruled: new Map([[a, ruled]]) })).toEqual({
    ...(own && { own }),
    rules,
  });
});

test("what is of an asset that no rule matches is taken over", () => {
  const state = stateOf();

  expect(splitRuleValues(domain, { state, ruled: new Map([[datasetNamed("b"), ruled]]) })).toEqual({
    own: domain,
    rules: [],
  });
});
