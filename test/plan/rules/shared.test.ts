import { expect, test } from "vitest";
import { type FacetValue, setOf } from "../../../src/model/state.ts";
import type { Rule } from "../../../src/model/rule.ts";
import type { Declared, Expanded } from "../../../src/plan/rules/expand.ts";
import { assetNamed, columnTagged, expand, originOf, ruleOf, where } from "../../support/assets.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];

function expanded(
  rules: readonly Rule[],
  assets: Parameters<typeof expand>[1],
  state: Declared["state"] = stateOf(),
): Expanded {
  return expand({ state, references: [], exempt: new Map(), rules }, assets);
}

const tagsOf = (path: string): FacetValue => ({ shape: "map", entries: new Map([[path, setOf([])]]) });

test("what rules declare is kept once for an asset without documents and one whose documents name columns alike", () => {
  const rule = ruleOf("r", { columns: [columnTagged("id", "key")] });
  const assets = ["a", "b"].map((name) => assetNamed(name, { paths: ["id"] }));
  const document = entityOf("Dataset", a, { "columns.tags": tagsOf("id") });

  const { contributorsOf } = expanded([rule], assets, stateOf(document));

  expect(contributorsOf(a)).toBe(contributorsOf(b));
});

test("what rules declare of an asset itself is kept once, though its documents call columns by plain names", () => {
  const path = "[version=2.0].[type=string].id";
  const rules = [ruleOf("columns", { columns: [columnTagged("id", "key")] }), ruleOf("plain")];
  const assets = ["a", "b"].map((name) => assetNamed(name, { paths: [path] }));
  const document = entityOf("Dataset", a, { "columns.tags": tagsOf("id") });

  const { contributorsOf } = expanded(rules, assets, stateOf(document));

  const [own, others] = [contributorsOf(a), contributorsOf(b)];
  expect(own.map((each, index) => each === others[index])).toEqual([true, false, true]);
});

test("assets are together that the same rules match, whatever columns they have that no rule matches", () => {
  const rules = [ruleOf("r", { columns: [columnTagged("id", "key")] })];
  const assets = [assetNamed("a", { paths: ["id", "x"] }), assetNamed("b", { paths: ["y", "id"] })];

  expect([...expanded(rules, assets).contributions].map(({ urns }) => urns)).toEqual([[a, b]]);
});

test("assets are apart that different rules match, though they are equally many", () => {
  const rules = ["a", "b"].map((name) => ruleOf(`only-${name}`, { conditions: [where("name", name)] }));

  const { matches } = expanded(rules, [assetNamed("a"), assetNamed("b")]);

  expect(matches.map((match) => [match.rules.map(({ id }) => id), match.urns])).toEqual([
    [["only-a"], [a]],
    [["only-b"], [b]],
  ]);
});

test("references come in the order of the ids of rules, in whatever order these and their assets are", () => {
  const tag = urn("urn:li:tag:t");
  const about = { urn: tag, entityType: "tag", facet: "tags" };
  const rules = [
    ruleOf("r1", { conditions: [where("name", "b")], references: [{ ...about, origin: originOf("r1") }] }),
    ruleOf("r2", { conditions: [where("name", "a")], references: [{ ...about, origin: originOf("r2") }] }),
  ];

  const { references } = expanded(rules.toReversed(), [assetNamed("a"), assetNamed("b")]);

  expect([...references]).toEqual([
    { ...about, origin: originOf("r1"), from: b },
    { ...about, origin: originOf("r2"), from: a },
  ]);
});
