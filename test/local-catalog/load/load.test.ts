import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startCatalog } from "../../../src/local-catalog/server.ts";
import { catalogWith, missing, orders, pii, proposal, shop, temporaryDirectory } from "../support.ts";

const avro = "com.linkedin.pegasus2avro";

test("no request is accepted before what is to be done first is done", async () => {
  const port = await freePort();
  const health = (): Promise<string> =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ status }) => String(status),
      () => "refused",
    );
  const found: string[] = [];
  const catalog = await startCatalog({
    dataDir: temporaryDirectory(),
    port,
    auth: false,
    first: async () => void found.push(await health()),
  });
  found.push(await health());
  await catalog.close();
  expect(found).toEqual(["refused", "200"]);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** A snapshot with these aspects by class name. */
function snapshot(type: string, urn: string, aspects: object): object {
  const entries = Object.entries(aspects).map(([className, value]) => ({ [`${avro}.${className}`]: value }));
  return { proposedSnapshot: { [`${avro}.metadata.snapshot.${type}Snapshot`]: { urn, aspects: entries } } };
}

const mixed = [
  snapshot("Dataset", orders, {
    "common.Status": { removed: false },
    "schema.SchemaMetadata": {
      schemaName: "orders",
      primaryKeys: null,
      platformSchema: { [`${avro}.schema.KafkaSchema`]: { documentSchema: "{}" } },
      fields: [
        { fieldPath: "id", type: { type: { [`${avro}.schema.StringType`]: {} } }, nativeDataType: "text" },
      ],
    },
  }),
  {
    ...snapshot("Tag", pii, { "tag.TagProperties": { name: "PII" } }),
    systemMetadata: { runId: "r1", lastObserved: 5 },
  },
  {
    entityType: "dataset",
    entityUrn: orders,
    changeType: "UPSERT",
    aspectName: "globalTags",
    aspect: { value: JSON.stringify({ tags: [{ tag: pii }] }), contentType: "application/json" },
  },
  proposal(orders, "datasetProfile", { timestampMillis: 1, rowCount: 3 }),
  proposal("urn:li:mlFeature:(shop,total)", "mlFeatureProperties", { description: "Sum." }),
];

test("snapshots and proposals are stored in the same form, with keys, without the class names of files", async () => {
  const catalog = await catalogWith();
  expect(await catalog.loadRecords(...mixed)).toEqual({
    records: 5,
    written: 5,
    unchanged: 0,
    timeseries: 1,
    skipped: 0,
    leftOut: new Map(),
  });
  expect(catalog.stored(orders, "schemaMetadata")).toEqual({
    schemaName: "orders",
    platformSchema: { "com.linkedin.schema.KafkaSchema": { documentSchema: "{}" } },
    fields: [
      { fieldPath: "id", type: { type: { "com.linkedin.schema.StringType": {} } }, nativeDataType: "text" },
    ],
  });
  expect(catalog.stored(orders, "globalTags")).toEqual({ tags: [{ tag: pii }] });
  expect(catalog.stored(orders, "datasetProfile")).toBeUndefined();
  expect(catalog.stored(orders, "datasetKey")).toEqual({
    platform: "urn:li:dataPlatform:snowflake",
    name: "shop.orders",
    origin: "PROD",
  });
  expect(catalog.stored(pii, "tagKey")).toEqual({ name: "pii" });
  expect(catalog.stored("urn:li:mlFeature:(shop,total)", "mlFeatureKey")).toEqual({
    featureNamespace: "shop",
    name: "total",
  });
});

describe("the names of types that Avro puts around optional values are left out", () => {
  const user = "urn:li:corpuser:user1";
  test.each([
    [
      "a string, a number and a boolean",
      snapshot("CorpUser", user, {
        "identity.CorpUserInfo": {
          active: { boolean: true },
          displayName: { string: "user1" },
          email: null,
          departmentId: { long: 7 },
          customProperties: { map: { team: "data", map: "x" } },
        },
      }),
      [user, "corpUserInfo"],
      {
        active: true,
        displayName: "user1",
        departmentId: 7,
        customProperties: { team: "data", map: "x" },
      },
    ],
    [
      "a list, a record and an enum",
      snapshot("Dataset", orders, {
        "common.Ownership": {
          owners: {
            array: [{ owner: user, type: { [`${avro}.common.OwnershipType`]: "DATAOWNER" }, typeUrn: null }],
          },
          lastModified: { [`${avro}.common.AuditStamp`]: { time: 1, actor: user, message: { string: "m" } } },
        },
      }),
      [orders, "ownership"],
      {
        owners: [{ owner: user, type: "DATAOWNER" }],
        ownerTypes: { "urn:li:ownershipType:__system__dataowner": [user] },
        lastModified: { time: 1, actor: user, message: "m" },
      },
    ],
    [
      "an optional value inside of a union of DataHub",
      snapshot("Dataset", orders, {
        "schema.SchemaMetadata": {
          schemaName: "orders",
          platformSchema: {
            [`${avro}.schema.KafkaSchema`]: { documentSchema: "{}", keySchema: { string: "k" } },
          },
          fields: [
            {
              fieldPath: "id",
              description: { string: "The id." },
              type: { type: { [`${avro}.schema.ArrayType`]: { nestedType: { array: ["text"] } } } },
              nativeDataType: "text",
            },
          ],
        },
      }),
      [orders, "schemaMetadata"],
      {
        schemaName: "orders",
        platformSchema: { "com.linkedin.schema.KafkaSchema": { documentSchema: "{}", keySchema: "k" } },
        fields: [
          {
            fieldPath: "id",
            description: "The id.",
            type: { type: { "com.linkedin.schema.ArrayType": { nestedType: ["text"] } } },
            nativeDataType: "text",
          },
        ],
      },
    ],
    [
      "but not those of a union of DataHub",
      proposal(orders, "structuredProperties", {
        properties: [
          { propertyUrn: "urn:li:structuredProperty:p", values: [{ string: "a" }, { double: 2 }] },
        ],
      }),
      [orders, "structuredProperties"],
      {
        properties: [
          { propertyUrn: "urn:li:structuredProperty:p", values: [{ string: "a" }, { double: 2 }] },
        ],
      },
    ],
  ])("%s", async (_name, record, [urn = "", aspect = ""], stored) => {
    const catalog = await catalogWith();
    await catalog.loadRecords(record);
    expect(catalog.stored(urn, aspect)).toEqual(stored);
  });
});

test("the run that a record names is stored, also where Avro puts the names of types around it", async () => {
  const catalog = await catalogWith();
  await catalog.loadRecords({
    ...snapshot("Tag", pii, { "tag.TagProperties": { name: "PII" } }),
    systemMetadata: {
      [`${avro}.mxe.SystemMetadata`]: { runId: { string: "r1" }, lastObserved: { long: 5 } },
    },
  });
  const answer = await fetch(`${catalog.url}/openapi/v3/entity/tag/${pii}/tagProperties?systemMetadata=true`);
  expect(await answer.json()).toMatchObject({ systemMetadata: { runId: "r1", lastObserved: 5 } });
});

test("loading twice changes nothing", async () => {
  const catalog = await catalogWith(mixed);
  const before = catalog.dump();
  expect(await catalog.loadRecords(...mixed)).toEqual({
    records: 5,
    written: 0,
    unchanged: 5,
    timeseries: 1,
    skipped: 0,
    leftOut: new Map(),
  });
  expect(catalog.dump()).toEqual(before);
});

test("of an aspect that a file contains twice the last value is stored, and loading the file again changes nothing", async () => {
  const twice = [
    proposal(pii, "tagProperties", { name: "old" }),
    proposal(pii, "tagProperties", { name: "new" }),
  ];
  const catalog = await catalogWith(twice);
  const before = catalog.dump();
  await catalog.loadRecords(...twice);
  expect(catalog.dump()).toEqual(before);
  expect(catalog.stored(pii, "tagProperties")).toEqual({ name: "new" });
});

test("a different value becomes the latest, and the previous one goes into the history", async () => {
  const catalog = await catalogWith();
  for (const name of ["first", "second", "third"])
    await catalog.loadRecords(proposal(pii, "tagProperties", { name }));
  const versions = catalog.dump().filter(({ urn, aspect }) => urn === pii && aspect === "tagProperties");
  expect(versions.map(({ version, value }) => [version, value["name"]])).toEqual([
    [0, "third"],
    [1, "first"],
    [2, "second"],
  ]);
});

describe("a file with an invalid record is rejected with the record's number, and nothing is stored", () => {
  test.each([
    [
      "an entity type that is not known",
      proposal("urn:li:spaceship:1", "status", {}),
      "urn:li:spaceship:1 is not in",
    ],
    ["no URN", proposal("orders", "status", {}), "orders is not a URN"],
    [
      "a key that does not fit",
      proposal("urn:li:mlFeature:total", "status", {}),
      "does not match the key of entity mlFeature",
    ],
    ["neither form", { name: "x" }, 'not a snapshot ("proposedSnapshot"), a proposal ("aspect")'],
    ["no object", [], "it is not an object"],
    [
      "a snapshot without aspects",
      { proposedSnapshot: { x: { urn: pii } } },
      'does not contain an "aspects" list',
    ],
    [
      "a snapshot with a list for an aspect",
      { proposedSnapshot: { x: { urn: pii, aspects: [[]] } } },
      "is not an object keyed by its class name",
    ],
    ["no value", { ...proposal(pii, "status", {}), aspect: {} }, 'an object as a JSON string in "value"'],
    [
      "a value that is not JSON",
      { ...proposal(pii, "status", {}), aspect: { value: "{", contentType: "application/json" } },
      "JSON",
    ],
    ["no aspect name", { ...proposal(pii, "status", {}), aspectName: null }, '"aspectName" is missing'],
    [
      "an object in the place of a string",
      snapshot("Tag", pii, { "tag.TagProperties": { name: { text: "PII" } } }),
      'tagProperties.name must not be an object: {"text":"PII"}',
    ],
    [
      "domains that contradict each other",
      proposal(orders, "domains", {
        domains: ["urn:li:domain:a"],
        domainAssociations: [{ domain: "urn:li:domain:b" }],
      }),
      "Cannot update both",
    ],
  ])("%s", async (_name, record, reason) => {
    const catalog = await catalogWith(shop);
    const before = catalog.dump();
    const loading = catalog.loadRecords(proposal(missing, "status", { removed: false }), record);
    await expect(loading).rejects.toThrow(reason);
    await expect(loading).rejects.toThrow(
      /records\.json cannot be loaded: record 2: .*Nothing was loaded from this file/s,
    );
    await expect(loading).rejects.toHaveProperty("name", "LocalCatalogError");
    expect(catalog.dump()).toEqual(before);
  });
});

test.each([
  ["invalid JSON", "[", "JSON"],
  ["a text", "x", "JSON"],
])("a file with %s is rejected by name", async (_name, text, reason) => {
  const catalog = await catalogWith();
  const file = join(catalog.dataDir, "bad.json");
  writeFileSync(file, text);
  await expect(catalog.load(file)).rejects.toThrow(`${file} cannot be loaded: `);
  await expect(catalog.load(file)).rejects.toThrow(reason);
});

test("a missing file is rejected by name", async () => {
  const catalog = await catalogWith();
  await expect(catalog.load("/no/such.json")).rejects.toThrow("/no/such.json cannot be loaded: ENOENT");
});
