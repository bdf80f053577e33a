import { expect, onTestFinished, test } from "vitest";
import { createReader } from "../../../src/datahub/client.ts";
import { type ConnectionOptions, connectionTo } from "../../../src/datahub/connection.ts";
import { facetsOf } from "../../../src/facets/index.ts";
import { readLive } from "../../../src/sync/read/live-state.ts";
import type { ReportingOptions } from "../../../src/sync/read/read-batches.ts";
import type { Live } from "../../../src/model/live.ts";
import { type FacetValue, setOf } from "../../../src/model/state.ts";
import { meetingOf } from "../../support/meeting.ts";
import { datasetNamed, entityOf, stateOf, urn as urnOf } from "../../support/states.ts";
import { startStub, type StubRequest } from "../../support/stub-server.ts";

const names = ["a", "b", "c", "d"];

function entity(urn: unknown): Record<string, unknown> {
  const tags = { tags: [{ tag: { urn: "urn:li:tag:pii" } }] };
  return { urn, __typename: "Dataset", exists: true, status: null, aspects: [], ownership: null, tags };
}

async function read(
  answer: (urns: readonly string[], request: StubRequest) => unknown,
  { concurrency, ...options }: ReportingOptions & ConnectionOptions = {},
): Promise<Live> {
  const server = await startStub((request) =>
    answer(request.variables["urns"] as readonly string[], request),
  );
  onTestFinished(() => server.close());
  const facets = { owners: setOf([]), tags: setOf([]) };
  const wanted = stateOf(...names.map((name) => entityOf("Dataset", datasetNamed(name), facets)));
  return readLive(createReader(connectionTo(server.url, { concurrency, retryDelay: 1 })), wanted, options);
}

function shortNames(map: ReadonlyMap<string, unknown>): readonly string[] {
  return [...map.keys()].map((urn) => urn.split(",")[1] ?? "").toSorted();
}

test("what was found is live state, whatever the order of the answer", async () => {
  const live = await read((urns) => ({ data: { entities: urns.map(entity).toReversed() } }));
  expect(shortNames(live.state)).toEqual(names);
  expect(live.state.get(datasetNamed("a"))?.facets.get("tags")).toEqual({
    shape: "set",
    members: ["urn:li:tag:pii"],
  });
});

test.each<readonly [string, object, readonly string[]]>([
  ["comes with the assets", { data: { beside: [{ urn: "urn:li:schemaField:(x,y)" }] } }, ["ReadAssets"]],
  [
    "fails beside them",
    { data: { beside: null }, errors: [{ message: "no", path: ["beside"] }] },
    ["ReadAssets", "ReadColumnEntities"],
  ],
  [
    "has the assets fail",
    { data: null, errors: [{ message: "no" }] },
    ["ReadAssets", "ReadAssets", "ReadColumnEntities"],
  ],
])("where the read of columns' entities %s, the assets are known", async (_, answer, expected) => {
  const asked: string[] = [];
  const server = await startStub(({ query, variables }) => {
    asked.push(/query (\w+)/.exec(query)?.[1] ?? "");
    const schemaMetadata = { fields: [{ fieldPath: "email", tags: null }] };
    const entities = (variables["urns"] as readonly string[]).map((urn) => ({
      ...entity(urn),
      schemaMetadata,
    }));
    const { data, ...rest } = "beside" in variables ? (answer as { data: object | null }) : { data: {} };
    return { data: data && { entities, ...data }, ...rest };
  });
  onTestFinished(() => server.close());
  const tagged: Readonly<Record<string, FacetValue>> = {
    "columns.tags": { shape: "map", entries: new Map([["email", setOf([])]]) },
  };
  const fields = new Set(["SchemaFieldEntity.tags"]);

  const { state } = await readLive(
    createReader(connectionTo(server.url)),
    stateOf(entityOf("Dataset", datasetNamed("a"), tagged)),
    { fields },
  );

  expect([[...state.keys()], asked]).toEqual([[datasetNamed("a")], expected]);
});

test("entities of very many columns are asked for by themselves, some at a time", async () => {
  const asked: string[] = [];
  const columns = Array.from({ length: 501 }, (_, index) => `c${index}`);
  const server = await startStub(({ query, variables }) => {
    const urns = variables["urns"] as readonly string[];
    asked.push(`${/query (\w+)/.exec(query)?.[1]} ${urns.length} ${"beside" in variables}`);
    const schemaMetadata = { fields: columns.map((fieldPath) => ({ fieldPath, tags: null })) };
    return { data: { entities: urns.map((urn) => ({ ...entity(urn), schemaMetadata })) } };
  });
  onTestFinished(() => server.close());
  const entries = new Map(columns.map((column) => [column, setOf([])]));

  await readLive(
    createReader(connectionTo(server.url)),
    stateOf(entityOf("Dataset", datasetNamed("a"), { "columns.tags": { shape: "map", entries } })),
    { fields: new Set(["SchemaFieldEntity.tags"]) },
  );

  expect(asked).toEqual(["ReadAssets 1 false", "ReadColumnEntities 500 false", "ReadColumnEntities 1 false"]);
});

test("only the facets that are declared of some asset are asked for, and no other is known", async () => {
  const queries: string[] = [];
  const server = await startStub(({ query, variables }) => {
    queries.push(query);
    return { data: { entities: (variables["urns"] as readonly string[]).map(entity) } };
  });
  onTestFinished(() => server.close());
  const [a, b] = [datasetNamed("a"), datasetNamed("b")];
  const wanted = stateOf(entityOf("Dataset", a, {}), entityOf("Dataset", b, { tags: setOf([]) }));
  const { state } = await readLive(createReader(connectionTo(server.url)), wanted);

  expect(queries).toEqual([expect.stringMatching(/tags \{ tags \{ tag/)]);
  expect(queries.join("")).not.toMatch(/ownership|schemaMetadata/);
  // What is read from raw aspects comes in any case, unless that costs the server too much.
  const raw = facetsOf("Dataset").filter(
    (facet) => !facet.readWhenDeclared && facet.aspects("Dataset").length > 0,
  );
  expect(raw.map(({ name }) => name)).toContain("domain");
  expect(new Set(state.get(a)?.facets.keys())).toEqual(new Set([...raw.map(({ name }) => name), "tags"]));
});

test("an object for a URN that was never written is an absence, a removed one is soft-deleted", async () => {
  const live = await read((urns) => ({
    data: {
      entities: urns.map((urn, index) => {
        if (index === 1) return { ...entity(urn), exists: false };
        return index === 2 ? { ...entity(urn), status: { removed: true } } : entity(urn);
      }),
    },
  }));
  expect([...live.missing]).toEqual([
    [datasetNamed("b"), "absent"],
    [datasetNamed("c"), "soft-deleted"],
  ]);
  expect(shortNames(live.state)).toEqual(["a", "d"]);
});

test.each([
  ["null", null],
  ["restricted", { urn: datasetNamed("b"), __typename: "Restricted" }],
  ["silent about its existence", { ...entity(datasetNamed("b")), exists: null }],
  ["without its raw aspects", { ...entity(datasetNamed("b")), aspects: null }],
])("an entity that is %s is unreadable, never absent", async (_, answered) => {
  const live = await read((urns) => ({
    data: { entities: urns.map((urn) => (urn === datasetNamed("b") ? answered : entity(urn))) },
  }));
  expect(shortNames(live.unreadable)).toEqual(["b"]);
  expect(live.missing.size).toBe(0);
  expect(shortNames(live.state)).toEqual(["a", "c", "d"]);
});

const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;

test.each<readonly [string, unknown, string]>([
  ["no JSON", { aspectName: "tagProperties", payload: "{" }, "aspect tagProperties is not valid JSON"],
  ["no object", { aspectName: "tagProperties", payload: "[]" }, "aspect tagProperties is not a JSON object"],
  ["missing", { aspectName: "tagProperties", payload: null }, "aspect tagProperties has no payload"],
  [
    "nested absurdly deep",
    { aspectName: "tagProperties", payload: deep },
    "its JSON is nested deeper than 200",
  ],
  ["of an aspect without a name", { payload: "{}" }, "an aspect has no name"],
])("an entity with a payload that is %s is unreadable, and the others are read", async (_, aspect, why) => {
  const [good, bad] = ["good", "bad"].map((id) => entityOf("Tag", urnOf(`urn:li:tag:${id}`), {}));
  if (!good || !bad) throw new Error("two tags");
  const server = await startStub(() => ({
    data: {
      e0: true,
      e1: true,
      entities: [
        { urn: good.urn, __typename: "Tag", aspects: [], ownership: null },
        { urn: bad.urn, __typename: "Tag", aspects: [aspect], ownership: null },
      ],
    },
  }));
  onTestFinished(() => server.close());
  const live = await readLive(createReader(connectionTo(server.url)), stateOf(good, bad));
  expect([...live.state.keys()]).toEqual([good.urn]);
  expect([...live.unreadable.keys()]).toEqual([bad.urn]);
  expect(live.unreadable.get(bad.urn)).toContain(why);
});

test.each<readonly [string, object]>([
  ["an owner that is null", { ownership: { owners: [{ owner: null, type: "NONE" }] } }],
  ["an owner of a type that was not asked for", { ownership: { owners: [{ owner: {}, type: "NONE" }] } }],
  ["a null among its owners", { ownership: { owners: [null] } }],
  ["owners that are no list", { ownership: { owners: {} } }],
  [
    "an ownership type without a URN",
    { ownership: { owners: [{ owner: { urn: "urn:li:corpuser:a" }, ownershipType: {} }] } },
  ],
  ["a tag that is null", { tags: { tags: [{ tag: null }] } }],
  ...[{ domains: {} }, { domains: [null] }, { domainAssociations: [{}] }, { domainAssociations: [null] }].map(
    (domains): readonly [string, object] => [
      `the domains ${JSON.stringify(domains)}`,
      { aspects: [{ aspectName: "domains", payload: JSON.stringify(domains) }] },
    ],
  ),
])("an entity with %s is unreadable, and the others are read", async (_, answered) => {
  const live = await read((urns) => ({
    data: {
      entities: urns.map((each) => ({ ...entity(each), ...(each === datasetNamed("b") && answered) })),
    },
  }));
  expect(shortNames(live.unreadable)).toEqual(["b"]);
  expect(live.unreadable.get(datasetNamed("b"))).toContain("the server returned a malformed response");
  expect(shortNames(live.state)).toEqual(["a", "c", "d"]);
});

test("an error of one entity fails that one, in the server's words", async () => {
  const live = await read((urns) => ({
    data: { entities: urns.map((urn, index) => (index === 3 ? null : entity(urn))) },
    errors: [{ message: "Unauthorized to view d", path: ["entities", 3] }],
  }));
  expect([...live.unreadable]).toEqual([[datasetNamed("d"), "Unauthorized to view d"]]);
});

test("a batch that fails as a whole is halved until the culprit is known", async () => {
  let requests = 0;
  const live = await read((urns) => {
    requests += 1;
    if (urns.some((urn) => urn.includes(",c,")))
      return { data: { entities: null }, errors: [{ message: "bad fabric" }] };
    return { data: { entities: urns.map(entity) } };
  });
  expect([...live.unreadable]).toEqual([[datasetNamed("c"), "bad fabric"]]);
  expect(shortNames(live.state)).toEqual(["a", "b", "d"]);
  expect(requests).toBe(5);
});

test("a server that cannot be asked is an error, and nothing is read", async () => {
  await expect(read(() => "not an object")).rejects.toThrow(/did not respond like a DataHub/);
});

test("no more requests are under way at once than allowed", async () => {
  let underWay = 0;
  let most = 0;
  const both = meetingOf(2);
  await read(
    async (urns) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await both();
      // A third one would come now.
      await new Promise((resume) => setTimeout(resume, 5));
      underWay -= 1;
      return { data: { entities: urns.map(entity) } };
    },
    { batch: 1, concurrency: 2 },
  );
  expect(most).toBe(2);
});

test("progress ends at the total", async () => {
  const seen: string[] = [];
  await read((urns) => ({ data: { entities: urns.map(entity) } }), {
    batch: 3,
    onProgress: (done, total) => seen.push(`${done}/${total}`),
  });
  expect(seen.at(-1)).toBe("4/4");
});

test.each<readonly [string, (of: object) => readonly object[]]>([
  ["twice and differently", (of) => [of, { ...of, tags: null }]],
  ["as an entity of another type", (of) => [{ ...of, __typename: "Tag" }]],
  ["with a status that says nothing", (of) => [{ ...of, status: { removed: "no" } }]],
  [
    "with the same aspect twice",
    (of) => [{ ...of, aspects: [1, 2].map((n) => domainsAspect(`urn:li:domain:${n}`)) }],
  ],
  [
    "with an aspect that has no proper name",
    (of) => [{ ...of, aspects: [{ aspectName: "\n", payload: "{}" }] }],
  ],
])("an entity that is answered %s is unreadable, and the others are read", async (_, spoil) => {
  const live = await read((urns) => ({
    data: { entities: urns.flatMap((of, index) => (index === 1 ? spoil(entity(of)) : [entity(of)])) },
  }));
  expect(shortNames(live.unreadable)).toEqual(["b"]);
  expect(shortNames(live.state)).toEqual(["a", "c", "d"]);
});

test("an entity that is answered twice and alike is read", async () => {
  const live = await read((urns) => ({ data: { entities: [...urns, ...urns].map(entity) } }));
  expect(shortNames(live.state)).toEqual(names);
});

test("an error at a place that was not asked for is not lost", async () => {
  const live = await read((urns) => ({
    data: { entities: urns.map(entity) },
    errors: [{ message: "no", path: ["entities", 99] }],
  }));
  expect(shortNames(live.unreadable)).toEqual(names);
});

function domainsAspect(...urns: readonly string[]): object {
  return { aspectName: "domains", payload: JSON.stringify({ domains: urns }) };
}
