import { expect, onTestFinished, test } from "vitest";
import { deletableIn, readReferring } from "../../../src/sync/read/outgoing-references.ts";
import { createReader, type Reader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Deletable } from "../../../src/model/live.ts";
import type { KindName } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  type MadeAspect,
  metadataFile,
  startTestCatalog,
  temporaryDirectory,
} from "../../support/catalog.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { startStub, type StubRequest } from "../../support/stub-server.ts";

const pii = urn("urn:li:tag:pii");
const finance = urn("urn:li:domain:finance");
const alice = urn("urn:li:corpuser:alice");
const bob = urn("urn:li:corpuser:bob");
const stewards = urn("urn:li:corpGroup:stewards");
const [a, b] = [datasetNamed("a"), datasetNamed("b")];

const tagged = { tags: [{ tag: pii }] };
const owned = (...owners: readonly Urn[]): object => ({
  owners: owners.map((owner) => ({ owner, type: "NONE" })),
  lastModified: { time: 0, actor: alice },
});

function schema(...columns: readonly string[]): object {
  const fields = columns.map((fieldPath) => ({
    fieldPath,
    type: { type: { "com.linkedin.schema.StringType": {} } },
    nativeDataType: "text",
    globalTags: tagged,
  }));
  return { schemaName: "s", platform: "urn:li:dataPlatform:snowflake", version: 0, hash: "", fields };
}

function edited(...columns: readonly string[]): object {
  return { editableSchemaFieldInfo: columns.map((fieldPath) => ({ fieldPath, globalTags: tagged })) };
}

const world: readonly MadeAspect[] = [
  [pii, "tagProperties", { name: "PII" }],
  [a, "globalTags", tagged],
  [b, "globalTags", tagged],
  [a, "schemaMetadata", schema("id", "email")],
  [a, "editableSchemaMetadata", edited("id", "email")],
  [b, "editableSchemaMetadata", edited("id")],
  [`urn:li:schemaField:(${a},id)`, "globalTags", tagged],
  [finance, "domainProperties", { name: "Finance" }],
  ["urn:li:domain:ledger", "domainProperties", { name: "Ledger", parentDomain: finance }],
  [a, "domains", { domains: [finance] }],
  [b, "domains", { domains: [finance] }],
  ["urn:li:container:c", "domains", { domains: [finance] }],
  [a, "ownership", owned(alice, stewards)],
  [pii, "ownership", owned(alice)],
  [alice, "corpUserInfo", { active: true }],
  [bob, "corpUserInfo", { active: true, managerUrn: alice }],
  [alice, "nativeGroupMembership", { nativeGroups: [stewards] }],
  [bob, "groupMembership", { groups: [stewards] }],
  [bob, "nativeGroupMembership", { nativeGroups: [stewards] }],
];

const every: readonly { readonly urn: Urn; readonly kind: KindName }[] = [
  { urn: pii, kind: "Tag" },
  { urn: urn("urn:li:tag:unused"), kind: "Tag" },
  { urn: finance, kind: "Domain" },
  { urn: alice, kind: "User" },
  { urn: bob, kind: "User" },
  { urn: stewards, kind: "Group" },
  { urn: a, kind: "Dataset" },
];

function readerOf(url: string): Reader {
  return createReader(connectionTo(url));
}

/** What was read of each, or why it was not. */
async function deletableAt(url: string, some = every): Promise<ReadonlyMap<Urn, Deletable | string>> {
  const answers = await readReferring(readerOf(url), some);
  const kindOf = new Map(some.map(({ urn: of, kind }) => [of, kind]));
  return new Map(
    [...answers].map(([of, answer]) => [
      of,
      typeof answer === "string" ? answer : deletableIn(answer, kindOf.get(of) ?? ""),
    ]),
  );
}

function countsIn(found: ReadonlyMap<Urn, Deletable | string>): readonly (readonly [Urn, unknown])[] {
  return [...found].map(([of, each]) => [of, typeof each === "string" ? each : each.assignments]);
}

test("what refers to an entity is read once for each place of each kind, in one request", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), world));
  const before = catalog.requests.length;
  const found = await deletableAt(catalog.url);
  expect(countsIn(found)).toEqual([
    // Two datasets and a column's own entity; the columns of one by ingestion, those of two as edited.
    [pii, 6],
    ["urn:li:tag:unused", 0],
    // Two datasets and a container. The domain below is no assignment.
    [finance, 3],
    // Owner of two, manager of one.
    [alice, 3],
    [bob, 0],
    // Owner of one; three memberships of two users.
    [stewards, 4],
  ]);
  expect(found.get(finance)).toMatchObject({
    aspects: { domainProperties: { name: "Finance" } },
    referring: expect.arrayContaining([{ type: "IsPartOf", urn: "urn:li:domain:ledger" }]),
  });
  expect(found.get(bob)).toMatchObject({
    aspects: { groupMembership: { groups: [stewards] }, nativeGroupMembership: { nativeGroups: [stewards] } },
  });
  expect(catalog.requests.length - before).toBe(1);
});

const tags = every.filter(({ kind }) => kind === "Tag");

async function stubbed(
  answer: (request: StubRequest) => unknown,
  some = tags,
): Promise<ReadonlyMap<Urn, Deletable | string>> {
  const server = await startStub(answer);
  onTestFinished(() => server.close());
  return deletableAt(server.url, some);
}

const none = { total: 0, relationships: [] };
const edge = (of: string, type = "TaggedWith"): JsonObject => ({ type, entity: { urn: of } });

test.each<readonly [string, unknown, string]>([
  ["an error", { urn: pii, relationships: null }, "no"],
  [
    "no relationships",
    { urn: pii, aspects: [] },
    "the server's response does not contain the entities that refer to it",
  ],
  [
    "no total",
    { urn: pii, aspects: [], relationships: { ...none, total: null } },
    "the server's response does not contain the entities that refer to it",
  ],
  [
    "a negative total",
    { urn: pii, aspects: [], relationships: { ...none, total: -1 } },
    "the server's response does not contain the entities that refer to it",
  ],
  ["no aspects", { urn: pii, relationships: none }, "the server's response does not contain this entity"],
  ["no entity", null, "the server's response does not contain this entity"],
])("an entity with %s could not be read, and the others could", async (what, entity, reason) => {
  const other = { urn: "urn:li:tag:unused", aspects: [], relationships: { ...none, total: 0 } };
  const errors = what === "an error" ? [{ message: "no", path: ["entities", 0, "relationships"] }] : [];
  const found = await stubbed(() => ({ data: { entities: [entity, other] }, errors }));
  expect(countsIn(found)).toEqual([
    [pii, reason],
    ["urn:li:tag:unused", 0],
  ]);
});

test("what refers to an entity is read page by page, also where the server answers fewer than it was asked for", async () => {
  const all = Array.from({ length: 1203 }, (_, index) => edge(datasetNamed(`d${index}`)));
  const asked: unknown[] = [];
  const found = await stubbed(({ variables }) => {
    const { urns, start } = variables as { urns: readonly string[]; start: number };
    asked.push([urns.length, start]);
    const relationships = (of: string): object =>
      of === pii ? { total: all.length, relationships: all.slice(start, start + 400) } : none;
    return {
      data: { entities: urns.map((of) => ({ urn: of, aspects: [], relationships: relationships(of) })) },
    };
  });
  expect(asked).toEqual([
    [2, 0],
    [1, 400],
    [1, 800],
    [1, 1200],
  ]);
  expect(found.get(pii)).toMatchObject({
    assignments: 1203,
    referring: expect.objectContaining({ length: 1203 }),
  });
});

test("of more than the index counts only what is below is read, by itself", async () => {
  const below = Array.from({ length: 501 }, (_, index) => edge(`urn:li:domain:d${index}`, "IsPartOf"));
  const asked: string[] = [];
  const found = await stubbed(
    ({ query, variables }) => {
      const { start, count } = variables as { start: number; count: number };
      const name = /query (\w+)/.exec(query)?.[1] ?? "";
      asked.push(`${name} ${start}`);
      const relationships =
        name === "ReadBelow"
          ? { total: below.length, relationships: below.slice(start, start + count) }
          : { total: 10_000, relationships: [edge(a, "AssociatedWith")] };
      return { data: { entities: [{ urn: finance, aspects: [], relationships }] } };
    },
    every.filter(({ kind }) => kind === "Domain"),
  );
  expect(asked).toEqual(["ReadReferring 0", "ReadBelow 0", "ReadBelow 500"]);
  const deletable = found.get(finance);
  if (typeof deletable !== "object") throw new Error(`not read: ${deletable}`);
  expect(deletable.assignments).toBeUndefined();
  expect(deletable.referring).toEqual(
    below.map((_, index) => ({ type: "IsPartOf", urn: `urn:li:domain:d${index}` })),
  );
});

test("a server that cannot be asked is an error", async () => {
  await expect(readReferring(readerOf("http://127.0.0.1:1"), every)).rejects.toThrow("127.0.0.1:1");
});

test("a signal that is aborted ends the reading", async () => {
  const signal = AbortSignal.abort(new Error("interrupted"));
  await expect(readReferring(readerOf("http://127.0.0.1:1"), every, { signal })).rejects.toThrow(
    "interrupted",
  );
});
