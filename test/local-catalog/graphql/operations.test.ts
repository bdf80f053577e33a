import { describe, expect, test } from "vitest";
import {
  alice,
  catalogWith,
  finance,
  folder,
  missing,
  orders,
  pii,
  shop,
  stewards,
  serverError,
} from "../support.ts";

const setDomain = "mutation ($e: String!, $d: String!) { done: setDomain(entityUrn: $e, domainUrn: $d) }";
const unsetDomain = "mutation ($e: String!) { done: unsetDomain(entityUrn: $e) }";
const addOwner = "mutation ($i: AddOwnerInput!) { done: addOwner(input: $i) }";
const removeOwners = "mutation ($i: BatchRemoveOwnersInput!) { done: batchRemoveOwners(input: $i) }";
const addTags = "mutation ($i: AddTagsInput!) { done: addTags(input: $i) }";
const removeTag = "mutation ($i: TagAssociationInput!) { done: removeTag(input: $i) }";

const owner = (ownerUrn: string, more: object = {}) => ({
  i: { ownerUrn, ownerEntityType: "CORP_USER", type: "TECHNICAL_OWNER", resourceUrn: orders, ...more },
});
const owners = (resourceUrn: string, more: object = {}) => ({
  i: { ownerUrns: [alice], resources: [{ resourceUrn, ...more }] },
});
const tags = (tagUrn: string, resourceUrn = orders, more: object = {}) => ({
  i: { tagUrns: [tagUrn], resourceUrn, ...more },
});
const tag = (tagUrn: string, resourceUrn = orders, more: object = {}) => ({
  i: { tagUrn, resourceUrn, ...more },
});
const inColumn = (subResource: string) => ({ subResourceType: "DATASET_FIELD", subResource });

describe("an operation that DataHub accepts returns true", () => {
  test.each([
    ["setDomain on a dataset", setDomain, { e: orders, d: finance }],
    ["setDomain on a container", setDomain, { e: folder, d: finance }],
    ["unsetDomain", unsetDomain, { e: orders }],
    ["addOwner of a user", addOwner, owner(alice)],
    ["addOwner of a group", addOwner, owner(stewards, { ownerEntityType: "CORP_GROUP" })],
    ["addOwner to what does not exist", addOwner, owner(alice, { resourceUrn: missing })],
    ["batchRemoveOwners of a missing owner", removeOwners, owners(orders)],
    ["addTags on a dataset", addTags, tags(pii)],
    ["addTags on a container", addTags, tags(pii, folder)],
    ["addTags on a column", addTags, tags(pii, orders, inColumn("customer.email"))],
    ["removeTag of a missing tag", removeTag, tag(pii)],
    ["removeTag of a tag that does not exist", removeTag, tag("urn:li:tag:gone")],
    ["removeTag on a column", removeTag, tag(pii, orders, inColumn("id"))],
  ])("%s", async (_name, document, variables) => {
    const catalog = await catalogWith(shop);
    expect(await catalog.send(document, variables)).toEqual({ status: 200, data: { done: true } });
  });
});

test("removeTag of what is no tag answers false, and writes nothing", async () => {
  const catalog = await catalogWith(shop);
  const before = catalog.dump();
  expect(await catalog.send(removeTag, tag(finance))).toEqual({ status: 200, data: { done: false } });
  expect(catalog.dump()).toEqual(before);
});

const noEntity = `Failed to update resource with urn ${missing}. Entity does not exist.`;
const ownership = "Failed to change ownership for resource(s).";

describe("an operation that DataHub rejects returns null with DataHub's message and code 400, and writes nothing", () => {
  test.each([
    [
      "setDomain, missing target",
      setDomain,
      { e: missing, d: finance },
      `Failed to add Entity ${missing} to Domain ${finance}. Entity does not exist.`,
    ],
    [
      "setDomain, missing domain, which is checked first",
      setDomain,
      { e: missing, d: "urn:li:domain:x" },
      `Failed to add Entity ${missing} to Domain urn:li:domain:x. Domain does not exist.`,
    ],
    [
      "setDomain, a tag for a domain",
      setDomain,
      { e: orders, d: pii },
      `Failed to add Entity ${orders} to Domain ${pii}. Expected a domain urn.`,
    ],
    ["unsetDomain, missing target", unsetDomain, { e: missing }, "Format specifier '%s'"],
    [
      "addOwner, missing owner",
      addOwner,
      owner("urn:li:corpuser:x"),
      `${ownership} Owner with urn urn:li:corpuser:x does not exist.`,
    ],
    [
      "addOwner, a group for a user",
      addOwner,
      owner(stewards),
      `${ownership} Expected a corp user urn, found ${stewards}.`,
    ],
    [
      "addOwner, a user for a group",
      addOwner,
      owner(alice, { ownerEntityType: "CORP_GROUP" }),
      `${ownership} Expected a corp group urn, found ${alice}`,
    ],
    [
      "addOwner, missing ownership type",
      addOwner,
      owner(alice, { ownershipTypeUrn: "urn:li:ownershipType:x" }),
      `${ownership} Custom Ownership type with urn urn:li:ownershipType:x does not exist.`,
    ],
    [
      "addOwner, neither type nor ownershipTypeUrn",
      addOwner,
      owner(alice, { type: null }),
      `${ownership} Expected either type or ownershipTypeUrn to be specified.`,
    ],
    ["batchRemoveOwners, missing target", removeOwners, owners(missing), noEntity],
    [
      "batchRemoveOwners, a column",
      removeOwners,
      owners(orders, inColumn("id")),
      "Malformed input provided: owners cannot be removed from subresources.",
    ],
    ["addTags, missing target", addTags, tags(pii, missing), noEntity],
    [
      "addTags, missing tag",
      addTags,
      tags("urn:li:tag:x"),
      "Failed to validate label with urn urn:li:tag:x. Urn does not exist.",
    ],
    [
      "addTags, a domain for a tag",
      addTags,
      tags(finance),
      `Failed to validate label with urn ${finance}. Urn type does not match entity type tag..`,
    ],
    [
      "addTags, missing column",
      addTags,
      tags(pii, orders, inColumn("email")),
      `Failed to update ${orders} & field email. Field email does not exist in the datasets schema.`,
    ],
    [
      "addTags, a column of what has no schema",
      addTags,
      tags(pii, folder, inColumn("email")),
      `Failed to update ${folder} & field email. ${folder} has no schema.`,
    ],
    [
      "addTags, a column without its type",
      addTags,
      tags(pii, orders, { subResource: "id" }),
      `Failed to updates resource with urn ${orders}. SubResource (id) provided without a subResourceType.`,
    ],
    [
      "addTags, a type without a column",
      addTags,
      tags(pii, orders, { subResourceType: "DATASET_FIELD" }),
      `Failed to update resource with urn ${orders}. SubResourceType (DATASET_FIELD) provided without a subResource.`,
    ],
    ["removeTag, missing target", removeTag, tag(pii, missing), noEntity],
    [
      "removeTag, missing column",
      removeTag,
      tag(pii, orders, inColumn("gone")),
      `Failed to update ${orders} & field gone. Field gone does not exist in the datasets schema.`,
    ],
  ])("%s", async (_name, document, variables, message) => {
    const catalog = await catalogWith(shop);
    const before = catalog.dump();
    const answer = await catalog.send(document, variables);
    expect(answer).toMatchObject({
      status: 200,
      data: { done: null },
      errors: [
        {
          message,
          path: ["done"],
          extensions: { code: 400, type: "BAD_REQUEST", classification: "DataFetchingException" },
        },
      ],
    });
    expect(catalog.dump()).toEqual(before);
  });
});

test.each([
  ["setDomain", setDomain, { e: orders, d: finance }],
  ["unsetDomain", unsetDomain, { e: orders }],
  ["addOwner", addOwner, owner(alice)],
  ["batchRemoveOwners", removeOwners, owners(orders)],
  ["addTags", addTags, tags(pii)],
  ["removeTag", removeTag, tag(pii)],
  ["entities", "query ($e: [String!]!) { entities(urns: $e) { urn } }", { e: [orders] }],
])("%s without a token is 401, and writes nothing", async (_name, document, variables) => {
  const catalog = await catalogWith(shop, { auth: true });
  const before = catalog.dump();
  const response = await fetch(`${catalog.url}/api/graphql`, {
    method: "POST",
    body: JSON.stringify({ query: document, variables }),
  });
  expect(response.status).toBe(401);
  expect(catalog.dump()).toEqual(before);
});

test.each([
  ["setDomain, target", setDomain, { e: "orders", d: finance }, "orders"],
  ["setDomain, domain", setDomain, { e: orders, d: "finance" }, "finance"],
  ["unsetDomain", unsetDomain, { e: "urn:li:dataset:orders" }, "urn:li:dataset:orders"],
  ["addOwner, owner", addOwner, owner("alice"), "alice"],
  ["addOwner, target", addOwner, owner(alice, { resourceUrn: " " }), " "],
  ["addTags, tag", addTags, tags("pii"), "pii"],
  ["removeTag, target", removeTag, tag(pii, "urn:li:dataset:(x)"), "urn:li:dataset:(x)"],
])(
  "a malformed URN is a server error that names it, as in DataHub: %s",
  async (_name, document, variables, urn) => {
    const catalog = await catalogWith(shop);
    const answer = await catalog.send(document, variables);
    expect(answer.errors).toMatchObject([
      {
        message: serverError(`Failed to retrieve entity with urn ${urn}, invalid urn`),
        extensions: { code: 500, type: "SERVER_ERROR" },
      },
    ]);
  },
);

test("aliases run in order, each with its own result and transaction", async () => {
  const catalog = await catalogWith(shop);
  const answer = await catalog.send(
    `mutation ($on: String!, $off: String!, $e: String!) {
      first: addTags(input: { tagUrns: [$on], resourceUrn: $e })
      second: addTags(input: { tagUrns: [$on, "urn:li:tag:x"], resourceUrn: $e })
      third: addTags(input: { tagUrns: [$off], resourceUrn: $e })
      fourth: removeTag(input: { tagUrn: $on, resourceUrn: $e })
    }`,
    { on: pii, off: "urn:li:tag:tier-1", e: orders },
  );
  expect(answer.data).toEqual({ first: true, second: null, third: true, fourth: true });
  expect(answer.errors?.map((error) => error.path)).toEqual([["second"]]);
  expect(catalog.stored(orders, "globalTags")).toEqual({ tags: [{ tag: "urn:li:tag:tier-1" }] });
});

test("a batch that fails at its last resource has removed no owner from the first", async () => {
  const catalog = await catalogWith(shop);
  await catalog.send(addOwner, owner(alice));
  const before = catalog.dump();
  const answer = await catalog.send(removeOwners, {
    i: { ownerUrns: [alice], resources: [{ resourceUrn: orders }, { resourceUrn: missing }] },
  });
  expect(answer.errors).toHaveLength(1);
  expect(catalog.dump()).toEqual(before);
});
