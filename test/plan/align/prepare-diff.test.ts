import { describe, expect, test } from "vitest";
import type { Live } from "../../../src/model/live.ts";
import { noEdges } from "../../../src/model/membership.ts";
import { type Entity, type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { defaultPolicy } from "../../../src/plan/base/policy.ts";
import { prepareDiff, withShapesOf } from "../../../src/plan/align/prepare-diff.ts";
import { argOf } from "../../support/problem-args.ts";
import { datasetNamed, entityOf, knowing, liveOf, stateOf, urn, withoutBy } from "../../support/states.ts";

const [a, b, c, d] = ["a", "b", "c", "d"].map(datasetNamed) as [Urn, Urn, Urn, Urn];
const [alice, fin] = [urn("urn:li:corpuser:alice"), urn("urn:li:corpGroup:fin")];
const v2 = "[version=2.0].[type=struct].[type=string].email";

function tagged(of: Urn, columns: Readonly<Record<string, readonly string[]>>): Entity {
  const entries = new Map(Object.entries(columns).map(([column, tags]) => [column, setOf(tags)]));
  const value: FacetValue = { shape: "map", entries };
  return entityOf("Dataset", of, { "columns.tags": value });
}

test("without a history, desired and live state are as they are, nothing is gone, and nothing is deleted", () => {
  const desired = stateOf(tagged(a, { [v2]: ["x"] }));
  const live = stateOf(tagged(a, { [v2]: [] }));

  expect(prepareDiff(desired, liveOf(live), noEdges, defaultPolicy)).toStrictEqual({
    compared: desired,
    desired,
    live,
    base: undefined,
    applied: undefined,
    ahead: undefined,
    undeclared: [],
    created: new Set(),
    deletions: [],
    deleted: new Set(),
    unmanaged: [],
    membersLeft: [],
    problems: [],
  });
});

test("all that was declared of a column under either of its names was declared of it", () => {
  const live = stateOf(tagged(a, { [v2]: [] }));
  const base = stateOf(tagged(a, { email: ["x"], [v2]: ["y"] }));
  const applied = stateOf(tagged(a, { email: ["x"], [v2]: ["z"] }));

  const sides = prepareDiff(new Map(), liveOf(live), noEdges, { ...defaultPolicy, base, applied });

  expect(withoutBy(sides.base)).toEqual(stateOf(tagged(a, { [v2]: ["x", "y"] })));
  expect(withoutBy(sides.applied)).toEqual(stateOf(tagged(a, { [v2]: ["x", "z"] })));
  expect(sides.undeclared).toEqual([...base.values()]);
  expect(sides.problems).toEqual([]);
});

describe("the problems of a part", () => {
  const declared = stateOf(tagged(a, { mail: [] }), tagged(b, { mail: [] }), tagged(c, {}), tagged(d, {}));
  const [gone, alsoGone] = [datasetNamed("gone"), datasetNamed("also-gone")];
  const base = stateOf(...declared.values(), tagged(gone, {}), tagged(alsoGone, {}));
  const found: Live = {
    state: stateOf(tagged(a, { [v2]: [] }), tagged(b, { [v2]: [] })),
    missing: new Map([c, d].map((each) => [each, "absent"])),
    unreadable: new Map([gone, alsoGone].map((each) => [each, "timed out"])),
    unmanaged: [],
  };

  test.each([
    [
      "all there are, where all is selected",
      undefined,
      [
        [c, d],
        [gone, alsoGone],
        [a, b],
      ],
    ],
    ["those of what is selected", new Set([a, c, gone]), [[c], [gone], [a]]],
    ["none, where nothing is selected that has one", new Set([fin]), [[], [], []]],
  ])("are %s", (_, part, [missing = [], unread = [], columns = []]) => {
    const { problems } = prepareDiff(declared, found, noEdges, { ...defaultPolicy, base, part });

    expect(problems.map((problem) => [problem.code, argOf(problem, "urn")])).toEqual([
      ...missing.map((each) => ["asset-missing", each]),
      ...unread.map((each) => ["read-failed", each]),
      ...columns.map((each) => ["column-unknown", each]),
    ]);
  });
});

test.each([
  ["are left where nothing of them is pruned", false],
  ["are emptied where assignments are pruned", true],
])("facets and members that only base declares %s", (_, pruneAssignments) => {
  const description = scalarOf("x");
  const base = stateOf(entityOf("Group", fin, { description, members: setOf([alice]) }));
  const live = stateOf(entityOf("Group", fin, { description, members: setOf([]), removed: scalarOf(false) }));
  const known = knowing({ groupsOf: new Map([[alice, new Set([fin])]]) });

  const { desired } = prepareDiff(new Map(), liveOf(live), known, {
    ...defaultPolicy,
    base,
    pruneAssignments,
  });

  const pruned = { isPruned: true } as const;
  const emptied = entityOf("Group", fin, {
    members: { ...setOf([]), ...pruned },
    description: { ...scalarOf(null), mode: "merge", ...pruned },
  });
  expect(desired).toEqual(
    pruneAssignments ? stateOf({ ...emptied, manage: { members: "authoritative" } }) : new Map(),
  );
});

test("of what is deleted nothing else is pruned", () => {
  const base = stateOf(entityOf("Group", fin, { description: scalarOf("x"), members: setOf([alice]) }));
  const known = knowing({ groupsOf: new Map([[alice, new Set([fin])]]) });

  const { desired, deletions } = prepareDiff(new Map(), liveOf(base), known, {
    ...defaultPolicy,
    base,
    prune: new Set(["Group"]),
    pruneAssignments: true,
  });

  expect(desired).toEqual(new Map());
  expect(deletions.map(({ action, urn: of }) => [action, of])).toEqual([["delete", fin]]);
});

describe("base", () => {
  const [shared, fallen] = [urn("urn:li:dataProduct:shared"), urn("urn:li:dataProduct:fallen")];
  const listing = (of: Urn, ...products: readonly Urn[]): Entity =>
    entityOf("Dataset", of, { data_products: setOf(products) });

  test("is what is compared, and the groups that only its members name", () => {
    const base = stateOf(listing(a, shared), listing(b, fallen), entityOf("DataProduct", fallen, {}));
    const live = stateOf(entityOf("Dataset", a, {}));

    const { base: compared } = prepareDiff(stateOf(), liveOf(live), noEdges, { ...defaultPolicy, base });

    expect(withoutBy(compared)).toEqual(
      stateOf(
        entityOf("Dataset", a, {}),
        entityOf("DataProduct", fallen, { removed: scalarOf(false), assets: setOf([b]) }),
        entityOf("DataProduct", shared, { assets: setOf([a]) }),
      ),
    );
  });

  test("says what is gone: of what it declares what no manifest declares any more", () => {
    const base = stateOf(listing(a), listing(b));

    const { undeclared: gone } = prepareDiff(stateOf(listing(a)), liveOf(base), noEdges, {
      ...defaultPolicy,
      base,
    });

    expect(gone).toEqual([listing(b)]);
  });
});

describe("what was declared before a definition allowed one value, or several,", () => {
  const [one, several, tags] = [scalarOf("x"), setOf(["x"]), { tags: setOf(["t"]) }];
  const entity = (of: Urn, properties: Readonly<Record<string, FacetValue>>): Entity =>
    entityOf("Dataset", of, {
      structured_properties: { shape: "map", entries: new Map(Object.entries(properties)) },
      ...tags,
    });
  const other = entity(b, { p: several });
  const before = stateOf(entity(a, { p: several, q: one, r: one }), other);

  test("is of the shape that the catalog has", () => {
    const live = stateOf(entity(a, { p: scalarOf("y"), q: setOf([]), r: scalarOf(null) }));

    const state = withShapesOf(before, live);

    expect(state).toEqual(stateOf(entity(a, { p: one, q: several, r: one }), other));
    expect(state.get(b)).toBe(other);
  });

  test("is the same state where the catalog has the same shapes, or nothing", () => {
    expect(withShapesOf(before, stateOf())).toBe(before);
    expect(withShapesOf(before, stateOf(other))).toBe(before);
  });
});
