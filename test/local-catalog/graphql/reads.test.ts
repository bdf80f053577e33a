import { describe, expect, test } from "vitest";
import {
  alice,
  catalogWith,
  column,
  finance,
  folder,
  missing,
  orders,
  pii,
  proposal,
  shop,
  stewards,
} from "../support.ts";

describe("an entity that does not exist is returned as an object", () => {
  test.each([
    [
      "dataset",
      missing,
      "exists name status { removed } tags { tags { context } } ownership { owners { type } }",
      { exists: false, name: "shop.missing", status: null, tags: null, ownership: null },
    ],
    [
      "container",
      "urn:li:container:x",
      "exists status { removed } domain { associatedUrn } platform { urn }",
      { exists: false, status: null, domain: null, platform: { urn: "urn:li:dataPlatform:unknown" } },
    ],
    [
      "domain",
      "urn:li:domain:x",
      "id properties { name } parentDomains { count }",
      { id: "x", properties: null, parentDomains: { count: 0 } },
    ],
    ["tag", "urn:li:tag:x", "name properties { name }", { name: "x", properties: null }],
    [
      "corpUser",
      "urn:li:corpuser:x",
      "exists username properties { active } editableProperties { slack }",
      { exists: false, username: "x", properties: null, editableProperties: null },
    ],
    [
      "corpGroup",
      "urn:li:corpGroup:x",
      "exists name properties { displayName }",
      { exists: false, name: "x", properties: null },
    ],
  ])("%s", async (field, urn, selection, expected) => {
    const catalog = await catalogWith(shop);
    const document = `query ($urn: String!) { it: ${field}(urn: $urn) { urn ${selection} } }`;
    const { data, errors } = await catalog.send(document, { urn });
    expect(errors).toBeUndefined();
    expect(data).toEqual({ it: { urn, ...expected } });
  });
});

test("a soft-deleted entity exists and is marked as removed", async () => {
  const catalog = await catalogWith([...shop, proposal(orders, "status", { removed: true })]);
  const { data } = await catalog.send(
    "query ($urn: String!) { dataset(urn: $urn) { exists status { removed } } entityExists(urn: $urn) }",
    { urn: orders },
  );
  expect(data).toEqual({ dataset: { exists: true, status: { removed: true } }, entityExists: true });
});

test("an asset tells its subtypes, its platform instance, and the containers above it up to the root", async () => {
  const root = "urn:li:container:root";
  const instance = "urn:li:dataPlatformInstance:(urn:li:dataPlatform:snowflake,eu)";
  const catalog = await catalogWith([
    ...shop,
    proposal(orders, "container", { container: folder }),
    proposal(orders, "subTypes", { typeNames: ["View"] }),
    proposal(orders, "dataPlatformInstance", { platform: "urn:li:dataPlatform:snowflake", instance }),
    proposal(folder, "container", { container: root }),
    proposal(folder, "dataPlatformInstance", { platform: "urn:li:dataPlatform:snowflake" }),
    proposal(root, "container", { container: folder }),
  ]);
  const { data, errors } = await catalog.send(
    `query ($urns: [String!]!) { entities(urns: $urns) {
      ... on Dataset { ...All }
      ... on Container { subTypes { typeNames } dataPlatformInstance { urn } parentContainers { count containers { urn } } }
    } }
    fragment All on Dataset {
      subTypes { typeNames } dataPlatformInstance { urn instanceId platform { name } } parentContainers { count containers { urn } }
    }`,
    { urns: [orders, folder] },
  );
  expect(errors).toBeUndefined();
  expect(data).toEqual({
    entities: [
      {
        subTypes: { typeNames: ["View"] },
        dataPlatformInstance: { urn: instance, instanceId: "eu", platform: { name: "snowflake" } },
        parentContainers: { count: 2, containers: [{ urn: folder }, { urn: root }] },
      },
      {
        subTypes: null,
        dataPlatformInstance: null,
        parentContainers: { count: 1, containers: [{ urn: root }] },
      },
    ],
  });
});

test("entities are returned in the order of the list, whatever their types", async () => {
  const catalog = await catalogWith(shop);
  const urns = [folder, orders, pii, missing, finance, alice, stewards, orders];
  const { data } = await catalog.send(
    `query ($urns: [String!]!) { entities(urns: $urns) {
      urn type
      ... on Dataset { exists }
      ... on Container { exists properties { name } }
      ... on CorpUser { info { displayName } }
    } }`,
    { urns },
  );
  expect(data).toEqual({
    entities: [
      { urn: folder, type: "CONTAINER", exists: true, properties: { name: "Shop" } },
      { urn: orders, type: "DATASET", exists: true },
      { urn: pii, type: "TAG" },
      { urn: missing, type: "DATASET", exists: false },
      { urn: finance, type: "DOMAIN" },
      { urn: alice, type: "CORP_USER", info: { displayName: "Alice" } },
      { urn: stewards, type: "CORP_GROUP" },
      { urn: orders, type: "DATASET", exists: true },
    ],
  });
});

test("checkForExistence omits entities that do not exist", async () => {
  const catalog = await catalogWith(shop);
  const { data } = await catalog.send(
    "query ($urns: [String!]!) { entities(urns: $urns, checkForExistence: true) { urn } }",
    { urns: [missing, orders] },
  );
  expect(data).toEqual({ entities: [{ urn: orders }] });
});

const everything = `query ($bad: String!, $good: String!) {
  entities(urns: [$bad, $good]) { urn }
  dataset(urn: $good) { urn }
  tag(urn: "urn:li:tag:pii") { urn }
}`;

test.each([
  ["a fabric that is none", "urn:li:dataset:(urn:li:dataPlatform:hive,a,PRODUCTION)"],
  ["two parts", "urn:li:dataset:(urn:li:dataPlatform:hive,a)"],
])(
  "one malformed dataset URN fails each dataset of the request, and nothing else: %s",
  async (_name, bad) => {
    const catalog = await catalogWith(shop);
    const { data, errors } = await catalog.send(everything, { bad, good: orders });
    expect(data).toEqual({ entities: null, dataset: null, tag: { urn: pii } });
    expect(errors?.map(({ path }) => path)).toEqual([["entities"], ["dataset"]]);
    expect(errors?.[1]?.message).toContain(bad);
  },
);

test.each([
  ["no URN", "orders", 500],
  ["a type that is not served", "urn:li:dataHubAction:docs", 400],
  ["a type that DataHub does not know", "urn:li:spaceship:1", 400],
])("entities fail as a whole on %s", async (_name, bad, code) => {
  const catalog = await catalogWith(shop);
  const { data, errors } = await catalog.send("query ($urns: [String!]!) { entities(urns: $urns) { urn } }", {
    urns: [orders, bad],
  });
  expect(data).toEqual({ entities: null });
  expect(errors).toMatchObject([{ path: ["entities"], extensions: { code } }]);
});

test.each([
  ["dataset", folder],
  ["container", orders],
  ["domain", pii],
  ["tag", finance],
  ["corpUser", stewards],
  ["corpGroup", alice],
])("%s rejects the URN of another type", async (field, urn) => {
  const catalog = await catalogWith(shop);
  const { data, errors } = await catalog.send(`query ($urn: String!) { it: ${field}(urn: $urn) { urn } }`, {
    urn,
  });
  expect(data).toEqual({ it: null });
  expect(errors).toHaveLength(1);
});

test("a dataset has the name of its properties, else of its URN, with its platform and container", async () => {
  const catalog = await catalogWith([
    ...shop,
    proposal(orders, "datasetProperties", { name: "Orders", description: "All of them." }),
    proposal(orders, "container", { container: folder }),
    proposal(folder, "dataPlatformInstance", { platform: "urn:li:dataPlatform:snowflake" }),
  ]);
  const { data } = await catalog.send(
    `query ($urns: [String!]!) { entities(urns: $urns) { ... on Dataset {
      name origin platform { urn type name } properties { name origin description }
      container { urn platform { name } properties { name } } } } }`,
    { urns: [orders, missing] },
  );
  const platform = { urn: "urn:li:dataPlatform:snowflake", type: "DATA_PLATFORM", name: "snowflake" };
  expect(data).toEqual({
    entities: [
      {
        name: "Orders",
        origin: "PROD",
        platform,
        properties: { name: "Orders", origin: "PROD", description: "All of them." },
        container: { urn: folder, platform: { name: "snowflake" }, properties: { name: "Shop" } },
      },
      { name: "shop.missing", origin: "PROD", platform, properties: null, container: null },
    ],
  });
});

test("schemaMetadata at a version reads the history, and at 0 the latest", async () => {
  const catalog = await catalogWith([...shop]);
  await catalog.loadRecords(
    proposal(orders, "schemaMetadata", { fields: [column("total", { nullable: true })] }),
  );
  const { data } = await catalog.send(
    `query ($urn: String!) { dataset(urn: $urn) {
      latest: schemaMetadata { fields { fieldPath nullable type nativeDataType description } }
      zero: schemaMetadata(version: 0) { fields { fieldPath } }
      first: schemaMetadata(version: 1) { fields { fieldPath } }
      never: schemaMetadata(version: 9) { fields { fieldPath } } } }`,
    { urn: orders },
  );
  const total = {
    fieldPath: "total",
    nullable: true,
    type: "STRING",
    nativeDataType: "text",
    description: null,
  };
  expect(data).toEqual({
    dataset: {
      latest: { fields: [total] },
      zero: { fields: [{ fieldPath: "total" }] },
      first: { fields: [{ fieldPath: "id" }, { fieldPath: "customer.email" }] },
      never: null,
    },
  });
});

/** The raw aspects of a tag, by the arguments of the field. */
async function rawAspects(urn: string, args: string): Promise<{ aspectName: string; payload: string }[]> {
  const catalog = await catalogWith(shop);
  const { data } = await catalog.send(
    `query ($urn: String!) { tag(urn: $urn) { aspects${args} { aspectName payload } } }`,
    { urn },
  );
  return (data as unknown as { tag: { aspects: { aspectName: string; payload: string }[] } }).tag.aspects;
}

describe("raw aspects", () => {
  test("are the named ones that exist, as JSON", async () => {
    expect(await rawAspects(pii, '(input: { aspectNames: ["status", "tagProperties"] })')).toEqual([
      { aspectName: "tagProperties", payload: '{"name":"PII"}' },
    ]);
  });
  test("are all if none is named", async () => {
    expect((await rawAspects(pii, "")).map(({ aspectName }) => aspectName)).toEqual([
      "tagKey",
      "tagProperties",
    ]);
  });
  test("contain a key derived from the URN if the entity does not exist", async () => {
    expect(await rawAspects("urn:li:tag:x", "")).toEqual([{ aspectName: "tagKey", payload: '{"name":"x"}' }]);
  });
  test("are empty for those that DataHub's UI renders", async () => {
    expect(await rawAspects(pii, "(input: { autoRenderOnly: true })")).toEqual([]);
  });
});

function domain(id: string, parentDomain: string): object {
  const created = { time: 5, actor: alice };
  return proposal(`urn:li:domain:${id}`, "domainProperties", { name: id, parentDomain, created });
}

test("the parents of a domain are returned nearest first, and a cycle ends", async () => {
  const catalog = await catalogWith([
    domain("a", "urn:li:domain:b"),
    domain("b", "urn:li:domain:c"),
    domain("c", "urn:li:domain:b"),
  ]);
  const { data } = await catalog.send(
    `{ domain(urn: "urn:li:domain:a") { parentDomains { count domains { urn } }
      properties { createdOn { time actor { urn } } } } }`,
  );
  expect(data).toEqual({
    domain: {
      parentDomains: { count: 2, domains: [{ urn: "urn:li:domain:b" }, { urn: "urn:li:domain:c" }] },
      properties: { createdOn: { time: 5, actor: { urn: alice } } },
    },
  });
});

test("the user of a request is the first user of a new DataHub, with all privileges", async () => {
  const catalog = await catalogWith();
  const { data } = await catalog.send(
    `{ me { corpUser { urn username type exists info { active displayName manager { urn } } properties { title } }
      platformPrivileges { manageDomains createTags manageIdentities } } }`,
  );
  expect(data).toEqual({
    me: {
      corpUser: {
        urn: "urn:li:corpuser:datahub",
        username: "datahub",
        type: "CORP_USER",
        exists: true,
        info: { active: true, displayName: "DataHub", manager: null },
        properties: { title: "DataHub Root User" },
      },
      platformPrivileges: { manageDomains: true, createTags: true, manageIdentities: true },
    },
  });
});

test("an invalid owner is an error at its path, and the rest is returned", async () => {
  const catalog = await catalogWith([
    ...shop,
    proposal(orders, "ownership", { owners: [{ owner: pii, type: "NONE" }] }),
  ]);
  const { data, errors } = await catalog.send(
    "query ($urn: String!) { dataset(urn: $urn) { urn ownership { owners { owner { ... on CorpUser { urn } } } } } }",
    { urn: orders },
  );
  expect(data).toEqual({ dataset: { urn: orders, ownership: { owners: null } } });
  expect(errors?.map(({ path }) => path)).toEqual([["dataset", "ownership", "owners", 0, "owner"]]);
});
