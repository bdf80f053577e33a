import { expect, test } from "vitest";
import { catalogWith, orders, pii, proposal, shop, temporaryDirectory } from "../support.ts";
import { call, change, ingest } from "../rest.ts";
import { asciiJson } from "../../support/ascii-json.ts";

const days = "urn:li:structuredProperty:retention_days";
const cadence = "urn:li:structuredProperty:review.cadence";
const number = (double: number) => ({ value: { double } });
const definition = {
  qualifiedName: "retention_days",
  valueType: "urn:li:dataType:datahub.number",
  entityTypes: ["urn:li:entityType:datahub.dataset"],
  cardinality: "MULTIPLE",
  allowedValues: [number(90), number(365)],
};
const { allowedValues: _allowed, ...anyValue } = definition;
const world = [
  ...shop,
  proposal(days, "propertyDefinition", definition),
  proposal(cadence, "propertyDefinition", {
    qualifiedName: "review.cadence",
    valueType: "urn:li:dataType:datahub.string",
    entityTypes: definition.entityTypes,
  }),
];

test.each<[string, object]>([
  ["more allowed values", { ...definition, allowedValues: [number(365), number(90), number(30)] }],
  ["no allowed values any more", anyValue],
  ["entity types added and removed", { ...definition, entityTypes: ["urn:li:entityType:datahub.chart"] }],
  ["names", { ...definition, displayName: "Retention" }],
  [
    "another type in a new version",
    { ...definition, version: "20260101000000", valueType: "urn:li:dataType:datahub.string" },
  ],
  ["one value in a new version", { ...definition, version: "20260101000000", cardinality: "SINGLE" }],
])("a definition may get %s", async (_title, after) => {
  const catalog = await catalogWith(world);
  expect((await ingest(catalog, change(days, "propertyDefinition", after))).status).toBe(200);
  expect(catalog.stored(days, "propertyDefinition")).toEqual(after);
});

const { cardinality: _cardinality, ...oneValue } = definition;
const restricted = "Cannot restrict values that were previously allowed";
const single = "Property definition cardinality cannot be changed from MULTI to SINGLE";

test.each<[string, object, string]>([
  ["fewer allowed values", { ...definition, allowedValues: [number(90)] }, restricted],
  ["one value", { ...definition, cardinality: "SINGLE" }, single],
  ["one value by leaving the cardinality out", oneValue, single],
  [
    "another type",
    { ...definition, valueType: "urn:li:dataType:datahub.string" },
    "Value type cannot be changed as this is a backwards incompatible change",
  ],
  [
    "another name",
    { ...definition, qualifiedName: "retention" },
    "Cannot change the fully qualified name of a Structured Property",
  ],
  [
    "a version of its own form",
    { ...definition, version: "2" },
    "Invalid version specified. Must match [0-9]{14}",
  ],
  ["a name with a blank", { ...definition, qualifiedName: "a b" }, "Qualified names cannot have spaces"],
  [
    "a qualifier that is no entity type",
    { ...definition, typeQualifier: { allowedTypes: [pii] } },
    "Provided allowedType that is not an entityType entity",
  ],
])("a definition may not get %s", async (_title, after, reason) => {
  const catalog = await catalogWith(world);
  const { status, body } = await ingest(catalog, change(days, "propertyDefinition", after));
  expect(status).toBe(422);
  expect(body).toMatchObject({ message: expect.stringContaining(reason) });
  expect(catalog.stored(days, "propertyDefinition")).toEqual(definition);
});

test("values may get allowed only once that no values were restricted before", async () => {
  const catalog = await catalogWith(world);
  await ingest(catalog, change(days, "propertyDefinition", anyValue));
  const { status, body } = await ingest(catalog, change(days, "propertyDefinition", definition));
  expect([status, body]).toEqual([422, expect.objectContaining({ message: restricted })]);
});

test("a hidden property is shown nowhere else, and one property at most is a badge", async () => {
  const catalog = await catalogWith(world);
  const put = (urn: string, settings: object) =>
    ingest(catalog, change(urn, "structuredPropertySettings", settings));
  const hidden = await put(days, { isHidden: true, showInColumnsTable: true });
  const badge = await put(days, { showAsAssetBadge: true });
  const again = await put(days, { showAsAssetBadge: true, showInSearchFilters: true });
  const second = await put(cadence, { showAsAssetBadge: true });
  expect([hidden, badge, again, second].map(({ status }) => status)).toEqual([422, 200, 200, 422]);
  expect(second.body).toMatchObject({ message: expect.stringContaining(`currently set: [${days}]`) });
});

test("a soft-deleted definition neither changes nor gets values", async () => {
  const catalog = await catalogWith([...world, proposal(days, "status", { removed: true })]);
  const changed = await ingest(catalog, change(days, "propertyDefinition", definition));
  const properties = [{ propertyUrn: days, values: [{ double: 90 }] }];
  const used = await ingest(catalog, change(orders, "structuredProperties", { properties }));
  expect([changed.status, used.status]).toEqual([422, 422]);
});

test.each(["definition", "entity"])(
  "the name of a deleted %s stays in the search index, also after a restart; a version has a name of its own",
  async (deleted) => {
    const properties = [{ propertyUrn: days, values: [{ double: 90 }] }];
    const values = proposal(orders, "structuredProperties", { properties });
    const dataDir = temporaryDirectory();
    const catalog = await catalogWith([...world, values], { dataDir });
    if (deleted === "entity") {
      await call(catalog, "POST", "/entities?action=delete", { urn: days });
      expect(catalog.stored(orders, "structuredProperties")).toEqual({ properties: [] });
    } else {
      await call(catalog, "DELETE", `/openapi/v3/entity/structuredproperty/${days}/propertyDefinition`);
    }
    await catalog.close();
    const restarted = await catalogWith([], { dataDir });
    const text = "urn:li:dataType:datahub.string";
    const refused = await ingest(restarted, change(days, "propertyDefinition", definition));
    expect([refused.status, refused.body]).toEqual([
      422,
      expect.objectContaining({
        message: expect.stringContaining("'retention_days' collides with existing property mapping"),
      }),
    ]);
    const versioned = { ...definition, version: "20260101000000", valueType: text, allowedValues: undefined };
    expect((await ingest(restarted, change(days, "propertyDefinition", versioned))).status).toBe(200);
  },
);

test("the name of a soft-deleted definition is taken, that of one without entity types is not", async () => {
  const nowhere = "urn:li:structuredProperty:no.where";
  const catalog = await catalogWith([
    ...world,
    proposal(cadence, "status", { removed: true }),
    proposal(nowhere, "propertyDefinition", {
      ...anyValue,
      qualifiedName: "no.where",
      entityTypes: [],
    }),
  ]);
  const named = (name: string) =>
    ingest(
      catalog,
      change(`urn:li:structuredProperty:${name}`, "propertyDefinition", { ...anyValue, qualifiedName: name }),
    );
  expect((await named("review_cadence")).status).toBe(422);
  expect((await named("no_where")).status).toBe(200);
});

test("patches of several properties at once all stay", async () => {
  const catalog = await catalogWith(world);
  const patch = (urn: string, value: object) => {
    const path = `/properties/${urn}`;
    const sent = [{ op: "add", path, value: { propertyUrn: urn, values: [value] } }];
    const aspect = { value: asciiJson(sent), contentType: "application/json-patch+json" };
    return ingest(catalog, { ...change(orders, "structuredProperties", {}), changeType: "PATCH", aspect });
  };
  const answers = await Promise.all([patch(days, { double: 90 }), patch(cadence, { string: "monthly" })]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const refused = await patch(cadence, { double: 1 });
  expect(refused.status).toBe(422);
  const stored = catalog.stored(orders, "structuredProperties") as { properties: readonly object[] };
  expect(stored.properties).toHaveLength(2);
});

test("a patch adds an allowed value and an entity type to a definition, or makes a new one", async () => {
  const catalog = await catalogWith(world);
  const chart = "urn:li:entityType:datahub.chart";
  const patch = (urn: string, ...sent: readonly (readonly [string, unknown])[]) => {
    const operations = sent.map(([path, value]) => ({ op: "add", path, value }));
    const aspect = { value: asciiJson(operations), contentType: "application/json-patch+json" };
    return ingest(catalog, { ...change(urn, "propertyDefinition", {}), changeType: "PATCH", aspect });
  };
  const again = { ...number(90), description: "A quarter" };
  const answer = await patch(
    days,
    ["/allowedValues/30.0", number(30)],
    ["/allowedValues/90.0", again],
    [`/entityTypes/${chart}`, chart],
  );
  expect(answer.status).toBe(200);
  expect(catalog.stored(days, "propertyDefinition")).toEqual({
    ...definition,
    allowedValues: [again, number(365), number(30)],
    entityTypes: [...definition.entityTypes, chart],
  });
  const masking = "urn:li:structuredProperty:masking";
  await patch(
    masking,
    ["/qualifiedName", "masking"],
    [`/entityTypes/${chart}`, chart],
    ["/allowedValues/hash", { value: { string: "hash" } }],
  );
  expect(catalog.stored(masking, "propertyDefinition")).toEqual({
    qualifiedName: "masking",
    valueType: "urn:li:dataType:datahub.string",
    entityTypes: [chart],
    allowedValues: [{ value: { string: "hash" } }],
  });
});

test.each<[string, readonly object[], string]>([
  [
    "a property twice",
    [
      { propertyUrn: days, values: [{ double: 90 }] },
      { propertyUrn: days, values: [{ double: 365 }] },
    ],
    `Property: ${days} has multiple entries`,
  ],
  [
    "what is no property",
    [{ propertyUrn: pii, values: [{ double: 90 }] }],
    "Unexpected entity type. Expected: structuredProperty Found: tag",
  ],
])("values of %s are refused", async (_title, properties, reason) => {
  const catalog = await catalogWith(world);
  const { status, body } = await ingest(catalog, change(orders, "structuredProperties", { properties }));
  expect([status, body]).toEqual([
    422,
    expect.objectContaining({ message: expect.stringContaining(reason) }),
  ]);
});

test("values and definitions are written and read by OpenAPI, too, but not deleted", async () => {
  const catalog = await catalogWith(world);
  const path = `/openapi/v3/entity/dataset/${encodeURIComponent(orders)}/structuredProperties`;
  const properties = [{ propertyUrn: days, values: [{ double: 90 }] }];
  const posted = await call(catalog, "POST", path, { value: { properties } });
  expect(posted.status).toBe(200);
  const wrong = await call(catalog, "POST", `${path}?createIfNotExists=false`, {
    value: { properties: [{ propertyUrn: days, values: [{ double: 1 }] }] },
  });
  expect(wrong.status).toBe(400);
  expect((await call(catalog, "GET", path)).body).toMatchObject({ value: { properties } });
  expect((await call(catalog, "DELETE", path)).status).toBe(500);
});
