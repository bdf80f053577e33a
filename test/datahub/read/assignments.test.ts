import { expect, onTestFinished, test } from "vitest";
import { readAssignments } from "../../../src/datahub/read/assignments.ts";
import { createReader, type Reader } from "../../../src/datahub/client/client.ts";
import { connectionTo } from "../../../src/datahub/client/connection.ts";
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

test("what points at an entity is counted once for each place of each kind, in one request", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), world));
  const before = catalog.requests.length;
  const assignments = await readAssignments(readerOf(catalog.url), every);
  expect([...assignments]).toEqual([
    // Two datasets and a column's own entity; the columns of one by ingestion, those of two as edited.
    [pii, 6],
    ["urn:li:tag:unused", 0],
    // Two datasets, a container, a domain below.
    [finance, 4],
    // Owner of two, manager of one.
    [alice, 3],
    [bob, 0],
    // Owner of one; three memberships of two users.
    [stewards, 4],
  ]);
  expect(catalog.requests.length - before).toBe(1);
});

async function stubbed(answer: (request: StubRequest) => unknown): Promise<ReadonlyMap<Urn, number>> {
  const server = await startStub(answer);
  onTestFinished(() => server.close());
  return readAssignments(
    readerOf(server.url),
    every.filter(({ kind }) => kind === "Tag"),
  );
}

test.each<readonly [string, unknown]>([
  ["an error", { entities: [{ urn: pii, relationships: null }] }],
  ["no total", { entities: [{ urn: pii, relationships: { total: null } }] }],
  ["a negative total", { entities: [{ urn: pii, relationships: { total: -1 } }] }],
  ["a total where the index stops counting", { entities: [{ urn: pii, relationships: { total: 10_000 } }] }],
  ["no entity", { entities: [null] }],
])("an entity with %s is left out, the others are counted", async (what, data) => {
  const other = { urn: "urn:li:tag:unused", relationships: { total: 7 } };
  const { entities } = data as { entities: readonly unknown[] };
  const errors = what === "an error" ? [{ message: "no", path: ["entities", 0, "relationships"] }] : [];
  const assignments = await stubbed(() => ({ data: { entities: [...entities, other] }, errors }));
  expect([...assignments]).toEqual([["urn:li:tag:unused", 7]]);
});

test("a server that cannot be asked leaves nothing known, and is no error", async () => {
  expect((await stubbed(() => "no GraphQL")).size).toBe(0);
  expect((await readAssignments(readerOf("http://127.0.0.1:1"), every)).size).toBe(0);
});

test("a signal that is aborted ends the reading", async () => {
  const signal = AbortSignal.abort(new Error("interrupted"));
  await expect(readAssignments(readerOf("http://127.0.0.1:1"), every, { signal })).rejects.toThrow(
    "interrupted",
  );
});
