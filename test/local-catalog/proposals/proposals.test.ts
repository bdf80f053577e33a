import { describe, expect, test } from "vitest";
import { alice, catalogWith, column, finance, missing, orders, pii, shop, tier } from "../support.ts";
import { finances, revenue } from "../samples.ts";
import { call, change, ingest, ingestBatch } from "../rest.ts";

const created = { status: 200, body: { value: "success" } };

test.each([
  "/aspects?action=ingestProposal",
  "/aspects/?action=ingestProposal",
  "/api/gms/aspects?action=ingestProposal",
])("%s stores an aspect, with the key of a new entity", async (path) => {
  const catalog = await catalogWith();
  const body = { proposal: change(pii, "tagProperties", { name: "PII" }), async: "true" };
  expect(await call(catalog, "POST", path, body)).toMatchObject(created);
  expect(catalog.stored(pii, "tagProperties")).toEqual({ name: "PII" });
  expect(catalog.stored(pii, "tagKey")).toEqual({ name: "pii" });
});

test("a proposal can name its entity by the key", async () => {
  const catalog = await catalogWith();
  const key = { platform: "urn:li:dataPlatform:snowflake", name: "shop.orders", origin: "PROD" };
  const keyed = {
    entityUrn: undefined,
    entityKeyAspect: { value: JSON.stringify(key), contentType: "application/json" },
  };
  expect(await ingest(catalog, change(orders, "status", { removed: true }, keyed))).toMatchObject(created);
  expect(catalog.stored(orders, "status")).toEqual({ removed: true });
});

test("a new dataset gets its platform and browse path, unless its batch contains them", async () => {
  const catalog = await catalogWith();
  await ingestBatch(catalog, change(orders, "status", { removed: false }));
  expect(catalog.stored(orders, "dataPlatformInstance")).toEqual({
    platform: "urn:li:dataPlatform:snowflake",
  });
  expect(catalog.stored(orders, "browsePathsV2")).toEqual({ path: [{ id: "shop" }] });
  await ingestBatch(
    catalog,
    change(missing, "status", { removed: false }),
    change(missing, "browsePathsV2", { path: [{ id: "elsewhere" }] }),
  );
  const rows = catalog.dump().filter(({ urn, aspect }) => urn === missing && aspect === "browsePathsV2");
  expect(rows.map(({ value }) => value)).toEqual([{ path: [{ id: "elsewhere" }] }]);
});

test("CREATE_ENTITY of the key and CREATE of the rest create an entity in one batch, once", async () => {
  const catalog = await catalogWith();
  const batch = [
    change(
      orders,
      "datasetKey",
      { platform: "?", name: "?", origin: "DEV" },
      { changeType: "CREATE_ENTITY" },
    ),
    change(orders, "status", { removed: false }, { changeType: "CREATE" }),
    change(orders, "globalTags", { tags: [] }, { changeType: "CREATE" }),
  ];
  expect(await ingestBatch(catalog, ...batch)).toMatchObject(created);
  // The key follows from the URN.
  expect(catalog.stored(orders, "datasetKey")).toMatchObject({ name: "shop.orders", origin: "PROD" });
  const before = catalog.dump();
  expect(await ingestBatch(catalog, ...batch)).toMatchObject({ status: 422 });
  expect(catalog.dump()).toEqual(before);
});

test("of several writes of an aspect in a batch the last is stored, as one version", async () => {
  const catalog = await catalogWith();
  const names = ["first", "second", "third"];
  await ingestBatch(catalog, ...names.map((name) => change(pii, "tagProperties", { name })));
  const rows = catalog.dump().filter(({ urn, aspect }) => urn === pii && aspect === "tagProperties");
  expect(rows.map(({ value }) => value["name"])).toEqual(["third"]);
});

test("a timeseries aspect alone creates its entity, with what DataHub derives for a new one", async () => {
  const catalog = await catalogWith();
  await ingest(catalog, change(orders, "datasetProfile", { timestampMillis: 1, rowCount: 3 }));
  const stored = catalog.dump().filter(({ urn }) => urn === orders);
  expect(stored.map(({ aspect }) => aspect)).toEqual(["browsePathsV2", "dataPlatformInstance", "datasetKey"]);
});

test("DELETE is a success and does nothing", async () => {
  const catalog = await catalogWith(shop);
  const before = catalog.dump();
  for (const aspect of ["status", "datasetKey"])
    expect(await ingest(catalog, change(orders, aspect, {}, { changeType: "DELETE" }))).toMatchObject(
      created,
    );
  expect(catalog.dump()).toEqual(before);
});

test("UPDATE stores an aspect, as UPSERT does", async () => {
  const catalog = await catalogWith(shop);
  const update = change(orders, "status", { removed: true }, { changeType: "UPDATE" });
  expect(await ingest(catalog, update)).toMatchObject(created);
  expect(catalog.stored(orders, "status")).toEqual({ removed: true });
});

test.each([
  ["a dataset URN of two parts", "urn:li:dataset:(a,b)"],
  ["a dataset URN of four parts", "urn:li:dataset:(urn:li:dataPlatform:x,a,b,PROD)"],
  ["an unknown environment", "urn:li:dataset:(urn:li:dataPlatform:x,a,prod)"],
  ["a plain name in place of the platform", "urn:li:dataset:(hive,a,PROD)"],
  ["a key that does not fit the type", "urn:li:mlFeature:total"],
  ["a blank at the end", "urn:li:tag:lead "],
  ["more than 512 bytes", `urn:li:corpGroup:${"x".repeat(500)}`],
  ["the separator", "urn:li:tag:a\u241Fb"],
  ["a zero character", "urn:li:tag:a\0b"],
])("a URN with %s is dropped with success, and the rest of its batch is stored", async (_, urn) => {
  const catalog = await catalogWith(shop);
  const known = new Set(catalog.dump().map((row) => row.urn));
  const other = change(alice, "status", { removed: true });
  expect(await ingestBatch(catalog, change(urn, "status", { removed: true }), other)).toMatchObject(created);
  expect(catalog.stored(alice, "status")).toEqual({ removed: true });
  expect(catalog.dump().filter((row) => !known.has(row.urn))).toEqual([]);
});

test.each([" lead", " a b", "a,b", "a/b:c+d?e#f", `quotes ' and "`, "line\nbreak", "(balanced)"])(
  "a tag with the id %j is stored and read",
  async (id) => {
    const catalog = await catalogWith();
    const urn = `urn:li:tag:${id}`;
    await ingest(catalog, change(urn, "tagProperties", { name: "x" }));
    const query = "query ($urn: String!) { tag(urn: $urn) { name properties { name } } }";
    expect((await catalog.send(query, { urn })).data).toEqual({
      tag: { name: id, properties: { name: "x" } },
    });
  },
);

test("timeseries aspects are accepted and not stored", async () => {
  const catalog = await catalogWith(shop);
  const before = catalog.dump();
  const profile = { timestampMillis: 1, rowCount: 3 };
  expect(await ingest(catalog, change(orders, "datasetProfile", profile))).toMatchObject(created);
  expect(catalog.dump()).toEqual(before);
});

test("null in place of an optional field is refused, wherever it is", async () => {
  const catalog = await catalogWith();
  const info = { fieldPath: "id", description: null };
  for (const value of [{ editableSchemaFieldInfo: [], created: null }, { editableSchemaFieldInfo: [info] }]) {
    const { status, body } = await ingest(catalog, change(orders, "editableSchemaMetadata", value));
    expect([status, body.message]).toEqual([422, expect.stringContaining("null is not allowed")]);
  }
  expect(catalog.stored(orders, "editableSchemaMetadata")).toBeUndefined();
});

test("the class names of files are not stored", async () => {
  const catalog = await catalogWith();
  const type = { type: { "com.linkedin.pegasus2avro.schema.StringType": {} } };
  const schemaMetadata = {
    schemaName: "orders",
    platform: "urn:li:dataPlatform:snowflake",
    version: 0,
    hash: "",
    platformSchema: { "com.linkedin.pegasus2avro.schema.OtherSchema": { rawSchema: "" } },
    fields: [column("id", { type })],
  };
  await ingest(catalog, change(orders, "schemaMetadata", schemaMetadata));
  expect(JSON.stringify(catalog.stored(orders, "schemaMetadata"))).not.toContain("pegasus2avro");
});

test.each([
  [
    "a union under the name of its type",
    "urn:li:chart:(looker,sales)",
    "chartInfo",
    {
      title: "Sales",
      description: "By day.",
      lastModified: { created: { time: 0, actor: alice }, lastModified: { time: 0, actor: alice } },
      inputs: [{ string: orders }],
    },
  ],
  [
    "a union whose members have names",
    "urn:li:mlModel:(urn:li:dataPlatform:x,m,PROD)",
    "cost",
    { costType: "ORG_COST_TYPE", cost: { costCode: "a1" } },
  ],
  [
    "a class within a class",
    "urn:li:dataJob:(urn:li:dataFlow:(airflow,pay,prod),collect)",
    "dataJobInfo",
    { name: "Collect", type: { string: "SQL" } },
  ],
])("an aspect with %s is accepted", async (_name, urn, aspect, value) => {
  const catalog = await catalogWith();
  expect(await ingest(catalog, change(urn, aspect, value))).toMatchObject(created);
  expect(catalog.stored(urn, aspect)).toEqual(value);
});

test("fields that the classes of an aspect do not have are dropped, also of what it contains", async () => {
  const catalog = await catalogWith();
  await ingest(catalog, change(pii, "tagProperties", { name: "PII", hue: 7 }));
  expect(catalog.stored(pii, "tagProperties")).toEqual({ name: "PII" });
  const owners = [{ owner: alice, type: "NONE", since: 1, source: { type: "MANUAL", by: "x" } }];
  expect(await ingest(catalog, change(pii, "ownership", { owners, ownerTypes: {} }))).toMatchObject({
    status: 200,
  });
  expect(catalog.stored(pii, "ownership")).toMatchObject({
    owners: [{ owner: alice, type: "NONE", source: { type: "MANUAL" } }],
  });
  expect(JSON.stringify(catalog.stored(pii, "ownership"))).not.toMatch(/since|"by"/);
});

test.each([
  ["no URN", "ownership", { owners: [{ owner: "jdoe", type: "NONE" }] }],
  [
    "of a type that no registry has",
    "ownership",
    { owners: [{ owner: "urn:li:person:jdoe", type: "NONE" }] },
  ],
  ["of a type that the field does not take", "ownership", { owners: [{ owner: pii, type: "NONE" }] }],
  ["no tag", "globalTags", { tags: [{ tag: alice }] }],
  ["no domain", "domains", { domains: [pii] }],
])("a reference that is %s is rejected, and nothing is written", async (_, aspect, value) => {
  const catalog = await catalogWith();
  const answer = await ingest(catalog, change(orders, aspect, value));
  expect(answer.status).toBe(422);
  expect(answer.body.message).toMatch(/^Invalid (?:urn|entity type)/);
  expect(catalog.stored(orders, aspect)).toBeUndefined();
});

test("a reference to an entity that does not exist is accepted", async () => {
  const catalog = await catalogWith();
  const value = { owners: [{ owner: "urn:li:corpuser:nobody", type: "NONE" }] };
  expect((await ingest(catalog, change(orders, "ownership", value))).status).toBe(200);
});

test("a generic patch is carried out whatever version it names, one by a template is not", async () => {
  const catalog = await catalogWith();
  await ingest(catalog, change(orders, "globalTags", { tags: [] }));
  const patch = [{ op: "add", path: `/tags/${pii}`, value: { tag: pii } }];
  const patchWith = (more: object) =>
    ingest(catalog, {
      ...change(orders, "globalTags", { patch, ...more }),
      changeType: "PATCH",
      headers: { "If-Version-Match": "9" },
    });
  expect((await patchWith({})).status).toBe(422);
  expect((await patchWith({ arrayPrimaryKeys: { tags: ["tag"] } })).status).toBe(200);
  expect(catalog.stored(orders, "globalTags")).toMatchObject({ tags: [{ tag: pii }] });
});

describe("an invalid aspect is rejected with the path of the fault", () => {
  test.each([
    ["a required field is missing", "tagProperties", {}, "/name :: field is required"],
    ["a text is a number", "tagProperties", { name: 1 }, "/name :: 1 is not a valid string"],
    ["a truth is a text", "status", { removed: "yes" }, '/removed :: "yes" is not a valid boolean'],
    ["a list is an object", "ownership", { owners: {} }, "/owners :: array type"],
    ["an entry is a text", "ownership", { owners: ["x"] }, "/owners/0 :: record type"],
    [
      "a name is not of its enum",
      "ownership",
      { owners: [{ owner: alice, type: "KING" }] },
      "/owners/0/type",
    ],
    [
      "a map holds a number",
      "ownership",
      { owners: [], ownerTypes: { x: 1 } },
      "/ownerTypes/x :: array type",
    ],
    ["a map is none", "ownership", { owners: [], ownerTypes: [] }, "/ownerTypes :: map type"],
  ])("%s", async (_name, aspect, value, message) => {
    const catalog = await catalogWith();
    const answer = await ingest(catalog, change(pii, aspect, value));
    expect(answer).toMatchObject({ status: 422, body: { message: expect.stringContaining(message) } });
    expect(catalog.stored(pii, "tagKey")).toBeUndefined();
  });
});

test("domains and their associations are kept in sync", async () => {
  const catalog = await catalogWith(shop);
  await ingest(catalog, change(orders, "domains", { domains: [finance] }));
  expect(catalog.stored(orders, "domains")).toEqual({
    domains: [finance],
    domainAssociations: [{ domain: finance }],
  });
});

describe("conditions", () => {
  const rename = (name: string, headers: object, changeType = "UPSERT"): object =>
    change(pii, "tagProperties", { name }, { headers, changeType });

  test.each([
    ["the current version", { "If-Version-Match": "2" }, "UPSERT", 200],
    ["another version", { "If-Version-Match": "1" }, "UPSERT", 422],
    ["no version", { "If-Version-Match": "-1" }, "UPSERT", 422],
    ["a version that is not a number", { "If-Version-Match": "two" }, "UPSERT", 422],
    ["another version, ignored for RESTATE", { "If-Version-Match": "1" }, "RESTATE", 200],
    ["a time before the last write", { "If-Modified-Since": "2000-01-01T00:00:00Z" }, "UPSERT", 200],
    ["a time after the last write", { "If-Modified-Since": "2200-01-01T00:00:00Z" }, "UPSERT", 422],
    ["unmodified since before", { "If-Unmodified-Since": "2000-01-01T00:00:00Z" }, "UPSERT", 422],
    ["unmodified since after", { "If-Unmodified-Since": "2200-01-01T00:00:00Z" }, "UPSERT", 200],
    ["a time that is none", { "If-Modified-Since": "yesterday" }, "UPSERT", 400],
    ["creation of an existing aspect", {}, "CREATE", 422],
    ["creation of an existing entity", {}, "CREATE_ENTITY", 422],
  ])("%s", async (_name, headers, changeType, status) => {
    const catalog = await catalogWith();
    for (const name of ["first", "second"]) await ingest(catalog, rename(name, {}));
    const answer = await ingest(catalog, rename("third", headers, changeType));
    expect(answer.status).toBe(status);
    expect(catalog.stored(pii, "tagProperties")).toEqual({ name: status === 200 ? "third" : "second" });
    if (status !== 200)
      expect(answer.body).toEqual({
        exceptionClass: expect.any(String),
        message: expect.any(String),
        status,
      });
  });

  test("-1 allows writing a missing aspect", async () => {
    const catalog = await catalogWith();
    expect(await ingest(catalog, rename("first", { "If-Version-Match": "-1" }))).toMatchObject(created);
  });

  test("with If-None-Match: * the creation of an existing aspect is skipped without an error", async () => {
    const catalog = await catalogWith(shop);
    const create = rename("new", { "If-None-Match": "*" }, "CREATE");
    const other = change(tier, "tagProperties", { name: "Other" });
    expect(await ingestBatch(catalog, create, other)).toMatchObject(created);
    expect(catalog.stored(pii, "tagProperties")).toEqual({ name: "PII" });
    expect(catalog.stored(tier, "tagProperties")).toEqual({ name: "Other" });
  });

  test("one failed condition fails the batch", async () => {
    const catalog = await catalogWith(shop);
    const before = catalog.dump();
    const other = change(tier, "tagProperties", { name: "Other" });
    expect(await ingestBatch(catalog, other, rename("x", { "If-Version-Match": "9" }))).toMatchObject({
      status: 422,
    });
    expect(catalog.dump()).toEqual(before);
  });
});

describe("an invalid proposal is rejected with a message, and nothing of its batch is stored", () => {
  const status = change(orders, "status", { removed: true });
  test.each([
    ["an unknown entity type", change("urn:li:spaceship:1", "status", {}), 400, "Failed to find entity"],
    ["an unknown aspect", change(orders, "colour", {}), 422, "Unknown aspect colour for entity dataset"],
    ["an aspect of another type", change(orders, "tagProperties", { name: "x" }), 422, "tagProperties"],
    ["no URN", change("orders", "status", {}), 500, "Invalid urn: orders"],
    ["a URN whose brackets are not balanced", change("urn:li:tag:a(b", "status", {}), 500, "Invalid urn"],
    ["another entity type than the URN's", { ...status, entityType: "tag" }, 422, "does not match"],
    ["no change type", { ...status, changeType: undefined }, 400, '"changeType"'],
    ["an unknown change type", { ...status, changeType: "MERGE" }, 400, "MERGE is not one of"],
    ["no aspect name", { ...status, aspectName: undefined }, 400, '"aspectName"'],
    ["no value", { ...status, aspect: {} }, 400, '"value"'],
    [
      "a value that is no JSON",
      { ...status, aspect: { value: "{", contentType: "application/json" } },
      400,
      "JSON",
    ],
    ["a value that is a list", change(orders, "status", []), 400, "must contain an object"],
    ["an unknown content type", { ...status, aspect: { value: "{}", contentType: "text/x" } }, 400, "text/x"],
    ["headers that are a list", { ...status, headers: [] }, 400, "headers"],
    [
      "a header that is not a string",
      { ...status, headers: { "If-Version-Match": 1 } },
      400,
      "If-Version-Match",
    ],
    [
      "a column twice",
      change(orders, "editableSchemaMetadata", {
        editableSchemaFieldInfo: [{ fieldPath: "a" }, { fieldPath: "a" }],
      }),
      422,
      "duplicated",
    ],
    [
      "a column without a path",
      change(orders, "editableSchemaMetadata", { editableSchemaFieldInfo: [{ fieldPath: "" }] }),
      422,
      "empty",
    ],
    [
      "domains that contradict their associations",
      change(orders, "domains", { domains: [finance], domainAssociations: [{ domain: "urn:li:domain:x" }] }),
      422,
      "Cannot update both",
    ],
    [
      "a tag for a term",
      change(orders, "glossaryTerms", { terms: [{ urn: pii }], auditStamp: { time: 0, actor: alice } }),
      422,
      "Invalid entity type tag",
    ],
    [
      "a term for the node of a node",
      change(finances, "glossaryNodeInfo", { definition: "", parentNode: revenue }),
      422,
      "Invalid entity type glossaryTerm",
    ],
    [
      "a node for a related term",
      change(revenue, "glossaryRelatedTerms", { values: [finances] }),
      422,
      "Invalid entity type glossaryNode",
    ],
    ["a proposal that is not an object", [], 400, "must be an object"],
  ])("%s", async (_name, bad, code, message) => {
    const catalog = await catalogWith(shop);
    const before = catalog.dump();
    const answer = await ingestBatch(catalog, change(alice, "status", { removed: true }), bad);
    expect(answer).toMatchObject({
      status: code,
      body: { status: code, message: expect.stringContaining(message) },
    });
    expect(catalog.dump()).toEqual(before);
  });
});

test.each([
  ["invalid JSON", "ingestProposal", "{", 400],
  ["nothing", "ingestProposal", "", 400],
  ["a list", "ingestProposal", "[]", 400],
  ["no proposal", "ingestProposal", "{}", 400],
  ["no list of proposals", "ingestProposalBatch", "{}", 400],
  ["an unknown action", "ingestEverything", "{}", 400],
])("a body with %s, to %s", async (_name, action, body, status) => {
  const catalog = await catalogWith();
  const answer = await call(catalog, "POST", `/aspects?action=${action}`, body);
  expect(answer).toMatchObject({ status, body: { message: expect.any(String), status } });
});

test("proposals require the token", async () => {
  const catalog = await catalogWith([], { auth: true, token: "secret" });
  const answer = await ingest({ ...catalog, token: "wrong" }, change(pii, "tagProperties", { name: "x" }));
  expect(answer.status).toBe(401);
  expect(catalog.stored(pii, "tagProperties")).toBeUndefined();
});

describe("an aspect is read by its class name", () => {
  const urn = encodeURIComponent(orders);
  test.each([
    ["encoded", `/aspects/${urn}?aspect=status&version=0`, "com.linkedin.common.Status"],
    ["not encoded", `/aspects/${orders}?aspect=status&version=0`, "com.linkedin.common.Status"],
    ["without a version", `/aspects/${urn}?aspect=status`, "com.linkedin.common.Status"],
    ["under /api/gms", `/api/gms/aspects/${urn}?aspect=status&version=0`, "com.linkedin.common.Status"],
    ["its key", `/aspects/${urn}?aspect=datasetKey&version=0`, "com.linkedin.metadata.key.DatasetKey"],
  ])("%s", async (_name, path, className) => {
    const { status, body } = await call(await catalogWith(shop), "GET", path);
    expect(status).toBe(200);
    expect(body).toEqual({ version: 0, aspect: { [className]: expect.any(Object) } });
  });

  test.each([
    [
      "an entity that was never written",
      `/aspects/${encodeURIComponent(missing)}?aspect=datasetKey&version=0`,
      404,
    ],
    ["a missing aspect", `/aspects/${urn}?aspect=ownership&version=0`, 404],
    ["a missing version", `/aspects/${urn}?aspect=status&version=7`, 404],
    ["no aspect", `/aspects/${urn}`, 400],
    ["a version that is not a number", `/aspects/${urn}?aspect=status&version=x`, 400],
    ["no URN", "/aspects/orders?aspect=status", 500],
    ["a path that is not well encoded", "/aspects/urn%3Ali%3Atag%3A%ZZ?aspect=status", 400],
  ])("%s", async (_name, path, status) => {
    const answer = await call(await catalogWith(shop), "GET", path);
    expect(answer).toMatchObject({ status, body: { status, message: expect.any(String) } });
  });
});

describe("an entity is read with its aspects in envelopes", () => {
  test("all of them, with their system metadata", async () => {
    const catalog = await catalogWith();
    const systemMetadata = { runId: "r1", lastObserved: 5, properties: { clientId: "x" } };
    await ingest(catalog, change(pii, "tagProperties", { name: "PII" }, { systemMetadata }));
    const { body } = await call(catalog, "GET", `/entitiesV2/${encodeURIComponent(pii)}`);
    expect(body).toMatchObject({ urn: pii, entityName: "tag" });
    const stamp = { time: expect.any(Number), actor: "urn:li:corpuser:datahub" };
    expect(body.aspects).toEqual({
      tagKey: expect.objectContaining({ value: { name: "pii" } }),
      tagProperties: {
        name: "tagProperties",
        type: "VERSIONED",
        version: 0,
        value: { name: "PII" },
        created: { time: expect.any(Number), actor: "urn:li:corpuser:datahub" },
        systemMetadata: {
          ...systemMetadata,
          lastRunId: "no-run-id-provided",
          version: "1",
          aspectCreated: stamp,
          aspectModified: stamp,
        },
      },
    });
  });

  test.each([
    ["those that are named, and the key", "?aspects=List(status,ownership)", ["datasetKey", "status"]],
    ["a list that is encoded", "?aspects=List%28status%29", ["datasetKey", "status"]],
  ])("%s", async (_name, query, names) => {
    const { body } = await call(await catalogWith(shop), "GET", `/entitiesV2/${orders}${query}`);
    expect(Object.keys(body.aspects)).toEqual(names);
  });

  test("an entity that does not exist has a derived key, unless it is excluded", async () => {
    const catalog = await catalogWith();
    const path = `/entitiesV2/${encodeURIComponent(missing)}`;
    expect(Object.keys((await call(catalog, "GET", path)).body.aspects)).toEqual(["datasetKey"]);
    const bare = await call(catalog, "GET", `${path}?alwaysIncludeKeyAspect=false`);
    expect(bare.body.aspects).toEqual({});
  });
});
