import { expect, test } from "vitest";
import { noMemberships } from "../../../src/model/membership.ts";
import type { Origin } from "../../../src/model/origin.ts";
import type { Problem } from "../../../src/model/problem.ts";
import { type Contribution, type Entity, setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { groupListsIn } from "../../../src/plan/sides/base.ts";
import { takeFromOthers } from "../../../src/plan/sides/exclusive-edges.ts";
import type { EdgesOfGroup } from "../../../src/plan/sides/membership-edges.ts";
import { datasetNamed, entityOf, productEdges as edges, stateOf, urn } from "../../support/states.ts";

const [asset, other] = [datasetNamed("a"), datasetNamed("b")];
const [joined, old] = [urn("urn:li:dataProduct:joined"), urn("urn:li:dataProduct:old")];
const at = (line: number): Origin => ({ file: "catalog/a.yaml", line, column: 1 });

const product = (group: Urn, ...assets: readonly Urn[]): Entity =>
  entityOf("DataProduct", group, { assets: setOf(assets) });
const listing = (...products: readonly Urn[]): Entity =>
  entityOf("Dataset", asset, { data_products: setOf(products) });

/** The edges of a data product in which some assets are, and others are declared to be. */
function side(
  live: readonly Urn[],
  by: readonly Contribution[],
  more: Partial<EdgesOfGroup> = {},
): EdgesOfGroup {
  const desired = { ...setOf(by.flatMap(({ values }) => values as readonly Urn[])), by };
  return { live: setOf(live), desired, listed: true, self: new Set(), kept: [], ...more };
}

const declaredAt = (line: number, ...values: readonly Urn[]): Contribution => ({ origin: at(line), values });

/** What becomes of sides where the asset is in the old data product alone, and its problems. */
function taken(
  desired: State,
  given: ReadonlyMap<Urn, EdgesOfGroup>,
): { readonly problems: readonly Problem[]; readonly sides: ReadonlyMap<Urn, EdgesOfGroup> } {
  const sides = new Map(given);
  const known = { ...noMemberships, groupsOf: new Map([[asset, new Set([old])]]) };
  const declared = { edges, desired, lists: groupListsIn(desired, edges) };
  return { problems: takeFromOthers(declared, known, sides), sides };
}

const joins = side([], [declaredAt(1, asset)]);

test("an asset that joins a data product leaves one that is not managed, at the place where it joins", () => {
  const left = {
    live: setOf([asset]),
    desired: {
      ...setOf([], at(1)),
      by: [
        { origin: at(1), values: [] },
        { origin: at(1), end: asset, values: [] },
      ],
    },
    listed: false,
    self: new Set([asset]),
    kept: [],
  };

  expect(taken(stateOf(product(joined, asset)), new Map([[joined, joins]]))).toStrictEqual({
    problems: [],
    sides: new Map([
      [joined, joins],
      [old, left],
    ]),
  });
});

test("an asset that joins a data product by no known place leaves the others all the same", () => {
  const { sides } = taken(
    stateOf(product(joined, asset)),
    new Map([[joined, side([], [{ values: [asset] }])]]),
  );
  expect(sides.get(old)?.desired).toStrictEqual({
    ...setOf([]),
    by: [{ values: [] }, { end: asset, values: [] }],
  });
});

test("an asset that joins a data product leaves one that is managed, also where it would be kept there", () => {
  const kept = [asset, other].map(
    (value) => ({ urn: old, kind: "DataProduct", facet: "assets", value, reason: "other-writer" }) as const,
  );
  const before = side([other], [declaredAt(2, asset, other)], { self: new Set([other]), kept });

  const { problems, sides } = taken(
    stateOf(product(joined, asset)),
    new Map([
      [joined, joins],
      [old, before],
    ]),
  );

  expect(problems).toEqual([]);
  expect(sides.get(old)).toStrictEqual({
    live: setOf([asset, other]),
    desired: {
      ...setOf([other]),
      by: [declaredAt(2, asset, other), { ...declaredAt(1), end: asset }],
    },
    listed: true,
    self: new Set([other, asset]),
    kept: kept.slice(1),
  });
});

test("an asset that stays in its data product leaves no other", () => {
  const stays = new Map([[joined, side([asset], [declaredAt(1, asset)])]]);
  expect(taken(stateOf(product(joined, asset)), stays)).toStrictEqual({ problems: [], sides: stays });
});

const twice = (groups: readonly Urn[]): object => ({
  code: "exclusive-membership",
  severity: "error",
  args: { urn: asset, facet: "assets", groups },
});

test.each([
  ["by the lists of both", stateOf(product(joined, asset), product(old, asset))],
  ["by a list of one and its own", stateOf(product(joined, asset), listing(old))],
  ["by its own list", stateOf(listing(joined, old))],
])("an asset that is declared in two data products, %s, stays where it is", (_, desired) => {
  const stays = side([asset], [declaredAt(2, asset)]);
  const sides = new Map([
    [joined, joins],
    [old, stays],
  ]);

  expect(taken(desired, sides)).toStrictEqual({
    problems: [{ ...twice([joined, old]), origin: at(1), related: at(2) }],
    sides: new Map([
      [joined, { ...joins, desired: { ...joins.desired, members: [] } }],
      [old, stays],
    ]),
  });
});

test("an asset that would join two data products is one problem, at the first place of each", () => {
  const sides = new Map([
    [joined, side([], [declaredAt(1, asset), declaredAt(9, asset)])],
    [old, side([], [declaredAt(2, asset), declaredAt(8, asset)])],
  ]);
  const { problems } = taken(stateOf(product(joined, asset), product(old, asset)), sides);
  expect(problems).toStrictEqual([{ ...twice([old, joined]), origin: at(2), related: at(1) }]);
});

test("of a second data product that is not managed no place is named", () => {
  const desired = stateOf(product(joined, asset), product(old, asset));
  const { problems } = taken(desired, new Map([[joined, side([], [{ values: [asset] }])]]));
  expect(problems).toStrictEqual([twice([joined, old])]);
});

test("other assets of a data product that one cannot join do", () => {
  const both = side([], [declaredAt(1, asset, other)]);
  const { sides } = taken(
    stateOf(product(joined, asset, other), product(old, asset)),
    new Map([[joined, both]]),
  );
  expect(sides.get(joined)?.desired.members).toEqual([other]);
});
