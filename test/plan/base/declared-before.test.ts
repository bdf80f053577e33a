import { describe, expect, test } from "vitest";
import {
  type Contribution,
  type Entity,
  type FacetValue,
  scalarOf,
  setOf,
  type Scalar,
  type ScalarValue,
  type SetValue,
} from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  addDeclaration,
  type Content,
  unitedContent,
  unitedLeaves,
} from "../../../src/plan/base/declared-before.ts";
import { datasetNamed, entityOf, stateOf, withoutBy } from "../../support/states.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];
const at = { file: "catalog/a.yaml", line: 4, column: 1 };
const later = { ...at, line: 9 };

const noted = (value: Scalar, ...since: readonly Scalar[]): ScalarValue => ({ ...scalarOf(value), since });
const columns = (entries: Readonly<Record<string, ScalarValue | SetValue>>): FacetValue => ({
  shape: "map",
  entries: new Map(Object.entries(entries)),
});

describe("what two commits declare of one value", () => {
  // What the first declares, what the second does, and what both do.
  test.each<
    readonly [string, ScalarValue | SetValue | undefined, ScalarValue | SetValue, ScalarValue | SetValue]
  >([
    ["of a set unites", setOf(["x", "y"]), setOf(["y", "z"]), setOf(["x", "y", "z"])],
    ["of a set that is new is that of the second", undefined, setOf(["x"]), setOf(["x"])],
    ["of a set that was a single value is the set", scalarOf("x"), setOf(["y"]), setOf(["y"])],
    ["of a value that stays is that value", scalarOf("x"), scalarOf("x"), scalarOf("x")],
    ["of a value is the first, and the other beside it", scalarOf("x"), scalarOf("y"), noted("x", "y")],
    ["of a value that is unset is the first", scalarOf("x"), scalarOf(null), scalarOf("x")],
    ["of a value that was unset first is unset", scalarOf(null), scalarOf("x"), noted(null, "x")],
    ["of a value that is new is unset first", undefined, scalarOf("x"), noted(null, "x")],
    ["of a value that is new and unset is unset", undefined, scalarOf(null), scalarOf(null)],
    ["of a value that was a set is unset first", setOf(["x"]), scalarOf("y"), noted(null, "y")],
    [
      "of several values holds each once, in their order",
      noted("x", "z"),
      noted("y", null, "z", "x", "w"),
      noted("x", "z", "y", "w"),
    ],
  ])("%s", (_, before, after, both) => {
    expect(withoutBy(unitedLeaves(before, after))).toStrictEqual(both);
  });

  test.each([
    ["the first", setOf(["x"], at), setOf(["x"], later), at],
    ["the first", scalarOf("x", at), scalarOf("y", later), at],
    ["the second where the first has none", setOf(["x"]), setOf(["x"], later), later],
    ["the second where the first has none", undefined, scalarOf("x", later), later],
  ])("is at the place of %s", (_, before, after, place) => {
    expect(unitedLeaves(before, after).origin).toBe(place);
  });
});

test.each<
  readonly [string, ScalarValue | SetValue | undefined, ScalarValue | SetValue, readonly Contribution[]]
>([
  [
    "set",
    setOf(["x"], at),
    setOf(["x", "y"], later),
    [
      { origin: at, values: ["x"] },
      { origin: later, values: ["y"] },
    ],
  ],
  [
    "single value",
    scalarOf("x", at),
    scalarOf("y", later),
    [
      { origin: at, values: ["x"] },
      { origin: later, values: ["y"] },
    ],
  ],
  [
    "set of rules",
    { ...setOf(["x"], at), by: [{ rule: "r", origin: at, values: ["x"] }] },
    {
      ...setOf(["x", "y"], later),
      by: [
        { rule: "r", origin: later, values: ["x"] },
        { rule: "q", origin: later, values: ["y"] },
      ],
    },
    [
      { rule: "r", origin: at, values: ["x"] },
      { rule: "q", origin: later, values: ["y"] },
    ],
  ],
])("each value of a %s is of who declared it first", (_, before, after, by) => {
  expect(unitedLeaves(before, after).by).toStrictEqual(by);
  expect(unitedLeaves(unitedLeaves(before, after), after).by).toStrictEqual(by);
});

describe("what two commits declare of an entity", () => {
  const content = (facets: Readonly<Record<string, FacetValue>>, more?: Partial<Content>): Content => ({
    kind: "Dataset",
    facets: new Map(Object.entries(facets)),
    ...more,
  });

  test("is every facet and column of both", () => {
    const first = content({
      owners: setOf(["alice"]),
      tags: setOf(["x"]),
      "columns.tags": columns({ id: setOf(["x"]), email: setOf(["x"]) }),
    });
    const second = content({
      tags: setOf(["y"]),
      "columns.tags": columns({ email: setOf(["y"]), amount: setOf(["y"]) }),
      domain: scalarOf("d"),
    });

    expect(withoutBy(unitedContent(first, second))).toStrictEqual(
      content({
        owners: setOf(["alice"]),
        tags: setOf(["x", "y"]),
        "columns.tags": columns({ id: setOf(["x"]), email: setOf(["x", "y"]), amount: setOf(["y"]) }),
        domain: noted(null, "d"),
      }),
    );
  });

  test("takes nothing of a facet that held columns and holds none any more, nor the other way round", () => {
    const ofColumns = content({ tags: columns({ id: setOf(["x"]) }) });
    const ofAll = content({ tags: setOf(["y"]) });

    expect(withoutBy(unitedContent(ofColumns, ofAll))).toStrictEqual(ofAll);
    expect(withoutBy(unitedContent(ofAll, ofColumns))).toStrictEqual(ofColumns);
  });

  test("is of the kind and at the place of the first, and has no mode", () => {
    const first = content({}, { origin: at, manage: { tags: "merge" } });
    const second = content({}, { kind: "Container", origin: later, manage: { tags: "additive" } });

    expect(withoutBy(unitedContent(first, second))).toStrictEqual(content({}, { origin: at }));
    expect(withoutBy(unitedContent(content({}), second))).toStrictEqual(content({}));
  });

  test("is what the second declares where the first did not declare it", () => {
    const facets = { tags: setOf(["x"], later), "columns.tags": columns({ id: setOf(["x"], later) }) };
    const second = content(facets, { origin: later });

    expect(withoutBy(unitedContent(undefined, second))).toStrictEqual(second);
  });
});

describe("what a later commit declares of an entity", () => {
  const declaring = (of: Urn, domain: ScalarValue): Entity => entityOf("Dataset", of, { domain });

  test("is added to what was declared of it, beside all others", () => {
    const before = new Map(stateOf(declaring(a, scalarOf("x")), declaring(b, scalarOf("x"))));

    addDeclaration(before, declaring(a, scalarOf("y")));

    expect(withoutBy(before)).toStrictEqual(
      stateOf(declaring(a, noted("x", "y")), declaring(b, scalarOf("x"))),
    );
  });

  test("is added to what is known of it from elsewhere, which stays as it is", () => {
    const before = new Map(stateOf(declaring(a, scalarOf("not this"))));
    const known = declaring(a, scalarOf("x"));

    addDeclaration(before, declaring(a, scalarOf("y")), known);

    expect(withoutBy(before)).toStrictEqual(stateOf(declaring(a, noted("x", "y"))));
    expect(known).toStrictEqual(declaring(a, scalarOf("x")));
  });

  test("is noted where nothing was declared of it", () => {
    const before = new Map(stateOf());

    addDeclaration(before, declaring(a, scalarOf("y")));

    expect(withoutBy(before)).toStrictEqual(stateOf(declaring(a, noted(null, "y"))));
  });
});
