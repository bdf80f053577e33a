import { expect, test } from "vitest";
import { kindOf } from "../../../../src/kinds/index.ts";
import type { Json, JsonObject } from "../../../../src/model/json.ts";
import {
  columnAspects,
  containerIn,
  dormantColumns,
  columnsDocument,
  columnsIn,
  columnsOf,
  factsDocument,
  factsOf,
  storedFacts,
  storedFactsAndColumns,
} from "../../../../src/sync/read/assets/facts.ts";
import { datasetNamed, urn } from "../../../support/states.ts";

const dataset = kindOf("Dataset");
const orders = datasetNamed("eu.orders");
const finance = urn("urn:li:container:finance");

test("the columns of an asset are asked for, and with those that were edited where these are wanted", () => {
  expect(columnsOf(dataset)).toMatch(/^columns: /);
  expect(columnsOf(dataset)).not.toContain("edited");
  expect(columnsOf(dataset, true)).toMatch(/columns: .* edited: /);
  expect(columnsDocument(dataset)).not.toContain("edited");
  expect(columnsDocument(dataset, true)).toContain(columnsOf(dataset, true));
});

test("of a kind without columns, or that no rule matches, nothing more is asked for", () => {
  expect(columnsOf(kindOf("Chart"), true).trim()).toBe("");
  expect(factsDocument(kindOf("Tag")).replace(/\s+/g, " ")).toBe(
    "query ReadAssetFacts($urns: [String!]!) { entities(urns: $urns) { urn __typename ... on Tag { exists status { removed } } } }",
  );
});

const instanceOf = (key: string): JsonObject => ({
  dataPlatformInstance: { urn: `urn:li:dataPlatformInstance:${key}` },
});

test.each<readonly [string, JsonObject, string | undefined, string]>([
  ["none", { dataPlatformInstance: null }, undefined, "eu.orders"],
  ["one that begins its name", instanceOf("(urn:li:dataPlatform:snowflake,eu)"), "eu", "orders"],
  ["another", instanceOf("(urn:li:dataPlatform:snowflake,us)"), "us", "eu.orders"],
  ["one whose id has brackets", instanceOf("(urn:li:dataPlatform:snowflake,e(u)x)"), "e(u)x", "eu.orders"],
  ["one that is named by its id alone", instanceOf("eu"), "eu", "orders"],
])("of a platform instance the id is known, and the name is without it: %s", (_, answered, id, name) => {
  const { asset } = factsOf(orders, dataset, answered);
  expect([asset.instance, asset.name]).toEqual([id, name]);
});

test("an asset has its subtypes and what it is in, where there are some", () => {
  const answered = { container: { urn: finance }, subTypes: { typeNames: ["View"] } };
  const { asset, container } = factsOf(orders, dataset, answered);
  expect([asset.subtypes, container]).toEqual([["View"], finance]);
  const bare = factsOf(orders, dataset, { container: null, subTypes: { typeNames: null } });
  expect(bare).toMatchObject({ asset: { subtypes: [], containers: [] } });
  expect(Object.keys(bare)).toEqual(["asset"]);
});

test("the container of a data flow is read as it is stored: not every release shows it", () => {
  const flow = urn("urn:li:dataFlow:(airflow,daily,prod)");
  const kind = kindOf("DataFlow");
  const stored = [{ aspectName: "container", payload: JSON.stringify({ container: finance }) }];
  expect(factsDocument(kind)).not.toContain("container {");
  expect(factsOf(flow, kind, { aspects: stored }).container).toBe(finance);
  expect(factsOf(flow, kind, { aspects: [] }).container).toBeUndefined();
  // By OpenAPI.
  expect(factsOf(flow, kind, { aspects: { container: { container: finance } } }).container).toBe(finance);
  for (const answered of [{}, { aspects: null }])
    expect(() => factsOf(flow, kind, answered)).toThrow("the container is missing");
});

test.each<readonly [string, () => unknown]>([
  ["the platform instance has no URN", () => factsOf(orders, dataset, { dataPlatformInstance: "eu" })],
  ["the container has no URN", () => factsOf(orders, dataset, { container: { urn: null } })],
  ["the container has no URN", () => containerIn(kindOf("Container"), { container: {} })],
  [
    "the subtypes are not a list of names",
    () => factsOf(orders, dataset, { subTypes: { typeNames: "View" } }),
  ],
  [
    "the subtypes are not a list of names",
    () => factsOf(orders, dataset, { subTypes: { typeNames: ["View", 7] } }),
  ],
  ["the columns are not a list of objects", () => columnsIn(columnAspects({ columns: { fields: "id" } }))],
  ["a column has no path", () => columnsIn(columnAspects({ columns: { fields: [{ fieldPath: null }] } }))],
])("what is malformed is said: %s", (message, read) => {
  expect(read).toThrow(`the server returned a malformed response: ${message}`);
});

const fields = (...columns: readonly string[]): Json => ({
  fields: columns.map((fieldPath) => ({ fieldPath })),
});

test("columns that were edited are away where they are no longer in the schema", () => {
  const away = (answered: JsonObject): unknown => dormantColumns(columnAspects(answered));
  expect(away({ columns: fields("id", "email"), edited: fields("email", "gone") })).toEqual([
    { path: "gone", name: "gone" },
  ]);
  expect(away({ columns: null, edited: fields("gone") })).toHaveLength(1);
  expect(away({ columns: fields("id"), edited: null })).toEqual([]);
});

test("the native type of a column is known where the schema says it", () => {
  const typed = {
    fields: [
      { fieldPath: "id", nativeDataType: "INT" },
      { fieldPath: "x", nativeDataType: 7 },
    ],
  };
  expect(columnsIn(columnAspects({ columns: typed }))).toEqual([
    { path: "id", name: "id", nativeType: "INT" },
    { path: "x", name: "x" },
  ]);
});

test("an asset is read from its stored aspects as from an answer, with the fields of columns that rules match", () => {
  const aspects = {
    container: { container: finance },
    subTypes: { typeNames: ["View"] },
    dataPlatformInstance: { platform: "urn:li:dataPlatform:x", instance: null },
    schemaMetadata: { fields: [{ fieldPath: "id", nativeDataType: "INT", nullable: true }] },
    editableSchemaMetadata: { editableSchemaFieldInfo: [{ fieldPath: "gone", description: "Old." }] },
  };
  const answered = { container: { urn: finance }, subTypes: { typeNames: ["View"] } };
  expect(factsOf(orders, dataset, { aspects })).toEqual(factsOf(orders, dataset, answered));
  expect(columnAspects({ aspects })).toEqual({
    schemaMetadata: { fields: [{ fieldPath: "id", nativeDataType: "INT" }] },
    editableSchemaMetadata: { editableSchemaFieldInfo: [{ fieldPath: "gone" }] },
  });
  expect(columnsIn(columnAspects({ aspects: {} }))).toEqual([]);
  expect(storedFactsAndColumns.aspectsOf(dataset)).toEqual(
    expect.arrayContaining(["status", "container", "subTypes", "schemaMetadata", "editableSchemaMetadata"]),
  );
});

test("a container has its platform and its name from one field each, next to its platform instance", () => {
  const box = kindOf("Container");
  const answered = {
    platform: { urn: "urn:li:dataPlatform:snowflake" },
    ...instanceOf("(urn:li:dataPlatform:snowflake,eu)"),
    named: { name: "eu.sales" },
  };
  const aspects = {
    dataPlatformInstance: {
      platform: "urn:li:dataPlatform:snowflake",
      instance: "urn:li:dataPlatformInstance:(urn:li:dataPlatform:snowflake,eu)",
    },
    containerProperties: { name: "eu.sales" },
  };
  for (const each of [answered, { aspects }])
    expect(factsOf(finance, box, each).asset).toMatchObject({
      platform: "snowflake",
      instance: "eu",
      name: "sales",
    });
  const unknown = { platform: { urn: "urn:li:dataPlatform:unknown" }, named: null };
  expect(factsOf(finance, box, unknown).asset).not.toHaveProperty("platform");
});

test("of what is of no kind only its status is asked for", () => {
  expect(storedFacts.aspectsOf(undefined)).toEqual(["status"]);
});
