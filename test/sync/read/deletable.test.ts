import { expect, test } from "vitest";
import type { Reader } from "../../../src/datahub/client.ts";
import type { Live } from "../../../src/model/live.ts";
import type { Entity, KindName } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { withChildren, withDeletable } from "../../../src/sync/read/deletable.ts";
import type { MadeAspect } from "../../support/catalog.ts";
import { datasetNamed, entityOf, liveOf, stateOf, urn } from "../../support/states.ts";
import { askingCatalog } from "./asking.ts";

const [pii, gold] = [urn("urn:li:tag:pii"), urn("urn:li:tag:gold")];
const days = urn("urn:li:structuredProperty:retention.days");
const [sales, retail, web, shop] = ["sales", "retail", "web", "shop"].map((id) =>
  urn(`urn:li:domain:${id}`),
) as [Urn, Urn, Urn, Urn];
const [orders, clicks] = ["orders", "clicks"].map(datasetNamed) as [Urn, Urn];

const entity = (kind: KindName, of: Urn): Entity => entityOf(kind, of, {});
const tags = [pii, gold].map((of) => entity("Tag", of));
const property = entity("StructuredProperty", days);
const value = { properties: [{ propertyUrn: days, values: [{ string: "1" }] }] };
const world: readonly MadeAspect[] = [
  [pii, "tagProperties", { name: "pii" }],
  [orders, "globalTags", { tags: [{ tag: pii }] }],
  [
    days,
    "propertyDefinition",
    { qualifiedName: "retention.days", valueType: "urn:li:dataType:datahub.string", entityTypes: [] },
  ],
  [orders, "structuredProperties", value],
  [clicks, "structuredProperties", value],
];
const taggedOrders = {
  aspects: { tagProperties: { name: "pii" } },
  referring: [{ type: "TaggedWith", urn: orders }],
  assignments: 1,
};

test("what is to be deleted and there has its aspects, and what refers to it", async () => {
  const { reader } = await askingCatalog(world);
  const live = await withDeletable(reader, tags, liveOf(stateOf(entity("Tag", pii)), stateOf(...tags)), {});
  expect(live.deletable).toEqual(new Map([[pii, taggedOrders]]));
  expect([[...live.state.keys()], live.missing]).toEqual([[pii], new Map([[gold, "absent"]])]);
});

test("where nothing of what is to be deleted is there, nothing is asked for", async () => {
  const { reader, asked } = await askingCatalog(world);
  const live = liveOf(stateOf());
  expect(await withDeletable(reader, tags, live, {})).toBe(live);
  expect(asked).toEqual([]);
});

test("what cannot be read with what refers to it is unreadable", async () => {
  const { reader } = await askingCatalog(world, { ReadReferring: [gold] });
  const dataset = entity("Dataset", orders);
  const live = liveOf(stateOf(...tags, dataset));
  const found = await withDeletable(reader, [...tags, dataset], live, {});
  expect(found.unreadable).toEqual(
    new Map([
      [gold, "no"],
      [orders, "the server's response does not contain this entity"],
    ]),
  );
  expect([[...found.state.keys()], [...(found.deletable?.keys() ?? [])]]).toEqual([[pii], [pii]]);
});

/** A reader whose searches are answered with another total, or with an error. */
function searching(reader: Reader, found: number | "an error" | undefined): Reader {
  const query: Reader["query"] = async (document, variables, signal) => {
    const answer = await reader.query(document, variables, signal);
    if (!document.startsWith("query Search") || found === undefined) return answer;
    if (found === "an error") return { data: null, errors: [{ message: "no" }] };
    const data = { ...answer.data, s0: { ...(answer.data?.["s0"] as object), total: found } };
    return { ...answer, data };
  };
  return { ...reader, query };
}

const uses = (...of: readonly Urn[]): object => of.map((each) => ({ type: "uses", urn: each }));

test.each<readonly [string, number | "an error" | undefined, object]>([
  ["all of", undefined, { referring: uses(clicks, orders), assignments: 2 }],
  ["more than it names", 700, { referring: [], assignments: 700 }],
  ["that it cannot say what", "an error", { referring: [], assignments: undefined }],
])("the search says %s what has values of a property", async (_, found, expected) => {
  const { reader } = await askingCatalog(world);
  const entities = [...tags, property];
  const live = await withDeletable(searching(reader, found), entities, liveOf(stateOf(...entities)), {});
  expect(live.deletable?.get(days)).toMatchObject(expected);
  expect(live.deletable?.get(pii)).toEqual(taggedOrders);
});

const below = (of: Urn, parent: Urn): MadeAspect => [
  of,
  "domainProperties",
  { name: "d", description: "D.", parentDomain: parent },
];
const domain = entity("Domain", sales);
const isPartOf = (...of: readonly (Urn | undefined)[]): NonNullable<Live["deletable"]> => {
  const referring = of.map((each) => ({ type: "IsPartOf", urn: each }));
  const others = [{ type: "AssociatedWith", urn: orders }];
  return new Map([[sales, { aspects: {}, referring: [...referring, ...others], assignments: 1 }]]);
};

test("what is below a deleted domain is what says so itself, or cannot be read", async () => {
  const moved = below(web, retail);
  const { reader, asked } = await askingCatalog([below(retail, sales), moved], { ReadDefinitions: [shop] });
  const deletable = isPartOf(retail, web, shop, urn("urn:li:domain:absent"), undefined);
  const live = await withChildren(reader, [domain], { ...liveOf(stateOf(domain)), deletable }, {});
  expect(live.below).toEqual(new Map([[sales, [retail, shop]]]));
  expect(asked).toEqual([["ReadDefinitions", retail, web, shop, urn("urn:li:domain:absent")]]);
});

test("what is below a deleted domain and known to be there, or missing, is not read", async () => {
  const { reader, asked } = await askingCatalog([]);
  const deletable = isPartOf(retail, web);
  const known = liveOf(stateOf(domain, entity("Domain", retail)), stateOf(entity("Domain", web)));
  const live = { ...known, deletable };
  expect(await withChildren(reader, [domain], live, {})).toBe(live);
  const some = { ...live, deletable: isPartOf(retail, web, shop) };
  await withChildren(reader, [domain, ...tags], some, {});
  expect(asked).toEqual([["ReadDefinitions", shop]]);
});

test("a tag has nothing below it", async () => {
  const { reader, asked } = await askingCatalog([]);
  const live = { ...liveOf(stateOf(...tags)), deletable: new Map([[pii, taggedOrders]]) };
  expect(await withChildren(reader, tags, live, {})).toBe(live);
  expect(asked).toEqual([]);
});
