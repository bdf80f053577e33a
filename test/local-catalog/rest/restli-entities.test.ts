import { describe, expect, test } from "vitest";
import { call, change, ingest } from "../rest.ts";
import { alice, catalogWith, finance, missing, orders, pii, proposal, shop, tier } from "../support.ts";

const tagged = proposal(orders, "globalTags", { tags: [{ tag: pii }, { tag: tier }] });

describe("POST /entities?action=delete", () => {
  test("deletes an entity permanently, and nothing else", async () => {
    const catalog = await catalogWith([...shop, tagged]);
    const { status, body } = await call(catalog, "POST", "/entities?action=delete", { urn: pii });
    expect([status, body]).toEqual([200, { value: { urn: pii, rows: 2, timeseriesRows: 0 } }]);
    expect(catalog.dump().filter(({ urn }) => urn === pii)).toEqual([]);
    expect(catalog.stored(orders, "globalTags")).toEqual({ tags: [{ tag: pii }, { tag: tier }] });
  });

  test("deletes one aspect", async () => {
    const catalog = await catalogWith(shop);
    await call(catalog, "POST", "/entities?action=delete", { urn: orders, aspectName: "status" });
    expect(catalog.stored(orders, "status")).toBeUndefined();
    expect(catalog.stored(orders, "datasetKey")).toBeDefined();
  });

  test.each([
    ["a missing entity is not an error", { urn: missing }, 200],
    ["no URN", {}, 400],
    ["a malformed URN", { urn: "orders" }, 500],
    ["no object", [], 400],
  ])("%s", async (_name, body, status) => {
    expect((await call(await catalogWith(), "POST", "/entities?action=delete", body)).status).toBe(status);
  });
});

test("deleteReferences lists the references to an entity, and removes them unless it is a dry run", async () => {
  const catalog = await catalogWith([...shop, tagged]);
  const send = (dryRun: boolean): Promise<{ body: unknown }> =>
    call(catalog, "POST", "/entities?action=deleteReferences", { urn: pii, dryRun });
  const value = {
    total: 1,
    relatedAspects: [{ entity: orders, relationship: "TaggedWith", aspect: "globalTags" }],
  };
  expect((await send(true)).body).toEqual({ value });
  expect(catalog.stored(orders, "globalTags")).toEqual({ tags: [{ tag: pii }, { tag: tier }] });
  expect((await send(false)).body).toEqual({ value });
  expect(catalog.stored(orders, "globalTags")).toEqual({ tags: [{ tag: tier }] });
  expect((await send(false)).body).toEqual({ value: { total: 0, relatedAspects: [] } });
});

describe("POST /entities?action=ingest", () => {
  const snapshot = (urn: string, ...aspects: readonly object[]): object => ({
    entity: { value: { "com.linkedin.metadata.snapshot.TagSnapshot": { urn, aspects } } },
    systemMetadata: { runId: "r1", lastObserved: 5 },
  });

  test("stores the aspects of a snapshot with their system metadata", async () => {
    const catalog = await catalogWith();
    const sent = snapshot(pii, { "com.linkedin.pegasus2avro.tag.TagProperties": { name: "PII" } });
    expect(await call(catalog, "POST", "/entities?action=ingest", sent)).toMatchObject({ status: 200 });
    expect(catalog.stored(pii, "tagProperties")).toEqual({ name: "PII" });
    const { body } = await call(catalog, "GET", `/entitiesV2/${pii}?aspects=List(tagProperties)`);
    expect(body.aspects.tagProperties.systemMetadata).toMatchObject({ runId: "r1", lastObserved: 5 });
  });

  test("several snapshots are stored together", async () => {
    const catalog = await catalogWith();
    const entities = [pii, tier].map((urn) => ({
      value: { TagSnapshot: { urn, aspects: [{ "com.linkedin.tag.TagProperties": { name: urn } }] } },
    }));
    await call(catalog, "POST", "/entities?action=batchIngest", { entities });
    expect(catalog.stored(tier, "tagProperties")).toEqual({ name: tier });
  });

  test.each([
    ["no entity", {}, 400],
    ["an aspect of no known class", snapshot(pii, { "com.linkedin.tag.Colour": {} }), 400],
    ["an aspect of the wrong shape", snapshot(pii, { "com.linkedin.tag.TagProperties": {} }), 422],
    ["no URN", snapshot("pii", { "com.linkedin.tag.TagProperties": { name: "x" } }), 400],
  ])("%s is rejected", async (_name, body, status) => {
    const catalog = await catalogWith();
    const before = catalog.dump();
    const answer = await call(catalog, "POST", "/entities?action=ingest", body);
    expect(answer).toMatchObject({ status, body: { message: expect.any(String) } });
    expect(catalog.dump()).toEqual(before);
  });
});

describe("POST /entities?action=search", () => {
  const equal = (field: string, ...values: readonly string[]): object => ({
    or: [{ and: [{ field, condition: "EQUAL", values }] }],
  });
  test.each([
    ["by a field", { input: "*", entity: "domain", filter: equal("name", "Finance") }, [finance]],
    ["by another value", { input: "*", entity: "domain", filter: equal("name", "Sales") }, []],
    ["by a word", { input: "alice", entity: "corpuser" }, [alice]],
    ["all of a type, a page of them", { input: "*", entity: "tag", start: 1, count: 1 }, [tier]],
    [
      "by criteria, as older clients ask",
      { input: "*", entity: "tag", filter: { criteria: [{ field: "name", value: "PII" }] } },
      [pii],
    ],
  ])("%s", async (_name, sent, urns) => {
    const { body } = await call(await catalogWith(shop), "POST", "/entities?action=search", sent);
    expect(body.value.entities).toEqual(urns.map((entity) => ({ entity })));
  });

  test.each([
    ["an unknown entity", { input: "*", entity: "spaceship" }],
    [
      "an unknown condition",
      { input: "*", entity: "tag", filter: { or: [{ and: [{ field: "name", condition: "LIKE" }] }] } },
    ],
    ["a filter that is none", { input: "*", entity: "tag", filter: "name" }],
  ])("%s is rejected", async (_name, sent) => {
    const answer = await call(await catalogWith(), "POST", "/entities?action=search", sent);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.any(String) } });
  });
});

test.each([
  ["/operations?action=restoreIndices", { urn: pii }, { value: expect.any(String) }],
  [
    "/aspects?action=getTimeseriesAspectValues",
    { urn: orders, entity: "dataset", aspect: "datasetProfile", limit: 1 },
    { value: expect.objectContaining({ values: [] }) },
  ],
])("POST %s", async (path, sent, answer) => {
  expect(await call(await catalogWith(), "POST", path, sent)).toMatchObject({ status: 200, body: answer });
});

test.each(["/runs?action=rollback", "/entities", "/entities/x/y", "/elsewhere"])(
  "POST %s is 404",
  async (path) => {
    const answer = await call(await catalogWith(), "POST", path, {});
    expect(answer).toMatchObject({ status: 404, body: { message: expect.any(String) } });
  },
);

test("another method than POST to an action is 405", async () => {
  expect((await call(await catalogWith(), "GET", "/entities?action=delete")).status).toBe(405);
});

test("a value written through REST is found through GraphQL, and vice versa", async () => {
  const catalog = await catalogWith(shop);
  await ingest(catalog, change(pii, "tagProperties", { name: "Secret" }));
  const asked = await catalog.send(`{ tag(urn: "${pii}") { properties { name } } }`);
  expect(asked.data).toEqual({ tag: { properties: { name: "Secret" } } });
  await catalog.send(`mutation { addTags(input: { tagUrns: ["${pii}"], resourceUrn: "${orders}" }) }`);
  const { body } = await call(
    catalog,
    "GET",
    `/aspects/${encodeURIComponent(orders)}?aspect=globalTags&version=0`,
  );
  expect(body.aspect).toEqual({ "com.linkedin.common.GlobalTags": { tags: [{ tag: pii }] } });
});
