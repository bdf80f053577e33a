import { expect, test } from "vitest";
import type { Reader } from "../../../src/datahub/client.ts";
import { kinds } from "../../../src/kinds/index.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { KindName } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { countReferrers, searchReferrers, searchUses } from "../../../src/sync/read/incoming-references.ts";
import type { MadeAspect } from "../../support/catalog.ts";
import { schemaWith } from "../../support/schema.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { askingCatalog } from "./asking.ts";

const [pii, gold, unused] = ["pii", "gold", "unused"].map((id) => urn(`urn:li:tag:${id}`)) as [Urn, Urn, Urn];
const [alice, bob] = [urn("urn:li:corpuser:alice"), urn("urn:li:corpuser:bob")];
const days = urn("urn:li:structuredProperty:days");
const [orders, clicks] = ["orders", "clicks"].map(datasetNamed) as [Urn, Urn];

const tags = (...of: readonly Urn[]): object => ({ tags: of.map((tag) => ({ tag })) });
const owners = { owners: [{ owner: alice, type: "NONE" }], lastModified: { time: 0, actor: alice } };
const inColumn = { fieldPath: "id", globalTags: tags(gold) };
const world: readonly MadeAspect[] = [
  [orders, "globalTags", tags(pii)],
  [orders, "schemaMetadata", schemaWith("id")],
  [orders, "editableSchemaMetadata", { editableSchemaFieldInfo: [inColumn] }],
  [clicks, "globalTags", tags(pii, gold)],
  [clicks, "ownership", owners],
  [clicks, "structuredProperties", { properties: [{ propertyUrn: days, values: [{ string: "1" }] }] }],
  [pii, "tagProperties", { name: "pii" }],
  [pii, "ownership", owners],
  [bob, "corpUserInfo", { active: true, managerUrn: alice }],
  [
    `urn:li:schemaField:(${orders},id)`,
    "structuredProperties",
    { properties: [{ propertyUrn: days, values: [{ string: "1" }] }] },
  ],
];

const entity = (kind: KindName, of: Urn): { readonly kind: KindName; readonly urn: Urn } => ({
  kind,
  urn: of,
});
const someTags = [pii, gold, unused].map((of) => entity("Tag", of));
const node = entity("GlossaryNode", urn("urn:li:glossaryNode:n"));
const [user, property] = [entity("User", alice), entity("StructuredProperty", days)];

interface Searching {
  readonly reader: Reader;
  readonly asked: readonly (readonly string[])[];
  readonly inputs: JsonObject[];
}

/** A reader, and each search that it was asked for. It may be answered with an error. */
async function searching(fails = false): Promise<Searching> {
  const { reader, asked } = await askingCatalog(world);
  const inputs: JsonObject[] = [];
  const query: Reader["query"] = async (document, variables, signal) => {
    const answer = await reader.query(document, variables, signal);
    if (!document.startsWith("query Search")) return answer;
    inputs.push(...(Object.values(variables) as unknown as readonly JsonObject[]));
    return fails ? { ...answer, errors: [{ message: "no" }] } : answer;
  };
  return { reader: { ...reader, query }, asked, inputs };
}

test("each entity that refers to another one counts once, those that nothing refers to are left out", async () => {
  const { reader, asked } = await searching();
  expect(await countReferrers(reader, [...someTags, user], {})).toEqual(
    new Map([
      [pii, 2],
      [gold, 2],
      [alice, 3],
    ]),
  );
  expect(asked.map(([name]) => name)).toEqual(["Search", "ReadDefinitions", "ReadAssets"]);
});

test("an entity does not count that the index names and that no longer refers to the other one", async () => {
  const { reader } = await searching();
  const query: Reader["query"] = async (document, variables, signal) => {
    const answer = await reader.query(document, variables, signal);
    const found = { total: 1, searchResults: [{ entity: { urn: orders } }] };
    return document.startsWith("query Search") ? { ...answer, data: { ...answer.data, s0: found } } : answer;
  };
  expect(await countReferrers({ ...reader, query }, [entity("Tag", unused)], {})).toEqual(new Map());
});

test("each kind that can refer to something is searched by all fields, for as many as show whether they become fewer", async () => {
  const { reader, inputs } = await searching();
  await countReferrers(reader, [entity("Tag", unused), entity("Tag", gold), user], {});
  const fields = ["tags", "fieldTags", "editedFieldTags"].map((field) => ({ field, values: [unused, gold] }));
  const ofUser = ["owners", "managerLdap"].map((field) => ({ field, values: [alice] }));
  expect(inputs[0]).toMatchObject({
    count: 500,
    orFilters: [...fields, ...ofUser].map((filter) => ({ and: [filter] })),
  });
  const referring = kinds.filter(({ name }) => name !== "StructuredProperty");
  expect(inputs.map(({ types }) => types)).toEqual(referring.map(({ searchType }) => [searchType]));
});

test("what nothing is known to refer to is not asked for", async () => {
  const { reader, asked } = await searching();
  expect(await countReferrers(reader, [node, property, entity("Dataset", orders)], {})).toEqual(new Map());
  expect(await countReferrers(reader, [], {})).toEqual(new Map());
  expect(await searchReferrers(reader, [node], {})).toEqual([{ urns: [], total: 0 }]);
  expect(await searchUses(reader, [node, ...someTags], {})).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(asked).toEqual([]);
});

test("where nothing is found nothing else is read", async () => {
  const { reader, asked } = await searching();
  expect(await countReferrers(reader, [entity("Tag", unused)], {})).toEqual(new Map());
  expect(asked).toEqual([["Search"]]);
});

test("all that the index knows to refer to entities is found by one search for each, in order", async () => {
  const { reader, inputs } = await searching();
  const found = await searchReferrers(reader, [entity("Tag", pii), node, user, entity("Tag", unused)], {});
  expect(found.map(({ urns, total }) => [urns.toSorted(), total])).toEqual([
    [[clicks, orders], 2],
    [[], 0],
    [[bob, clicks, pii], 3],
    [[], 0],
  ]);
  expect(inputs).toHaveLength(3);
});

test("what has values of a property is found by search, of assets and of their columns", async () => {
  const { reader, inputs } = await searching();
  const found = { urns: [clicks, urn(`urn:li:schemaField:(${orders},id)`)], total: 2 };
  expect(await searchReferrers(reader, [property], {})).toEqual([found]);
  expect(await searchUses(reader, [user, property], {})).toEqual([undefined, found]);
  expect(inputs.map(({ count }) => count)).toEqual([50, 50, 500, 500]);
});

test("where a search fails it is not known what has values, and the referrers cannot be told", async () => {
  const { reader } = await searching(true);
  expect(await searchUses(reader, [user, property], {})).toEqual([undefined, undefined]);
  await expect(searchReferrers(reader, [user], {})).rejects.toThrow("a search failed: no");
});

test("nothing is searched after a signal", async () => {
  const { reader } = await searching();
  const signal = AbortSignal.abort(new Error("stop"));
  await expect(searchUses(reader, [property], { signal })).rejects.toThrow("stop");
});
