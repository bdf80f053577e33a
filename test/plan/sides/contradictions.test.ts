import { describe, expect, test } from "vitest";
import type { Origin } from "../../../src/model/origin.ts";
import {
  type Contribution,
  type Entity,
  setOf,
  type SetValue,
  type State,
} from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { groupListsIn, listingMembers } from "../../../src/plan/sides/base.ts";
import { contradictingRules } from "../../../src/plan/sides/contradictions.ts";
import { allEdges, type SelectedEdges } from "../../../src/plan/sides/selected-edges.ts";
import { datasetNamed, entityOf, productEdges as edges, stateOf, urn } from "../../support/states.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];
const [sales, finance] = [urn("urn:li:dataProduct:sales"), urn("urn:li:dataProduct:finance")];

const at = (file: string): Origin => ({ file, line: 1, column: 1 });
const [ofProduct, ofAsset, ofRule] = [at("product.yaml"), at("asset.yaml"), at("rule.yaml")];

const product = (...assets: readonly Urn[]): Entity =>
  entityOf("DataProduct", sales, { assets: setOf(assets, ofProduct) });

/** An asset for which these declare its data products, a rule each unless it has none. */
function asset(of: Urn, ...by: readonly Contribution[]): Entity {
  const products: SetValue = { ...setOf(by.flatMap(({ values }) => values as readonly Urn[])), by };
  return entityOf("Dataset", of, { data_products: products });
}

const rule = (...values: readonly Urn[]): Contribution => ({ rule: "r", origin: ofRule, values });

function contradictions(
  desired: State,
  selected: SelectedEdges = allEdges,
): ReturnType<typeof contradictingRules> {
  const lists = groupListsIn(desired, edges);
  return contradictingRules({ edges, desired, lists }, listingMembers(lists), selected);
}

const puts = {
  code: "contradicting-membership",
  severity: "error",
  args: { urn: a, facet: "data_products", other: sales, otherFacet: "assets" },
  origin: ofRule,
  related: ofProduct,
};

const omits = {
  code: "contradicting-membership",
  severity: "error",
  args: { urn: sales, facet: "assets", other: a, otherFacet: "data_products" },
  origin: ofProduct,
  related: ofRule,
};

test("a rule contradicts a data product whose list omits the asset that the rule puts into it", () => {
  expect(contradictions(stateOf(product(), asset(a, rule(sales))))).toStrictEqual([puts]);
});

test("a data product contradicts the rules that put an asset that it lists elsewhere", () => {
  expect(contradictions(stateOf(product(a), asset(a, rule(finance))))).toStrictEqual([omits]);
});

test("a place is named once, whichever assets it is about", () => {
  const desired = stateOf(product(), asset(a, rule(sales)), asset(b, rule(sales)));
  expect(contradictions(desired)).toStrictEqual([puts]);
});

test("of several rules the one that puts the asset into the data product is named", () => {
  const other = { rule: "q", origin: at("other.yaml"), values: [finance] };
  const document = { origin: ofAsset, values: [sales] };
  expect(contradictions(stateOf(product(), asset(a, document, other, rule(sales))))).toStrictEqual([puts]);
});

test("of several documents of a data product the one that lists the asset is named", () => {
  const list = setOf([a, b], at("other.yaml"));
  const by = [
    { origin: at("other.yaml"), values: [b] },
    { origin: ofProduct, values: [a] },
  ];
  const group = entityOf("DataProduct", sales, { assets: { ...list, by } });
  expect(contradictions(stateOf(group, asset(a, rule(finance))))).toStrictEqual([omits]);
});

test("a place that is not known is not named", () => {
  const bare = { rule: "r", values: [sales] };
  const group = entityOf("DataProduct", sales, { assets: setOf([]) });
  const { code, severity, args } = puts;
  expect(contradictions(stateOf(group, asset(a, bare)))).toStrictEqual([{ code, severity, args }]);
});

describe("there is no contradiction", () => {
  const document = (...values: readonly Urn[]): Contribution => ({ origin: ofAsset, values });
  test.each<readonly [string, State]>([
    ["where both sides agree", stateOf(product(a), asset(a, rule(sales)))],
    [
      "where the data product lists nothing",
      stateOf(entityOf("DataProduct", sales, {}), asset(a, rule(sales))),
    ],
    ["where the asset says nothing of its data products", stateOf(product(a), entityOf("Dataset", a, {}))],
    [
      "of documents that put an asset into it: those are compared as manifests",
      stateOf(product(), asset(a, document(sales))),
    ],
    [
      "of documents that put an asset elsewhere: those are compared as manifests",
      stateOf(product(a), asset(a, document(finance))),
    ],
    ["of a rule for another data product", stateOf(product(), asset(a, rule(finance)))],
  ])("%s", (_, desired) => {
    expect(contradictions(desired)).toEqual([]);
  });
});

test("edges that are selected contradict each other, all others do not", () => {
  const only = (member: Urn): SelectedEdges => ({
    isGroup: () => false,
    has: (of, group, each) => of === edges && group === sales && each === member,
  });
  const desired = stateOf(product(b), asset(a, rule(sales)), asset(b, rule(finance)));

  const omitsOther = { ...omits, args: { ...omits.args, other: b } };

  expect(contradictions(desired)).toStrictEqual([puts, omitsOther]);
  expect(contradictions(desired, only(a))).toStrictEqual([puts]);
  expect(contradictions(desired, only(b))).toStrictEqual([omitsOther]);
  expect(contradictions(desired, { isGroup: () => true, has: () => false })).toEqual([]);
});
