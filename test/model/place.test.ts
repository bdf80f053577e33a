import { expect, test } from "vitest";
import {
  isSamePlace,
  joined,
  leafAt,
  leafIn,
  leavesOf,
  pathKey,
  placeAt,
  valueFrom,
} from "../../src/model/place.ts";
import { type FacetValue, type Leaf, scalarOf, setOf } from "../../src/model/state.ts";
import { datasetNamed, entityOf } from "../support/states.ts";

const [x, ys] = [scalarOf("x"), setOf(["y"])];

const map: FacetValue = {
  shape: "map",
  entries: new Map<string, FacetValue>([
    ["a", x],
    ["b", { shape: "map", entries: new Map<string, FacetValue>([["c", ys]]) }],
  ]),
};

test("the scalars and sets of a value come with the keys that lead to them, and make the value again", () => {
  expect(leavesOf(map)).toEqual([
    [["a"], x],
    [["b", "c"], ys],
  ]);
  expect(leavesOf(x)).toEqual([[[], x]]);
  expect(leavesOf(undefined)).toEqual([]);
  for (const value of [map, x, ys]) expect(valueFrom(leavesOf(value))).toEqual(value);
  expect(valueFrom([])).toEqual({ shape: "map", entries: new Map() });
});

test.each<readonly [readonly string[], Leaf | undefined]>([
  [["a"], x],
  [["b", "c"], ys],
  [["b"], undefined],
  [["a", "c"], undefined],
  [["d"], undefined],
  [[], undefined],
])("at %j there is %j", (path, leaf) => {
  expect(leafAt(map, path)).toBe(leaf);
  expect(leafIn(entityOf("Dataset", datasetNamed("a"), { f: map }), placeAt("f", path))).toBe(leaf);
});

test("a value at no keys is the facet's own", () => {
  expect(leafAt(x)).toBe(x);
  expect(leafAt(undefined, ["a"])).toBeUndefined();
  expect(placeAt("f", [])).toStrictEqual({ facet: "f" });
  expect(leafIn(undefined, { facet: "f" })).toBeUndefined();
});

test("places are the same by facet and keys", () => {
  expect(isSamePlace({ facet: "f", path: ["a", "b"] }, { facet: "f", path: ["a", "b"] })).toBe(true);
  expect(isSamePlace({ facet: "f" }, { facet: "f", path: ["a"] })).toBe(false);
  expect(isSamePlace({ facet: "f", path: ["a"] }, { facet: "g", path: ["a"] })).toBe(false);
  expect(pathKey(["a", "b"])).not.toBe(pathKey(["ab"]));
});

test("two values are joined place by place, and what only the first has stays", () => {
  const second = valueFrom([
    [["a"], scalarOf("z")],
    [["b", "d"], ys],
  ]);
  const seen: unknown[] = [];
  const both = joined(map, second, (first, leaf, path) => {
    seen.push([first, leaf, path]);
    return leaf;
  });
  expect(seen).toEqual([
    [x, scalarOf("z"), ["a"]],
    [undefined, ys, ["b", "d"]],
  ]);
  expect(leavesOf(both)).toEqual([
    [["a"], scalarOf("z")],
    [["b", "c"], ys],
    [["b", "d"], ys],
  ]);
  expect(joined(map, x, (first, leaf) => first ?? leaf)).toBe(x);
  expect(leavesOf(joined(undefined, map, (_, leaf) => leaf))).toEqual(leavesOf(map));
});
