import { expect, test } from "vitest";
import type { Existence } from "../../../src/model/reference.ts";
import { type FacetValue, type Leaf, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  facetsInColumns,
  facetsToReadInColumns,
  readAllFacets,
  readDefinitions,
} from "../../../src/sync/read/definitions.ts";
import { columnTagged } from "../../support/assets.ts";
import type { MadeAspect } from "../../support/catalog.ts";
import { schemaWith } from "../../support/schema.ts";
import { datasetNamed, entityOf, urn } from "../../support/states.ts";
import { askingCatalog } from "./asking.ts";

const [days, tier, gone] = ["days", "tier", "gone"].map((id) => urn(`urn:li:structuredProperty:${id}`)) as [
  Urn,
  Urn,
  Urn,
];
const [orders, clicks] = ["orders", "clicks"].map(datasetNamed) as [Urn, Urn];
const inColumns = "columns.structured_properties";

const property = (of: Urn, entityTypes: readonly string[], more: object = {}): MadeAspect => [
  of,
  "propertyDefinition",
  {
    qualifiedName: of.split(":").at(-1),
    valueType: "urn:li:dataType:datahub.string",
    entityTypes: entityTypes.map((type) => `urn:li:entityType:datahub.${type}`),
    ...more,
  },
];
const multiple = { cardinality: "MULTIPLE" };
const values = (...of: readonly (readonly [Urn, string])[]): object => ({
  properties: of.map(([propertyUrn, string]) => ({ propertyUrn, values: [{ string }] })),
});
const map = (...entries: readonly (readonly [string, FacetValue | Leaf])[]): FacetValue => ({
  shape: "map",
  entries: new Map(entries),
});

test("of what is referred to and there, only what says what values must be is read", async () => {
  const { reader, asked } = await askingCatalog([property(days, []), property(tier, [])]);
  const existence = new Map<Urn, Existence>([
    [days, { status: "present" }],
    [tier, { status: "absent" }],
    [urn("urn:li:tag:pii"), { status: "present" }],
  ]);
  const found = await readDefinitions(reader, existence, {});
  expect([...found.keys()]).toEqual([days]);
  expect(asked).toEqual([["ReadDefinitions", days]]);
});

test("where nothing is referred to that says what values must be, nothing is asked for", async () => {
  const { reader, asked } = await askingCatalog([]);
  expect(await readDefinitions(reader, new Map(), {})).toEqual(new Map());
  expect(asked).toEqual([]);
});

test.each<readonly [string, readonly MadeAspect[], readonly string[]]>([
  ["has none", [], []],
  ["only allows datasets to have any", [property(days, ["dataset"])], []],
  [
    "allows columns to have some",
    [property(days, ["dataset"]), property(tier, ["schemaField"])],
    [inColumns],
  ],
  ["allows all to have some", [property(days, [])], [inColumns]],
])("values of columns are looked for where a catalog %s", async (_, world, expected) => {
  const { reader } = await askingCatalog(world);
  expect(await facetsInColumns(reader, () => true, {})).toEqual(expected);
});

test("values of columns are looked for where a definition cannot be read", async () => {
  const world = [property(days, ["dataset"]), property(tier, ["dataset"])];
  const { reader } = await askingCatalog(world, { ReadDefinitions: [tier] });
  expect(await facetsInColumns(reader, () => true, {})).toEqual([inColumns]);
});

test("definitions are only read for facets that are wanted", async () => {
  const { reader, asked } = await askingCatalog([property(days, [])]);
  const offered: object[] = [];
  const isWanted = (facet: object): boolean => offered.push(facet) < 0;
  expect(await facetsInColumns(reader, isWanted, {})).toEqual([]);
  expect(offered).toMatchObject([{ name: inColumns, kinds: ["Dataset"] }]);
  expect(asked).toEqual([]);
});

const declaring = entityOf("Dataset", orders, { [inColumns]: map(["id", map()]), tags: setOf([]) });
const rule = {
  columns: [{ ...columnTagged("*"), facets: new Map([[inColumns, map([days, scalarOf("1")])]]) }],
};

test.each([
  ["an entity", { entities: [undefined, declaring], rules: [] }],
  ["a rule", { entities: [], rules: [{ columns: [columnTagged("*", "pii")] }, rule] }],
])("values of columns that %s declares are read whatever definitions say", async (_, declared) => {
  const { reader, asked } = await askingCatalog([]);
  expect(await facetsToReadInColumns(reader, declared, {})).toEqual([inColumns]);
  expect(asked).toEqual([]);
});

test("values of columns that nothing declares are read where a definition allows them and can be listed", async () => {
  const { reader } = await askingCatalog([property(days, ["schemaField"])]);
  const declared = { entities: [entityOf("Dataset", clicks, { tags: setOf([]) })], rules: [] };
  expect(await facetsToReadInColumns(reader, declared, {})).toEqual([inColumns]);
  expect(await facetsToReadInColumns(undefined, declared, {})).toEqual([]);
});

test("the values of properties are read in the shape that their definitions say", async () => {
  const email = `urn:li:schemaField:(${orders},email)`;
  const { reader, asked } = await askingCatalog([
    property(days, []),
    property(tier, [], multiple),
    [orders, "schemaMetadata", schemaWith("id", "email")],
    [orders, "structuredProperties", values([days, "1"], [tier, "gold"], [gone, "x"])],
    [email, "structuredProperties", values([days, "2"], [tier, "blue"])],
    [clicks, "structuredProperties", values([gone, "y"])],
  ]);
  const { state } = await readAllFacets(reader, [orders, clicks], [inColumns], {});
  const facet = (of: Urn, name: string): unknown => state.get(of)?.facets.get(name);
  expect(facet(orders, "structured_properties")).toEqual(
    map([days, scalarOf("1")], [tier, setOf(["gold"])], [gone, setOf(["x"])]),
  );
  expect(facet(orders, inColumns)).toEqual(
    map(["id", map()], ["email", map([days, scalarOf("2")], [tier, setOf(["blue"])])]),
  );
  expect(facet(clicks, "structured_properties")).toEqual(map([gone, setOf(["y"])]));
  expect(asked.find(([name]) => name === "ReadDefinitions")).toEqual(["ReadDefinitions", days, tier, gone]);
});

test("where no entity has values of properties no definition is read", async () => {
  const { reader, asked } = await askingCatalog([[orders, "globalTags", { tags: [] }]]);
  const { state } = await readAllFacets(reader, [orders], [], {});
  expect(state.get(orders)?.facets.get("structured_properties")).toEqual(map());
  expect(asked.map(([name]) => name)).toEqual(["ReadAssets"]);
});
