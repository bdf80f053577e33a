import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LoadSummary } from "../../../src/local-catalog/server.ts";
import { alice, catalogWith, missing, orders, pii, proposal, type TestCatalog } from "../support.ts";

// What DataHub's own file source reads was tried with acryl-datahub 1.7.0.17 (ingestion/source/file.py).

const properties = (changeType: string, aspect: object): object => ({
  ...proposal(orders, "datasetProperties", {}),
  changeType,
  aspect,
});

const operations = [
  { op: "add", path: "/customProperties/k", value: "v" },
  { op: "add", path: "/description", value: "All of them." },
];

const patched = { description: "All of them.", customProperties: { k: "v" } };

describe("a patch is applied, in every form that the file source reads", () => {
  const generic = { arrayPrimaryKeys: { tags: ["tag"] }, patch: operations };
  const contentType = "application/json-patch+json";
  test.each([
    ["a list of operations", { json: operations }],
    ["an object with keys", { json: generic }],
    ["an object that is forced", { json: { forceGenericPatch: true, patch: operations } }],
    ["the text of a list", { value: JSON.stringify(operations), contentType }],
    ["the text of an object", { value: JSON.stringify(generic), contentType: "application/json" }],
  ])("%s", async (_name, aspect) => {
    const catalog = await catalogWith();
    expect(await catalog.loadRecords(properties("PATCH", aspect))).toMatchObject({ written: 1 });
    expect(catalog.stored(orders, "datasetProperties")).toEqual(patched);
    expect(await catalog.loadRecords(properties("PATCH", aspect))).toMatchObject({
      written: 0,
      unchanged: 1,
    });
  });
});

test("a patch changes what is stored, or what a record before it in the file says", async () => {
  const catalog = await catalogWith([proposal(orders, "datasetProperties", { name: "stored" })]);
  const add = (path: string, value: string): object =>
    properties("PATCH", { json: [{ op: "add", path, value }] });
  await catalog.loadRecords(add("/description", "patched"));
  expect(catalog.stored(orders, "datasetProperties")).toMatchObject({
    name: "stored",
    description: "patched",
  });
  const file = [
    add("/description", "lost"),
    proposal(orders, "datasetProperties", { name: "new" }),
    add("/customProperties/a", "1"),
    add("/customProperties/b", "2"),
  ];
  await catalog.loadRecords(...file);
  const before = catalog.dump();
  expect(catalog.stored(orders, "datasetProperties")).toEqual({
    name: "new",
    customProperties: { a: "1", b: "2" },
  });
  await catalog.loadRecords(...file);
  expect(catalog.dump()).toEqual(before);
});

describe("a creation is stored, and leaves what is there", () => {
  test.each(["CREATE", "CREATE_ENTITY"])("%s", async (changeType) => {
    const catalog = await catalogWith();
    const create = (name: string): object => properties(changeType, { json: { name } });
    await catalog.loadRecords(create("first"));
    expect(catalog.stored(orders, "datasetProperties")).toEqual({ name: "first" });
    expect(await catalog.loadRecords(create("second"))).toMatchObject({ written: 0, unchanged: 1 });
    expect(catalog.stored(orders, "datasetProperties")).toEqual({ name: "first" });
  });

  test("CREATE behind another value of the file", async () => {
    const catalog = await catalogWith();
    await catalog.loadRecords(
      proposal(orders, "datasetProperties", { name: "first" }),
      properties("CREATE", { json: { name: "second" } }),
    );
    expect(catalog.stored(orders, "datasetProperties")).toEqual({ name: "first" });
  });

  test("CREATE_ENTITY of several aspects of a new entity", async () => {
    const catalog = await catalogWith();
    await catalog.loadRecords(properties("CREATE_ENTITY", { json: { name: "first" } }), {
      ...proposal(orders, "status", { removed: false }),
      changeType: "CREATE_ENTITY",
    });
    expect(catalog.stored(orders, "datasetProperties")).toEqual({ name: "first" });
    expect(catalog.stored(orders, "status")).toEqual({ removed: false });
  });
});

test.each(["UPSERT", "UPDATE", "RESTATE"])("%s replaces the value", async (changeType) => {
  const catalog = await catalogWith([proposal(orders, "datasetProperties", { name: "old" })]);
  await catalog.loadRecords(properties(changeType, { json: { name: "new" } }));
  expect(catalog.stored(orders, "datasetProperties")).toEqual({ name: "new" });
});

describe("an entity can be named by its key", () => {
  test.each([
    ["of one field", "tag", { name: "pii" }, "tagProperties", { name: "PII" }, pii],
    [
      "of several fields",
      "dataset",
      { platform: "urn:li:dataPlatform:snowflake", name: "shop.orders", origin: "PROD" },
      "status",
      { removed: false },
      orders,
    ],
  ])("%s", async (_name, entityType, key, aspectName, value, urn) => {
    const catalog = await catalogWith();
    const entityKeyAspect = { value: JSON.stringify(key), contentType: "application/json" };
    await catalog.loadRecords({
      entityType,
      entityKeyAspect,
      changeType: "UPSERT",
      aspectName,
      aspect: { json: value },
    });
    expect(catalog.stored(urn, aspectName)).toEqual(value);
  });
});

test("usage records and deletions of aspects are skipped and counted, as DataHub does nothing with them", async () => {
  const catalog = await catalogWith();
  const usage = { bucket: 1, duration: "DAY", resource: orders, metrics: { uniqueUserCount: 1 } };
  const loaded = await catalog.loadRecords(
    usage,
    { ...proposal(pii, "tagProperties", { name: "PII" }), changeType: "DELETE" },
    proposal(orders, "status", { removed: false }),
  );
  expect(loaded).toMatchObject({ records: 3, written: 1, skipped: 2 });
});

describe("an aspect that the registry does not have is left out and counted", () => {
  const records = [
    proposal(orders, "lineageFeatures", { upstreamCount: 1 }),
    proposal(missing, "lineageFeatures", { upstreamCount: 2 }),
    proposal("urn:li:domain:finance", "status", { removed: false }),
    { ...proposal(orders, "usageFeatures", {}), changeType: "PATCH", aspect: { json: [] } },
    proposal(orders, "status", { removed: false }),
    {
      proposedSnapshot: {
        "com.linkedin.pegasus2avro.metadata.snapshot.TagSnapshot": {
          urn: pii,
          aspects: [
            { "com.linkedin.pegasus2avro.tag.Colour": { hex: "#fff" } },
            { "com.linkedin.pegasus2avro.tag.TagProperties": { name: "PII" } },
          ],
        },
      },
    },
  ];

  test("and the others are loaded", async () => {
    const catalog = await catalogWith();
    const { leftOut, written } = await catalog.loadRecords(...records);
    expect([...leftOut]).toEqual([
      ["lineageFeatures of dataset", 2],
      ["status of domain", 1],
      ["usageFeatures of dataset", 1],
      ["com.linkedin.pegasus2avro.tag.Colour of tag", 1],
    ]);
    expect(written).toBe(2);
    expect(catalog.stored(pii, "tagProperties")).toEqual({ name: "PII" });
    expect(catalog.dump().some(({ urn }) => urn === missing)).toBe(false);
  });

  test("unless the load is strict: then the file is refused with the record", async () => {
    const catalog = await catalogWith();
    const file = join(catalog.dataDir, "strict.json");
    writeFileSync(file, JSON.stringify(records.slice(1)));
    await expect(catalog.load(file, { isStrict: true })).rejects.toThrow(
      "record 1: lineageFeatures is not an aspect of dataset in DataHub's registry. Nothing was loaded",
    );
  });
});

describe("what Python reads as JSON is read", () => {
  const record = proposal(orders, "datasetProperties", { name: "é" });
  const text = JSON.stringify([record]);
  const utf16 = Buffer.from(`\uFEFF${text}`, "utf16le");
  test.each([
    ["one object", JSON.stringify(record)],
    ["a byte order mark", `\uFEFF${text}`],
    ["UTF-16, as PowerShell writes it", utf16],
    ["UTF-16 with the higher byte first", Buffer.from(utf16).swap16()],
  ])("%s", async (_name, content) => {
    const catalog = await catalogWith();
    expect(await loadText(catalog, content)).toMatchObject({ records: 1, written: 1 });
    expect(catalog.stored(orders, "datasetProperties")).toEqual({ name: "é" });
  });

  test("NaN and infinite numbers, which are left out; a text that looks like one is kept", async () => {
    const catalog = await catalogWith();
    const value = { double: "VALUE" };
    const assigned = [{ propertyUrn: "urn:li:structuredProperty:p", values: [value, { double: 1 }] }];
    const described = proposal(orders, "datasetProperties", { name: 'NaN "NaN\\' });
    for (const number of ["NaN", "Infinity", "-Infinity"]) {
      const numbers = JSON.stringify([
        described,
        proposal(orders, "structuredProperties", { properties: assigned }),
      ]);
      await loadText(catalog, numbers.replace('"VALUE"', number));
      expect(catalog.stored(orders, "datasetProperties")).toEqual({ name: 'NaN "NaN\\' });
      expect(catalog.stored(orders, "structuredProperties")).toEqual({
        properties: [{ propertyUrn: "urn:li:structuredProperty:p", values: [{}, { double: 1 }] }],
      });
    }
    const asText = { value: '{"name": "x", "qualifiedName": NaN}', contentType: "application/json" };
    await catalog.loadRecords({ ...proposal(orders, "datasetProperties", {}), aspect: asText });
    expect(catalog.stored(orders, "datasetProperties")).toEqual({ name: "x" });
  });
});

async function loadText(catalog: TestCatalog, content: string | Buffer): Promise<LoadSummary> {
  const file = join(catalog.dataDir, "given.json");
  writeFileSync(file, content);
  return catalog.load(file);
}

describe("what DataHub refuses is refused with its record", () => {
  const record = proposal(orders, "status", { removed: false });
  const { changeType: _, ...unchanged } = record as { changeType: string };
  const { entityType: __, ...untyped } = record as { entityType: string };
  const { entityUrn: ___, ...unnamed } = record as { entityUrn: string };
  test.each([
    ["an entity type that does not fit the URN", { ...record, entityType: "chart" }, "chart does not match"],
    ["no change type", unchanged, '"changeType" is missing'],
    ["a change type that is none", { ...record, changeType: "MERGE" }, "change type MERGE is not one of"],
    ["no entity type", untyped, '"entityType" is missing'],
    ["neither a URN nor a key", unnamed, 'neither "entityUrn" nor "entityKeyAspect"'],
    ["a text without its content type", { ...record, aspect: { value: "{}" } }, '"contentType"'],
    [
      "a text that is not JSON",
      { ...record, aspect: { value: "<removed/>", contentType: "application/xml" } },
      "content type application/xml is not supported",
    ],
    ["no value", { ...record, aspect: null }, "must contain an object"],
    ["a list as a value", { ...record, aspect: { json: [1] } }, "must contain an object"],
    [
      "a patch without keys of an aspect that has no template",
      { ...proposal(alice, "corpUserInfo", {}), changeType: "PATCH", aspect: { json: operations } },
      "corpUserInfo has no patch template",
    ],
    [
      "a patch of a time series",
      { ...proposal(orders, "datasetProfile", {}), changeType: "PATCH", aspect: { json: operations } },
      "Cannot patch the timeseries aspect datasetProfile",
    ],
    ["a patch that is none", properties("PATCH", { json: [{ op: "put" }] }), "Unsupported PATCH operation"],
    ["neither form", { resource: orders }, 'a proposal ("aspect")'],
  ])("%s", async (_name, refused, reason) => {
    const catalog = await catalogWith();
    const before = catalog.dump();
    const loading = catalog.loadRecords(proposal(pii, "tagProperties", { name: "PII" }), refused);
    await expect(loading).rejects.toThrow(reason);
    await expect(loading).rejects.toThrow(/record 2: .*Nothing was loaded from this file/s);
    expect(catalog.dump()).toEqual(before);
  });

  test("but the case of the entity type does not matter", async () => {
    const catalog = await catalogWith();
    await catalog.loadRecords({ ...record, entityType: "DataSet" });
    expect(catalog.stored(orders, "status")).toEqual({ removed: false });
  });
});
