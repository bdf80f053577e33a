import { expect, test } from "vitest";
import { type EdgeSet, edgeSetOf } from "../../../src/facets/index.ts";
import { type Memberships, noMemberships } from "../../../src/model/membership.ts";
import { type Entity, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { readEdges, readGroupsOfMember } from "../../../src/sync/read/edges.ts";
import { readFromGroups } from "../../../src/sync/read/group-members.ts";
import type { MadeAspect } from "../../support/catalog.ts";
import { datasetNamed, entityOf, memberships, stateOf, urn } from "../../support/states.ts";
import { type Asking, askingCatalog } from "./asking.ts";

const [sales, stock, web, absent] = ["sales", "stock", "web", "absent"].map((id) =>
  urn(`urn:li:dataProduct:${id}`),
) as [Urn, Urn, Urn, Urn];
const [orders, clicks, gone] = ["orders", "clicks", "gone"].map(datasetNamed) as [Urn, Urn, Urn];
const [alice, team] = [urn("urn:li:corpuser:alice"), urn("urn:li:corpGroup:team")];

function products(): EdgeSet {
  const edges = edgeSetOf("assets");
  if (!edges) throw new Error("data products have no assets");
  return edges;
}

const product = (of: Urn, ...assets: readonly Urn[]): MadeAspect => [
  of,
  "dataProductProperties",
  { name: "p", assets: assets.map((destinationUrn) => ({ destinationUrn })) },
];
const world: readonly MadeAspect[] = [
  product(sales, orders),
  product(stock, orders, clicks),
  product(web),
  [orders, "status", { removed: false }],
  [clicks, "status", { removed: false }],
  [alice, "nativeGroupMembership", { nativeGroups: [team] }],
];
const having = (of: Urn, ...assets: readonly Urn[]): Entity =>
  entityOf("DataProduct", of, { assets: setOf(assets) });
const listing = (of: Urn, ...groups: readonly Urn[]): Entity =>
  entityOf("Dataset", of, { data_products: setOf(groups) });
const oneProduct = { oneProductPerAsset: true };

/** Which products were read, in order. */
function productsRead({ asked }: Asking): readonly string[] {
  return asked.flatMap(([name, ...urns]) => (name === "ReadDefinitions" ? urns.toSorted() : []));
}

const known: Memberships = {
  ...noMemberships,
  isExclusive: false,
  absent: new Set(),
};

test("where nothing declares what is in a product, nothing is asked for", async () => {
  const { reader, asked } = await askingCatalog(world);
  const state = stateOf(entityOf("DataProduct", sales, {}), entityOf("Dataset", orders, {}));
  expect(await readFromGroups(reader, products(), state)).toBe(noMemberships);
  expect(asked).toEqual([]);
});

test("of a product that declares its assets, what it has is read, and which of the assets are not there", async () => {
  const asking = await askingCatalog(world);
  const state = stateOf(having(sales, orders, clicks, gone), entityOf("DataProduct", stock, {}));
  expect(await readFromGroups(asking.reader, products(), state)).toEqual({
    ...known,
    groupsOf: new Map([[orders, new Set([sales])]]),
    absent: new Set([gone]),
  });
  expect(productsRead(asking)).toEqual([sales]);
  expect(asking.asked.at(-1)).toEqual(["ReadExistence", clicks, gone]);
});

test("products that were declared before are read as well", async () => {
  const asking = await askingCatalog(world);
  const before = stateOf(having(stock, orders));
  expect(await readFromGroups(asking.reader, products(), stateOf(), { before })).toEqual({
    ...known,
    groupsOf: new Map([
      [orders, new Set([stock])],
      [clicks, new Set([stock])],
    ]),
  });
  expect(productsRead(asking)).toEqual([stock]);
});

test.each<readonly [string, Entity, object]>([
  ["an asset lists its products", listing(orders, absent), {}],
  ["an asset can be in one product only", having(absent, orders), oneProduct],
])("where %s all products are read, and those that are not there are gone", async (_, entity, options) => {
  const asking = await askingCatalog(world, {}, options);
  const found = await readFromGroups(asking.reader, products(), stateOf(entity));
  expect(found).toEqual({
    ...known,
    isExclusive: options === oneProduct,
    groupsOf: new Map([
      [orders, new Set([sales, stock])],
      [clicks, new Set([stock])],
    ]),
    missing: new Set([absent]),
  });
  expect(productsRead(asking)).toEqual([absent, sales, stock, web]);
});

test("of a part only its own products are read, and where one of its assets lists some all", async () => {
  const user = entityOf("User", alice, {});
  const state = stateOf(having(sales), having(stock, gone), listing(orders, web), listing(clicks, web), user);
  const readOf = async (...looked: readonly Urn[]): Promise<object> => {
    const asking = await askingCatalog(world);
    const found = await readFromGroups(asking.reader, products(), state, { looked: new Set(looked) });
    return { read: productsRead(asking), absent: [...(found.absent ?? [])] };
  };
  expect(await readOf(sales)).toEqual({ read: [sales], absent: [] });
  expect(await readOf(web)).toEqual({ read: [web], absent: [] });
  expect(await readOf(stock)).toEqual({ read: [stock], absent: [gone] });
  expect(await readOf(gone)).toEqual({ read: [], absent: [] });
  expect(await readOf(alice)).toEqual({ read: [], absent: [] });
  expect(await readOf(orders)).toEqual({ read: [sales, stock, web], absent: [] });
});

test("a product or a declared asset that cannot be read is unreadable", async () => {
  const asking = await askingCatalog(world, { ReadDefinitions: [stock], ReadExistence: [orders, clicks] });
  const state = stateOf(having(sales, clicks), having(stock, orders));
  const declared = stateOf(...state.values(), entityOf("Dataset", orders, {}));
  const { unreadable, absent: none } = await readFromGroups(asking.reader, products(), state, { declared });
  expect(unreadable).toEqual(
    new Map([
      [stock, "no"],
      [orders, "no"],
    ]),
  );
  expect(none).toEqual(new Set());
});

test("what is in a group though it is no asset is not looked for", async () => {
  const asking = await askingCatalog(world);
  await readFromGroups(asking.reader, products(), stateOf(having(sales, urn("urn:li:corpuser:alice"))));
  expect(asking.asked.map(([name]) => name)).not.toContain("ReadExistence");
});

test("all edges are read by the facets of their groups", async () => {
  const { reader } = await askingCatalog(world);
  const group = entityOf("Group", team, { members: setOf([]) });
  const edges = await readEdges(reader, stateOf(group, having(sales)));
  expect([...edges].map(([facet, { groupsOf }]) => [facet, groupsOf])).toEqual([
    ["members", new Map([[alice, new Set([team])]])],
    ["assets", new Map([[orders, new Set([sales])]])],
  ]);
});

test("the groups of one member are read, whichever side stores them", async () => {
  const { reader } = await askingCatalog(world);
  expect(await readGroupsOfMember(reader, memberships, alice, {})).toEqual([team]);
  expect(await readGroupsOfMember(reader, products(), orders, {})).toEqual([sales, stock]);
  expect(await readGroupsOfMember(reader, products(), gone, {})).toEqual([]);
});
