import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/model/json.ts";
import type { KindName } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { kindOf } from "../../../src/kinds/index.ts";
import { snapshotSource } from "../../../src/sync/snapshot/snapshot-source.ts";
import type { SavedAnswer, Snapshot } from "../../../src/sync/snapshot/snapshot.ts";
import { snapshotReader } from "../../../src/sync/snapshot/snapshot-reader.ts";
import { urn } from "../../support/states.ts";

const [pii, gone, other] = [urn("urn:li:tag:pii"), urn("urn:li:tag:gone"), urn("urn:li:tag:other")];
const alice = urn("urn:li:corpuser:alice");

function snapshotOf(of: Partial<Snapshot>): Snapshot {
  const header = { formatVersion: "2", tool: "t", createdAt: "", target: "" } as const;
  return { ...header, definitions: [], entities: {}, ...of };
}

async function answerOf(of: Partial<Snapshot>, document: string, variables: JsonObject): Promise<unknown> {
  return await snapshotReader(snapshotOf(of)).query(document, variables);
}

const missing = "it is not in the snapshot";

test("entities are answered by the query that asked for them, those that are not in the snapshot with an error", async () => {
  const entities = {
    [pii]: { answers: { ReadNames: { entity: { urn: pii } }, ReadNamesOfAll: { entity: { urn: "no" } } } },
    [other]: { answers: { ReadExistence: { entity: { urn: other } } } },
  };
  const answer = await answerOf({ entities }, "query ReadNames($urns: [String!]!) { a }", {
    urns: [pii, other, gone],
  });
  expect(answer).toEqual({
    data: { entities: [{ urn: pii }, null, null] },
    errors: [
      { message: missing, path: ["entities", 1] },
      { message: missing, path: ["entities", 2] },
    ],
  });
});

test("an entity that is numbered as well is answered at both places, with its error at its number", async () => {
  const entities = {
    [pii]: { answers: { ReadExistence: { exists: true, entity: { urn: pii } } } },
    [gone]: { answers: { ReadExistence: { exists: false, error: "busy" } } },
  };
  const answer = await answerOf({ entities }, "query ReadExistence { a }", {
    u0: pii,
    u1: gone,
    urns: [pii, gone],
  });
  expect(answer).toEqual({
    data: { e0: true, e1: false, entities: [{ urn: pii }, null] },
    errors: [{ message: "busy", path: ["e1"] }],
  });
});

test("one entity is answered at the field of its query, page by page", async () => {
  const group = urn("urn:li:corpGroup:a");
  const entities = {
    [group]: {
      answers: { ReadMembers: { entity: { first: 1 } }, "ReadMembers 1": { entity: { second: 1 } } },
    },
  };
  const pageAt = (start: number): Promise<unknown> =>
    answerOf({ entities }, "query ReadMembers($urn: String!) { a }", { urn: group, start });
  expect(await pageAt(0)).toEqual({ data: { corpGroup: { first: 1 } }, errors: [] });
  expect(await pageAt(1)).toEqual({ data: { corpGroup: { second: 1 } }, errors: [] });
  expect(await pageAt(2)).toEqual({
    data: { corpGroup: null },
    errors: [{ message: missing, path: ["corpGroup"] }],
  });
});

const listed = { definitions: [{ type: "tag", urns: [pii, gone], softDeleted: [gone] }] };
const noRelationships = { total: 0, relationships: [] };

test("of a definition that was only listed a snapshot knows whether it exists", async () => {
  const variables = { u0: pii, u1: gone, u2: other, u3: alice, urns: [pii, gone, other, alice] };
  const known = { __typename: "Tag", relationships: noRelationships };
  expect(await answerOf(listed, "query ReadExistence { a }", variables)).toEqual({
    data: {
      e0: true,
      e1: true,
      e2: false,
      e3: null,
      entities: [
        { ...known, urn: pii, exists: true, aspects: [] },
        {
          ...known,
          urn: gone,
          exists: true,
          aspects: [{ aspectName: "status", payload: '{"removed":true}' }],
        },
        { ...known, urn: other, exists: false, aspects: [] },
        null,
      ],
    },
    errors: [{ message: missing, path: ["e3"] }],
  });
});

test("of a definition that was only listed a snapshot knows what is stored where it is soft-deleted", async () => {
  const wanted = [pii, gone, other].map((each) => ({ urn: each, aspects: ["status"] }));
  expect(await snapshotReader(snapshotOf(listed)).stored.read("tag", wanted)).toEqual(
    new Map([[gone, { status: { value: { removed: true } } }]]),
  );
});

test("a definition that is not listed is absent for each query, and of one that is listed nothing else is known", async () => {
  const answer = await answerOf(listed, "query ReadDefinitions { a }", { urns: [pii, other] });
  expect(answer).toEqual({
    data: {
      entities: [
        null,
        { urn: other, __typename: "Tag", exists: false, aspects: [], relationships: noRelationships },
      ],
    },
    errors: [{ message: missing, path: ["entities", 0] }],
  });
});

test("an absent definition of a type that has no name to be shown has no typename", async () => {
  const none = urn("urn:li:dataPlatform:none");
  const of = { definitions: [{ type: "dataPlatform", urns: [], softDeleted: [] }] };
  expect(await answerOf(of, "query ReadExistence { a }", { urns: [none] })).toMatchObject({
    data: { entities: [{ urn: none, __typename: null, exists: false }] },
    errors: [],
  });
});

const [byPlatform, byName] = [
  [{ field: "platform", values: ["a"] }],
  [{ field: "name", values: ["b"], negated: true }],
];

function scrolling(found: Snapshot["found"], input: JsonObject): Promise<unknown> {
  return answerOf(found ? { found } : {}, "query Discover { a }", { input });
}

function pageOf(total: number, urns: readonly string[], nextScrollId: string | null = null): object {
  const searchResults = urns.map((each) => ({ entity: { urn: each } }));
  return { data: { scrollAcrossEntities: { total, nextScrollId, searchResults } }, errors: [] };
}

test("what the index named is answered page by page, and the last page names no other", async () => {
  const found = [{ type: "TAG", anyOf: [], urns: [pii, gone, other] }];
  const pageFrom = (scrollId?: string): Promise<unknown> =>
    scrolling(found, { types: ["TAG"], count: 2, ...(scrollId !== undefined && { scrollId }) });
  expect(await pageFrom()).toEqual(pageOf(3, [pii, gone], "2"));
  expect(await pageFrom("2")).toEqual(pageOf(3, [other]));
  expect(await pageFrom("1")).toEqual(pageOf(3, [gone, other]));
  expect(await scrolling(found, { types: ["TAG"] })).toEqual(pageOf(3, [pii, gone, other]));
});

const notFound = { data: null, errors: [{ message: missing, path: ["scrollAcrossEntities"] }] };

test.each<readonly [string, Snapshot["found"], readonly (readonly JsonObject[])[], object]>([
  [
    "the same question",
    [
      { type: "TAG", anyOf: [], urns: [pii, gone] },
      { type: "TAG", anyOf: [byPlatform], urns: [pii] },
    ],
    [byPlatform],
    pageOf(1, [pii]),
  ],
  [
    "what nothing restricted, which has more",
    [
      { type: "TAG", anyOf: [byName], urns: [gone] },
      { type: "TAG", anyOf: [], urns: [pii] },
    ],
    [byPlatform],
    pageOf(1, [pii]),
  ],
  [
    "each list of another question",
    [
      { type: "TAG", anyOf: [byName, byPlatform], urns: [pii, gone] },
      { type: "TAG", anyOf: [byName], urns: [gone, other] },
    ],
    [byPlatform, byName],
    pageOf(2, [pii, gone]),
  ],
  ["one list that nothing answers", [{ type: "TAG", anyOf: [byName], urns: [] }], [byPlatform], notFound],
  [
    "two lists of which one is not answered",
    [{ type: "TAG", anyOf: [byName], urns: [gone] }],
    [byPlatform, byName],
    notFound,
  ],
  ["all, of which only some were asked for", [{ type: "TAG", anyOf: [byName], urns: [] }], [], notFound],
  ["entities of another type", [{ type: "DOMAIN", anyOf: [], urns: [pii] }], [], notFound],
  ["a snapshot in which nothing was found", undefined, [], notFound],
])("the index of a snapshot answers by %s", async (_, found, anyOf, expected) => {
  const orFilters = anyOf.map((and) => ({ and }));
  expect(await scrolling(found, { types: ["TAG"], orFilters })).toEqual(expected);
});

test("what the server answered of its settings is answered to the same document", async () => {
  const settings = { "query Flags { a }": { a: true }, "query None { a }": null };
  expect(await answerOf({ settings }, "query Flags { a }", {})).toEqual({ data: { a: true }, errors: [] });
  const none = { data: { entities: [] }, errors: [] };
  expect(await answerOf({ settings }, "query None { a }", {})).toEqual(none);
});

test("stored aspects are answered of the entities that have them", async () => {
  const stored = { globalTags: { value: {} } };
  const entities = { [pii]: { answers: {}, stored }, [gone]: { answers: {} } };
  const reader = snapshotReader(snapshotOf({ entities }));
  const wanted = [pii, gone, other, "no URN" as Urn].map((each) => ({ urn: each, aspects: ["globalTags"] }));
  expect(await reader.stored.read("tag", wanted)).toEqual(new Map([[pii, stored]]));
});

test("nothing is answered after a signal", async () => {
  const reader = snapshotReader(snapshotOf({}));
  const signal = AbortSignal.abort(new Error("stop"));
  await expect(reader.query("query A { a }", {}, signal)).rejects.toThrow("stop");
  await expect(reader.stored.read("tag", [], signal)).rejects.toThrow("stop");
});

const facts: Readonly<Record<string, SavedAnswer>> = { ReadAssetFacts: {}, ReadAssets: {} };

test("a snapshot lists the entities of which it has what a list shows, a thousand at once", async () => {
  const chart = (id: number): string => `urn:li:chart:(looker,${id})`;
  const charts = Array.from({ length: 1001 }, (_, id) => [chart(id), { answers: facts }] as const);
  const snapshot = snapshotOf({
    entities: {
      ...Object.fromEntries(charts),
      "urn:li:chart:(looker,named)": { answers: { ReadAssets: {} } },
      "no URN": { answers: facts },
      [pii]: { answers: { ReadDefinitions: {} } },
      [gone]: { answers: { ...facts, ReadExistence: {} } },
    },
  });
  const pagesOf = async (kind: KindName): Promise<readonly (readonly Urn[])[]> => {
    const all: (readonly Urn[])[] = [];
    for await (const page of snapshotSource(snapshot).pages(kindOf(kind))) all.push(page);
    return all;
  };
  expect((await pagesOf("Chart")).map(({ length }) => length)).toEqual([1000, 1]);
  expect(await pagesOf("Tag")).toEqual([[pii]]);
  expect(await pagesOf("Dashboard")).toEqual([]);
});
