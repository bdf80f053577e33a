import { expect, test } from "vitest";
import {
  alice,
  catalogWith,
  column,
  custom,
  finance,
  folder,
  orders,
  pii,
  proposal,
  shop,
  stewards,
  tier,
} from "../support.ts";

const datahub = "urn:li:corpuser:datahub";
const technical = "urn:li:ownershipType:__system__technical_owner";

test("a created domain has its creator, creation time and the given owners", async () => {
  const catalog = await catalogWith(shop);
  const { data } = await catalog.send(`mutation ($i: CreateDomainInput!) { createDomain(input: $i) }`, {
    i: {
      id: "loans",
      name: "Loans",
      description: "Money lent.",
      parentDomain: finance,
      owners: [{ ownerUrn: stewards, ownerEntityType: "CORP_GROUP", ownershipTypeUrn: custom }],
    },
  });
  expect(data).toEqual({ createDomain: "urn:li:domain:loans" });
  expect(catalog.stored("urn:li:domain:loans", "domainProperties")).toEqual({
    name: "Loans",
    description: "Money lent.",
    parentDomain: finance,
    created: { actor: datahub, time: expect.any(Number) },
  });
  expect(catalog.stored("urn:li:domain:loans", "ownership")).toMatchObject({
    owners: [{ owner: stewards, type: "NONE", typeUrn: custom }],
  });
});

test("a domain is created even if its owners do not exist, because owners are checked last", async () => {
  const catalog = await catalogWith(shop);
  const { data, errors } = await catalog.send(
    `mutation { createDomain(input: { id: "loans", name: "Loans",
      owners: [{ ownerUrn: "urn:li:corpuser:x", ownerEntityType: CORP_USER, type: NONE }] }) }`,
  );
  expect(data).toEqual({ createDomain: null });
  expect(errors).toHaveLength(1);
  expect(catalog.stored("urn:li:domain:loans", "domainProperties")).toMatchObject({ name: "Loans" });
  expect(catalog.stored("urn:li:domain:loans", "ownership")).toBeUndefined();
});

test("an entity that is created without an id gets a random one", async () => {
  const catalog = await catalogWith();
  const { data } = await catalog.send(
    `mutation { a: createDomain(input: { name: "A" }) b: createTag(input: { name: "B" }) c: createGroup(input: { name: "C" }) }`,
  );
  const uuid = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";
  expect(data).toEqual({
    a: expect.stringMatching(`^urn:li:domain:${uuid}`),
    b: expect.stringMatching(`^urn:li:tag:${uuid}`),
    c: expect.stringMatching(`^urn:li:corpGroup:${uuid}`),
  });
});

test("a tag is owned by its creator, and its color and description are set independently", async () => {
  const catalog = await catalogWith();
  const tag = "urn:li:tag:secret";
  await catalog.send(
    `mutation ($tag: String!) {
      createTag(input: { id: "secret", name: "Secret", description: "Old." })
      setTagColor(urn: $tag, colorHex: "#111111")
      updateDescription(input: { resourceUrn: $tag, description: "New." })
    }`,
    { tag },
  );
  expect(catalog.stored(tag, "tagProperties")).toEqual({
    name: "Secret",
    description: "New.",
    colorHex: "#111111",
  });
  expect(catalog.stored(tag, "ownership")).toMatchObject({
    owners: [{ owner: datahub, type: "TECHNICAL_OWNER", typeUrn: technical, source: { type: "MANUAL" } }],
  });
});

test("a tag without properties is named by its id when it gets a color", async () => {
  const catalog = await catalogWith([proposal("urn:li:tag:bare", "status", { removed: false })]);
  await catalog.send('mutation { setTagColor(urn: "urn:li:tag:bare", colorHex: "#222222") }');
  expect(catalog.stored("urn:li:tag:bare", "tagProperties")).toEqual({ name: "bare", colorHex: "#222222" });
});

test("names and descriptions are written to DataHub's aspects, and read from there", async () => {
  const catalog = await catalogWith([
    ...shop,
    proposal(orders, "editableDatasetProperties", { description: "Lost by the next name." }),
  ]);
  const { errors } = await catalog.send(
    `mutation ($d: String!, $g: String!, $o: String!, $f: String!) {
      a: updateName(input: { urn: $d, name: "Money" })
      b: updateDescription(input: { resourceUrn: $d, description: "All of it." })
      c: updateName(input: { urn: $g, name: "Data Stewards" })
      d: updateDescription(input: { resourceUrn: $g, description: "They care." })
      e: updateName(input: { urn: $o, name: "Orders" })
      f: updateDescription(input: { resourceUrn: $o, description: "Key.", subResourceType: DATASET_FIELD, subResource: "id" })
      g: updateDescription(input: { resourceUrn: $f, description: "A folder." })
    }`,
    { d: finance, g: stewards, o: orders, f: folder },
  );
  expect(errors).toBeUndefined();
  const { data } = await catalog.send(
    `query ($urns: [String!]!) { entities(urns: $urns) {
      ... on Domain { properties { name description } }
      ... on CorpGroup { groupProperties: properties { displayName description } groupText: editableProperties { description } }
      ... on Dataset { name datasetText: editableProperties { name description }
        editableSchemaMetadata { editableSchemaFieldInfo { fieldPath description } } }
      ... on Container { containerText: editableProperties { description } } } }`,
    { urns: [finance, stewards, orders, folder] },
  );
  expect(data).toEqual({
    entities: [
      { properties: { name: "Money", description: "All of it." } },
      {
        groupProperties: { displayName: "Data Stewards", description: null },
        groupText: { description: "They care." },
      },
      {
        name: "shop.orders",
        datasetText: { name: "Orders", description: null },
        editableSchemaMetadata: { editableSchemaFieldInfo: [{ fieldPath: "id", description: "Key." }] },
      },
      { containerText: { description: "A folder." } },
    ],
  });
});

const twin = "urn:li:dataset:(urn:li:dataPlatform:dbt,shop.orders,PROD)";
const withTwin = [
  ...shop,
  proposal(orders, "siblings", { siblings: [twin], primary: true }),
  proposal(twin, "schemaMetadata", { fields: [column("margin")] }),
];

test("a column that only a sibling has is described and tagged on the sibling", async () => {
  const catalog = await catalogWith(withTwin);
  const at = { resourceUrn: orders, subResourceType: "DATASET_FIELD", subResource: "margin" };
  const { data } = await catalog.send(
    `mutation ($d: DescriptionUpdateInput!, $t: BatchAddTagsInput!, $one: AddTagsInput!) {
      described: updateDescription(input: $d) tagged: batchAddTags(input: $t) single: addTags(input: $one) }`,
    {
      d: { ...at, description: "Net." },
      t: { tagUrns: [pii], resources: [at] },
      one: { tagUrns: [pii], ...at },
    },
  );
  expect(data).toEqual({ described: true, tagged: true, single: null });
  expect(catalog.stored(twin, "editableSchemaMetadata")).toEqual({
    editableSchemaFieldInfo: [
      { fieldPath: "margin", description: "Net.", globalTags: { tags: [{ tag: pii }] } },
    ],
  });
  expect(catalog.stored(orders, "editableSchemaMetadata")).toBeUndefined();
});

test("of several columns of one dataset in one batch only the last gets its tags", async () => {
  const catalog = await catalogWith(shop);
  const at = (subResource: string) => ({
    resourceUrn: orders,
    subResourceType: "DATASET_FIELD",
    subResource,
  });
  const { data } = await catalog.send("mutation ($i: BatchAddTagsInput!) { batchAddTags(input: $i) }", {
    i: { tagUrns: [pii], resources: [at("id"), { resourceUrn: orders }, at("customer.email")] },
  });
  expect(data).toEqual({ batchAddTags: true });
  expect(catalog.stored(orders, "globalTags")).toEqual({ tags: [{ tag: pii }] });
  expect(catalog.stored(orders, "editableSchemaMetadata")).toEqual({
    editableSchemaFieldInfo: [{ fieldPath: "customer.email", globalTags: { tags: [{ tag: pii }] } }],
  });
});

test("batchRemoveTags removes each association of each tag from each resource", async () => {
  const catalog = await catalogWith([
    ...shop,
    proposal(orders, "globalTags", { tags: [{ tag: pii }, { tag: tier }, { tag: pii, context: "c" }] }),
    proposal(folder, "globalTags", { tags: [{ tag: tier }] }),
  ]);
  await catalog.send("mutation ($i: BatchRemoveTagsInput!) { batchRemoveTags(input: $i) }", {
    i: { tagUrns: [pii, "urn:li:tag:x"], resources: [{ resourceUrn: orders }, { resourceUrn: folder }] },
  });
  expect(catalog.stored(orders, "globalTags")).toEqual({ tags: [{ tag: tier }] });
  expect(catalog.stored(folder, "globalTags")).toEqual({ tags: [{ tag: tier }] });
});

test("addOwners replaces the same owner with the same type, removeOwner keeps other types", async () => {
  const catalog = await catalogWith(shop);
  const add = "mutation ($i: AddOwnersInput!) { addOwners(input: $i) }";
  const one = { ownerUrn: alice, ownerEntityType: "CORP_USER", type: "TECHNICAL_OWNER" };
  const other = { ownerUrn: alice, ownerEntityType: "CORP_USER", ownershipTypeUrn: custom };
  await catalog.send(add, { i: { owners: [one, other, one], resourceUrn: orders } });
  expect(catalog.stored(orders, "ownership")).toMatchObject({
    owners: [{ typeUrn: custom }, { typeUrn: technical }],
  });
  await catalog.send("mutation ($i: RemoveOwnerInput!) { removeOwner(input: $i) }", {
    i: { ownerUrn: alice, ownershipTypeUrn: technical, resourceUrn: orders },
  });
  expect(catalog.stored(orders, "ownership")).toMatchObject({ owners: [{ typeUrn: custom }] });
});

const attribution = { time: 1, actor: alice };
const referring: readonly object[] = [
  ...shop,
  proposal(orders, "globalTags", {
    tags: [
      { tag: pii, attribution },
      { tag: tier, attribution },
    ],
  }),
  proposal(orders, "editableSchemaMetadata", {
    editableSchemaFieldInfo: [{ fieldPath: "id", globalTags: { tags: [{ tag: pii }] } }],
  }),
  proposal(`urn:li:schemaField:(${orders},id)`, "globalTags", { tags: [{ tag: pii }] }),
  proposal(orders, "domains", { domains: [finance] }),
  proposal(orders, "ownership", {
    owners: [
      { owner: alice, type: "NONE", typeUrn: custom },
      { owner: stewards, type: "NONE", typeUrn: custom },
    ],
    lastModified: attribution,
  }),
  proposal("urn:li:corpuser:bob", "corpUserInfo", { active: true, managerUrn: alice }),
  proposal(alice, "groupMembership", { groups: [stewards] }),
  proposal(alice, "nativeGroupMembership", { nativeGroups: [stewards, "urn:li:corpGroup:x"] }),
  proposal(folder, "container", { container: "urn:li:container:parent" }),
];

/** A catalog after one deletion. */
async function after(mutation: string, urn: string) {
  const catalog = await catalogWith(referring);
  const { data } = await catalog.send(`mutation ($urn: String!) { done: ${mutation}(urn: $urn) }`, { urn });
  expect(data).toEqual({ done: true });
  expect(catalog.dump().filter((row) => row.urn === urn)).toEqual([]);
  return catalog;
}

test("a deleted tag is removed from entities, columns and schema fields at once", async () => {
  const catalog = await after("deleteTag", pii);
  expect(catalog.stored(orders, "globalTags")).toEqual({ tags: [{ tag: tier, attribution }] });
  expect(catalog.stored(orders, "editableSchemaMetadata")).toEqual({
    editableSchemaFieldInfo: [{ fieldPath: "id", globalTags: { tags: [] } }],
  });
  expect(catalog.stored(`urn:li:schemaField:(${orders},id)`, "globalTags")).toEqual({ tags: [] });
});

test("a deleted domain is removed from its entities", async () => {
  const catalog = await after("deleteDomain", finance);
  expect(catalog.stored(orders, "domains")).toEqual({ domains: [], domainAssociations: [] });
});

test("a removed user owns and manages nothing, and remains in audit stamps", async () => {
  const catalog = await after("removeUser", alice);
  expect(catalog.stored(orders, "ownership")).toMatchObject({
    owners: [{ owner: stewards }],
    lastModified: attribution,
  });
  expect(catalog.stored(orders, "globalTags")).toMatchObject({ tags: [{ attribution }, { attribution }] });
  expect(catalog.stored("urn:li:corpuser:bob", "corpUserInfo")).toEqual({ active: true });
});

test("a removed group has no members and owns nothing", async () => {
  const catalog = await after("removeGroup", stewards);
  expect(catalog.stored(orders, "ownership")).toMatchObject({ owners: [{ owner: alice }] });
  expect(catalog.stored(alice, "groupMembership")).toEqual({ groups: [] });
  expect(catalog.stored(alice, "nativeGroupMembership")).toEqual({ nativeGroups: ["urn:li:corpGroup:x"] });
});

test("owners of a deleted type remain, with the type of their old enum", async () => {
  const catalog = await after("deleteOwnershipType", custom);
  expect(catalog.stored(orders, "ownership")).toMatchObject({
    owners: [
      { owner: alice, type: "NONE" },
      { owner: stewards, type: "NONE" },
    ],
  });
  expect(JSON.stringify(catalog.stored(orders, "ownership"))).not.toContain(custom);
});

test("deleteOwnershipType keeps references if asked to, and only soft-deletes system types", async () => {
  const catalog = await catalogWith(referring);
  const { data } = await catalog.send(
    `mutation ($mine: String!, $system: String!) {
      mine: deleteOwnershipType(urn: $mine, deleteReferences: false)
      system: deleteOwnershipType(urn: $system) }`,
    { mine: custom, system: technical },
  );
  expect(data).toEqual({ mine: true, system: true });
  expect(JSON.stringify(catalog.stored(orders, "ownership"))).toContain(custom);
  expect(catalog.stored(technical, "ownershipTypeInfo")).toMatchObject({ name: "Technical Owner" });
  const list = await catalog.send(
    "{ listOwnershipTypes(input: {}) { total ownershipTypes { info { name } } } }",
  );
  expect(list.data).toEqual({
    listOwnershipTypes: {
      total: 3,
      ownershipTypes: [
        { info: { name: "Business Owner" } },
        { info: { name: "Data Steward" } },
        { info: { name: "None" } },
      ],
    },
  });
});

test("an aspect that contains only a reference is deleted with the entity", async () => {
  const catalog = await catalogWith(referring);
  await catalog.send('mutation { deleteTag(urn: "urn:li:container:parent") }');
  expect(catalog.stored(folder, "container")).toBeUndefined();
  expect(catalog.stored(folder, "containerProperties")).toEqual({ name: "Shop" });
});

test("an id can be used again after its entity was deleted", async () => {
  const catalog = await catalogWith(shop);
  const { data } = await catalog.send(
    `mutation ($urn: String!) { deleteTag(urn: $urn) createTag(input: { id: "pii", name: "Personal" }) }`,
    { urn: pii },
  );
  expect(data).toEqual({ deleteTag: true, createTag: pii });
  expect(catalog.stored(pii, "tagProperties")).toEqual({ name: "Personal" });
});

test("a parent can be deleted right after its last child", async () => {
  const catalog = await catalogWith(shop);
  const { data, errors } = await catalog.send(
    `mutation ($p: String!) {
      createDomain(input: { id: "loans", name: "Loans", parentDomain: $p })
      refused: deleteDomain(urn: $p)
      child: deleteDomain(urn: "urn:li:domain:loans")
      parent: deleteDomain(urn: $p) }`,
    { p: finance },
  );
  expect(data).toEqual({ createDomain: "urn:li:domain:loans", refused: null, child: true, parent: true });
  expect(errors?.[0]?.message).toContain("which has child domains");
});

test("the response of each mutation contains what is stored after it", async () => {
  const catalog = await catalogWith(shop);
  const field = "editableProperties { title slack email aboutMe skills }";
  const { data } = await catalog.send(
    `mutation ($urn: String!) {
      first: updateCorpUserProperties(urn: $urn, input: { title: "A", slack: "@a", skills: ["sql"] }) { ${field} }
      second: updateCorpUserProperties(urn: $urn, input: { title: "", email: "a@acme.com", slack: null }) { ${field} } }`,
    { urn: alice },
  );
  expect(data).toEqual({
    first: { editableProperties: { title: "A", slack: "@a", email: null, aboutMe: null, skills: ["sql"] } },
    second: {
      editableProperties: { title: "", slack: "@a", email: "a@acme.com", aboutMe: null, skills: ["sql"] },
    },
  });
});
