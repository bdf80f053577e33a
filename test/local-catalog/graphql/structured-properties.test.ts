import { describe, expect, test } from "vitest";
import {
  alice,
  catalogWith,
  finance,
  missing,
  orders,
  pii,
  proposal,
  shop,
  type TestCatalog,
} from "../support.ts";
import { finances, glossary, revenue, sampleAssets, samples } from "../samples.ts";

const type = (name: string) => `urn:li:dataType:datahub.${name}`;
const dataset = "urn:li:entityType:datahub.dataset";
const urnOf = (id: string) => `urn:li:structuredProperty:${id}`;
const days = urnOf("retention_days");
const cadence = urnOf("review.cadence");
const definition = (id: string, valueType: string, more: object = {}) =>
  proposal(urnOf(id), "propertyDefinition", {
    qualifiedName: id,
    valueType: type(valueType),
    entityTypes: [dataset],
    ...more,
  });
const number = (double: number) => ({ double });
const text = (string: string) => ({ string });

const world = [
  ...shop,
  ...samples,
  ...glossary,
  definition("retention_days", "number", {
    cardinality: "SINGLE",
    allowedValues: [{ value: number(90) }, { value: number(365), description: "A year" }],
  }),
  definition("review.cadence", "string", { cardinality: "MULTIPLE" }),
  definition("since", "date"),
  definition("steward", "urn", { typeQualifier: { allowedTypes: ["urn:li:entityType:datahub.corpuser"] } }),
  definition("fixed", "string", { immutable: true }),
];

const upsert =
  "mutation ($input: UpsertStructuredPropertiesInput!) { done: upsertStructuredProperties(input: $input) { properties { structuredProperty { urn } } } }";
const remove =
  "mutation ($input: RemoveStructuredPropertiesInput!) { done: removeStructuredProperties(input: $input) { properties { structuredProperty { urn } } } }";
const create =
  "mutation ($input: CreateStructuredPropertyInput!) { done: createStructuredProperty(input: $input) { urn } }";
const update =
  "mutation ($input: UpdateStructuredPropertyInput!) { done: updateStructuredProperty(input: $input) { urn } }";
const stamp = { actor: "urn:li:corpuser:datahub", time: expect.any(Number) };

interface Values {
  readonly stringValue?: string;
  readonly numberValue?: number;
}

function set(catalog: TestCatalog, assetUrn: string, property: string, ...values: readonly Values[]) {
  const structuredPropertyInputParams = [{ structuredPropertyUrn: property, values }];
  return catalog.send(upsert, { input: { assetUrn, structuredPropertyInputParams } });
}

const carriers = [...sampleAssets.map(([, , urn]) => urn), finance, revenue, finances];

describe("values", () => {
  test.each(carriers)("of %s are set and removed", async (urn) => {
    const catalog = await catalogWith(world);
    const { data } = await set(catalog, urn, days, { numberValue: 365 });
    expect(data).toEqual({ done: { properties: [{ structuredProperty: { urn: days } }] } });
    expect(catalog.stored(urn, "structuredProperties")).toEqual({
      properties: [{ propertyUrn: days, values: [number(365)], created: stamp, lastModified: stamp }],
    });
    const input = { assetUrn: urn, structuredPropertyUrns: [days, cadence] };
    expect((await catalog.send(remove, { input })).data).toEqual({ done: { properties: [] } });
    expect(catalog.stored(urn, "structuredProperties")).toEqual({ properties: [] });
  });

  test("of other properties stay, and the attribution of the one that is written goes", async () => {
    const attribution = { time: 1, actor: alice };
    const properties = [
      { propertyUrn: cadence, values: [text("monthly")], attribution },
      { propertyUrn: days, values: [number(90)], attribution },
    ];
    const catalog = await catalogWith([...world, proposal(orders, "structuredProperties", { properties })]);
    await set(catalog, orders, days, { numberValue: 365 });
    expect(catalog.stored(orders, "structuredProperties")).toEqual({
      properties: [properties[0], { propertyUrn: days, values: [number(365)], lastModified: stamp }],
    });
  });

  test("are read with their definitions", async () => {
    const column = `urn:li:schemaField:(${orders},id)`;
    const properties = [
      { propertyUrn: days, values: [number(90)] },
      { propertyUrn: urnOf("steward"), values: [text(alice)] },
    ];
    const catalog = await catalogWith([
      ...world,
      proposal(orders, "structuredProperties", { properties }),
      proposal(column, "structuredProperties", { properties: properties.slice(0, 1) }),
    ]);
    const { data } = await catalog.send(`{ dataset(urn: "${orders}") {
      structuredProperties { properties {
        structuredProperty { urn definition { valueType { urn info { type qualifiedName } }
          cardinality immutable allowedValues { value { ... on NumberValue { numberValue } } description }
          entityTypes { info { type } } typeQualifier { allowedTypes { urn } } } }
        values { ... on StringValue { stringValue } ... on NumberValue { numberValue } }
        valueEntities { urn } associatedUrn } }
      schemaMetadata { fields { fieldPath schemaFieldEntity {
        structuredProperties { properties { values { ... on NumberValue { numberValue } } } } } } } } }`);
    expect(data).toMatchObject({
      dataset: {
        structuredProperties: {
          properties: [
            {
              structuredProperty: {
                urn: days,
                definition: {
                  valueType: { info: { type: "NUMBER", qualifiedName: "datahub.number" } },
                  cardinality: "SINGLE",
                  immutable: false,
                  allowedValues: [
                    { value: { numberValue: 90 }, description: null },
                    { value: { numberValue: 365 }, description: "A year" },
                  ],
                  entityTypes: [{ info: { type: "DATASET" } }],
                  typeQualifier: null,
                },
              },
              values: [{ numberValue: 90 }],
              valueEntities: [],
              associatedUrn: orders,
            },
            { values: [{ stringValue: alice }], valueEntities: [{ urn: alice }] },
          ],
        },
      },
    });
    expect(JSON.stringify(data)).toContain('"properties":[{"values":[{"numberValue":90}]}]');
  });

  test.each<[string, string, readonly Values[], string]>([
    ["a text for a number", "retention_days", [{ stringValue: "long" }], "should be a number"],
    ["one that is not allowed", "retention_days", [{ numberValue: 30 }], "should be one of"],
    [
      "several of a property that has one",
      "retention_days",
      [{ numberValue: 90 }, { numberValue: 365 }],
      "has cardinality 1, but multiple values were assigned",
    ],
    ["a number for a text", "review.cadence", [{ numberValue: 1 }], "should be a string"],
    [
      "a date that is none",
      "since",
      [{ stringValue: "2026-02-30" }],
      "should be a date with format YYYY-MM-DD",
    ],
    ["a text for a URN", "steward", [{ stringValue: "alice" }], "should be an urn"],
    ["a URN of another type", "steward", [{ stringValue: pii }], "is not of any supported urn types"],
    ["a date before the year 1000", "since", [{ stringValue: "0999-12-31" }], "should be a date"],
    [
      "a text that is too long for the search index",
      "review.cadence",
      [{ stringValue: "é".repeat(16_384) }],
      "value is 32768 bytes which exceeds the maximum of 32766 UTF-8 bytes",
    ],
    ["of what is not defined", "unknown", [{ stringValue: "x" }], "no valid property assignments remain"],
  ])("%s is refused", async (_title, id, values, reason) => {
    const catalog = await catalogWith(world);
    const { errors } = await set(catalog, orders, urnOf(id), ...values);
    expect(errors).toMatchObject([{ extensions: { code: 500 } }]);
    expect(errors?.[0]?.message).toContain(reason);
    expect(catalog.stored(orders, "structuredProperties")).toBeUndefined();
  });

  test("without a definition are dropped where others stay", async () => {
    const properties = [
      { propertyUrn: urnOf("unknown"), values: [text("x")] },
      { propertyUrn: cadence, values: [text("monthly")] },
    ];
    const catalog = await catalogWith([...world, proposal(orders, "structuredProperties", { properties })]);
    await set(catalog, orders, days, { numberValue: 90 });
    expect(catalog.stored(orders, "structuredProperties")).toMatchObject({
      properties: [{ propertyUrn: cadence }, { propertyUrn: days }],
    });
  });

  test("of an entity type that the definition does not name are taken", async () => {
    const catalog = await catalogWith(world);
    expect((await set(catalog, alice, days, { numberValue: 90 })).errors).toBeUndefined();
  });

  test("that cannot change neither change nor go", async () => {
    const catalog = await catalogWith(world);
    await set(catalog, orders, urnOf("fixed"), { stringValue: "a" });
    const changed = await set(catalog, orders, urnOf("fixed"), { stringValue: "b" });
    expect(changed.errors?.[0]?.message).toContain(`Cannot mutate an immutable property: ${urnOf("fixed")}`);
    const input = { assetUrn: orders, structuredPropertyUrns: [urnOf("fixed")] };
    const removed = await catalog.send(remove, { input });
    expect(removed.errors?.[0]?.message).toContain(`Cannot delete an immutable property ${urnOf("fixed")}`);
  });

  test("of what does not exist are refused, but a column need not be an entity", async () => {
    const catalog = await catalogWith(world);
    const { errors } = await set(catalog, missing, days, { numberValue: 90 });
    expect(errors?.[0]?.message).toContain(`Asset with provided urn ${missing} does not exist`);
    const column = `urn:li:schemaField:(${orders},id)`;
    const input = { assetUrn: column, structuredPropertyUrns: [days] };
    const removed = await catalog.send(remove, { input });
    expect(removed.errors?.[0]?.message).toContain(`Asset with provided urn ${column} does not exist`);
    expect((await set(catalog, column, days, { numberValue: 90 })).errors).toBeUndefined();
    expect(catalog.stored(column, "structuredProperties")).toMatchObject({
      properties: [{ propertyUrn: days }],
    });
  });
});

test("a value that names a deleted entity stays, and so does what replaces a deprecated one", async () => {
  const properties = [{ propertyUrn: urnOf("steward"), values: [text(alice)] }];
  const deprecation = { deprecated: true, note: "", actor: "urn:li:corpuser:datahub", replacement: pii };
  const catalog = await catalogWith([
    ...world,
    proposal(orders, "structuredProperties", { properties }),
    proposal(orders, "deprecation", deprecation),
  ]);
  await catalog.send(
    "mutation ($user: String!, $tag: String!) { removeUser(urn: $user) deleteTag(urn: $tag) }",
    {
      user: alice,
      tag: pii,
    },
  );
  expect(catalog.stored(orders, "structuredProperties")).toEqual({ properties });
  expect(catalog.stored(orders, "deprecation")).toEqual(deprecation);
});

describe("definitions", () => {
  test("are created under their qualified name", async () => {
    const catalog = await catalogWith(world);
    const input = {
      id: "masking",
      displayName: "Masking",
      valueType: type("string"),
      cardinality: "MULTIPLE",
      allowedValues: [{ stringValue: "hash", description: "SHA-256" }],
      entityTypes: [dataset],
    };
    expect((await catalog.send(create, { input })).data).toEqual({ done: { urn: urnOf("masking") } });
    const { id, allowedValues: _, ...same } = input;
    expect(catalog.stored(urnOf("masking"), "propertyDefinition")).toEqual({
      ...same,
      qualifiedName: id,
      allowedValues: [{ value: text("hash"), description: "SHA-256" }],
      created: stamp,
      lastModified: stamp,
    });
    const again = await catalog.send(create, { input });
    expect(again.errors?.[0]?.message).toBe("A structured property already exists with this urn");
  });

  test("whose names differ by dots and underscores alone collide", async () => {
    const catalog = await catalogWith(world);
    const input = { id: "review_cadence", valueType: type("string"), entityTypes: [dataset] };
    const { errors } = await catalog.send(create, { input });
    expect(errors?.[0]?.message).toContain("'review_cadence' collides with existing property mapping");
  });

  test("grow by values, entity types and cardinality", async () => {
    const catalog = await catalogWith(world);
    const chart = "urn:li:entityType:datahub.chart";
    const input = {
      urn: days,
      displayName: "Retention, days",
      newAllowedValues: [{ numberValue: 30 }],
      setCardinalityAsMultiple: true,
      newEntityTypes: [chart, dataset],
    };
    expect((await catalog.send(update, { input })).data).toEqual({ done: { urn: days } });
    expect(catalog.stored(days, "propertyDefinition")).toMatchObject({
      displayName: "Retention, days",
      cardinality: "MULTIPLE",
      allowedValues: [{ value: number(90) }, { value: number(365) }, { value: number(30) }],
      entityTypes: [dataset, chart],
    });
    const gone = await catalog.send(update, { input: { urn: urnOf("gone"), displayName: "x" } });
    expect(gone.errors?.[0]?.message).toBe(
      "Attempting to update a structured property with no definition aspect.",
    );
  });

  test("take the values with them when they are deleted", async () => {
    const catalog = await catalogWith(world);
    await set(catalog, orders, days, { numberValue: 90 });
    await set(catalog, orders, cadence, { stringValue: "monthly" });
    const document =
      "mutation ($input: DeleteStructuredPropertyInput!) { done: deleteStructuredProperty(input: $input) }";
    expect((await catalog.send(document, { input: { urn: days } })).data).toEqual({ done: true });
    expect(catalog.stored(days, "propertyDefinition")).toBeUndefined();
    expect(catalog.stored(orders, "structuredProperties")).toMatchObject({
      properties: [{ propertyUrn: cadence }],
    });
    const { data } = await catalog.send(`{ structuredProperty(urn: "${days}") { exists } }`);
    expect(data).toEqual({ structuredProperty: { exists: false } });
    const input = { id: "retention_days", valueType: type("number"), entityTypes: [dataset] };
    const again = await catalog.send(create, { input });
    expect(again.errors?.[0]?.message).toContain("'retention_days' collides with existing property mapping");
  });

  test("have no relationships, as on a server, which resolves none of them", async () => {
    const catalog = await catalogWith(world);
    const { data, errors } = await catalog.send(`{ structuredProperty(urn: "${days}") {
      relationships(input: { types: ["HasValue"], direction: INCOMING }) { total } } }`);
    expect([data, errors]).toEqual([{ structuredProperty: { relationships: null } }, undefined]);
  });
});
