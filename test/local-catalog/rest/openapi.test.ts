import { describe, expect, test } from "vitest";
import { call, change, ingest } from "../rest.ts";
import {
  alice,
  catalogWith,
  finance,
  missing,
  orders,
  pii,
  proposal,
  shop,
  stewards,
  tier,
} from "../support.ts";

const api = "/openapi/v3/entity";
const tagged = proposal(orders, "globalTags", { tags: [{ tag: pii }] });

describe("GET an entity", () => {
  test.each([
    ["not encoded", `${api}/dataset/${orders}`],
    ["encoded", `${api}/dataset/${encodeURIComponent(orders)}`],
    ["its type in another case", `${api}/DataSet/${orders}`],
    ["under /api/gms", `/api/gms${api}/dataset/${orders}`],
  ])("%s", async (_name, path) => {
    const { status, body } = await call(await catalogWith(shop), "GET", path);
    expect([status, body.urn]).toEqual([200, orders]);
    expect(body.status).toEqual({ value: { removed: false } });
    expect(body.datasetKey.value).toMatchObject({ name: "shop.orders" });
  });

  test.each([
    ["aspects one after the other", "?aspects=status&aspects=globalTags", ["globalTags", "status", "urn"]],
    ["aspects with commas", "?aspects=status,globalTags", ["globalTags", "status", "urn"]],
  ])("%s", async (_name, query, names) => {
    const { body } = await call(
      await catalogWith([...shop, tagged]),
      "GET",
      `${api}/dataset/${orders}${query}`,
    );
    expect(Object.keys(body).toSorted()).toEqual(names);
  });

  test("with versions", async () => {
    const catalog = await catalogWith(shop);
    await ingest(catalog, change(orders, "status", { removed: true }));
    const { body } = await call(
      catalog,
      "GET",
      `${api}/dataset/${orders}?systemMetadata=true&aspects=status`,
    );
    expect(body.status).toMatchObject({ value: { removed: true }, systemMetadata: { version: "2" } });
  });

  test("a name with slashes, not encoded", async () => {
    const urn = "urn:li:tag:a/b/tagKey2";
    const catalog = await catalogWith([proposal(urn, "tagProperties", { name: "x" })]);
    expect((await call(catalog, "GET", `${api}/tag/${urn}`)).body.urn).toBe(urn);
    expect((await call(catalog, "GET", `${api}/tag/${urn}/tagProperties`)).body).toEqual({
      value: { name: "x" },
    });
  });

  test.each([
    ["was never written", `${api}/dataset/${missing}`, 404],
    ["has none of the aspects", `${api}/dataset/${orders}?aspects=ownership`, 404],
    ["is of another type", `${api}/tag/${orders}`, 400],
    ["is of an unknown type", `${api}/spaceship/urn:li:spaceship:1`, 400],
    ["has no URN", `${api}/tag/pii`, 400],
  ])("one that %s", async (_name, path, status) => {
    const answer = await call(await catalogWith(shop), "GET", path);
    expect(answer.status).toBe(status);
    const said = { error: expect.any(String), message: expect.any(String), status };
    expect(answer.body).toEqual(status === 404 ? undefined : said);
    expect(answer.headers.get("Not-Found-Reason")).toBe(status === 404 ? "ENTITY" : null);
  });
});

test.each([
  ["that exists", orders, "", 204],
  ["that is not", missing, "", 404],
  ["that is soft-deleted", alice, "", 404],
  ["for an existing aspect", orders, "/status", 204],
  ["for an aspect that is not", orders, "/ownership", 404],
])("HEAD an entity %s", async (_name, urn, more, status) => {
  const catalog = await catalogWith([...shop, proposal(alice, "status", { removed: true })]);
  expect((await call(catalog, "HEAD", `${api}/${urn.split(":")[2]}/${urn}${more}`)).status).toBe(status);
});

describe("one aspect", () => {
  test("is read at its latest and older versions", async () => {
    const catalog = await catalogWith(shop);
    await ingest(catalog, change(pii, "tagProperties", { name: "New" }));
    const at = (version: string) => call(catalog, "GET", `${api}/tag/${pii}/tagProperties${version}`);
    expect((await at("")).body).toEqual({ value: { name: "New" } });
    expect((await at("?version=0&systemMetadata=true")).body).toMatchObject({
      systemMetadata: { version: "2" },
    });
    expect((await at("?version=1")).body).toEqual({ value: { name: "PII" } });
    expect((await at("?version=9")).status).toBe(404);
    expect((await at("?version=x")).status).toBe(404);
  });

  test("is not deleted where it holds structured properties", async () => {
    const catalog = await catalogWith(shop);
    const path = `${api}/dataset/${orders}/structuredProperties`;
    expect((await call(catalog, "DELETE", path)).status).toBe(500);
  });

  test("is not found with an empty response where its type does not have it", async () => {
    const catalog = await catalogWith(shop);
    const answer = await call(catalog, "GET", `${api}/tag/${pii}/colour`);
    expect([answer.status, answer.body]).toEqual([404, undefined]);
  });

  test("is created by POST, and changed only if the request allows it", async () => {
    const catalog = await catalogWith();
    const post = (name: string, query = "") =>
      call(catalog, "POST", `${api}/tag/${pii}/tagProperties${query}`, { value: { name } });
    expect(await post("first")).toMatchObject({
      status: 200,
      body: { urn: pii, tagProperties: { value: { name: "first" } } },
    });
    expect(await post("second")).toMatchObject({ status: 412, body: { error: "Precondition Error" } });
    expect(await post("third", "?createIfNotExists=false")).toMatchObject({ status: 200 });
    expect(await post("fourth", "?createEntityIfNotExists=true")).toMatchObject({ status: 412 });
    expect(catalog.stored(pii, "tagProperties")).toEqual({ name: "third" });
  });

  test("is patched by a body that is the patch", async () => {
    const catalog = await catalogWith(shop);
    const body = {
      patch: [{ op: "add", path: `/tags//${pii}`, value: { tag: pii } }],
      arrayPrimaryKeys: { tags: ["attribution\u241Fsource", "tag"] },
    };
    const answer = await call(catalog, "PATCH", `${api}/dataset/${orders}/globalTags`, body);
    expect(answer).toMatchObject({ status: 200, body: { globalTags: { value: { tags: [{ tag: pii }] } } } });
    expect((await call(catalog, "PATCH", `${api}/dataset/${orders}/globalTags`, 1)).status).toBe(400);
  });

  test("is deleted with an empty response, whether it exists or not", async () => {
    const catalog = await catalogWith(shop);
    for (const aspect of ["status", "ownership"])
      expect(await call(catalog, "DELETE", `${api}/dataset/${orders}/${aspect}`)).toMatchObject({
        status: 200,
        body: undefined,
      });
    expect(catalog.stored(orders, "status")).toBeUndefined();
    await call(catalog, "DELETE", `${api}/dataset/${orders}/datasetKey`);
    expect(catalog.stored(orders, "schemaMetadata")).toBeUndefined();
  });
});

describe("POST entities", () => {
  const part = (value: object, more: object = {}): object => ({
    value,
    systemMetadata: null,
    headers: {},
    ...more,
  });

  test("one URN several times, with one aspect each, returned as one entity", async () => {
    const catalog = await catalogWith();
    const list = [
      { urn: pii, tagKey: part({ name: "pii" }) },
      { urn: pii, tagProperties: part({ name: "PII" }), colour: part({}) },
      { urn: pii, status: part({ removed: false }) },
    ];
    const { status, body, headers } = await call(catalog, "POST", `${api}/tag?async=false`, list);
    expect([status, body]).toEqual([
      200,
      [
        {
          urn: pii,
          tagKey: { value: { name: "pii" } },
          tagProperties: { value: { name: "PII" } },
          status: { value: { removed: false } },
        },
      ],
    ]);
    expect(headers.get("traceparent")).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });

  test("without async=false the status is 202, and everything is stored", async () => {
    const catalog = await catalogWith();
    const answer = await call(catalog, "POST", `${api}/tag`, [
      { urn: pii, tagProperties: part({ name: "PII" }) },
    ]);
    expect(answer).toMatchObject({ status: 202, body: [{ urn: pii }] });
    expect(catalog.stored(pii, "tagProperties")).toEqual({ name: "PII" });
  });

  test("of several types at once", async () => {
    const catalog = await catalogWith();
    const list = [
      { urn: pii, status: part({ removed: false }) },
      { urn: stewards, status: part({ removed: false }) },
    ];
    expect((await call(catalog, "POST", `${api}/generic?async=false`, list)).status).toBe(200);
    expect(catalog.stored(stewards, "corpGroupKey")).toEqual({ name: "stewards" });
  });

  test("compare and set", async () => {
    const catalog = await catalogWith(shop);
    const post = (version: string) =>
      call(catalog, "POST", `${api}/tag?async=false&systemMetadata=true`, [
        { urn: pii, tagProperties: part({ name: version }, { headers: { "If-Version-Match": version } }) },
      ]);
    expect(await post("1")).toMatchObject({
      status: 200,
      body: [{ tagProperties: { systemMetadata: { version: "2" } } }],
    });
    expect(await post("1")).toMatchObject({
      status: 412,
      body: {
        error: "Precondition Error",
        message: expect.stringMatching(
          /subType=PRECONDITION, msg=Expected version 1, actual version \d\)\]\}$/,
        ),
      },
    });
    expect(await post("abc")).toMatchObject({ status: 412 });
    expect(await post("-1")).toMatchObject({ status: 412 });
    expect(catalog.stored(pii, "tagProperties")).toEqual({ name: "1" });
  });

  test.each([
    ["createIfNotExists", "tagProperties", 412],
    ["createEntityIfNotExists", "tagProperties", 412],
    ["createIfNotExists", "deprecation", 200],
  ])("with %s=true, for %s", async (flag, aspect, status) => {
    const catalog = await catalogWith(shop);
    const value = aspect === "deprecation" ? { deprecated: false, note: "", actor: alice } : { name: "x" };
    const list = [{ urn: pii, [aspect]: part(value) }];
    expect((await call(catalog, "POST", `${api}/tag?async=false&${flag}=true`, list)).status).toBe(status);
  });

  test.each([
    ["no list", "tag", {}],
    ["an entity that is not an object", "tag", [1]],
    ["no URN", "tag", [{ tagProperties: part({ name: "x" }) }]],
    ["a URN of another type", "tag", [{ urn: orders }]],
    ["an unknown type", "spaceship", []],
    ["no value", "tag", [{ urn: pii, tagProperties: {} }]],
    ["a value of the wrong shape", "tag", [{ urn: pii, tagProperties: part({ colour: "red" }) }]],
    [
      "headers that are no texts",
      "tag",
      [{ urn: pii, tagProperties: part({ name: "x" }, { headers: { a: 1 } }) }],
    ],
    ["invalid JSON", "tag", "["],
  ])("with %s is 400", async (_name, type, body) => {
    const catalog = await catalogWith();
    const before = catalog.dump();
    const sent =
      type === "spaceship" || !Array.isArray(body)
        ? body
        : [{ urn: tier, tagProperties: part({ name: "x" }) }, ...body];
    const answer = await call(catalog, "POST", `${api}/${type}?async=false`, sent);
    expect(answer).toMatchObject({ status: type === "spaceship" && Array.isArray(body) ? 200 : 400 });
    expect(catalog.dump()).toEqual(before);
  });
});

test("PATCH of entities patches each of their aspects", async () => {
  const catalog = await catalogWith(shop);
  const value = {
    patch: [{ op: "add", path: `/editableSchemaFieldInfo/id/globalTags/tags/${pii}`, value: { tag: pii } }],
    arrayPrimaryKeys: {},
  };
  const list = [{ urn: orders, editableSchemaMetadata: { value, systemMetadata: null, headers: null } }];
  const patched = { editableSchemaFieldInfo: [{ fieldPath: "id", globalTags: { tags: [{ tag: pii }] } }] };
  expect(await call(catalog, "PATCH", `${api}/dataset?async=false`, list)).toMatchObject({
    status: 200,
    body: [{ urn: orders, editableSchemaMetadata: { value: patched } }],
  });
  expect(await call(catalog, "PATCH", `${api}/dataset?async=true`, list)).toMatchObject({
    status: 202,
    body: undefined,
  });
});

describe("DELETE an entity", () => {
  test.each([
    ["whole", "", []],
    [
      "some aspects",
      "?aspects=status",
      ["browsePathsV2", "dataPlatformInstance", "datasetKey", "schemaMetadata"],
    ],
    ["all but its key", "?clear=true", ["datasetKey"]],
  ])("%s", async (_name, query, left) => {
    const catalog = await catalogWith(shop);
    const answer = await call(catalog, "DELETE", `${api}/dataset/${orders}${query}`, []);
    expect(answer).toMatchObject({ status: 200, body: undefined });
    expect(
      catalog
        .dump()
        .filter(({ urn }) => urn === orders)
        .map(({ aspect }) => aspect),
    ).toEqual(left);
  });
});

describe("batchGet", () => {
  test("returns the requested aspects, and omits missing ones", async () => {
    const catalog = await catalogWith(shop);
    const asked = [
      { urn: orders, status: {}, ownership: {} },
      { urn: missing, status: {} },
    ];
    const { status, body } = await call(
      catalog,
      "POST",
      `${api}/dataset/batchGet?systemMetadata=true`,
      asked,
    );
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        urn: orders,
        status: expect.objectContaining({
          value: { removed: false },
          systemMetadata: expect.objectContaining({ version: "1" }),
        }),
      },
    ]);
  });

  test("returns all aspects if none is requested, for several types", async () => {
    const { body } = await call(await catalogWith(shop), "POST", `${api}/generic/batchGet`, [
      { urn: pii },
      { urn: finance },
    ]);
    expect(body.map((entity: object) => Object.keys(entity).toSorted())).toEqual([
      ["tagKey", "tagProperties", "urn"],
      ["domainKey", "domainProperties", "urn"],
    ]);
  });

  test.each([
    ["no list", {}],
    ["no object", [1]],
    ["no URN", [{}]],
  ])("%s is 400", async (_name, body) => {
    expect((await call(await catalogWith(), "POST", `${api}/tag/batchGet`, body)).status).toBe(400);
  });

  test("the older form", async () => {
    const asked = { urns: [pii], aspectNames: ["tagProperties"], withSystemMetadata: true };
    const { body } = await call(await catalogWith(shop), "POST", "/openapi/v2/entity/batch/tag", asked);
    expect(body.entities).toMatchObject([
      { urn: pii, aspects: { tagProperties: { value: { name: "PII" }, systemMetadata: {} } } },
    ]);
  });
});

describe("scroll", () => {
  test("returns pages in the order of URNs, without soft-deleted entities", async () => {
    const tags = ["a", "b", "c", "d"].map((name) => `urn:li:tag:${name}`);
    const removed = proposal("urn:li:tag:b", "status", { removed: true });
    const catalog = await catalogWith([
      ...tags.map((urn) => proposal(urn, "tagProperties", { name: urn })),
      removed,
    ]);
    const seen: string[] = [];
    let scrollId = "";
    do {
      const path = `${api}/scroll?count=2&scrollId=${scrollId}`;
      const { body } = await call(catalog, "POST", path, { entities: ["tag"], aspects: ["tagProperties"] });
      expect(body.totalCount).toBe(3);
      seen.push(...body.entities.map((entity: { urn: string }) => entity.urn));
      expect(Object.keys(body.entities[0])).toEqual(["urn", "tagProperties"]);
      scrollId = body.scrollId ?? "";
    } while (scrollId !== "");
    expect(seen).toEqual(["urn:li:tag:a", "urn:li:tag:c", "urn:li:tag:d"]);
  });

  test.each([
    ["only URNs when no aspects are asked for", { entities: ["tag"] }, ["urn"]],
    [
      "all aspects when the list is empty",
      { entities: ["tag"], aspects: [] },
      ["tagKey", "tagProperties", "urn"],
    ],
  ])("%s", async (_name, body, names) => {
    const answer = await call(await catalogWith(shop), "POST", `${api}/scroll`, body);
    expect(Object.keys(answer.body.entities[0]).toSorted()).toEqual(names);
  });

  test("of one type by GET, and filtered by POST", async () => {
    const catalog = await catalogWith(shop);
    const listed = await call(catalog, "GET", `${api}/tag?query=*&count=1`);
    expect(listed.body).toMatchObject({ totalCount: 2, entities: [{ urn: pii }] });
    const filter = { and: [{ criteria: [{ field: "name", values: ["Tier 1"], condition: "EQUAL" }] }] };
    const found = await call(catalog, "POST", `${api}/scroll`, { entities: ["tag"], filter });
    expect(found.body.entities).toEqual([{ urn: tier }]);
  });

  test.each([
    ["an unknown type", `${api}/scroll`, { entities: ["spaceship"] }],
    ["a count that is none", `${api}/scroll?count=x`, {}],
    ["no object", `${api}/scroll`, []],
  ])("%s is 400", async (_name, path, body) => {
    expect((await call(await catalogWith(), "POST", path, body)).status).toBe(400);
  });
});

describe("relationships", () => {
  const ask = (urn: string, direction: string, more = ""): string =>
    `/openapi/relationships/v1/?urn=${encodeURIComponent(urn)}&direction=${direction}${more}`;
  const owned = proposal(orders, "ownership", { owners: [{ owner: alice, type: "NONE" }] });

  test.each([
    ["incoming", ask(pii, "INCOMING", "&relationshipTypes=TaggedWith"), [["TaggedWith", orders]]],
    ["incoming of another kind", ask(pii, "INCOMING", "&relationshipTypes=OwnedBy"), []],
    [
      "outgoing",
      ask(orders, "OUTGOING", "&relationshipTypes=TaggedWith&relationshipTypes=OwnedBy"),
      [
        ["TaggedWith", pii],
        ["OwnedBy", alice],
      ],
    ],
    ["beyond the last", ask(pii, "INCOMING", "&relationshipTypes=TaggedWith&start=1"), []],
  ])("%s", async (_name, path, related) => {
    const { status, body } = await call(await catalogWith([...shop, tagged, owned]), "GET", path);
    expect([status, body.count]).toEqual([200, related.length]);
    expect(body.entities).toEqual(related.map(([relationshipType, urn]) => ({ relationshipType, urn })));
  });

  test.each([
    ["no URN", "/openapi/relationships/v1/?direction=INCOMING"],
    ["no direction", ask(pii, "")],
    ["a count that is none", ask(pii, "INCOMING", "&count=-1")],
  ])("%s is 400", async (_name, path) => {
    expect((await call(await catalogWith(), "GET", path)).status).toBe(400);
  });
});

test.each([
  ["all", "onlyIncludeErrors=false&detailed=true", ["ownership", "status", "datasetProfile"]],
  ["what is missing", "", ["ownership"]],
])("a write is traced: %s", async (_name, query, names) => {
  const path = `/openapi/v1/trace/write/0123456789abcdef0123456789abcdef?${query}`;
  const { status, body } = await call(await catalogWith(shop), "POST", path, {
    [orders]: ["ownership", "status", "datasetProfile"],
  });
  expect([status, Object.keys(body[orders])]).toEqual([200, names]);
  expect(body[orders].ownership.success).toBe(false);
  if (names.length > 1)
    expect(body[orders].status).toEqual({
      success: true,
      primaryStorage: { writeStatus: "ACTIVE_STATE" },
      searchStorage: { writeStatus: "ACTIVE_STATE" },
    });
});

describe("the registry's entity types", () => {
  const path = "/openapi/v1/registry/models/entity/specifications";

  test("are answered page by page, with their keys and aspects", async () => {
    const catalog = await catalogWith();
    const names: string[] = [];
    let total = 1;
    while (names.length < total) {
      const { body } = await call(catalog, "GET", `${path}?start=${names.length}&count=20`);
      expect(body).toMatchObject({ start: names.length, count: body.elements.length });
      names.push(...body.elements.map(({ name }: { name: string }) => name));
      total = body.total;
    }
    expect(names).toEqual(names.toSorted());
    expect(names).toContain("dataset");
    const { body } = await call(catalog, "GET", `${path}?start=${names.indexOf("tag")}&count=1`);
    expect(body.elements).toMatchObject([{ name: "tag", keyAspectName: "tagKey" }]);
    expect(body.elements[0].aspectSpecs).toContainEqual({
      aspectAnnotation: { name: "tagProperties", timeseries: false },
    });
  });

  test.each([
    ["", 200, 5],
    ["?start=1000", 400, undefined],
    ["?count=x", 400, undefined],
  ])("%s is %i", async (query, status, count) => {
    const answer = await call(await catalogWith(), "GET", path + query);
    expect([answer.status, answer.body.count]).toEqual([status, count]);
  });
});

test.each([
  ["PUT", `${api}/tag`, 405],
  ["PUT", `${api}/tag/${pii}`, 405],
  ["PUT", `${api}/tag/${pii}/status`, 405],
  ["GET", "/openapi/v3/elsewhere", 404],
  ["GET", `${api}/tag/%ZZ`, 400],
])("%s %s is %i", async (method, path, status) => {
  expect((await call(await catalogWith(), method, path)).status).toBe(status);
});
