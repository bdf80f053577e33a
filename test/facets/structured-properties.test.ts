import { describe, expect, test } from "vitest";
import { columnStructuredProperties, structuredProperties } from "../../src/facets/structured-properties.ts";
import { aspectsIn, selectionOf } from "../../src/facets/answered-aspects.ts";
import { attributionIn } from "../../src/facets/attribution.ts";
import { valueInAspect } from "../../src/facets/writes.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { type FacetValue, type Leaf, scalarOf, setOf } from "../../src/model/state.ts";
import { schemaFieldUrn } from "../../src/model/urn.ts";
import { dataset, editsOf, scalarChange, sentFor, setChange } from "./changes.ts";
import { answeredIn } from "./answers.ts";

const aspect = "structuredProperties";
const retention = "urn:li:structuredProperty:retention";
const teams = "urn:li:structuredProperty:teams";
const column = schemaFieldUrn(dataset, "id");
const malformed = "the server returned a malformed response:";

const entry = (propertyUrn: Json | undefined, ...values: readonly Json[]): JsonObject => ({
  propertyUrn,
  values,
});
const mapOf = (...entries: readonly (readonly [string, FacetValue])[]): FacetValue => ({
  shape: "map",
  entries: new Map(entries),
});

test.each<readonly [string, Json, Json]>([
  ["a number", 7, 7],
  ["a text", "x", "x"],
])("a value is taken as it is written: %s", (_, written, value) => {
  expect(structuredProperties.parse(written)).toEqual({ value, references: [] });
});

test("a plan shows values as they are, and URNs by their names", () => {
  const called = (text: string): string => `<${text}>`;

  expect([7, "x", null].map((value) => structuredProperties.format(value, called))).toEqual([
    "7",
    "<x>",
    "null",
  ]);
});

test("the values that GraphQL answers of columns are selected in both forms", () => {
  expect(columnStructuredProperties.storedInColumns?.answered.selection.replaceAll(/\s+/g, " ")).toBe(
    "structuredProperties { properties { structuredProperty { urn } " +
      "values { ... on StringValue { stringValue } ... on NumberValue { numberValue } } } }",
  );
  expect(selectionOf(columnStructuredProperties.answered("Dataset"))).toBe(
    "schemaMetadata { fields { fieldPath } }",
  );
});

test("a property may be named by its id", () => {
  const [properties] = structuredProperties.keys;

  expect([properties.plainNameOf(retention), properties.plainNameOf("x")]).toEqual(["retention", "x"]);
});

describe("stored values of an asset", () => {
  const observed = (...properties: readonly JsonObject[]): unknown =>
    structuredProperties.observe({ [aspect]: { properties } }, "Dataset");

  test("are read by property: doubles, texts, and doubles with the digits of large integers", () => {
    const values = [{ double: 7.5 }, { string: "x" }, { double: "9007199254740993" }];

    expect(observed(entry(retention, ...values), { propertyUrn: teams })).toEqual({
      value: mapOf([retention, setOf([7.5, 9_007_199_254_740_992, "x"])], [teams, setOf([])]),
    });
    expect(structuredProperties.observe({}, "Dataset")).toEqual({ value: mapOf() });
  });

  test.each<readonly [JsonObject, string]>([
    [entry(retention, {}), "a value of a structured property is neither a number nor a string"],
    [entry(retention, "x"), "a value of a structured property is neither a number nor a string"],
    [entry(undefined), "a structured property has no URN"],
  ])("that are %j are malformed", (stored, message) => {
    expect(() => observed(stored)).toThrow(`${malformed} ${message}`);
  });

  test("that are no list are malformed", () => {
    expect(() => structuredProperties.observe({ [aspect]: { properties: 7 } }, "Dataset")).toThrow(
      `${malformed} the structured properties are not a list of objects`,
    );
  });

  test("say who wrote them", () => {
    const attribution = { actor: "a" };
    const properties = [entry(teams, { double: 7 }), { ...entry(retention, { double: 7 }), attribution }];
    const by = (path: readonly string[]): unknown =>
      attributionIn(scalarChange("structured_properties", null, { path }), 7, { properties });

    expect([by([retention]), by([teams])]).toEqual([attribution, undefined]);
  });
});

describe("values of columns", () => {
  const { storedInColumns } = columnStructuredProperties;
  const answered = (...properties: readonly Json[]): unknown =>
    storedInColumns?.observe(
      aspectsIn({ structuredProperties: { properties } }, [storedInColumns.answered], {}),
    );
  const selected = (...values: readonly Json[]): JsonObject => ({
    structuredProperty: { urn: retention },
    values,
  });

  test("are those of an entity of the column", () => {
    expect(storedInColumns).toMatchObject({ typename: "SchemaFieldEntity" });
    expect(storedInColumns?.urnOf(dataset, "id")).toBe(column);
    expect(storedInColumns?.answered.name).toBe(aspect);
    expect(answered(selected({ numberValue: 7 }, { stringValue: "x" }))).toEqual(
      mapOf([retention, setOf([7, "x"])]),
    );
    expect(storedInColumns?.observe({ structuredProperties: null })).toEqual(mapOf());
  });

  test("are read from what is stored in the same form", () => {
    const properties = [entry(retention, { double: 7 }, { string: "x" }), { propertyUrn: teams, values: 7 }];

    expect(storedInColumns?.observe({ [aspect]: { properties } })).toEqual(
      mapOf([retention, setOf([7, "x"])], [teams, setOf([])]),
    );
    expect(storedInColumns?.observe({})).toEqual(mapOf());
  });

  test.each<readonly [string, Json, string]>([
    ["no values", { structuredProperty: { urn: retention } }, "a structured property has no values"],
    ["no URN", { structuredProperty: "x", values: [] }, "a structured property has no URN"],
    [
      "a value that is none",
      selected("x"),
      "a value of a structured property is neither a number nor a string",
    ],
    ["no mapping", "x", "the structured properties are not a list of objects"],
  ])("are malformed where a property has %s", (_, property, message) => {
    expect(() => answered(property)).toThrow(`${malformed} ${message}`);
  });

  test("begin as none of each column of the schema", () => {
    const observed = (fields: Json): unknown =>
      answeredIn(columnStructuredProperties, { schemaMetadata: { fields } });

    expect(observed([{ fieldPath: "id" }])).toEqual({ value: mapOf(["id", mapOf()]) });
    expect(columnStructuredProperties.observe({}, "Dataset")).toEqual({ value: mapOf() });
    expect(() => observed("x")).toThrow(`${malformed} the columns are not a list of objects`);
  });

  test("of the schema are known from what is stored by their paths", () => {
    const schemaMetadata = { fields: [{ fieldPath: "id", nativeDataType: "text" }] };

    expect(columnStructuredProperties.observe({ schemaMetadata }, "Dataset")).toEqual({
      value: mapOf(["id", mapOf()]),
    });
  });
});

const places = [
  ["structured_properties", dataset, [retention]],
  ["columns.structured_properties", column, ["id", retention]],
] as const;

describe.each(places)("a value of %s", (facet, assetUrn, path) => {
  const input = (name: string, type: string, value: JsonObject): unknown => ({
    request: {
      type: "mutation",
      field: name,
      args: [{ name: "input", type, value: { assetUrn, ...value } }],
      selection: "__typename",
    },
  });

  test.each<readonly [string | number, JsonObject, JsonObject]>([
    [7, { numberValue: 7 }, { double: 7 }],
    ["x", { stringValue: "x" }, { string: "x" }],
  ])("is set to %j", (after, selected, stored) => {
    const parameters = [{ structuredPropertyUrn: retention, values: [selected] }];
    const change = scalarChange(facet, after, { path });

    expect(sentFor(change)).toEqual([
      input("upsertStructuredProperties", "UpsertStructuredPropertiesInput!", {
        structuredPropertyInputParams: parameters,
      }),
    ]);
    expect(editsOf(change)).toMatchObject([
      {
        at: ["properties"],
        remove: [{ propertyUrn: retention }],
        add: [{ element: { propertyUrn: retention, values: [stored] } }],
        keys: { template: ["propertyUrn"] },
      },
    ]);
  });

  test("is taken away", () => {
    const change = scalarChange(facet, null, { path });

    expect(sentFor(change)).toEqual([
      input("removeStructuredProperties", "RemoveStructuredPropertiesInput!", {
        structuredPropertyUrns: [retention],
      }),
    ]);
    expect(editsOf(change)).toMatchObject([{ remove: [{ propertyUrn: retention }], add: [] }]);
  });

  test("that is one of several is edited in the aspect of its own entity, also without a condition", () => {
    expect(sentFor(setChange(facet, ["x"], [7], { path }))).toEqual([
      {
        request: {
          type: "proposal",
          urn: assetUrn,
          aspect,
          initial: {},
          set: {},
          edits: [
            {
              at: ["properties", { propertyUrn: retention }, "values"],
              add: [{ element: { string: "x" } }],
              remove: [{ double: 7 }],
              emptied: "element",
              attribution: "StructuredPropertiesEntry.attribution",
              unites: ["propertyUrn", "values"],
              keys: { template: ["propertyUrn"] },
            },
          ],
        },
      },
    ]);
  });

  test.each<readonly [string, JsonObject | undefined, Leaf, Leaf]>([
    ["some", { properties: [entry(teams), entry(retention, { double: 7 })] }, scalarOf(7), setOf([7])],
    [
      "several entries of it",
      { properties: [entry(retention, { double: 7 }), entry(teams), entry(retention, { double: 8 })] },
      scalarOf("7, 8"),
      setOf([7, 8]),
    ],
    ["none of it", { properties: [entry(teams, { double: 7 })] }, scalarOf(null), setOf([])],
    ["no aspect", undefined, scalarOf(null), setOf([])],
  ])("is read from its aspect: %s", (_, stored, scalar, set) => {
    const nested = (leaf: Leaf): FacetValue =>
      path.toReversed().reduce<FacetValue>((value, key) => mapOf([key, value]), leaf);

    expect(valueInAspect([scalarChange(facet, null, { path })], aspect, stored)).toEqual(nested(scalar));
    expect(valueInAspect([setChange(facet, [], [], { path })], aspect, stored)).toEqual(nested(set));
  });
});
