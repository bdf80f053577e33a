import { expect, test } from "vitest";
import {
  alice,
  catalogWith,
  finance,
  folder,
  orders,
  pii,
  proposal,
  shop,
  stewards,
  tier,
} from "../support.ts";

const ledger = "urn:li:domain:ledger";
const feature = "urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,t)";
const form = "urn:li:form:yearly";
const owners = [stewards, alice].map((owner) => ({ owner, type: "NONE" }));
const tagged = { tags: [{ tag: pii }, { tag: pii, context: "again" }, { tag: tier }] };
const world: readonly object[] = [
  ...shop,
  proposal(orders, "globalTags", tagged),
  proposal(folder, "globalTags", tagged),
  proposal(folder, "status", { removed: true }),
  proposal(feature, "globalTags", tagged),
  proposal(pii, "ownership", { owners, lastModified: { time: 0, actor: alice } }),
  proposal(orders, "domains", { domains: [finance] }),
  proposal(ledger, "domainProperties", { name: "Ledger", parentDomain: finance }),
  proposal(form, "ownership", { owners, lastModified: { time: 0, actor: alice } }),
];

async function related(urn: string, input: object): Promise<unknown> {
  const fields =
    "{ relationships(input: $input) { start count total relationships { type direction entity { urn } } } }";
  const types = ["Tag", "Domain", "CorpUser", "CorpGroup"]
    .map((type) => `... on ${type} ${fields}`)
    .join(" ");
  const catalog = await catalogWith(world);
  const { data, errors } = await catalog.send(
    `query ($urns: [String!]!, $input: RelationshipsInput!) { entities(urns: $urns) { ${types} } }`,
    { urns: [urn], input },
  );
  expect(errors).toBeUndefined();
  return (data as unknown as { entities: { relationships: unknown }[] }).entities[0]?.relationships;
}

function edges(direction: string, ...list: readonly (readonly [string, string | null])[]): object {
  return {
    start: 0,
    count: list.length,
    total: list.length,
    relationships: list.map(([type, urn]) => ({ type, direction, entity: urn === null ? null : { urn } })),
  };
}

test("incoming relationships of a tag, each entity once", async () => {
  expect(await related(pii, { types: ["TaggedWith"], direction: "INCOMING" })).toEqual(
    edges("INCOMING", ["TaggedWith", folder], ["TaggedWith", orders], ["TaggedWith", feature]),
  );
});

test("outgoing relationships of a tag", async () => {
  expect(await related(pii, { types: ["OwnedBy"], direction: "OUTGOING" })).toEqual(
    edges("OUTGOING", ["OwnedBy", stewards], ["OwnedBy", alice]),
  );
});

test("incoming relationships of a domain, filtered by type", async () => {
  const types = ["AssociatedWith", "IsPartOf"];
  expect(await related(finance, { types, direction: "INCOMING" })).toEqual(
    edges("INCOMING", ["AssociatedWith", orders], ["IsPartOf", ledger]),
  );
  expect(await related(finance, { types: ["IsPartOf"], direction: "INCOMING" })).toEqual(
    edges("INCOMING", ["IsPartOf", ledger]),
  );
});

test("soft-deleted entities and those of other types can be excluded", async () => {
  const input = { types: ["TaggedWith"], direction: "INCOMING" };
  expect(await related(pii, { ...input, includeSoftDelete: false })).toEqual(
    edges("INCOMING", ["TaggedWith", orders], ["TaggedWith", feature]),
  );
  expect(await related(pii, { ...input, relatedEntityTypes: ["dataset"] })).toEqual(
    edges("INCOMING", ["TaggedWith", orders]),
  );
});

test("a page has a total, and an entity that GraphQL does not serve is null", async () => {
  const input = { types: ["OwnedBy"], direction: "INCOMING" };
  expect(await related(stewards, input)).toEqual(edges("INCOMING", ["OwnedBy", null], ["OwnedBy", pii]));
  expect(await related(stewards, { ...input, start: 1, count: 1 })).toEqual({
    ...edges("INCOMING", ["OwnedBy", pii]),
    start: 1,
    total: 2,
  });
});
