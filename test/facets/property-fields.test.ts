import { describe, expect, test } from "vitest";
import { facetNamed, facetsOf } from "../../src/facets/index.ts";
import {
  allowedValues,
  cardinality,
  entityTypes,
  valueType,
  version,
} from "../../src/facets/structured-property-fields.ts";
import type { Facet } from "../../src/facets/facet.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { type FacetValue, type Member, type Scalar, scalarOf, setOf } from "../../src/model/state.ts";
import { sentFor, scalarChange, setChange } from "./changes.ts";

const kind = "StructuredProperty";
const property = "urn:li:structuredProperty:retention";
const number = "urn:li:dataType:datahub.number";
const dataset = "urn:li:entityType:datahub.dataset";
const chart = "urn:li:entityType:datahub.chart";
const year = { value: 365, description: "A year" };

const observed = (facet: Facet, propertyDefinition: JsonObject): unknown =>
  facet.observe({ propertyDefinition }, kind);

test.each<readonly [string, Facet, JsonObject, FacetValue]>([
  ["a type of DataHub's own by its name", valueType, { valueType: number }, scalarOf("number")],
  ["another type by its URN", valueType, { valueType: "urn:li:dataType:x" }, scalarOf("urn:li:dataType:x")],
  ["no type as an empty text", valueType, {}, scalarOf("")],
  ["a single value where it does not say", cardinality, { valueType: number }, scalarOf("SINGLE")],
  ["several values", cardinality, { cardinality: "MULTIPLE" }, scalarOf("MULTIPLE")],
  ["no cardinality of no definition", cardinality, {}, scalarOf(null)],
  ["a version", version, { version: "20270630120000" }, scalarOf("20270630120000")],
  [
    "entity types by their names, and others by their URNs",
    entityTypes,
    { entityTypes: [dataset, "urn:li:entityType:x"] },
    setOf(["dataset", "urn:li:entityType:x"]),
  ],
  ["null for no entity types", entityTypes, { entityTypes: null }, setOf([])],
  ["no entity types", entityTypes, {}, setOf([])],
  [
    "allowed values, with what they mean",
    allowedValues,
    {
      allowedValues: [
        { value: { double: 365 }, description: "A year" },
        { value: { string: "x" }, description: "" },
        { value: { double: 90 }, description: null },
      ],
    },
    setOf([year, { value: "x" }, { value: 90 }]),
  ],
  ["no allowed values", allowedValues, {}, setOf([])],
])("of a stored definition is read %s", (_, facet, stored, value) => {
  expect(observed(facet, stored)).toStrictEqual({ value });
});

test.each<readonly [Facet, JsonObject, string]>([
  [entityTypes, { entityTypes: "x" }, "the entity types are not a list of strings"],
  [entityTypes, { entityTypes: ["x", 7] }, "the entity types are not a list of strings"],
  [allowedValues, { allowedValues: "x" }, "the allowed values are not a list of objects"],
  [
    allowedValues,
    { allowedValues: [{}] },
    "a value of a structured property is neither a number nor a string",
  ],
])("a malformed definition says where: $name", (facet, stored, message) => {
  expect(() => observed(facet, stored)).toThrow(`the server returned a malformed response: ${message}`);
});

test.each<readonly [Facet, Json, Member]>([
  [valueType, "number", "number"],
  [entityTypes, "dataset", "dataset"],
  [allowedValues, { value: 365, description: "A year" }, year],
  [allowedValues, { value: "x" }, { value: "x" }],
])("a definition takes %j", (facet, written, value) => {
  expect(facet.parse(written)).toStrictEqual({ value, references: [] });
});

test("a plan shows an allowed value with what it means", () => {
  const called = (text: string): string => text;

  expect([year, { value: "x" }].map((value) => allowedValues.format(value, called))).toEqual([
    "365 (A year)",
    "x",
  ]);
});

test.each(["cardinality", "value_type"])("a new definition needs no %s, which it has by default", (name) => {
  const { isRequired, implied } = facetNamed(name);

  expect([isRequired, implied?.for, implied?.value("x")]).toEqual([
    true,
    "new-entity",
    name === "cardinality" ? "SINGLE" : "string",
  ]);
});

test("a version has to be one, and is not shown by GraphQL", () => {
  expect([version.isRequired, version.implied]).toEqual([true, undefined]);
  expect(version.isOnlyStored?.("StructuredProperty")).toBe(true);
});

describe("a change of a definition is written in its aspect:", () => {
  const proposal = { type: "proposal", urn: property, aspect: "propertyDefinition", initial: {}, set: {} };

  test.each<readonly [string, string, Scalar, JsonObject]>([
    ["a type by its URN", "value_type", "number", { valueType: number }],
    ["a type that is one", "value_type", number, { valueType: number }],
    ["no type", "value_type", null, { valueType: null }],
    ["a cardinality", "cardinality", "MULTIPLE", { cardinality: "MULTIPLE" }],
  ])("%s", (_, facet, after, set) => {
    expect(sentFor(scalarChange(facet, after, { kind, urn: property }))).toEqual([
      { request: { ...proposal, set } },
    ]);
  });

  test.each<readonly [string, string, readonly Member[], readonly Member[], JsonObject]>([
    [
      "entity types by their URNs",
      "entity_types",
      ["dataset"],
      ["chart", "urn:li:entityType:x"],
      { at: ["entityTypes"], add: [{ element: dataset }], remove: [chart, "urn:li:entityType:x"] },
    ],
    [
      "allowed values, of which no list is kept where none is left",
      "allowed_values",
      [year, { value: "x" }],
      [year, { value: 90 }],
      {
        at: ["allowedValues"],
        add: [
          { element: { value: { double: 365 }, description: "A year" } },
          { element: { value: { string: "x" } } },
        ],
        remove: [
          { value: { double: 365 }, description: "A year" },
          { value: { double: 90 }, description: null },
        ],
        emptied: "field",
      },
    ],
  ])("%s", (_, facet, add, remove, edit) => {
    expect(sentFor(setChange(facet, add, remove, { urn: property }))).toEqual([
      { request: { ...proposal, edits: [edit] } },
    ]);
  });
});

test("all that a definition says of values is in one aspect", () => {
  for (const facet of [valueType, cardinality, version, entityTypes, allowedValues]) {
    expect(facetsOf(kind)).toContain(facet);
    expect([facet.aspects(kind), facet.storedIn?.(kind)]).toEqual([
      ["propertyDefinition"],
      "propertyDefinition",
    ]);
  }
});
