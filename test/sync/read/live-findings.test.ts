import { expect, test } from "vitest";
import type { Reader } from "../../../src/datahub/client.ts";
import type { Live } from "../../../src/model/live.ts";
import { type Entity, type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { withAllFacets } from "../../../src/sync/read/entities-to-read.ts";
import { readLive } from "../../../src/sync/read/live-state.ts";
import type { MadeAspect } from "../../support/catalog.ts";
import { schemaWith } from "../../support/schema.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";
import { askingCatalog } from "./asking.ts";

const [orders, clicks, old] = ["orders", "clicks", "old"].map(datasetNamed) as [Urn, Urn, Urn];
const [pii, gold] = ["pii", "gold"].map((id) => urn(`urn:li:tag:${id}`)) as [Urn, Urn];
const [sales, finance] = ["sales", "finance"].map((id) => urn(`urn:li:domain:${id}`)) as [Urn, Urn];
const days = urn("urn:li:structuredProperty:days");

const map = (entries: Readonly<Record<string, FacetValue>>): FacetValue => ({
  shape: "map",
  entries: new Map(Object.entries(entries)),
});
const tags = (...of: readonly Urn[]): object => ({ tags: of.map((tag) => ({ tag })) });
const edited = (column: string): MadeAspect[2] => ({
  editableSchemaFieldInfo: [{ fieldPath: column, globalTags: tags(gold) }],
});
const schema = schemaWith("id");
const withTags = {
  ...schema,
  fields: [{ ...([schema["fields"]].flat()[0] as object), globalTags: tags(pii) }],
};

const world: readonly MadeAspect[] = [
  [orders, "schemaMetadata", withTags],
  [orders, "editableSchemaMetadata", edited("gone")],
  [orders, "domains", { domains: [sales, finance] }],
  [clicks, "schemaMetadata", withTags],
  [clicks, "domains", { domains: [finance, sales] }],
  [old, "schemaMetadata", withTags],
  [old, "editableSchemaMetadata", edited("gone")],
  [old, "globalTags", tags(pii)],
  [old, "status", { removed: true }],
];

const columns = map({ id: setOf([]) });
const asked = (of: Urn): Entity =>
  entityOf("Dataset", of, { tags: setOf([]), domain: scalarOf(null), "columns.tags": columns });
const wanted = stateOf(...[orders, clicks, old].map(asked));

test.each<Reader["reads"]>(["graphql", "openapi"])(
  "values of columns that left the schema, and all of soft-deleted assets, are away: read by %s",
  async (reads) => {
    const { reader } = await askingCatalog(world);
    const { state, missing, dormant: away } = await readLive({ ...reader, reads }, wanted);
    expect([...state.keys()].toSorted()).toEqual([clicks, orders]);
    expect([...missing]).toEqual([[old, "soft-deleted"]]);
    expect([...(away?.keys() ?? [])].toSorted()).toEqual([old, orders]);
    const gone = map({ gone: setOf([gold]) });
    expect(away?.get(orders)?.facets).toEqual(new Map([["columns.tags", gone]]));
    expect(away?.get(old)?.facets.get("columns.tags")).toEqual(map({ id: setOf([]), gone: setOf([gold]) }));
    expect(away?.get(old)?.facets.get("tags")).toEqual(setOf([pii]));
  },
);

test("by OpenAPI all is found that GraphQL shows", async () => {
  const { reader, asked: queries } = await askingCatalog(world);
  const live = await readLive(reader, wanted);
  expect(queries).not.toEqual([]);
  queries.length = 0;
  expect(await readLive({ ...reader, reads: "openapi" }, wanted)).toEqual(live);
  expect(queries).toEqual([]);
});

test("of what is not needed any more only that it is missing or unreadable stays known", async () => {
  const { reader } = await askingCatalog(world, { ReadAssets: [clicks] });
  const seen: Live[] = [];
  const drop = (batch: Live): ReadonlySet<Urn> => {
    seen.push(batch);
    return new Set([clicks, old, orders]);
  };
  const live = await readLive(reader, wanted, { drop });
  expect([live.state, live.unmanaged, live.several]).toEqual([new Map(), [], []]);
  expect([...live.missing.keys(), ...live.unreadable.keys()]).toEqual([old, clicks]);
  expect(seen.flatMap(({ state }) => [...state.keys()])).toEqual([orders]);
});

test("the values that stay needed are all known", async () => {
  const { reader } = await askingCatalog(world);
  const live = await readLive(reader, wanted, { drop: () => new Set([clicks]) });
  expect([...live.state.keys()]).toEqual([orders]);
  expect(live.unmanaged).toEqual([
    { urn: orders, kind: "Dataset", facet: "columns.tags", path: ["id"], value: pii, reason: "ingested" },
  ]);
  expect(live.several).toEqual([{ urn: orders, facet: "domain", values: [sales, finance] }]);
});

test("the fields that the server is known to have are part of what is known", async () => {
  const { reader } = await askingCatalog([]);
  const fields = new Set(["SchemaFieldEntity.tags"]);
  expect((await readLive(reader, stateOf(), { fields })).fields).toBe(fields);
  expect(await readLive(reader, stateOf())).not.toHaveProperty("fields");
});

test("values that are stored of columns are known where columns are declared, and else no part of an asset", async () => {
  const properties = { properties: [{ propertyUrn: days, values: [{ string: "1" }] }] };
  const column = `urn:li:schemaField:(${clicks},id)`;
  const { reader } = await askingCatalog([...world, [column, "structuredProperties", properties]]);
  const facet = "columns.structured_properties";
  const read = async (state: ReturnType<typeof stateOf>): Promise<FacetValue | undefined> =>
    (await readLive(reader, state)).state.get(clicks)?.facets.get(facet);
  expect(await read(stateOf(entityOf("Dataset", clicks, { [facet]: map({ id: map({}) }) })))).toEqual(
    map({ id: map({ [days]: setOf(["1"]) }) }),
  );
  expect(await read(withAllFacets([clicks]))).toBeUndefined();
});

test("a definition whose absence the server answers with an error is absent", async () => {
  const { reader } = await askingCatalog([]);
  const { missing, unreadable } = await readLive(
    reader,
    stateOf(entityOf("StructuredProperty", days, { description: scalarOf("x") })),
  );
  expect([[...missing], unreadable.size]).toEqual([[[days, "absent"]], 0]);
});

/** Live state of an asset that is answered so. */
async function answered(more: object): Promise<Live> {
  const entity = { urn: orders, __typename: "Dataset", exists: true, status: null, aspects: [], ...more };
  const query: Reader["query"] = async () => ({ data: { entities: [entity] }, errors: [] });
  const reader: Reader = { concurrency: 1, query, stored: { read: async () => "unknown" } };
  return await readLive(reader, stateOf(asked(orders)));
}

test("a soft-deleted asset with malformed values is soft-deleted, and its values are not known", async () => {
  const {
    missing,
    dormant: away,
    unreadable,
  } = await answered({ status: { removed: true }, tags: { tags: 7 } });
  expect([[...missing], away?.size, unreadable.size]).toEqual([[[orders, "soft-deleted"]], 0, 0]);
});

test("an asset that is answered without aspects is unreadable, and says so", async () => {
  const { unreadable } = await answered({ aspects: null });
  expect([...unreadable]).toEqual([[orders, "the server's response does not contain its aspects"]]);
});
