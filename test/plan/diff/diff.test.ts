import { expect, test } from "vitest";
import { type FacetValue, type MapValue, scalarOf, setOf, type State } from "../../../src/model/state.ts";
import { diff } from "../../../src/plan/diff/diff.ts";
import { datasetNamed, entityOf, stateOf } from "../../support/states.ts";

const a = datasetNamed("a");
const b = datasetNamed("b");
const origin = { file: "catalog/a.yaml", line: 4, column: 1 };
const about = { action: "update", kind: "Dataset", urn: a } as const;

const one = (facet: string, value: FacetValue): State => stateOf(entityOf("Dataset", a, { [facet]: value }));

function columns(entries: Readonly<Record<string, readonly string[]>>): MapValue {
  return {
    shape: "map",
    entries: new Map(Object.entries(entries).map(([column, tags]) => [column, setOf(tags, origin)])),
  };
}

test.each<readonly [string, FacetValue, FacetValue, object]>([
  [
    "a value that is set",
    scalarOf("d", origin),
    scalarOf(null),
    { shape: "scalar", before: null, after: "d" },
  ],
  [
    "a value that is unset",
    scalarOf(null, origin),
    scalarOf("d"),
    { shape: "scalar", before: "d", after: null },
  ],
  [
    "a value that is replaced",
    scalarOf("e", origin),
    scalarOf("d"),
    { shape: "scalar", before: "d", after: "e" },
  ],
  [
    "a number in place of its text",
    scalarOf(7, origin),
    scalarOf("7"),
    { shape: "scalar", before: "7", after: 7 },
  ],
  [
    "a field of a value that goes",
    scalarOf({ a: "x" }, origin),
    scalarOf({ b: "y", a: "x" }),
    { shape: "scalar", before: { b: "y", a: "x" }, after: { a: "x" } },
  ],
  [
    "a value that is unset, with what the catalog shows then",
    scalarOf(null, origin),
    { ...scalarOf("d"), fallback: "ingested" },
    { shape: "scalar", before: "d", after: null, fallback: "ingested" },
  ],
  [
    "a value that is replaced, whatever the catalog would show without one",
    scalarOf("e", origin),
    { ...scalarOf("d"), fallback: "ingested" },
    { shape: "scalar", before: "d", after: "e" },
  ],
  ["members that come", setOf(["x", "y"], origin), setOf(["x"]), { shape: "set", add: ["y"], remove: [] }],
  ["members that go", setOf(["x"], origin), setOf(["x", "y"]), { shape: "set", add: [], remove: ["y"] }],
  [
    "members that are exchanged",
    setOf(["x"], origin),
    setOf(["y"]),
    { shape: "set", add: ["x"], remove: ["y"] },
  ],
])("%s: that is the difference", (_, want, have, delta) => {
  expect(diff(one("facet", want), one("facet", have))).toStrictEqual([
    { ...about, facet: "facet", ...delta },
  ]);
});

test.each<readonly [string, FacetValue, FacetValue]>([
  ["single value", scalarOf("d", origin), scalarOf("d")],
  ["value of several fields", scalarOf({ a: "x", b: "y" }, origin), scalarOf({ b: "y", a: "x" })],
  ["unset value", scalarOf(null), scalarOf(null)],
  ["set", setOf(["x", "y"], origin), setOf(["y", "x"])],
  ["empty set", setOf([]), setOf([])],
  [
    "column",
    columns({ x: ["t"] }),
    {
      shape: "map",
      entries: new Map([
        ["x", setOf(["t"])],
        ["y", setOf(["u"])],
      ]),
    },
  ],
])("the same %s is no difference, wherever it is declared", (_, want, have) => {
  expect(diff(one("facet", want), one("facet", have))).toEqual([]);
});

test("each column is a difference of its own", () => {
  const [want, have] = [columns({ x: ["t"], y: ["u"], z: [] }), columns({ x: [], y: ["u"], z: ["v"] })];
  const at = (column: string): object => ({ ...about, facet: "columns.tags", path: [column] });

  expect(diff(one("columns.tags", want), one("columns.tags", have))).toStrictEqual([
    { ...at("x"), shape: "set", add: ["t"], remove: [] },
    { ...at("z"), shape: "set", add: [], remove: ["v"] },
  ]);
});

test("only entities that both states hold, and facets that are desired, differ", () => {
  const desired = stateOf(
    entityOf("Dataset", a, { tags: setOf(["t"]) }),
    entityOf("Dataset", b, { tags: setOf(["t"]) }),
  );
  const live = stateOf(
    entityOf("Dataset", a, { tags: setOf([]), domain: scalarOf("d") }),
    entityOf("Dataset", datasetNamed("c"), { tags: setOf([]) }),
  );

  expect(diff(desired, live)).toEqual([{ ...about, facet: "tags", shape: "set", add: ["t"], remove: [] }]);
});

test("facets that were not read cannot differ: that is a fault of ours which names them", () => {
  expect(() => diff(one("tags", setOf([])), stateOf(entityOf("Dataset", a, {})))).toThrow(
    `facet tags of ${a} was not read`,
  );
  expect(() => diff(one("tags", columns({ x: [] })), one("tags", setOf([])))).toThrow(/was not read/);
  expect(() => diff(one("tags", columns({ x: [] })), one("tags", columns({ y: [] })))).toThrow(
    `tags of ${a} has a different shape in the catalog than in the declaration`,
  );
  const noValue: MapValue = { shape: "map", entries: new Map([["x", scalarOf(null)]]) };
  expect(() => diff(one("tags", noValue), one("tags", columns({ y: [] })))).toThrow(/different shape/);
  const scalarColumn: MapValue = { shape: "map", entries: new Map([["x", scalarOf("t")]]) };
  expect(() => diff(one("tags", scalarColumn), one("tags", columns({ x: ["t"] })))).toThrow(
    /different shape/,
  );
});
