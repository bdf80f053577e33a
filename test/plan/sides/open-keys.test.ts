import { expect, test } from "vitest";
import { columns } from "../../../src/facets/columns.ts";
import type { Keys } from "../../../src/facets/facet.ts";
import { valueFrom } from "../../../src/model/place.ts";
import { type FacetValue, type Leaf, scalarOf, setOf } from "../../../src/model/state.ts";
import { withEmptyLeaves } from "../../../src/plan/sides/open-keys.ts";

const open: Keys = { description: "", example: "", plainNameOf: (key) => key };

type Leaves = Readonly<Record<string, Leaf>>;

/** A map with these values, each by its keys with `/` between them. */
function mapOf(leaves: Leaves): FacetValue {
  return valueFrom(Object.entries(leaves).map(([path, leaf]) => [path.split("/"), leaf] as const));
}

const [x, xs] = [scalarOf("x"), setOf(["x"])];
const [none, nothing] = [scalarOf(null), setOf([])];

test.each<readonly [string, readonly Keys[], Leaves, Leaves | undefined, Leaves]>([
  [
    "a key without a value has an empty one",
    [open],
    { a: x },
    { b: x, c: xs },
    { a: x, b: none, c: nothing },
  ],
  ["what is there stays", [open], { a: x }, { a: none }, { a: x }],
  ["nothing is added where nothing is declared", [open], { a: x }, undefined, { a: x }],
  ["a column that is not there stays away", [columns], { a: xs }, { a: xs, b: xs }, { a: xs }],
  ["so does what is below it", [columns, open], { "a/k": x }, { "b/k": x }, { "a/k": x }],
  [
    "a key below a column that is there has an empty value",
    [columns, open],
    { "a/k": x },
    { "a/l": x, "b/k": x },
    { "a/k": x, "a/l": none },
  ],
])("%s", (_, keys, live, declared, filled) => {
  expect(withEmptyLeaves(keys, mapOf(live), declared && mapOf(declared))).toEqual(mapOf(filled));
});

test("a value that lacks nothing is the same one", () => {
  const live = mapOf({ a: x });
  expect(withEmptyLeaves([open], live, mapOf({ a: none }))).toBe(live);
});
