import { describe, expect, test } from "vitest";
import { columns } from "../../../src/facets/columns.ts";
import type { Keys } from "../../../src/facets/map-contract.ts";
import { valueFrom } from "../../../src/model/place.ts";
import { type FacetValue, type Leaf, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { addEmptyValues, addDynamicKeys } from "../../../src/plan/align/dynamic-keys.ts";
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
  expect(addEmptyValues(keys, mapOf(live), declared && mapOf(declared))).toEqual(mapOf(filled));
});

test("a value that lacks nothing is the same one", () => {
  const live = mapOf({ a: x });
  expect(addEmptyValues([open], live, mapOf({ a: none }))).toBe(live);
});

describe("live state", () => {
  const [a, b, c] = ["a", "b", "c"].map(datasetNamed) as [Urn, Urn, Urn];
  const properties = (leaves: Leaves): Readonly<Record<string, FacetValue>> => ({
    structured_properties: mapOf(leaves),
  });

  test("has an empty value for each property that is declared and not there", () => {
    const [tags, domain] = [{ tags: xs }, { domain: x }];
    const live = stateOf(
      entityOf("Dataset", a, { ...properties({ p: x }), ...tags }),
      entityOf("Dataset", b, properties({ p: x })),
    );
    const declared = stateOf(
      entityOf("Dataset", a, { ...properties({ q: x, r: xs }), ...tags, ...domain }),
      entityOf("Dataset", c, properties({ q: x })),
    );

    expect(addDynamicKeys(live, declared)).toEqual(
      stateOf(
        entityOf("Dataset", a, { ...properties({ p: x, q: none, r: nothing }), ...tags }),
        entityOf("Dataset", b, properties({ p: x })),
      ),
    );
  });

  test("has one for each property of a column that is there", () => {
    const name = "columns.structured_properties";
    const live = stateOf(entityOf("Dataset", a, { [name]: mapOf({ "id/p": x }) }));
    const declared = stateOf(entityOf("Dataset", a, { [name]: mapOf({ "id/q": x, "mail/q": x }) }));

    expect(addDynamicKeys(live, declared)).toEqual(
      stateOf(entityOf("Dataset", a, { [name]: mapOf({ "id/p": x, "id/q": none }) })),
    );
  });

  test("of entities without properties is as it is", () => {
    const live = stateOf(entityOf("Dataset", a, { tags: xs, "columns.tags": mapOf({ id: xs }) }));
    const declared = stateOf(entityOf("Dataset", a, { tags: nothing, "columns.tags": mapOf({ mail: xs }) }));

    expect(addDynamicKeys(live, declared).get(a)).toBe(live.get(a));
  });
});
