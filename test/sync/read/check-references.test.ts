import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createReader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import { checkReferences } from "../../../src/sync/read/check-references.ts";
import type { DeclaredReference } from "../../../src/model/reference.ts";
import { type Entity, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  type MadeAspect,
  metadataFile,
  startTestCatalog,
  temporaryDirectory,
} from "../../support/catalog.ts";
import { schemaWith } from "../../support/schema.ts";
import { runCli } from "../../support/command-line.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";
import { startStub, type StubRequest } from "../../support/stub-server.ts";

const names = Array.from({ length: 20 }, (_, index) => `d${index}`);

function manifestOf(name: string, lists: string): string {
  return `kind: Dataset\nplatform: snowflake\nname: ${name}\n${lists}`;
}

function world(): readonly MadeAspect[] {
  return [
    ["urn:li:domain:finance", "domainProperties", { name: "Finance" }],
    ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
    ["urn:li:corpuser:alice", "corpUserInfo", { active: true }],
    ...names.map((name): MadeAspect => [datasetNamed(name), "schemaMetadata", schemaWith("email")]),
  ];
}

async function requestsOfPlan(lists: string): Promise<readonly string[]> {
  const catalog = await startTestCatalog();
  const cwd = temporaryDirectory();
  await catalog.load(metadataFile(cwd, world()));
  mkdirSync(join(cwd, "catalog"));
  for (const name of names) writeFileSync(join(cwd, "catalog", `${name}.yaml`), manifestOf(name, lists));
  const ran = await runCli(["plan", "--server", catalog.url], { cwd });
  expect(ran.stdout).toMatch(/Plan: 0 to create, 20 to update/);
  return catalog.requests.map(({ path, body }) => {
    const query = String((body as { query?: string } | undefined)?.query);
    return /^query (\w+)/.exec(query)?.[1] ?? path;
  });
}

const columns = "columns:\n  email: { tags: [pii] }\n";

test("a plan of twenty datasets with columns, owners and references takes three requests, with the columns' entities, and one for the names", async () => {
  const lists = `domain: finance\ntags: [pii]\nowners: [{ user: alice }]\n${columns}`;
  expect(await requestsOfPlan(lists)).toEqual(["/config", "ReadExistence", "ReadAssets", "ReadNames"]);
});

test("without columns nothing is probed for, and the number is the same", async () => {
  expect(await requestsOfPlan("domain: finance\n")).toEqual([
    "/config",
    "ReadExistence",
    "ReadAssets",
    "ReadNames",
  ]);
});

const fieldEntityTags = "SchemaFieldEntity.tags";
const withColumns: Entity = entityOf("Dataset", datasetNamed("a"), {
  "columns.tags": { shape: "map", entries: new Map([["email", setOf([])]]) },
});

function references(...urns: readonly Urn[]): readonly DeclaredReference[] {
  const origin = { file: "catalog/a.yaml", line: 1, column: 1 };
  return urns.map((to) => ({ urn: to, entityType: "tag", from: withColumns.urn, facet: "tags", origin }));
}

/** Answers as a DataHub in which every tag exists. */
function healthy({ query, variables }: StubRequest): { data: Record<string, unknown> } {
  const found = Object.entries(variables).flatMap(([name]) =>
    name.startsWith("u") && name !== "urns" ? [[`e${name.slice(1)}`, true] as const] : [],
  );
  const urns = (variables["urns"] ?? []) as readonly string[];
  return {
    data: {
      ...Object.fromEntries(found),
      entities: urns.map((each) => ({ urn: each, aspects: [] })),
      ...(query.includes("__type") && { __type: { fields: [{ name: "urn" }, { name: "tags" }] } }),
    },
  };
}

interface Read extends Awaited<ReturnType<typeof checkReferences>> {
  readonly requests: readonly StubRequest[];
}

async function read(
  urns: readonly Urn[],
  answer: (request: StubRequest) => unknown = healthy,
  entities: readonly Entity[] = [withColumns],
): Promise<Read> {
  const requests: StubRequest[] = [];
  const server = await startStub((request) => {
    requests.push(request);
    return answer(request);
  });
  onTestFinished(() => server.close());
  const reader = createReader(connectionTo(server.url));
  const state = stateOf(...entities);
  const desired = { state, wanted: state, references: references(...urns) };
  return { ...(await checkReferences(reader, desired)), requests };
}

const pii = urn("urn:li:tag:pii");
const gold = urn("urn:li:tag:gold");

test("one request tells of references, each once, and of fields", async () => {
  const { fields, existence, requests } = await read([pii, gold, pii]);
  expect(requests).toHaveLength(1);
  expect([...existence.keys()]).toEqual([pii, gold]);
  expect(existence.get(pii)).toEqual({ status: "present" });
  expect([fields.has(fieldEntityTags), fields.has("SchemaFieldEntity.other")]).toEqual([true, false]);
});

test("what the manifests define themselves is not looked up, and then the probe goes alone", async () => {
  const { fields, existence, requests } = await read([pii], healthy, [withColumns, entityOf("Tag", pii, {})]);
  expect(requests.map(({ query }) => query.split(" ")[1])).toEqual(["ProbeType"]);
  expect(existence.size).toBe(0);
  expect(fields.has(fieldEntityTags)).toBe(true);
});

test("where nothing is to be known nothing is asked", async () => {
  expect((await read([], healthy, [entityOf("Dataset", datasetNamed("a"), {})])).requests).toEqual([]);
});

test("a server without introspection is asked for references alone, and for no optional field", async () => {
  const { fields, existence, requests } = await read([pii], (request) =>
    request.query.includes("__type")
      ? { errors: [{ message: "Field '__type' in type 'Query' is undefined" }] }
      : healthy(request),
  );
  expect(requests).toHaveLength(3);
  expect(existence.get(pii)).toEqual({ status: "present" });
  expect(fields).toEqual(new Set());
});

test("a reference that fails its whole request hides neither the others nor the fields", async () => {
  const { fields, existence } = await read([pii, gold], (request) =>
    Object.values(request.variables).includes(gold)
      ? { data: null, errors: [{ message: "no such urn" }] }
      : healthy(request),
  );
  expect(existence.get(pii)).toEqual({ status: "present" });
  expect(existence.get(gold)).toEqual({ status: "unreadable", error: "no such urn" });
  expect(fields.has(fieldEntityTags)).toBe(true);
});

test("a thousand references take four requests", async () => {
  const many = Array.from({ length: 1000 }, (_, index) => urn(`urn:li:tag:t${index}`));
  const { existence, requests } = await read(many);
  expect(requests).toHaveLength(4);
  expect(requests.filter(({ query }) => query.includes("__type"))).toHaveLength(1);
  expect(many.every((each) => existence.get(each)?.status === "present")).toBe(true);
});

test("a signal that is aborted ends it before anything is asked", async () => {
  const reader = createReader(connectionTo("http://127.0.0.1:1"));
  const state = stateOf(withColumns);
  const desired = { state, wanted: state, references: references(pii) };
  const signal = AbortSignal.abort(new Error("interrupted"));
  await expect(checkReferences(reader, desired, { signal })).rejects.toThrow("interrupted");
});
