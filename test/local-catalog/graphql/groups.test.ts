import { expect, test } from "vitest";
import { alice, catalogWith, proposal, shop, stewards } from "../support.ts";

const bob = "urn:li:corpuser:bob";
const okta = "urn:li:corpGroup:okta";
const admins = "urn:li:corpGroup:admins";
const people: readonly object[] = [
  ...shop,
  proposal(bob, "corpUserInfo", { active: true }),
  proposal(okta, "origin", { type: "EXTERNAL", externalType: "Okta" }),
  proposal(admins, "origin", { type: "NATIVE" }),
];
const add = "mutation ($i: AddGroupMembersInput!) { addGroupMembers(input: $i) }";
const remove = "mutation ($i: RemoveGroupMembersInput!) { removeGroupMembers(input: $i) }";
const relationships = `query ($urn: String!, $direction: RelationshipDirection!, $types: [String!]!, $count: Int, $start: Int, $soft: Boolean) {
  corpUser(urn: "${alice}") { own: relationships(input: { types: $types, direction: OUTGOING }) { total relationships { type entity { urn } } } }
  corpGroup(urn: $urn) { relationships(input: { types: $types, direction: $direction, count: $count, start: $start, includeSoftDelete: $soft }) {
    start count total relationships { type direction entity { urn type } } } } }`;
const both = ["IsMemberOfGroup", "IsMemberOfNativeGroup"];

test("a created group is native, and its members are stored with the users", async () => {
  const catalog = await catalogWith(people);
  const risk = "urn:li:corpGroup:risk";
  await catalog.send('mutation { createGroup(input: { id: "risk", name: "Risk" }) }');
  expect(catalog.stored(risk, "corpGroupInfo")).toEqual({
    displayName: "Risk",
    description: "",
    admins: [],
    members: [],
    groups: [],
    created: { actor: "urn:li:corpuser:datahub", time: expect.any(Number) },
  });
  expect(catalog.stored(risk, "origin")).toEqual({ type: "NATIVE" });
  await catalog.send(add, { i: { groupUrn: admins, userUrns: [alice] } });
  await catalog.send(add, { i: { groupUrn: risk, userUrns: [alice, bob, alice] } });
  expect(catalog.stored(alice, "nativeGroupMembership")).toEqual({ nativeGroups: [admins, risk] });
  expect(catalog.stored(bob, "nativeGroupMembership")).toEqual({ nativeGroups: [risk] });
  await catalog.send(remove, { i: { groupUrn: admins, userUrns: [alice, bob] } });
  expect(catalog.stored(alice, "nativeGroupMembership")).toEqual({ nativeGroups: [risk] });
});

test("users before one that does not exist remain members", async () => {
  const catalog = await catalogWith(people);
  const { data } = await catalog.send(add, {
    i: { groupUrn: admins, userUrns: [alice, "urn:li:corpuser:x", bob] },
  });
  expect(data).toEqual({ addGroupMembers: null });
  expect(catalog.stored(alice, "nativeGroupMembership")).toEqual({ nativeGroups: [admins] });
  expect(catalog.stored(bob, "nativeGroupMembership")).toBeUndefined();
  expect(catalog.stored("urn:li:corpuser:x", "corpUserKey")).toBeUndefined();
});

test.each([
  ["adding", add, [bob], { nativeGroups: [stewards] }],
  ["removing", remove, [alice], undefined],
])(
  "%s members of a group without origin makes it and its ingested members native first",
  async (_way, mutation, userUrns, ofBob) => {
    const catalog = await catalogWith([
      ...people,
      proposal(alice, "groupMembership", { groups: [okta, stewards] }),
    ]);
    await catalog.send(mutation, { i: { groupUrn: stewards, userUrns } });
    expect(catalog.stored(stewards, "origin")).toEqual({ type: "NATIVE" });
    expect(catalog.stored(alice, "groupMembership")).toEqual({ groups: [okta] });
    expect(catalog.stored(alice, "nativeGroupMembership")).toEqual({
      nativeGroups: mutation === add ? [stewards] : [],
    });
    expect(catalog.stored(bob, "nativeGroupMembership")).toEqual(ofBob);
  },
);

test("removing an ingested membership from a native group returns true and changes nothing", async () => {
  const catalog = await catalogWith([...people, proposal(alice, "groupMembership", { groups: [admins] })]);
  const { data } = await catalog.send(remove, { i: { groupUrn: admins, userUrns: [alice] } });
  expect(data).toEqual({ removeGroupMembers: true });
  expect(catalog.stored(alice, "groupMembership")).toEqual({ groups: [admins] });
});

const memberships = [
  ...people,
  proposal(alice, "groupMembership", { groups: [okta, admins] }),
  proposal(alice, "nativeGroupMembership", { nativeGroups: [admins] }),
  proposal(bob, "nativeGroupMembership", { nativeGroups: [admins] }),
  proposal(bob, "status", { removed: true }),
];

test("memberships are read from users and groups, by both relationships", async () => {
  const catalog = await catalogWith(memberships);
  const { data, errors } = await catalog.send(relationships, {
    urn: admins,
    direction: "INCOMING",
    types: both,
  });
  expect(errors).toBeUndefined();
  const user = (urn: string, type: string) => ({
    type,
    direction: "INCOMING",
    entity: { urn, type: "CORP_USER" },
  });
  expect(data).toEqual({
    corpUser: {
      own: {
        total: 3,
        relationships: [
          { type: "IsMemberOfGroup", entity: { urn: okta } },
          { type: "IsMemberOfGroup", entity: { urn: admins } },
          { type: "IsMemberOfNativeGroup", entity: { urn: admins } },
        ],
      },
    },
    corpGroup: {
      relationships: {
        start: 0,
        count: 3,
        total: 3,
        relationships: [
          user(alice, "IsMemberOfGroup"),
          user(alice, "IsMemberOfNativeGroup"),
          user(bob, "IsMemberOfNativeGroup"),
        ],
      },
    },
  });
});

test.each([
  ["one type", { types: ["IsMemberOfNativeGroup"], direction: "INCOMING" }, [alice, bob], 2],
  ["a page", { types: both, direction: "INCOMING", start: 1, count: 1 }, [alice], 3],
  ["without the soft-deleted", { types: both, direction: "INCOMING", soft: false }, [alice, alice], 2],
  ["against their direction", { types: both, direction: "OUTGOING" }, [], 0],
  ["another type", { types: ["OwnedBy"], direction: "INCOMING" }, [], 0],
])("members of a group: %s", async (_name, variables, urns, total) => {
  const catalog = await catalogWith(memberships);
  const { data } = await catalog.send(relationships, { urn: admins, ...variables });
  expect(data).toMatchObject({
    corpGroup: { relationships: { total, relationships: urns.map((urn) => ({ entity: { urn } })) } },
  });
});

test("origin, contact and status are read as stored, and a missing origin is UNKNOWN", async () => {
  const catalog = await catalogWith([
    ...people,
    proposal(alice, "corpUserStatus", { status: "SUSPENDED" }),
    proposal(alice, "globalTags", { tags: [{ tag: "urn:li:tag:pii" }] }),
    proposal(alice, "corpUserCredentials", { salt: "s", hashedPassword: "h" }),
    proposal(okta, "corpGroupInfo", { displayName: "Okta", admins: [alice], members: [bob], groups: ["x"] }),
  ]);
  await catalog.send(
    `mutation ($urn: String!) { updateCorpGroupProperties(urn: $urn, input: { email: "o@acme.com", slack: "#o", pictureLink: "https://p.com" }) { urn } }`,
    { urn: okta },
  );
  const { data, errors } = await catalog.send(
    `query ($user: String!, $okta: String!, $plain: String!) {
      corpUser(urn: $user) { status isNativeUser tags { tags { tag { urn } } } }
      okta: corpGroup(urn: $okta) { origin { type externalType } editableProperties { email slack pictureLink description }
        info { displayName admins { urn } members { urn } groups } }
      plain: corpGroup(urn: $plain) { origin { type externalType } editableProperties { email } } }`,
    { user: alice, okta, plain: stewards },
  );
  expect(errors).toBeUndefined();
  expect(data).toEqual({
    corpUser: {
      status: "SUSPENDED",
      isNativeUser: true,
      tags: { tags: [{ tag: { urn: "urn:li:tag:pii" } }] },
    },
    okta: {
      origin: { type: "EXTERNAL", externalType: "Okta" },
      editableProperties: {
        email: "o@acme.com",
        slack: "#o",
        pictureLink: "https://p.com",
        description: null,
      },
      info: { displayName: "Okta", admins: [{ urn: alice }], members: [{ urn: bob }], groups: ["x"] },
    },
    plain: { origin: { type: "UNKNOWN", externalType: null }, editableProperties: null },
  });
});
