import { expect, test } from "vitest";
import { createWriter } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import type { Change } from "../../../src/model/change.ts";
import { aspectKey, type Operation } from "../../../src/model/operation.ts";
import { readCurrent } from "../../../src/sync/write/current-state.ts";
import type { Run } from "../../../src/sync/write/run-state.ts";
import {
  metadataFile,
  startTestCatalog,
  temporaryDirectory,
  type TestCatalog,
} from "../../support/catalog.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { runOf } from "./run.ts";

const [orders, gone] = [datasetNamed("orders"), datasetNamed("gone")];
const [pii, none] = [urn("urn:li:tag:pii"), urn("urn:li:tag:none")];

interface World {
  readonly catalog: TestCatalog;
  readonly run: Run;
}

async function worldWith(more: Partial<Run> = {}): Promise<World> {
  const catalog = await startTestCatalog();
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      [orders, "globalTags", { tags: [{ tag: pii }] }],
      [orders, "domains", { domains: [] }],
      [pii, "tagProperties", { name: "pii" }],
    ]),
  );
  return { catalog, run: runOf({ writer: createWriter(connectionTo(catalog.url)), ...more }) };
}

const tagging = (of: typeof orders): Change => ({
  action: "update",
  kind: "Dataset",
  urn: of,
  fingerprint: "",
  shape: "set",
  facet: "tags",
  add: [pii],
  remove: [],
});

function proposing(of: typeof orders, aspect: string): Operation {
  const request = { type: "proposal", urn: of, aspect, initial: {}, set: {} } as const;
  return { id: aspect, request, locks: [of], after: [], changes: [tagging(of)] };
}

const mutating: Operation = {
  ...proposing(orders, "x"),
  request: { type: "mutation", field: "x", args: [] },
};

test("the aspects of proposals are read with their versions, and of an entity that is not there there are none", async () => {
  const { run } = await worldWith();
  const operations = [
    proposing(orders, "globalTags"),
    proposing(orders, "domains"),
    proposing(gone, "domains"),
  ];
  const { stored, live } = await readCurrent(run, [...operations, ...operations]);
  expect(new Set(stored.keys())).toEqual(
    new Set([aspectKey(orders, "globalTags"), aspectKey(orders, "domains"), aspectKey(gone, "domains")]),
  );
  expect(stored.get(aspectKey(orders, "globalTags"))).toMatchObject({ value: { tags: [{ tag: pii }] } });
  expect(stored.get(aspectKey(gone, "domains"))?.value).toBeUndefined();
  expect([...live.missing.keys()]).toEqual([gone]);
});

test("mutations need no aspects", async () => {
  const { run, catalog } = await worldWith();
  const { stored } = await readCurrent(run, [mutating]);
  expect(stored.size).toBe(0);
  expect(catalog.requests.filter(({ path }) => path.includes("entity"))).toEqual([]);
});

test("what was perhaps created and is there now is created", async () => {
  const maybeCreated = new Set([pii, none]);
  const { run } = await worldWith({ maybeCreated, created: new Set([orders]) });
  const about = (of: typeof pii): Operation => ({
    ...mutating,
    changes: [{ action: "create", shape: "entity", kind: "Tag", urn: of, fingerprint: "" }],
  });
  const { created } = await readCurrent(run, [about(pii), about(none)]);
  expect(created).toEqual(new Set([orders, pii]));
  expect(run.created).toEqual(created);
});
