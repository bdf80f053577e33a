import { expect, test } from "vitest";
import { alice, catalogWith, custom, missing, orders, proposal, shop, stewards } from "../support.ts";

const addOwner = "mutation ($input: AddOwnerInput!) { addOwner(input: $input) }";
const removeOwners = "mutation ($input: BatchRemoveOwnersInput!) { batchRemoveOwners(input: $input) }";
const technical = "urn:li:ownershipType:__system__technical_owner";

const add = (more: object, resourceUrn = orders) => ({
  input: { ownerUrn: alice, ownerEntityType: "CORP_USER", resourceUrn, ...more },
});
const remove = (ownershipTypeUrn?: string) => ({
  input: { ownerUrns: [alice], resources: [{ resourceUrn: orders }], ownershipTypeUrn },
});
const manual = { source: { type: "MANUAL" } };

test.each([
  [
    "only the enum: its system type",
    { type: "DEVELOPER" },
    "DEVELOPER",
    "urn:li:ownershipType:__system__developer",
  ],
  ["only a type: the enum NONE", { ownershipTypeUrn: custom }, "NONE", custom],
  ["both: as given", { type: "TECHNICAL_OWNER", ownershipTypeUrn: technical }, "TECHNICAL_OWNER", technical],
])("addOwner stores owner, enum and type, given %s", async (_name, given, type, typeUrn) => {
  const catalog = await catalogWith(shop);
  await catalog.send(addOwner, add(given));
  expect(catalog.stored(orders, "ownership")).toEqual({
    owners: [{ owner: alice, type, typeUrn, ...manual }],
    ownerTypes: { [typeUrn]: [alice] },
    lastModified: { time: expect.any(Number), actor: "urn:li:corpuser:datahub" },
  });
});

test("adding an owner again replaces the entry of the same type, and keeps those of other types", async () => {
  const given = {
    owner: alice,
    type: "TECHNICAL_OWNER",
    source: { type: "SERVICE" },
    attribution: { time: 1 },
  };
  const steward = { owner: alice, type: "DATA_STEWARD" };
  const catalog = await catalogWith([...shop, proposal(orders, "ownership", { owners: [given, steward] })]);
  await catalog.send(addOwner, add({ type: "TECHNICAL_OWNER" }));
  expect(catalog.stored(orders, "ownership")).toMatchObject({
    owners: [steward, { owner: alice, type: "TECHNICAL_OWNER", typeUrn: technical, ...manual }],
  });
});

test.each([
  ["its type", custom, [{ type: "TECHNICAL_OWNER" }]],
  ["a system type, which an entry with the old enum alone has", technical, [{ typeUrn: custom }]],
  ["another type", "urn:li:ownershipType:__system__none", [{ type: "TECHNICAL_OWNER" }, { typeUrn: custom }]],
  ["no type, so every one", undefined, []],
])("batchRemoveOwners with %s", async (_name, typeUrn, left) => {
  const owners = [
    { owner: alice, type: "TECHNICAL_OWNER" },
    { owner: alice, type: "NONE", typeUrn: custom },
  ];
  const catalog = await catalogWith([...shop, proposal(orders, "ownership", { owners })]);
  await catalog.send(removeOwners, remove(typeUrn));
  const { owners: stored } = catalog.stored(orders, "ownership") as { owners: object[] };
  expect(stored).toHaveLength(left.length);
  expect(stored).toMatchObject(left);
});

test("batchRemoveOwners keeps other owners", async () => {
  const owners = [
    { owner: alice, type: "NONE" },
    { owner: stewards, type: "NONE" },
  ];
  const catalog = await catalogWith([...shop, proposal(orders, "ownership", { owners })]);
  await catalog.send(removeOwners, remove());
  expect(catalog.stored(orders, "ownership")).toMatchObject({ owners: [owners[1]] });
});

test("a misspelt target of addOwner becomes an existing dataset, as in DataHub", async () => {
  const catalog = await catalogWith(shop);
  await catalog.send(addOwner, add({ type: "NONE" }, missing));
  expect(catalog.stored(missing, "datasetKey")).toEqual({
    platform: "urn:li:dataPlatform:snowflake",
    name: "shop.missing",
    origin: "PROD",
  });
  const answer = await catalog.send("query ($urn: String!) { dataset(urn: $urn) { exists } }", {
    urn: missing,
  });
  expect(answer.data).toEqual({ dataset: { exists: true } });
});

test("owners are read with an ownership type, even if only the old enum is stored", async () => {
  const owners = [
    { owner: alice, type: "TECHNICAL_OWNER" },
    { owner: stewards, type: "NONE", typeUrn: custom, source: { type: "SERVICE", url: "https://x" } },
  ];
  const catalog = await catalogWith([...shop, proposal(orders, "ownership", { owners })]);
  const answer = await catalog.send(
    `query ($urn: String!) { dataset(urn: $urn) { ownership {
      lastModified { time actor }
      owners {
        owner { __typename ... on CorpUser { urn username } ... on CorpGroup { urn name } }
        type associatedUrn source { type url }
        ownershipType { urn info { name } }
      }
    } } }`,
    { urn: orders },
  );
  expect(answer.data).toEqual({
    dataset: {
      ownership: {
        lastModified: { time: 0, actor: "urn:li:corpuser:unknown" },
        owners: [
          {
            owner: { __typename: "CorpUser", urn: alice, username: "alice" },
            type: "TECHNICAL_OWNER",
            associatedUrn: orders,
            source: null,
            ownershipType: { urn: technical, info: { name: "Technical Owner" } },
          },
          {
            owner: { __typename: "CorpGroup", urn: stewards, name: "stewards" },
            type: "NONE",
            associatedUrn: orders,
            source: { type: "SERVICE", url: "https://x" },
            ownershipType: { urn: custom, info: { name: "Auditor" } },
          },
        ],
      },
    },
  });
});

test("a resource that does not exist is created, with what DataHub derives for a new one", async () => {
  const catalog = await catalogWith(shop);
  await catalog.send(addOwner, add({ type: "NONE" }, missing));
  const aspects = catalog.dump().filter(({ urn }) => urn === missing);
  expect(aspects.map(({ aspect }) => aspect)).toEqual([
    "browsePathsV2",
    "dataPlatformInstance",
    "datasetKey",
    "ownership",
  ]);
});

test("an ownership has its owners by type, with dots encoded, computed at each write", async () => {
  const dotted = "urn:li:ownershipType:data.owner";
  const owners = [
    { owner: alice, type: "NONE", typeUrn: dotted },
    { owner: stewards, type: "NONE", typeUrn: dotted },
    { owner: alice, type: "TECHNICAL_OWNER" },
  ];
  const sent = { owners, ownerTypes: { wrong: [alice] } };
  const catalog = await catalogWith([...shop, proposal(orders, "ownership", sent)]);
  expect(catalog.stored(orders, "ownership")).toEqual({
    owners,
    ownerTypes: { "urn:li:ownershipType:data%2Eowner": [alice, stewards], [technical]: [alice] },
  });
  await catalog.send(removeOwners, remove());
  expect(catalog.stored(orders, "ownership")).toMatchObject({
    ownerTypes: { "urn:li:ownershipType:data%2Eowner": [stewards] },
  });
});
