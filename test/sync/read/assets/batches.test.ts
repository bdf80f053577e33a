import { expect, test } from "vitest";
import type { Reader } from "../../../../src/datahub/client.ts";
import { kindOf } from "../../../../src/kinds/index.ts";
import { isJsonObject } from "../../../../src/model/json.ts";
import type { Asset } from "../../../../src/model/rule.ts";
import type { Urn } from "../../../../src/model/urn.ts";
import { type AssetQuestion, inContainer } from "../../../../src/sync/read/assets/index-filters.ts";
import type { AssetBatch } from "../../../../src/sync/read/assets/page.ts";
import { type AssetOptions, readAssets, readAssetsAt } from "../../../../src/sync/read/assets.ts";
import { columnTagged, ruleOf, where } from "../../../support/assets.ts";
import type { MadeAspect } from "../../../support/catalog.ts";
import { ruleFor, withColumns } from "../../../support/rules.ts";
import { schemaWith } from "../../../support/schema.ts";
import { datasetNamed, urn } from "../../../support/states.ts";
import { askingCatalog } from "../asking.ts";

const names = ["t0", "t1", "t2", "t3", "t4"].map(datasetNamed);
const [first = datasetNamed("t0")] = names;
const finance = urn("urn:li:container:finance");
const tables = names.map((of): MadeAspect => [of, "schemaMetadata", schemaWith("id")]);

async function batches(
  reader: Reader,
  questions: readonly AssetQuestion[],
  options?: AssetOptions,
): Promise<readonly AssetBatch[]> {
  const all: AssetBatch[] = [];
  for await (const batch of readAssets(reader, questions, options)) all.push(batch);
  return all;
}

/** A reader whose index names two entities a page, of one in all. */
function inPairs(reader: Reader): Reader {
  const query: Reader["query"] = async (document, { input, ...variables }, signal) => {
    if (!isJsonObject(input)) return await reader.query(document, variables, signal);
    const { data, errors } = await reader.query(document, { input: { ...input, count: 2 } }, signal);
    const page = data?.["scrollAcrossEntities"];
    return { data: { scrollAcrossEntities: { ...(isJsonObject(page) && page), total: 1 } }, errors };
  };
  return { ...reader, query };
}

test("progress is told of each batch, and never beyond the total", async () => {
  const { reader } = await askingCatalog(tables);
  const seen: (readonly number[])[] = [];
  const onProgress = (read: number, total: number): unknown => seen.push([read, total]);
  await batches(reader, [ruleFor("Dataset")], { onProgress });
  await batches(inPairs(reader), [ruleFor("Dataset")], { onProgress });
  expect(seen).toEqual([
    [5, 5],
    [2, 2],
    [4, 4],
    [5, 5],
  ]);
});

test.each<readonly [string, readonly Urn[], number]>([
  ["most of the assets before", names, 2],
  ["half of the assets before", [0, 2, 4].flatMap((index) => names[index] ?? []), 3],
])("where columns were wanted of %s, the next ones are asked for accordingly", async (_, wanted, apart) => {
  const { reader, asked } = await askingCatalog(tables);
  const question = withColumns(ruleFor("Dataset", { name: "*" }));
  const holds = (_each: AssetQuestion, { urn: of }: Asset): boolean => wanted.includes(of);
  const found = (await batches(inPairs(reader), [question], { holds })).flatMap(({ assets }) => assets);
  expect(found.filter(({ columns }) => columns).map((each) => each.urn)).toEqual(wanted);
  expect(asked.filter(([query]) => query === "ReadAssetColumns")).toHaveLength(apart);
});

const ofAll = ruleOf("all", { columns: [columnTagged("*")] });
const kafka = where("platform", "kafka");

test.each<readonly [string, readonly AssetQuestion[], boolean]>([
  ["asks for all", [ofAll], true],
  ["beside another asks for all", [{ ...ofAll, conditions: [where("name", "t*")] }, ofAll], true],
  ["has a condition", [{ ...ofAll, conditions: [where("name", "t*")] }], false],
  ["has an exclusion", [{ ...ofAll, exclusions: [[kafka]] }], false],
  [
    "has as many conditions as exclusions",
    [{ ...ofAll, conditions: [where("name", "t*")], exclusions: [[kafka]] }],
    false,
  ],
  ["asks for no columns", [{ ...ofAll, columns: [] }], false],
])("columns come with the rest where a question %s: %o", async (_, questions, together) => {
  const { reader, asked } = await askingCatalog([[first, "schemaMetadata", schemaWith("id")]]);
  const hasColumns = questions.some(({ columns }) => columns.length > 0);
  const [batch] = await batches(reader, questions);
  expect(batch?.assets.map(({ columns }) => columns !== undefined)).toEqual([hasColumns]);
  const apart = asked.some(([query]) => query === "ReadAssetColumns");
  expect(hasColumns && !apart).toBe(together);
});

const inFinance = where("container", "finance*");

test.each<readonly [string, readonly AssetQuestion[], readonly Urn[]]>([
  ["a condition names them", [ruleOf("a", { conditions: [where("name", "*"), inFinance] })], [finance]],
  ["an exclusion names them", [ruleOf("a", { exclusions: [[kafka], [kafka, inFinance]] })], [finance]],
  ["being in any is asked for", [ruleOf("a", { conditions: [inContainer] })], [finance]],
  ["one of two questions names them", [ruleOf("a"), ruleOf("b", { conditions: [inFinance] })], [finance]],
  ["nothing names them", [ruleOf("a", { conditions: [where("name", "*")], exclusions: [[kafka]] })], []],
])("containers are read where %s", async (_, questions, expected) => {
  const { reader, asked } = await askingCatalog([[first, "container", { container: finance }]]);
  const [batch] = await batches(reader, questions);
  expect(batch?.assets.map(({ containers }) => containers)).toEqual([expected]);
  expect(asked.filter(([query]) => query === "ReadParentContainers")).toHaveLength(expected.length);
});

test("what is away is only told where it is asked for", async () => {
  const { reader } = await askingCatalog([[first, "status", { removed: true }]]);
  const dormant = async (withDormant?: boolean): Promise<readonly Urn[]> => {
    const all = await batches(reader, [ruleFor("Dataset")], withDormant === undefined ? {} : { withDormant });
    return all.flatMap((batch) => batch.dormant.map((each) => each.urn));
  };
  expect([await dormant(), await dormant(false), await dormant(true)]).toEqual([[], [], [first]]);
});

test("assets are read by their URNs, whatever the index knows, without those that are absent or soft-deleted", async () => {
  const [second = first, third = first] = names.slice(1);
  const { reader, asked } = await askingCatalog([
    [first, "container", { container: finance }],
    [second, "status", { removed: true }],
  ]);
  const at = { kind: kindOf("Dataset"), urns: [first, second, third] };
  const { assets, unreadable } = await readAssetsAt(reader, at, [
    ruleOf("a"),
    ruleOf("b", { conditions: [inFinance] }),
  ]);
  expect(assets.map(({ urn: of, containers }) => [of, containers])).toEqual([[first, [finance]]]);
  expect(unreadable).toEqual(new Map());
  expect(asked).toEqual([
    ["ReadAssetFacts", first, second, third],
    ["ReadParentContainers", finance],
  ]);
  expect((await readAssetsAt(reader, at, [ruleOf("a")])).assets[0]?.containers).toEqual([]);
});
