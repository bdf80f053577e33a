import { describe, expect, test } from "vitest";
import { type EdgeSet, edgeSetOf } from "../../../src/facets/index.ts";
import type { Origin } from "../../../src/model/origin.ts";
import type { Problem } from "../../../src/model/problem.ts";
import { type Contribution, setOf, type SetValue } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { membersByListedGroup } from "../../../src/plan/base/group-lists.ts";
import { contradictingRules } from "../../../src/plan/align/contradictions.ts";
import { allEdges } from "../../../src/plan/base/selected-edges.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];
const [core, mart] = [urn("urn:li:dataProduct:core"), urn("urn:li:dataProduct:mart")];
const edges = edgeSetOf("assets") as EdgeSet;
const line = (number: number): Origin => ({ file: "a.yaml", line: number, column: 1 });
const [coreAt, ruleAt] = [line(1), line(10)];

const byRule = (values: readonly Urn[], origin: Origin = ruleAt): Contribution => ({
  rule: "r",
  origin,
  values,
});
const byDocument = (values: readonly Urn[], origin: Origin): Contribution => ({ origin, values });

/** What these declare together. */
function declaredBy(...by: readonly Contribution[]): SetValue {
  return { ...setOf(by.flatMap(({ values }) => values) as Urn[], by[0]?.origin), by };
}

/** What the data product `core` and the assets contradict each other about. */
function contradictions(
  assets: SetValue | undefined,
  products: readonly (readonly [Urn, SetValue])[],
  selected = allEdges,
): readonly Problem[] {
  const desired = stateOf(
    entityOf("DataProduct", mart, {}),
    entityOf("DataProduct", core, assets ? { assets } : {}),
    entityOf("Dataset", a, { assets: setOf([b]) }),
  );
  const lists = new Map(products);
  return contradictingRules({ edges, desired, lists }, membersByListedGroup(lists), selected);
}

const joinsCore = {
  code: "contradicting-membership",
  severity: "error",
  args: { urn: b, facet: "data_products", other: core, otherFacet: "assets" },
  origin: ruleAt,
  related: coreAt,
};
const listsB = {
  ...joinsCore,
  args: { urn: core, facet: "assets", other: b, otherFacet: "data_products" },
  origin: coreAt,
  related: ruleAt,
};

describe("a data product that lists its assets contradicts a rule", () => {
  test("that puts another asset into it", () => {
    expect(contradictions(setOf([a], coreAt), [[b, declaredBy(byRule([core]))]])).toEqual([joinsCore]);
  });

  test("that puts one of its assets only into others", () => {
    expect(contradictions(setOf([a, b], coreAt), [[b, declaredBy(byRule([mart]))]])).toEqual([listsB]);
  });

  test("that puts none of its assets anywhere", () => {
    expect(contradictions(setOf([b], coreAt), [[b, declaredBy(byRule([]))]])).toEqual([listsB]);
  });

  test("at the place of the document and of the rule that declare it", () => {
    const assets = declaredBy(byDocument([a], line(2)), byDocument([b], line(3)));
    const joining = declaredBy(
      byDocument([core], line(11)),
      byRule([mart], line(12)),
      byRule([core], line(13)),
    );
    const other = declaredBy(byDocument([mart], line(14)), byRule([mart], line(15)));

    expect(contradictions(setOf([a], coreAt), [[b, joining]])).toEqual([{ ...joinsCore, origin: line(13) }]);
    expect(contradictions(assets, [[b, other]])).toEqual([{ ...listsB, origin: line(3), related: line(15) }]);
  });

  test("at no place where none is known", () => {
    const rule = { rule: "r", values: [core] };
    const { origin: _, related: __, ...nowhere } = joinsCore;

    expect(contradictions(setOf([a]), [[b, { ...setOf([core]), by: [rule] }]])).toStrictEqual([nowhere]);
  });

  test("once for each place, however many assets it matches", () => {
    const same = declaredBy(byRule([core]));
    const c = datasetNamed("c");

    expect(
      contradictions(setOf([], coreAt), [
        [b, same],
        [a, same],
      ]),
    ).toEqual([joinsCore]);
    expect(
      contradictions(setOf([], coreAt), [
        [b, same],
        [c, declaredBy(byRule([core], line(12)))],
      ]),
    ).toEqual([joinsCore, { ...joinsCore, args: { ...joinsCore.args, urn: c }, origin: line(12) }]);
  });
});

describe("nothing contradicts", () => {
  const rule = declaredBy(byRule([core]));

  test.each<readonly [string, Parameters<typeof contradictions>]>([
    ["where the data product lists no assets", [undefined, [[b, rule]]]],
    ["where both declare the same", [setOf([b], coreAt), [[b, rule]]]],
    ["where nothing is known of the data products of its assets", [setOf([a, b], coreAt), []]],
    [
      "where an asset is declared by a document: that is compared without the catalog",
      [
        setOf([b], coreAt),
        [
          [a, declaredBy(byDocument([core], line(11)))],
          [b, declaredBy(byDocument([mart], line(12)))],
        ],
      ],
    ],
    [
      "where the edge is not selected",
      [
        setOf([a, b], coreAt),
        [
          [datasetNamed("c"), rule],
          [b, declaredBy(byRule([mart]))],
        ],
        { isGroup: () => true, has: () => false },
      ],
    ],
  ])("%s", (_, args) => {
    expect(contradictions(...args)).toEqual([]);
  });

  test("where only other edges are selected", () => {
    const selected = {
      isGroup: () => false,
      has: (of: EdgeSet, group: Urn, asset: Urn) => of === edges && group === core && asset === b,
    };

    expect(
      contradictions(
        setOf([a], coreAt),
        [
          [b, rule],
          [datasetNamed("c"), declaredBy(byRule([core], line(12)))],
        ],
        selected,
      ),
    ).toEqual([joinsCore]);
  });
});
