import { expect, test } from "vitest";
import type { Reader } from "../../../src/datahub/client.ts";
import { facets } from "../../../src/facets/index.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Live } from "../../../src/model/live.ts";
import type { UnmanagedValue } from "../../../src/model/plan.ts";
import { type FacetValue, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  addStoredInColumns,
  columnQuery,
  readColumnEntities,
} from "../../../src/sync/read/column-entities.ts";
import { readLive } from "../../../src/sync/read/live-state.ts";
import type { MadeAspect } from "../../support/catalog.ts";
import { schemaWith } from "../../support/schema.ts";
import { datasetNamed, entityOf, liveOf, stateOf, urn } from "../../support/states.ts";
import { askingCatalog } from "./asking.ts";

const [orders, clicks] = ["orders", "clicks"].map(datasetNamed) as [Urn, Urn];
const [pii, gold, blue] = ["pii", "gold", "blue"].map((id) => urn(`urn:li:tag:${id}`)) as [Urn, Urn, Urn];
const days = urn("urn:li:structuredProperty:days");
const column = (of: Urn, name: string): Urn => urn(`urn:li:schemaField:(${of},${name})`);
const map = (entries: Readonly<Record<string, FacetValue>>): FacetValue => ({
  shape: "map",
  entries: new Map(Object.entries(entries)),
});
const tags = (...of: readonly Urn[]): object => ({ tags: of.map((tag) => ({ tag })) });
const fields = new Set(["SchemaFieldEntity.tags"]);
const path = "[version=2.0].[type=string].email";

const world: readonly MadeAspect[] = [
  [orders, "schemaMetadata", schemaWith("id", path)],
  [
    orders,
    "editableSchemaMetadata",
    { editableSchemaFieldInfo: [{ fieldPath: "id", globalTags: tags(gold) }] },
  ],
  [column(orders, "id"), "globalTags", tags(pii, gold)],
  [column(orders, path), "globalTags", tags(blue)],
  [clicks, "schemaMetadata", schemaWith("id")],
];

const tagged = (of: Urn, ...columns: readonly string[]) =>
  entityOf("Dataset", of, {
    "columns.tags": map(Object.fromEntries(columns.map((name) => [name, setOf([])]))),
  });

const ingested = (name: string, value: Urn): UnmanagedValue => ({
  urn: orders,
  kind: "Dataset",
  facet: "columns.tags",
  path: [name],
  value,
  reason: "ingested",
});

test.each<readonly [string, readonly string[], readonly UnmanagedValue[], readonly string[]]>([
  ["by its path", ["id"], [ingested("id", pii)], ["ReadAssets"]],
  ["by its plain name", ["email"], [ingested(path, blue)], ["ReadAssets", "ReadColumnEntities"]],
  ["that is not there", ["other"], [], ["ReadAssets"]],
])(
  "of a column that is declared %s, what only its entity has is unmanaged",
  async (_, columns, found, queries) => {
    const { reader, asked } = await askingCatalog(world);
    const wanted = stateOf(tagged(orders, ...columns), tagged(clicks, "id"));
    const { unmanaged, state } = await readLive(reader, wanted, { fields });
    expect([...state.keys()]).toEqual([orders, clicks]);
    expect(unmanaged).toEqual(found);
    expect(asked.map(([query]) => query)).toEqual(queries);
  },
);

test("entities of columns are not asked for where the server has none", async () => {
  const { reader } = await askingCatalog(world);
  const wanted = stateOf(tagged(orders, "id"));
  for (const known of [undefined, new Set(["SchemaFieldEntity.urn"])])
    expect((await readLive(reader, wanted, known && { fields: known })).unmanaged).toEqual([]);
});

/** Live state of an asset with a column, and what is read beside it. */
const live: Live = liveOf(stateOf(tagged(orders, "id")));

function answering(entity: JsonObject, ...errors: readonly string[]): Reader {
  const query: Reader["query"] = async (_, { urns }) => ({
    data: { entities: [urns].flat().map((of): JsonObject => ({ urn: of as Json, ...entity })) },
    errors: errors.map((message) => ({ message, path: ["entities", 0, "tags"] })),
  });
  return { concurrency: 1, query, stored: { read: async () => "unknown" } };
}

const selected = { tags: { tags: [{ tag: { urn: pii } }] } };

test.each<readonly [string, Reader, Partial<Live>, readonly UnmanagedValue[]]>([
  ["is found", answering(selected), {}, [ingested("id", pii)]],
  ["is known already", answering(selected), { unmanaged: [ingested("id", pii)] }, []],
  ["comes with an error", answering(selected, "no"), {}, []],
  ["is malformed", answering({ tags: { tags: 7 } }), {}, []],
])("a value of a column's entity that %s is told once, or not at all", async (_, reader, more, expected) => {
  const columns = { fields, known: undefined };
  expect(await readColumnEntities(reader, live.state, { ...live, ...more }, columns)).toEqual(expected);
});

const withEntities = facets.flatMap((facet) =>
  facet.shape === "map" && facet.columnEntity ? [{ name: facet.name, ...facet.columnEntity }] : [],
);

test("the entities of columns are asked for beside their assets, each once, with all that is declared of them", () => {
  const declared = new Map([
    ["Chart", new Set(["tags"])],
    ["Dataset", new Set(withEntities.map(({ name }) => name))],
  ]);
  const own = Object.fromEntries(withEntities.map(({ name }) => [name, map({ id: setOf([]) })]));
  const wanted = stateOf(entityOf("Dataset", orders, own), entityOf("Dataset", clicks, {}));
  const beside = columnQuery(wanted, declared, new Set(withEntities.map(({ field }) => field)));
  expect(beside?.urnsOf([orders, clicks, datasetNamed("other")])).toEqual([column(orders, "id")]);
  expect(beside?.selection.split("... on SchemaFieldEntity { ").slice(1)).toEqual(
    withEntities.map(
      ({ answered }, index) => `${answered.selection} }${index < withEntities.length - 1 ? " " : ""}`,
    ),
  );
});

test("only those are asked for that the server has and that are declared", () => {
  const wanted = stateOf(tagged(orders, "id"));
  const declared = new Map([["Dataset", new Set(["columns.tags"])]]);
  expect(columnQuery(wanted, declared, fields)?.selection).not.toContain("glossaryTerms");
  expect(columnQuery(wanted, declared, new Set(["SchemaFieldEntity.glossaryTerms"]))).toBeUndefined();
  expect(columnQuery(wanted, new Map([["Dataset", new Set(["tags"])]]), fields)).toBeUndefined();
  expect(columnQuery(wanted, declared, undefined)).toBeUndefined();
});

test("as many columns as a request takes are asked for beside their assets, and no more", () => {
  const declared = new Map([["Dataset", new Set(["columns.tags"])]]);
  const asked = [500, 501].map((number) => {
    const columns = Array.from({ length: number }, (_, index) => `c${index}`);
    return columnQuery(stateOf(tagged(orders, ...columns)), declared, fields)?.urnsOf([orders]).length;
  });
  expect(asked).toEqual([500, 0]);
});

const inColumns = "columns.structured_properties";
const values = { properties: [{ propertyUrn: days, values: [{ string: "1" }] }] };
const stored = stateOf(
  entityOf("Dataset", orders, { [inColumns]: map({ id: map({}), email: map({}) }) }),
  entityOf("Dataset", clicks, { [inColumns]: map({ id: map({}) }) }),
);

test("the values of columns are added to their assets, some columns at a time, and GraphQL is asked where nothing is stored", async () => {
  const { reader, asked } = await askingCatalog([[column(orders, "email"), "structuredProperties", values]]);
  const state = new Map(stored);
  await addStoredInColumns(reader, stored, { state, unreadable: new Map() }, { batch: 2 });
  expect(state.get(orders)?.facets.get(inColumns)).toEqual(
    map({ id: map({}), email: map({ [days]: setOf(["1"]) }) }),
  );
  expect(state.get(clicks)).toEqual(stored.get(clicks));
  expect(asked.map(([, ...urns]) => urns.length)).toEqual([2]);
});

test("an asset of which the values of a column cannot be read is unreadable", async () => {
  const failing = { ReadColumnValues: [column(orders, "id"), column(orders, "email")] };
  const { reader } = await askingCatalog([], failing);
  const [state, unreadable] = [new Map(stored), new Map<Urn, string>()];
  await addStoredInColumns(reader, stored, { state, unreadable }, {});
  expect([[...state.keys()], [...unreadable]]).toEqual([[clicks], [[orders, "id: no"]]]);
});
