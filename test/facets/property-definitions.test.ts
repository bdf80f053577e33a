import { describe, expect, test } from "vitest";
import { columnStructuredProperties, structuredProperties } from "../../src/facets/structured-properties.ts";
import type { Definitions } from "../../src/facets/map-contract.ts";
import { type FacetValue, type Leaf, type Member, scalarOf, setOf } from "../../src/model/state.ts";

const definitions = definitionsOf(structuredProperties);

function definitionsOf({ definitions: found }: typeof structuredProperties): Definitions {
  if (!found) throw new Error("its values have no definitions");
  return found;
}

/** What a definition says: texts, and lists of allowed values or entity types. */
type Said = Readonly<Record<string, string | null | readonly Member[]>>;

function facetsOf(said: Said): ReadonlyMap<string, FacetValue> {
  const pairs = Object.entries(said).map(([name, value]): [string, FacetValue] => [
    name,
    typeof value === "string" || value === null ? scalarOf(value) : setOf(value),
  ]);
  return new Map(pairs);
}

test.each<readonly [string, Said, Leaf["shape"]]>([
  ["of several values", { cardinality: "MULTIPLE" }, "set"],
  ["of one value", { cardinality: "SINGLE" }, "scalar"],
  ["that does not say how many values it has", {}, "scalar"],
])("the values of a property %s are a %s", (_, said, shape) => {
  expect(definitions.shapeBy(facetsOf(said))).toBe(shape);
});

describe("a value that does not fit the definition is told what it must be:", () => {
  const allowed = [{ value: "low" }, { value: 90 }, "high"];

  test.each<readonly [string, Leaf, Said, string | undefined]>([
    [
      "one of several",
      scalarOf("x"),
      { cardinality: "MULTIPLE" },
      "a list: the property allows several values",
    ],
    [
      "none of several",
      scalarOf(null),
      { cardinality: "MULTIPLE" },
      "`[]`: the property allows several values",
    ],
    [
      "several of one",
      setOf(["x"]),
      { cardinality: "SINGLE" },
      "a single value: the property allows only one",
    ],
    ["several of several", setOf(["x", "y"]), { cardinality: "MULTIPLE" }, undefined],
    ["one of one", scalarOf("x"), { cardinality: "SINGLE" }, undefined],
    ["several of an unknown number", setOf(["x"]), {}, undefined],
    ["a text for a number", scalarOf("7"), { value_type: "number" }, "a number"],
    ["a number for a number", scalarOf(7), { value_type: "number" }, undefined],
    ["no value for a number", scalarOf(null), { value_type: "number" }, undefined],
    ["a flag, which is no value", scalarOf(true), { value_type: "number" }, undefined],
    ["a number for a text", scalarOf(7), { value_type: "string" }, "a quoted string"],
    ["a number for a date", scalarOf(7), { value_type: "date" }, "a quoted string"],
    ["a number for an unknown type", scalarOf(7), {}, undefined],
    ["a number for a type that is unset", scalarOf(7), { value_type: null }, undefined],
    ["another text for a date", scalarOf("soon"), { value_type: "date" }, "a date, such as 2027-06-30"],
    [
      "a day that the calendar does not have",
      scalarOf("2027-02-30"),
      { value_type: "date" },
      "a date, such as 2027-06-30",
    ],
    ["a day in another order", scalarOf("30.6.2027"), { value_type: "date" }, "a date, such as 2027-06-30"],
    [
      "a day with a time",
      scalarOf("2027-06-30T00:00:00Z"),
      { value_type: "date" },
      "a date, such as 2027-06-30",
    ],
    ["a date for a date", scalarOf("2027-06-30"), { value_type: "date" }, undefined],
    ["another text for a URN", scalarOf("alice"), { value_type: "urn" }, "a URN"],
    ["a URN for a URN", scalarOf("urn:li:corpuser:alice"), { value_type: "urn" }, undefined],
    ["a text for a rich text", scalarOf("soon"), { value_type: "rich_text" }, undefined],
    ["a text of the most bytes", scalarOf("ü".repeat(16_383)), { value_type: "string" }, undefined],
    ["a text of more", scalarOf(`${"ü".repeat(16_383)}x`), {}, "at most 32,766 bytes long"],
    [
      "a URN of more",
      scalarOf(`urn:li:${"x".repeat(32_760)}`),
      { value_type: "urn" },
      "at most 32,766 bytes long",
    ],
    ["what is allowed", setOf(["low", 90, "high"]), { allowed_values: allowed }, undefined],
    ["what is not", setOf(["low", "no"]), { allowed_values: allowed }, "one of high, low, 90"],
    ["anything where nothing is listed", scalarOf("x"), { allowed_values: [] }, undefined],
    ["the second of several", setOf([7, "x"]), { value_type: "number" }, "a number"],
  ])("%s", (_, leaf, said, expected) => {
    expect(definitions.expected(leaf, facetsOf(said))).toBe(expected);
  });
});

test.each<readonly [string, string, Said, readonly string[] | undefined]>([
  ["a dataset where it is listed", "Dataset", { entity_types: ["dataset", "chart"] }, undefined],
  ["a dataset where it is not listed", "Dataset", { entity_types: ["chart"] }, ["chart"]],
  ["a dataset where nothing is listed", "Dataset", { entity_types: [] }, undefined],
  ["a dataset where nothing is known", "Dataset", {}, undefined],
])("a property says which other types can have it: %s", (_, kind, said, types) => {
  expect(definitions.typesInstead(kind, facetsOf(said))).toEqual(types);
});

test("a property of columns is one of schema fields, and not of datasets", () => {
  const ofColumns = definitionsOf(columnStructuredProperties);
  const instead = (type: string): unknown =>
    ofColumns.typesInstead("Dataset", facetsOf({ entity_types: [type] }));

  expect([instead("schemaField"), instead("dataset")]).toEqual([undefined, ["dataset"]]);
});
