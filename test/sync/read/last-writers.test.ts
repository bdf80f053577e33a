import { expect, onTestFinished, test } from "vitest";
import { createReader } from "../../../src/datahub/client.ts";
import { type ConnectionOptions, connectionTo } from "../../../src/datahub/connection.ts";
import { readLastWriters } from "../../../src/sync/read/last-writers.ts";
import type { Change, FacetChange } from "../../../src/model/change.ts";
import type { UnmanagedValue } from "../../../src/model/plan.ts";
import type { KindName, Member, Scalar } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  type MadeAspect,
  metadataFile,
  startTestCatalog,
  temporaryDirectory,
} from "../../support/catalog.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { startStub, type StubServer } from "../../support/stub-server.ts";

const orders = datasetNamed("orders");
const finance = urn("urn:li:domain:finance");
const pii = "urn:li:tag:pii";
const alice = "urn:li:corpuser:alice";
const steward = "urn:li:ownershipType:__system__data_steward";
const attribution = { time: Date.UTC(2025, 0, 31), actor: alice, sourceDetail: {} };
const byAlice = { actor: alice, time: "2025-01-31T00:00:00.000Z" };

function change(facet: string, more: object, of: Urn = orders, kind: KindName = "Dataset"): FacetChange {
  const shape = "add" in more ? "set" : "scalar";
  return { action: "update", shape, kind, urn: of, facet, fingerprint: "", ...more } as FacetChange;
}

const taken: readonly (readonly [FacetChange, Member | Scalar])[] = [
  [change("tags", { add: [], remove: [pii] }), pii],
  [change("columns.tags", { path: ["email"], add: [], remove: [pii] }), pii],
  [change("owners", { add: [], remove: [{ owner: alice, type: steward }] }), { owner: alice, type: steward }],
  [change("domain", { before: finance, after: null }), finance],
  [change("name", { before: "Finance", after: "Money" }, finance, "Domain"), "Finance"],
];

function world(more: object): readonly MadeAspect[] {
  const globalTags = { tags: [{ tag: "urn:li:tag:other" }, { tag: pii, ...more }] };
  const stamp = { time: 0, actor: alice };
  return [
    [orders, "globalTags", globalTags],
    [
      orders,
      "editableSchemaMetadata",
      {
        created: stamp,
        lastModified: stamp,
        editableSchemaFieldInfo: [{ fieldPath: "id" }, { fieldPath: "email", globalTags }],
      },
    ],
    [
      orders,
      "ownership",
      {
        owners: [
          { owner: alice, type: "DATAOWNER" },
          { owner: alice, type: "DATA_STEWARD", ...more },
        ],
        lastModified: stamp,
      },
    ],
    [orders, "domains", { domains: [finance], domainAssociations: [{ domain: finance, ...more }] }],
    [finance, "domainProperties", { name: "Finance" }],
  ];
}

function read(
  url: string,
  changes: readonly Change[] = taken.map(([each]) => each),
  { concurrency, ...options }: Parameters<typeof readLastWriters>[2] & ConnectionOptions = {},
): ReturnType<typeof readLastWriters> {
  const reader = createReader(connectionTo(url, { concurrency }));
  return readLastWriters(reader, { changes, unmanaged: [] }, options);
}

const ofAspect = { actor: "urn:li:corpuser:datahub", time: expect.any(String), lastWriterOfAspect: true };

test("a value's own attribution tells who put it there, and where there is none the stamp of its aspect", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), world({ attribution })));
  const own = await read(catalog.url);
  expect(taken.map(([each, value]) => own(each, value))).toEqual([
    byAlice,
    byAlice,
    byAlice,
    byAlice,
    ofAspect,
  ]);
  await catalog.load(metadataFile(temporaryDirectory(), world({})));
  const last = await read(catalog.url);
  expect(taken.map(([each, value]) => last(each, value))).toEqual(taken.map(() => ofAspect));
});

test("it takes one request for each kind, and asks for the aspects concerned only", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), world({})));
  const before = catalog.requests.length;
  await read(catalog.url);
  expect(catalog.requests.slice(before).map(({ method, path, body }) => ({ method, path, body }))).toEqual([
    {
      method: "POST",
      path: "/openapi/v3/entity/dataset/batchGet?systemMetadata=true",
      body: [{ urn: orders, globalTags: {}, editableSchemaMetadata: {}, ownership: {}, domains: {} }],
    },
    {
      method: "POST",
      path: "/openapi/v3/entity/domain/batchGet?systemMetadata=true",
      body: [{ urn: finance, domainProperties: {} }],
    },
  ]);
});

const kept = (of: Urn, reason: UnmanagedValue["reason"] = "other-writer"): UnmanagedValue => {
  return { kind: "Dataset", urn: of, facet: "tags", value: pii, reason };
};

test("of what others put there it is asked for the first 500 entities, and of what else is not managed not at all", async () => {
  let asked: readonly string[][] = [];
  const { url } = await stub(({ text }) => {
    const urns = (JSON.parse(text) as readonly { readonly urn: string }[]).map((each) => each.urn);
    asked = [...asked, urns];
    return urns.map((each) => ({ urn: each, globalTags: stampOf(attribution.time) }));
  });
  const others = Array.from({ length: 502 }, (_, index) => datasetNamed(`d${index}`));
  const unmanaged: readonly UnmanagedValue[] = [
    ...(["ingested", "external", "no-longer-declared"] as const).map((reason) => kept(orders, reason)),
    ...others.flatMap((of) => [kept(of), { ...kept(of), value: "urn:li:tag:x" }]),
  ];
  const reader = createReader(connectionTo(url));
  const last = await readLastWriters(reader, { changes: [], unmanaged });
  expect(asked.map((urns) => urns.length)).toEqual([100, 100, 100, 100, 100]);
  expect(unmanaged.filter((each) => last(each, each.value).actor === alice)).toHaveLength(1000);
});

test("an entity that loses values and keeps others is asked for once", async () => {
  let requests = 0;
  const { url } = await stub(() => {
    requests += 1;
    return [{ urn: orders, globalTags: stampOf(attribution.time) }];
  });
  const reader = createReader(connectionTo(url));
  await readLastWriters(reader, { changes: [tags], unmanaged: [kept(orders)] });
  expect(requests).toBe(1);
});

async function stub(answer: Parameters<typeof startStub>[0]): Promise<StubServer> {
  const server = await startStub(answer);
  onTestFinished(() => server.close());
  return server;
}

const tags = change("tags", { add: [], remove: [pii] });

async function toldOf(globalTags: unknown): Promise<object> {
  const { url } = await stub(() => [{ urn: orders, globalTags }]);
  return (await read(url, [tags]))(tags, pii);
}

const stampOf = (time: unknown, actor: unknown = alice): object => ({
  value: {},
  auditStamp: { time, actor },
});

test.each<readonly [string, unknown]>([
  ["time 0", stampOf(0)],
  ["a system write at time 0", stampOf(0, "urn:li:corpuser:__datahub_system")],
  ["the default actor", stampOf(1, "urn:li:corpuser:unknown")],
  ["an actor that is no URN", stampOf(1, "alice")],
  ["no actor", stampOf(1, null)],
  ["a time that is no number", stampOf("1")],
  ["a time that no calendar knows", stampOf(1e300)],
  ["no stamp", { value: {}, systemMetadata: { lastObserved: 1 } }],
  ["no aspect", null],
  ["odd parts", { value: [], auditStamp: [] }],
  ["odd tags", { value: { tags: [null, "x", { tag: pii, attribution: [] }] } }],
])("an answer with %s says nothing", async (_, aspect) => {
  expect(await toldOf(aspect)).toEqual({});
});

test("an attribution that says nothing gives way to the stamp of the aspect", async () => {
  const value = { tags: [{ tag: pii, attribution: { time: 0, actor: alice } }] };
  expect(await toldOf({ ...stampOf(attribution.time), value })).toEqual({
    ...byAlice,
    lastWriterOfAspect: true,
  });
});

test("of several sources of one tag the newest counts", async () => {
  const older = { time: 1, actor: "urn:li:corpuser:bob" };
  const value = { tags: [older, attribution, older].map((each) => ({ tag: pii, attribution: each })) };
  expect(await toldOf({ value })).toEqual(byAlice);
});

test.each([
  ["does not know the request", 404],
  ["refuses it", 403],
  ["fails", 500],
])("a server that %s leaves nothing known, and is no error", async (_, status) => {
  const { url } = await stub((_request, response) => {
    response.statusCode = status;
    return { error: "no" };
  });
  expect((await read(url))(tags, pii)).toEqual({});
});

test.each([
  ["no list", {}],
  ["text", "x"],
])("an answer that is %s leaves nothing known", async (_, answer) => {
  const { url } = await stub(() => answer);
  expect((await read(url))(tags, pii)).toEqual({});
});

test("a server that cannot be reached leaves nothing known", async () => {
  expect((await read("http://127.0.0.1:1"))(tags, pii)).toEqual({});
});

test("a server that does not know the request is not asked again", async () => {
  let requests = 0;
  const { url } = await stub((_request, response) => {
    requests += 1;
    response.statusCode = 404;
    return {};
  });
  await read(
    url,
    taken.map(([each]) => each),
    { concurrency: 1 },
  );
  expect(requests).toBe(1);
});

test("a refused batch hides nothing of the others", async () => {
  const others = [datasetNamed("a"), orders].map((of) => change("tags", { add: [], remove: [pii] }, of));
  const { url } = await stub(({ text }, response) => {
    if (text.includes(orders)) return [{ urn: orders, globalTags: stampOf(attribution.time) }];
    response.statusCode = 403;
    return {};
  });
  const last = await read(url, others, { batch: 1 });
  expect(others.map((each) => last(each, pii))).toEqual([{}, { ...byAlice, lastWriterOfAspect: true }]);
});

test("a signal that is aborted ends it, before a request or after the last", async () => {
  const reason = new Error("interrupted");
  const before = read("http://127.0.0.1:1", [tags], { signal: AbortSignal.abort(reason) });
  await expect(before).rejects.toThrow("interrupted");
  const controller = new AbortController();
  const { url } = await stub(() => {
    controller.abort(reason);
    return [];
  });
  await expect(read(url, [tags], { signal: controller.signal })).rejects.toThrow("interrupted");
});
