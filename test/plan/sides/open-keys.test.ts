import { expect, test } from "vitest";
import { columns } from "../../../src/facets/columns.ts";
import type { Keys } from "../../../src/facets/facet.ts";
import { valueFrom } from "../../../src/model/place.ts";
import { type FacetValue, type Leaf, scalarOf, setOf } from "../../../src/model/state.ts";
import { withEmptyLeaves, withOpenKeys } from "../../../src/plan/sides/open-keys.ts";
import { datasetNamed, entityOf, stateOf } from "../../support/states.ts";

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

test("live state has an empty value for each property that is declared of what is there", () => {
  const [a, b] = [datasetNamed("a"), datasetNamed("b")];
  const declared = stateOf(
    entityOf("Dataset", a, { structured_properties: mapOf({ p: xs }), tags: xs }),
    entityOf("Dataset", b, { structured_properties: mapOf({ p: xs }) }),
  );
  const there = entityOf("Dataset", a, { structured_properties: mapOf({ q: xs }), owners: xs });

  expect(withOpenKeys(stateOf(there), declared)).toEqual(
    stateOf(entityOf("Dataset", a, { structured_properties: mapOf({ q: xs, p: nothing }), owners: xs })),
  );
});

test("the same holds for properties of columns that are there", () => {
  const propertiesOf = (leaves: Leaves): ReturnType<typeof stateOf> =>
    stateOf(entityOf("Dataset", datasetNamed("a"), { "columns.structured_properties": mapOf(leaves) }));

  expect(withOpenKeys(propertiesOf({ "id/p": xs }), propertiesOf({ "id/q": xs, "email/p": xs }))).toEqual(
    propertiesOf({ "id/p": xs, "id/q": nothing }),
  );
});

test("what declares no properties stays the same entity in live state", () => {
  const there = entityOf("Dataset", datasetNamed("a"), { tags: xs, "columns.tags": mapOf({ id: xs }) });
  const others = ["b", "c"].map((name) => entityOf("Dataset", datasetNamed(name), {}));
  const declared = { ...there, facets: new Map([...there.facets, ["columns.tags", mapOf({ email: xs })]]) };
  const state = withOpenKeys(stateOf(there, ...others), stateOf(declared, ...others));

  expect([...state.values()]).toEqual([there, ...others]);
  expect(state.get(there.urn)).toBe(there);
});
