import { expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import { setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { countRules } from "../../../src/plan/rules/count.ts";
import { assetNamed, expand, ruleOf, where } from "../../support/assets.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const [a, b] = ["a", "b"].map(datasetNamed) as [Urn, Urn];
const rules = [
  ruleOf("every", {}),
  ruleOf("only-a", { conditions: [where("name", "a")] }),
  ruleOf("charts", { kind: "Chart" }),
];
const expanded = expand({ state: new Map(), references: [], exempt: new Map(), rules }, [
  assetNamed("a"),
  assetNamed("b"),
]);

test("a rule counts the assets that it matches, and those of a part among them", () => {
  const about = { changes: [], unknown: [], unreadable: [] };
  const matched = (part?: ReadonlySet<Urn>): readonly unknown[] =>
    countRules(expanded, rules, { ...about, part }).map((rule) => [
      rule.id,
      rule.matched,
      rule.matchedInPart,
    ]);

  expect(matched()).toEqual([
    ["charts", 0, 0],
    ["every", 2, 2],
    ["only-a", 1, 1],
  ]);
  expect(matched(new Set([b]))).toEqual([
    ["charts", 0, 0],
    ["every", 2, 1],
    ["only-a", 1, 0],
  ]);
});

test.each<readonly [string, readonly Urn[], readonly Urn[], readonly string[]]>([
  ["all were read", [], [], []],
  ["it is not known which match some asset: those of its kind", [datasetNamed("c")], [], ["every", "only-a"]],
  ["values of an asset could not be read: those that match it", [], [b], ["every"]],
  [
    "both are so of assets of other kinds",
    [urn("urn:li:chart:(looker,1)")],
    [a],
    ["charts", "every", "only-a"],
  ],
])("the rules whose counts are incomplete where %s", (_, unknown, unreadable, ids) => {
  const counts = countRules(expanded, rules, { part: undefined, changes: [], unknown, unreadable });

  expect(counts.filter(({ incomplete }) => incomplete).map(({ id }) => id)).toEqual(ids);
});

test("a membership counts for the rule of the member, though the plan has it at the group", () => {
  const product = (id: string): Urn => urn(`urn:li:dataProduct:${id}`);
  const joining = [ruleOf("joins", { facets: new Map([["data_products", setOf([product("new")])]]) })];
  const found = expand({ state: new Map(), references: [], exempt: new Map(), rules: joining }, [
    assetNamed("a"),
    assetNamed("b"),
  ]);
  const assets = (id: string, add: readonly Urn[], remove: readonly Urn[]): Change => {
    const about = { action: "update", shape: "set", kind: "DataProduct", fingerprint: "" } as const;
    return { ...about, urn: product(id), facet: "assets", add, remove };
  };
  const changes = [assets("new", [a, datasetNamed("other")], []), assets("old", [], [b])];

  expect(countRules(found, joining, { part: undefined, changes, unknown: [], unreadable: [] })).toEqual([
    {
      id: "joins",
      kind: "Dataset",
      matched: 2,
      matchedInPart: 2,
      changed: 2,
      values: [{ facet: "data_products", value: product("new"), on: 2, new: 1, overruled: 0 }],
    },
  ]);
});

test("that a rule declares no values counts as a value", () => {
  const none = [ruleOf("none", { facets: new Map([["tags", setOf([])]]) })];
  const found = expand({ state: new Map(), references: [], exempt: new Map(), rules: none }, [
    assetNamed("a"),
  ]);
  const [count] = countRules(found, none, { part: undefined, changes: [], unknown: [], unreadable: [] });

  expect(count?.values).toEqual([{ facet: "tags", value: null, on: 1, new: 0, overruled: 0 }]);
});
