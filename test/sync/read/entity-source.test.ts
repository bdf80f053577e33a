import { expect, test } from "vitest";
import { createReader, type Reader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import { kindOf } from "../../../src/kinds/index.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { ListFilter } from "../../../src/model/listing.ts";
import type { KindName } from "../../../src/model/state.ts";
import { plannedEntities } from "../../../src/plan/listing/planned.ts";
import { serverSource } from "../../../src/sync/read/entity-source.ts";
import { where } from "../../support/assets.ts";
import { metadataFile, startTestCatalog, temporaryDirectory } from "../../support/catalog.ts";
import { datasetNamed } from "../../support/states.ts";

const names = ["a", "b", "c"];

interface Asking {
  readonly reader: Reader;
  /** What the index was asked for, without how much of it. */
  readonly asked: JsonObject[];
}

async function askingCatalog(): Promise<Asking> {
  const catalog = await startTestCatalog();
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      ...names.map((name) => [datasetNamed(name), "status", { removed: false }] as const),
      ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
      ["urn:li:container:x", "containerProperties", { name: "x" }],
    ]),
  );
  const reader = createReader(connectionTo(catalog.url));
  const asked: JsonObject[] = [];
  const query: Reader["query"] = async (document, variables, signal) => {
    const { types, orFilters } = (variables["input"] ?? {}) as JsonObject;
    if (types !== undefined) asked.push({ types, ...(orFilters !== undefined && { orFilters }) });
    return await reader.query(document, variables, signal);
  };
  return { reader: { ...reader, query }, asked };
}

function filterOf(more: Partial<ListFilter>): ListFilter {
  return { kinds: ["Dataset"], conditions: [], values: new Map(), missing: [], ...more };
}

const within = (...texts: readonly string[]): ListFilter["values"] =>
  new Map([["domain", new Map([["domain", texts]])]]);
const field = (name: string, ...values: readonly string[]): JsonObject => ({ field: name, values });
const domains = (...ids: readonly string[]): JsonObject =>
  field("domains", ...ids.map((id) => `urn:li:domain:${id}`));
const snowflake = field("platform", "urn:li:dataPlatform:snowflake");

/** The filters that the index was asked by for the entities of a kind. */
async function askedBy(more: Partial<ListFilter>, kind: KindName = "Dataset"): Promise<unknown> {
  const { reader, asked } = await askingCatalog();
  const { pages } = await serverSource(reader, filterOf({ kinds: [kind], ...more }), {});
  for await (const _ of pages(kindOf(kind))) continue;
  const all = asked.map(({ orFilters = [] }) =>
    (orFilters as unknown as readonly { and: readonly JsonObject[] }[]).map(({ and }) =>
      and.map(({ field: name, values }) => ({ field: name, values })),
    ),
  );
  return all.at(-1);
}

test.each<readonly [string, Partial<ListFilter>, readonly (readonly JsonObject[])[]]>([
  ["nothing where nothing restricts them", {}, []],
  ["what assets are", { conditions: [where("platform", "snowflake")] }, [[snowflake]]],
  ["a value", { values: within("sales", "Old") }, [[domains("Old", "sales")]]],
  [
    "both",
    { conditions: [where("platform", "snowflake")], values: within("sales") },
    [[snowflake, domains("sales")]],
  ],
  ["no value that is a pattern", { values: within("sales", "s*") }, []],
  ["no value that is no id", { values: within("") }, []],
  ["no value by another option", { values: new Map([["owners", new Map([["ownerType", ["x"]]])]]) }, []],
])("assets are found in the index by %s", async (_, more, expected) => {
  const found = (await askedBy(more)) as readonly (readonly JsonObject[])[];
  const own = found.map((list) => list.filter(({ field: name }) => name !== "removed"));
  expect(own.filter((list) => list.length > 0)).toEqual(expected);
});

test("definitions are found in the index by their kind alone", async () => {
  expect(await askedBy({ conditions: [where("name", "pii")] }, "Tag")).toEqual(await askedBy({}, "Tag"));
  expect(await askedBy({ values: within("sales") }, "DataProduct")).toEqual(await askedBy({}, "DataProduct"));
});

test("the index is not asked by values where entities are listed as a plan makes them", async () => {
  const { reader, asked } = await askingCatalog();
  const planned = plannedEntities({ changes: [] } as never);
  const filter = filterOf({ values: within("sales") });
  for await (const _ of (await serverSource(reader, filter, { planned })).pages(kindOf("Dataset"))) continue;
  expect(JSON.stringify(asked)).not.toContain("urn:li:domain:sales");
});

test("entities are counted before they are read, and the progress tells how many were read", async () => {
  const { reader } = await askingCatalog();
  const progress: (readonly [number, number])[] = [];
  const onProgress = (done: number, total: number): void => void progress.push([done, total]);
  const filter = filterOf({ kinds: ["Dataset", "Container"] });
  const { pages } = await serverSource(reader, filter, { onProgress });
  const read: string[] = [];
  for (const kind of ["Container", "Dataset"] as const)
    for await (const urns of pages(kindOf(kind))) read.push(...urns);
  expect(read).toEqual(["urn:li:container:x", ...names.map(datasetNamed)]);
  expect(progress).toEqual([
    [1, 4],
    [4, 4],
  ]);
});

test("the first pages of all kinds are asked for together, and of no kind twice", async () => {
  const { reader, asked } = await askingCatalog();
  const { pages } = await serverSource(reader, filterOf({ kinds: ["Dataset", "Container"] }), {});
  for await (const _ of pages(kindOf("Container"))) continue;
  expect(asked.map(({ types }) => types)).toEqual([["DATASET"], ["CONTAINER"]]);
  for await (const _ of pages(kindOf("Dataset"))) continue;
  expect(asked).toHaveLength(2);
  const again: string[] = [];
  for await (const urns of pages(kindOf("Dataset"))) again.push(...urns);
  expect(again).toEqual(names.map(datasetNamed));
});
