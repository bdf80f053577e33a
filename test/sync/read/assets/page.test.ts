import { expect, test } from "vitest";
import type { Reader } from "../../../../src/datahub/client.ts";
import { kindOf } from "../../../../src/kinds/index.ts";
import { isJsonObject } from "../../../../src/model/json.ts";
import type { Asset } from "../../../../src/model/rule.ts";
import type { Urn } from "../../../../src/model/urn.ts";
import { type Reading, readPage } from "../../../../src/sync/read/assets/page.ts";
import type { MadeAspect } from "../../../support/catalog.ts";
import { schemaWith } from "../../../support/schema.ts";
import { datasetNamed, urn } from "../../../support/states.ts";
import { askingCatalog } from "../asking.ts";

const [orders, clicks, old, older] = ["orders", "clicks", "old", "older"].map(datasetNamed) as [
  Urn,
  Urn,
  Urn,
  Urn,
];
const chart = urn("urn:li:chart:(looker,1)");

const edited = (...columns: readonly string[]): object => ({
  editableSchemaFieldInfo: columns.map((fieldPath) => ({ fieldPath, description: "edited" })),
});

const world: readonly MadeAspect[] = [
  [orders, "schemaMetadata", schemaWith("id", "email")],
  [orders, "editableSchemaMetadata", edited("email", "gone")],
  [clicks, "schemaMetadata", schemaWith("user")],
  [clicks, "editableSchemaMetadata", edited("user")],
  [old, "schemaMetadata", schemaWith("a")],
  [old, "editableSchemaMetadata", edited("b")],
  [old, "status", { removed: true }],
  [chart, "status", { removed: false }],
];

function readingOf(reader: Reader, more: Partial<Reading> = {}): Reading {
  const kind = kindOf("Dataset");
  return { reader, kind, containers: undefined, wantsColumns: () => true, options: {}, ...more };
}

const columnsOf = (assets: readonly Asset[]): unknown =>
  Object.fromEntries(assets.map(({ urn: of, columns }) => [of, columns?.map(({ path }) => path)]));

test.each([
  ["with the rest", true, ["ReadAssetFacts"]],
  ["by themselves", false, ["ReadAssetFacts", "ReadAssetColumns"]],
])("of assets whose columns are read %s, what is dormant is known", async (_, columnsWithFacts, queries) => {
  const { reader, asked } = await askingCatalog(world);
  const reading = readingOf(reader, { columnsWithFacts, withDormant: true });
  const { assets, dormant, dormantUnread, unreadable } = await readPage([orders, old, clicks], reading);
  expect(columnsOf(assets)).toEqual({ [orders]: ["id", "email"], [clicks]: ["user"] });
  expect(columnsOf(dormant)).toEqual({ [orders]: ["gone"], [old]: ["a", "b"] });
  expect(dormant[0]).toMatchObject({ name: "orders", columns: [{ path: "gone", name: "gone" }] });
  expect([dormantUnread, unreadable]).toEqual([[], new Map()]);
  expect(asked.map(([name]) => name)).toEqual(queries);
});

test.each<readonly [string, boolean, Reader["reads"]]>([
  ["with the rest", true, "graphql"],
  ["by themselves", false, "graphql"],
  ["as they are stored", true, "openapi"],
])(
  "what is away is not told unless it is asked for, where columns are read %s",
  async (_, together, reads) => {
    const { reader } = await askingCatalog(world);
    const reading = readingOf({ ...reader, reads }, { columnsWithFacts: together });
    const { assets, dormant, dormantUnread } = await readPage([orders, old], reading);
    expect(columnsOf(assets)).toEqual({ [orders]: ["id", "email"] });
    expect([dormant, dormantUnread]).toEqual([[], []]);
  },
);

test("a soft-deleted asset whose columns are not wanted is away without any", async () => {
  const { reader } = await askingCatalog(world);
  const reading = readingOf(reader, { withDormant: true, wantsColumns: () => false });
  const { dormant } = await readPage([orders, old], reading);
  expect(columnsOf(dormant)).toEqual({ [old]: [] });
});

test("soft-deleted assets that cannot be read are told apart from live ones", async () => {
  const failing = { ReadAssetColumns: [orders, old] };
  const { reader } = await askingCatalog([...world, [older, "status", { removed: true }]], failing);
  const reading = readingOf(reader, { withDormant: true });
  const { assets, dormant, dormantUnread, unreadable } = await readPage(
    [orders, clicks, old, older],
    reading,
  );
  expect([assets, dormant].map((list) => list.map((each) => each.urn))).toEqual([[clicks], [older]]);
  expect([...unreadable]).toEqual([[orders, "no"]]);
  expect(dormantUnread).toEqual([old]);
});

test("assets are in the order of the page, whichever answer comes first", async () => {
  const { reader } = await askingCatalog(world);
  let release = (): void => {};
  const other = new Promise<void>((resolve) => (release = resolve));
  const query: Reader["query"] = async (document, { urns = [] }) => {
    const answer = await reader.query(document, { urns });
    if ([urns].flat().includes(orders)) await other;
    else release();
    return answer;
  };
  const reading = readingOf({ ...reader, query }, { wantsColumns: () => false, options: { batch: 1 } });
  const { assets } = await readPage([orders, clicks], reading);
  expect(assets.map((each) => each.urn)).toEqual([orders, clicks]);
});

test("of assets of a kind without columns none are asked for", async () => {
  const { reader, asked } = await askingCatalog(world);
  const shares: number[] = [];
  const more = { columnsWithFacts: true, withDormant: true, onWanted: (share: number) => shares.push(share) };
  const reading = readingOf(reader, { kind: kindOf("Chart"), ...more });
  const { assets } = await readPage([chart], reading);
  expect(assets).toMatchObject([{ urn: chart, kind: "Chart" }]);
  expect(columnsOf(assets)).toEqual({ [chart]: undefined });
  expect([asked, shares]).toEqual([[["ReadAssetFacts", chart]], []]);
});

test("it is told of how many of the assets columns are wanted, where there are some", async () => {
  const { reader } = await askingCatalog(world);
  const shares: number[] = [];
  const onWanted = (share: number): unknown => shares.push(share);
  const wantsColumns = ({ urn: of }: Asset): boolean => of === orders;
  await readPage([orders, clicks], readingOf(reader, { wantsColumns, onWanted }));
  await readPage([datasetNamed("none")], readingOf(reader, { onWanted }));
  expect(shares).toEqual([0.5]);
});

test("columns that do not come with the rest are asked for by themselves", async () => {
  const { reader, asked } = await askingCatalog(world);
  const query: Reader["query"] = async (document, variables) => {
    const { data, errors } = await reader.query(document, variables);
    if (!document.includes("ReadAssetFacts")) return { data, errors };
    const entities = [data?.["entities"]].flat().map((entity) => {
      if (!isJsonObject(entity)) return null;
      const { columns: _columns, edited: _edited, ...facts } = entity;
      return facts;
    });
    return { data: { entities }, errors };
  };
  const { assets } = await readPage([orders], readingOf({ ...reader, query }, { columnsWithFacts: true }));
  expect(columnsOf(assets)).toEqual({ [orders]: ["id", "email"] });
  expect(asked.map(([name]) => name)).toEqual(["ReadAssetFacts", "ReadAssetColumns"]);
});
