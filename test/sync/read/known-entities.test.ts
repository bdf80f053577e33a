import { expect, test } from "vitest";
import type { Reader } from "../../../src/datahub/client.ts";
import { kinds } from "../../../src/kinds/index.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { findAssetsLike, findByName } from "../../../src/sync/read/find-by-name.ts";
import { readKnownEntities } from "../../../src/sync/read/known-entities.ts";
import type { MadeAspect } from "../../support/catalog.ts";
import { datasetNamed } from "../../support/states.ts";
import { askingCatalog } from "./asking.ts";

const stamp = { time: 0, actor: "urn:li:corpuser:a" };
const ownershipType = (id: string, name: string): MadeAspect => [
  `urn:li:ownershipType:${id}`,
  "ownershipTypeInfo",
  { name, created: stamp, lastModified: stamp },
];
const chart = "urn:li:chart:(looker,Sales)";
const world: readonly MadeAspect[] = [
  ["urn:li:tag:pii", "tagProperties", { name: "Sales" }],
  ["urn:li:tag:gone", "tagProperties", { name: "gone" }],
  ["urn:li:tag:gone", "status", { removed: true }],
  ["urn:li:domain:Sales", "domainProperties", { name: "Shops" }],
  ["urn:li:corpuser:alice", "corpUserInfo", { active: true }],
  ownershipType("architect", "Architect"),
  ownershipType("__system__technical_owner", "Technical Owner"),
  [datasetNamed("Sales"), "status", { removed: false }],
  [datasetNamed("sales_of_day"), "status", { removed: false }],
  [chart, "status", { removed: false }],
];

test("the definitions of a catalog are known with their names, but not removed ones and what DataHub has itself", async () => {
  const { reader } = await askingCatalog(world);
  const known = await readKnownEntities(reader, {});
  expect(Object.fromEntries([...known].filter(([urn]) => !urn.includes("datahub")))).toEqual({
    "urn:li:tag:pii": "Sales",
    "urn:li:domain:Sales": "Shops",
    "urn:li:corpuser:alice": undefined,
    "urn:li:ownershipType:architect": "Architect",
  });
});

test("a text finds what has it as id, and what has it as name", async () => {
  const { reader } = await askingCatalog(world);
  expect((await findByName(reader, "Sales")).toSorted()).toEqual([
    chart,
    datasetNamed("Sales"),
    "urn:li:domain:Sales",
    "urn:li:tag:pii",
  ]);
  expect(await findByName(reader, "nothing")).toEqual([]);
});

test("definitions with a text as id are looked for by their URNs, and assets only by search", async () => {
  const { reader, asked } = await askingCatalog([]);
  await findByName(reader, "x");
  const [, ...urns] = asked.find(([name]) => name === "ReadExistence") ?? [];
  expect(urns).toEqual(
    expect.arrayContaining(["urn:li:tag:x", "urn:li:glossaryTerm:x", "urn:li:corpuser:x"]),
  );
  expect(asked.flat().filter((text) => text.startsWith("urn:li:dataset"))).toEqual([]);
});

test("what cannot be read may have the text as id", async () => {
  const { reader } = await askingCatalog([], { ReadExistence: ["urn:li:tag:x" as never] });
  expect(await findByName(reader, "x")).toEqual(["urn:li:tag:x"]);
});

test("assets are found by a part of their URN, as it is written or in lower case", async () => {
  const { reader } = await askingCatalog(world);
  const found = async (text: string): Promise<readonly string[]> =>
    (await findAssetsLike(reader, text)).toSorted();
  expect(await found("Sales")).toEqual([chart, datasetNamed("Sales"), datasetNamed("sales_of_day")]);
  expect(await found("SALES_OF")).toEqual([datasetNamed("sales_of_day")]);
  expect(await found("pii")).toEqual([]);
});

test("each kind of assets is searched by a text as it is written and in lower case, each once", async () => {
  const inputs: JsonObject[] = [];
  const query: Reader["query"] = async (_, variables) => {
    inputs.push(...(Object.values(variables) as JsonObject[]));
    return await Promise.resolve({ data: {}, errors: [] });
  };
  const reader = { concurrency: 1, query } as unknown as Reader;
  const containing = (...texts: readonly string[]): object =>
    texts.map((text) => ({ and: [{ field: "urn", condition: "CONTAIN", values: [text] }] }));
  await findAssetsLike(reader, "Sales");
  const types = kinds.flatMap(({ asset, searchType }) => (asset ? [searchType] : []));
  expect(inputs.map((input) => [input["types"], input["orFilters"]])).toEqual(
    types.map((type) => [[type], containing("Sales", "sales")]),
  );
  inputs.length = 0;
  await findAssetsLike(reader, "sales");
  expect(inputs[0]?.["orFilters"]).toEqual(containing("sales"));
});
