import { describe, expect, test } from "vitest";
import {
  columnOf,
  entitiesNamedIn,
  innerKey,
  isOfColumns,
  keysOf,
  namedKeys,
  namesAmong,
  namesOfPlace,
  outerKey,
  withKeys,
  withNamedKeys,
} from "../../src/facets/places.ts";
import type { Path, Place } from "../../src/model/place.ts";
import { setOf } from "../../src/model/state.ts";

const retention = "urn:li:structuredProperty:retention";
const email = "[version=2.0].[type=struct].[type=string].email";

const place = (facet: string, ...path: Path): Place => ({ facet, path });

test.each<readonly [string, boolean, number]>([
  ["columns.tags", true, 1],
  ["columns.structured_properties", true, 2],
  ["structured_properties", false, 1],
  ["tags", false, 0],
  ["domain", false, 0],
])("%s is one of columns: %s, and has %i keys", (facet, isColumns, keys) => {
  expect([isOfColumns(facet), keysOf(facet).length]).toEqual([isColumns, keys]);
});

test.each<readonly [string, Place, readonly string[]]>([
  ["a property", place("structured_properties", retention), [retention]],
  ["the property of a column", place("columns.structured_properties", "id", retention), [retention]],
  ["no column, whatever it is called", place("columns.tags", retention), []],
  ["no property that is no URN", place("structured_properties", "retention"), []],
  ["nothing without keys", { facet: "domain" }, []],
])("the keys of a place name %s", (_, at, entities) => {
  expect(entitiesNamedIn(at)).toEqual(entities);
});

test.each<readonly [string, Partial<Place>, string | undefined, object]>([
  ["of a column", place("columns.tags", "id"), "id", { column: "id" }],
  [
    "of a property of a column",
    place("columns.structured_properties", "id", retention),
    "id",
    { column: "id", path: ["id", retention] },
  ],
  ["of a property", place("structured_properties", retention), undefined, { path: [retention] }],
  ["of all columns", { facet: "columns.tags" }, undefined, {}],
  ["of no known facet", { path: ["id"] }, undefined, { path: ["id"] }],
])("a place %s is named by its column, and by all keys where these say more", (_, at, column, named) => {
  expect([columnOf(at), namedKeys(at)]).toEqual([column, named]);
});

describe("a place may be written", () => {
  test("by each key itself or its plain name, the exact keys first", () => {
    expect(namesOfPlace(place("columns.structured_properties", email, retention))).toEqual([
      place("columns.structured_properties", email, retention),
      place("columns.structured_properties", email, "retention"),
      place("columns.structured_properties", "email", retention),
      place("columns.structured_properties", "email", "retention"),
    ]);
  });

  test("in one way where its key is its plain name, also where it has more keys than the facet", () => {
    expect(namesOfPlace(place("columns.tags", "id"))).toEqual([place("columns.tags", "id")]);
    expect(namesOfPlace(place("columns.tags", "id", "x"))).toEqual([place("columns.tags", "id", "x")]);
    expect(namesOfPlace({ facet: "tags" })).toEqual([{ facet: "tags" }]);
  });

  test("by its plain name only where that is not the key of another place", () => {
    const live = (...keys: readonly string[]) =>
      ({ shape: "map", entries: new Map(keys.map((key) => [key, setOf([])])) }) as const;
    const [exact, plain] = [place("columns.tags", email), place("columns.tags", "email")];

    expect(namesAmong(exact, live(email))).toEqual([exact, plain]);
    expect(namesAmong(exact, live(email, "email"))).toEqual([exact]);
    expect(namesAmong(plain, live(email, "email"))).toEqual([plain]);
    expect(namesAmong(exact, undefined)).toEqual([exact, plain]);
    expect(namesAmong(exact, setOf(["email"]))).toEqual([exact, plain]);
    expect(namesAmong({ facet: "tags" }, live("tags"))).toEqual([{ facet: "tags" }]);
  });
});

test("the keys of a place stand where its path stood", () => {
  const at = { facet: "columns.tags", path: ["id"], add: ["x"] };

  expect(Object.entries(withNamedKeys(at))).toEqual([
    ["facet", "columns.tags"],
    ["column", "id"],
    ["add", ["x"]],
  ]);
  expect(withKeys(at, { path: ["x"] })).toEqual({ facet: "columns.tags", path: ["x"], add: ["x"] });
  expect(withNamedKeys({ facet: "tags" })).toEqual({ facet: "tags" });
});

test.each([
  ["columns.tags", "columns", "tags"],
  ["columns.structured_properties", "columns", "structured_properties"],
  ["tags", "tags", undefined],
])("a manifest has %s below the key %s, and there as %s", (name, outer, inner) => {
  expect([outerKey({ name }), innerKey({ name })]).toEqual([outer, inner]);
});
