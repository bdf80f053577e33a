import { describe, expect, test } from "vitest";
import { catalogWith, column, finance, folder, orders, pii, proposal, shop, tier } from "../support.ts";

const addTags = "mutation ($input: AddTagsInput!) { addTags(input: $input) }";
const removeTag = "mutation ($input: TagAssociationInput!) { removeTag(input: $input) }";
const setDomain = "mutation ($e: String!, $d: String!) { setDomain(entityUrn: $e, domainUrn: $d) }";
const unsetDomain = "mutation ($e: String!) { unsetDomain(entityUrn: $e) }";
const associated = (...domains: readonly string[]) => ({
  domains,
  domainAssociations: domains.map((domain) => ({ domain })),
});
const inColumn = (subResource: string) => ({
  resourceUrn: orders,
  subResourceType: "DATASET_FIELD",
  subResource,
});

test("addTags appends missing tags, and keeps the fields of existing ones", async () => {
  const there = { tag: pii, context: "ingested" };
  const catalog = await catalogWith([...shop, proposal(orders, "globalTags", { tags: [there] })]);
  await catalog.send(addTags, { input: { tagUrns: [pii, tier], resourceUrn: orders } });
  expect(catalog.stored(orders, "globalTags")).toEqual({ tags: [there, { tag: tier }] });
});

test("adding existing tags creates no new version", async () => {
  const catalog = await catalogWith([...shop, proposal(orders, "globalTags", { tags: [{ tag: pii }] })]);
  const before = catalog.dump();
  await catalog.send(addTags, { input: { tagUrns: [pii], resourceUrn: orders } });
  expect(catalog.dump()).toEqual(before);
});

test("removeTag removes all associations of the tag, whoever made them", async () => {
  const tags = [{ tag: pii }, { tag: tier }, { tag: pii, context: "classifier" }];
  const catalog = await catalogWith([...shop, proposal(orders, "globalTags", { tags })]);
  await catalog.send(removeTag, { input: { tagUrn: pii, resourceUrn: orders } });
  expect(catalog.stored(orders, "globalTags")).toEqual({ tags: [{ tag: tier }] });
});

test("tags of a column are added to the editable schema, and other edits are kept", async () => {
  const editableSchemaFieldInfo = [{ fieldPath: "id", description: "Key." }];
  const catalog = await catalogWith([
    ...shop,
    proposal(orders, "editableSchemaMetadata", { editableSchemaFieldInfo }),
  ]);
  await catalog.send(addTags, { input: { tagUrns: [pii], ...inColumn("id") } });
  await catalog.send(addTags, { input: { tagUrns: [tier], ...inColumn("customer.email") } });
  expect(catalog.stored(orders, "editableSchemaMetadata")).toEqual({
    editableSchemaFieldInfo: [
      { fieldPath: "id", description: "Key.", globalTags: { tags: [{ tag: pii }] } },
      { fieldPath: "customer.email", globalTags: { tags: [{ tag: tier }] } },
    ],
  });
  expect(catalog.stored(orders, "globalTags")).toBeUndefined();
});

function editable(tags: object): object {
  return { editableSchemaFieldInfo: [{ fieldPath: "customer.email", tags, globalTags: tags }] };
}

const field = `urn:li:schemaField:(${orders},customer.email)`;

test("column tags are read from three aspects, and removeTag changes the editable one only", async () => {
  const catalog = await catalogWith([
    ...shop,
    proposal(orders, "schemaMetadata", {
      fields: [column("id"), column("customer.email", { globalTags: { tags: [{ tag: pii }] } })],
    }),
    proposal(field, "globalTags", { tags: [{ tag: pii }] }),
    proposal(orders, "editableSchemaMetadata", {
      editableSchemaFieldInfo: [{ fieldPath: "customer.email", globalTags: { tags: [{ tag: pii }] } }],
    }),
  ]);
  const read = async () =>
    (
      await catalog.send(
        `query ($urn: String!) { dataset(urn: $urn) {
          schemaMetadata { fields { fieldPath tags { ...t } globalTags { ...t }
            schemaFieldEntity { urn type fieldPath parent { urn } tags { ...t } } } }
          editableSchemaMetadata { editableSchemaFieldInfo { fieldPath tags { ...t } globalTags { ...t } } }
        } }
        fragment t on GlobalTags { tags { tag { urn } associatedUrn } }`,
        { urn: orders },
      )
    ).data;
  const onDataset = { tags: [{ tag: { urn: pii }, associatedUrn: orders }] };
  const fields = [
    {
      fieldPath: "id",
      tags: null,
      globalTags: null,
      schemaFieldEntity: {
        urn: `urn:li:schemaField:(${orders},id)`,
        type: "SCHEMA_FIELD",
        fieldPath: "id",
        parent: { urn: orders },
        tags: null,
      },
    },
    {
      fieldPath: "customer.email",
      tags: onDataset,
      globalTags: onDataset,
      schemaFieldEntity: {
        urn: field,
        type: "SCHEMA_FIELD",
        fieldPath: "customer.email",
        parent: { urn: orders },
        tags: { tags: [{ tag: { urn: pii }, associatedUrn: field }] },
      },
    },
  ];
  expect(await read()).toEqual({
    dataset: { schemaMetadata: { fields }, editableSchemaMetadata: editable(onDataset) },
  });
  const removed = await catalog.send(removeTag, { input: { tagUrn: pii, ...inColumn("customer.email") } });
  expect(removed.data).toEqual({ removeTag: true });
  expect(await read()).toEqual({
    dataset: { schemaMetadata: { fields }, editableSchemaMetadata: editable({ tags: [] }) },
  });
});

test("a column is found by its exact path in the latest schema", async () => {
  const path = "[version=2.0].[type=struct].[type=string].email";
  const catalog = await catalogWith([
    ...shop,
    proposal(orders, "schemaMetadata", { fields: [column(path), column("sum(a,b)")] }),
  ]);
  for (const [subResource, taken] of [
    [path, true],
    ["email", null],
    ["id", null],
  ] as const) {
    const answer = await catalog.send(addTags, { input: { tagUrns: [pii], ...inColumn(subResource) } });
    expect([subResource, answer.data]).toEqual([subResource, { addTags: taken }]);
  }
  const { data } = await catalog.send(
    "query ($urn: String!) { dataset(urn: $urn) { schemaMetadata { fields { schemaFieldEntity { urn fieldPath } } } } }",
    { urn: orders },
  );
  expect(data).toMatchObject({
    dataset: {
      schemaMetadata: {
        fields: [
          { schemaFieldEntity: { urn: `urn:li:schemaField:(${orders},${path})`, fieldPath: path } },
          {
            schemaFieldEntity: {
              urn: `urn:li:schemaField:(${orders},sum%28a%2Cb%29)`,
              fieldPath: "sum(a,b)",
            },
          },
        ],
      },
    },
  });
});

test("setDomain replaces all domains, unsetDomain removes all, and their associations are in sync", async () => {
  const sales = "urn:li:domain:sales";
  const catalog = await catalogWith([
    ...shop,
    proposal(sales, "domainProperties", { name: "Sales" }),
    proposal(orders, "domains", associated(finance, sales)),
  ]);
  await catalog.send(setDomain, { e: orders, d: sales });
  expect(catalog.stored(orders, "domains")).toEqual({
    domains: [sales],
    domainAssociations: [{ domain: sales }],
  });
  await catalog.send(unsetDomain, { e: orders });
  expect(catalog.stored(orders, "domains")).toEqual({ domains: [], domainAssociations: [] });
  const { data } = await catalog.send(
    "query ($urn: String!) { dataset(urn: $urn) { domain { domain { urn } } } }",
    {
      urn: orders,
    },
  );
  expect(data).toEqual({ dataset: { domain: null } });
});

test("only the first of several domains is read", async () => {
  const catalog = await catalogWith([
    ...shop,
    proposal(folder, "domains", associated(finance, "urn:li:domain:sales")),
  ]);
  const { data } = await catalog.send(
    "query ($urn: String!) { container(urn: $urn) { domain { domain { urn } associatedUrn } } }",
    { urn: folder },
  );
  expect(data).toEqual({ container: { domain: { domain: { urn: finance }, associatedUrn: folder } } });
});

describe("domains without associations, as DataHub stored them before 1.7,", () => {
  const old = { domains: [finance] };
  const read = "query ($urn: String!) { dataset(urn: $urn) { domain { domain { urn } } } }";

  test("stay so when they are loaded, again and beside other writes, and GraphQL reads no domain", async () => {
    const catalog = await catalogWith([...shop, proposal(orders, "domains", old)]);
    await catalog.send(addTags, { input: { tagUrns: [pii], resourceUrn: orders } });
    expect(await catalog.loadRecords(proposal(orders, "domains", old))).toMatchObject({ written: 0 });
    expect(catalog.stored(orders, "domains")).toEqual(old);
    expect((await catalog.send(read, { urn: orders })).data).toEqual({ dataset: { domain: null } });
  });

  test.each([
    [
      "setDomain",
      setDomain,
      { e: orders, d: finance },
      { ...old, domainAssociations: [{ domain: finance }] },
    ],
    ["unsetDomain", unsetDomain, { e: orders }, { domains: [], domainAssociations: [] }],
  ])("get them by %s", async (_name, mutation, variables, stored) => {
    const catalog = await catalogWith([...shop, proposal(orders, "domains", old)]);
    await catalog.send(mutation, variables);
    expect(catalog.stored(orders, "domains")).toEqual(stored);
  });
});

test("a tag or domain is read with its attribution", async () => {
  const attribution = {
    time: 7,
    actor: "urn:li:corpuser:bot",
    source: "urn:li:dataHubAction:docs",
    sourceDetail: { propagated: "true" },
  };
  const catalog = await catalogWith([
    ...shop,
    proposal(orders, "globalTags", { tags: [{ tag: pii, attribution }] }),
    proposal(orders, "domains", {
      domains: [finance],
      domainAssociations: [{ domain: finance, attribution }],
    }),
  ]);
  const { data } = await catalog.send(
    `query ($urn: String!) { dataset(urn: $urn) {
      tags { tags { context attribution { ...a } } } domain { attribution { ...a } } } }
    fragment a on MetadataAttribution { time actor { urn } source { urn } sourceDetail { key value } }`,
    { urn: orders },
  );
  // The local catalog serves no actions, so what made the association is not shown.
  const read = {
    time: 7,
    actor: { urn: "urn:li:corpuser:bot" },
    source: null,
    sourceDetail: [{ key: "propagated", value: "true" }],
  };
  expect(data).toEqual({
    dataset: { tags: { tags: [{ context: null, attribution: read }] }, domain: { attribution: read } },
  });
});
