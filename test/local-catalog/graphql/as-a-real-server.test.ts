import { expect, test } from "vitest";
import { call, type RestAnswer } from "../rest.ts";
import {
  alice,
  catalogWith,
  finance,
  missing,
  orders,
  pii,
  shop,
  stewards,
  type TestCatalog,
} from "../support.ts";

test.each([
  ["{ dataset(urn: $urn) { nmae } }", "dataset/nmae", "nmae", "Dataset"],
  ["{ nothing }", "nothing", "nothing", "Query"],
  [
    "{ dataset(urn: $urn) { ...Part } } fragment Part on Dataset { tags { x } }",
    "Part/tags/x",
    "x",
    "GlobalTags",
  ],
  [
    "{ entities(urns: [$urn]) { ... on Tag { propertees { name } } } }",
    "entities/propertees",
    "propertees",
    "Tag",
  ],
])("an unknown field is said as graphql-java says it: %s", async (query, path, field, type) => {
  const catalog = await catalogWith(shop);
  const body = { query: `query ($urn: String!) ${query}`, variables: { urn: orders } };
  const answer = await call(catalog, "POST", "/api/graphql", body);
  expect([answer.status, answer.body.data]).toEqual([200, null]);
  expect(answer.body.errors).toContainEqual(
    expect.objectContaining({
      message: `Validation error (FieldUndefined@[${path}]) : Field '${field}' in type '${type}' is undefined`,
      extensions: { classification: "ValidationError" },
    }),
  );
});

test("what is not bad input is a server error with its cause, as Java says it", async () => {
  const catalog = await catalogWith(shop);
  await catalog.send(`mutation { createDomain(input: { id: "l", name: "L", parentDomain: "${finance}" }) }`);
  const { errors } = await catalog.send(`mutation { deleteDomain(urn: "${finance}") }`);
  expect(errors).toMatchObject([
    {
      message: `java.lang.RuntimeException: Failed to perform delete against domain with urn ${finance}. Root cause: Cannot delete domain ${finance} which has child domains`,
      extensions: { code: 500, type: "SERVER_ERROR" },
    },
  ]);
  const bad = await catalog.send(`mutation { deleteTag(urn: "pii") }`);
  expect(bad.errors?.[0]?.message).toMatch(/^java\.lang\.RuntimeException: (.*)\. Root cause: \1$/);
});

test.each(["createTag", "createDomain", "createGroup"])(
  "%s with an id that the server does not store answers null without an error",
  async (name) => {
    const catalog = await catalogWith();
    const before = catalog.dump();
    const create = (id: string) =>
      catalog.send(`mutation ($id: String) { made: ${name}(input: { id: $id, name: "X" }) }`, { id });
    expect(await create("trailing ")).toEqual({ status: 200, data: { made: null } });
    expect(await create("x".repeat(600))).toEqual({ status: 200, data: { made: null } });
    expect(catalog.dump()).toEqual(before);
    expect((await create("a(b")).errors?.[0]?.extensions["code"]).toBe(500);
  },
);

test("a tag can have an id that begins with a blank", async () => {
  const catalog = await catalogWith();
  const { data } = await catalog.send(`mutation { createTag(input: { id: " lead", name: "Lead" }) }`);
  expect(data).toEqual({ createTag: "urn:li:tag: lead" });
  const read = await catalog.send(`{ tag(urn: "urn:li:tag: lead") { name properties { name } } }`);
  expect(read.data).toEqual({ tag: { name: " lead", properties: { name: "Lead" } } });
});

test("batchUpdateSoftDeleted soft-deletes entities and restores them, all or none", async () => {
  const catalog = await catalogWith(shop);
  const set = (urns: readonly string[], deleted: boolean) =>
    catalog.send(
      "mutation ($input: BatchUpdateSoftDeletedInput!) { batchUpdateSoftDeleted(input: $input) }",
      { input: { urns, deleted } },
    );
  expect((await set([orders, pii], true)).data).toEqual({ batchUpdateSoftDeleted: true });
  expect([catalog.stored(orders, "status"), catalog.stored(pii, "status")]).toEqual([
    { removed: true },
    { removed: true },
  ]);
  expect((await set([pii, missing], false)).errors?.[0]?.extensions["code"]).toBe(400);
  expect(catalog.stored(pii, "status")).toEqual({ removed: true });
  await set([pii], false);
  expect(catalog.stored(pii, "status")).toEqual({ removed: false });
});

const refused = [
  ["http://example.com/a.png", "URL scheme 'http' is not allowed"],
  ["ftp://example.com/a.png", "URL scheme 'ftp' is not allowed"],
  ["https://localhost/a.png", "points to a private/internal network address"],
  ["https://10.1.2.3/a.png", "points to a private/internal network address"],
  ["https://[::1]/a.png", "points to a private/internal network address"],
  ["https://intranet/a.png", "cannot be resolved"],
  ["https://pictures.invalid/a.png", "cannot be resolved"],
] as const;
const accepted = ["https://example.com/a.png", "https://8.8.8.8/a.png", "", "assets/platforms/default.png"];

const setters = [
  ["updateCorpUserProperties", "CorpUserUpdateInput", alice, "corpUserEditableInfo"],
  ["updateCorpGroupProperties", "CorpGroupUpdateInput", stewards, "corpGroupEditableInfo"],
] as const;

test.each(setters)(
  "%s takes public pictures only, and so do proposals",
  async (name, input, urn, aspectName) => {
    const catalog = await catalogWith(shop);
    const set = (pictureLink: string) =>
      catalog.send(`mutation ($input: ${input}!) { ${name}(urn: "${urn}", input: $input) { urn } }`, {
        input: { pictureLink },
      });
    const propose = (pictureLink: string) => {
      const aspect = { value: JSON.stringify({ pictureLink }), contentType: "application/json" };
      const entityType = urn.split(":")[2];
      const proposal = { entityType, entityUrn: urn, changeType: "UPSERT", aspectName, aspect };
      return call(catalog, "POST", "/aspects?action=ingestProposal", { proposal });
    };
    for (const [link, reason] of refused) {
      const { errors } = await set(link);
      expect(errors).toMatchObject([
        { message: expect.stringContaining(reason), extensions: { code: 400, type: "BAD_REQUEST" } },
      ]);
      const { status, body } = await propose(link);
      expect([status, body.message]).toEqual([422, expect.stringContaining(reason)]);
    }
    expect(catalog.stored(urn, aspectName)).toBeUndefined();
    for (const link of accepted) {
      expect((await set(link)).errors, link).toBeUndefined();
      expect((await propose(link)).status, link).toBe(200);
    }
  },
);

const system = "urn:li:corpuser:__datahub_system";
const first = "urn:li:corpuser:datahub";

/** Asks for the user of a request, and for that user's privileges; and creates a tag. */
async function asked(catalog: TestCatalog, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const ask = async (query: string): Promise<RestAnswer["body"]> =>
    (await call(catalog, "POST", "/api/graphql", { query }, headers)).body;
  const { data: user } = await ask("{ me { corpUser { urn } } }");
  const me = user.me.corpUser.urn;
  const input = `{ actorUrn: "${me}" }`;
  const { data } = await ask(`{ getGrantedPrivileges(input: ${input}) { privileges } }`);
  const { errors } = await ask(`mutation { createTag(input: { id: "new", name: "New" }) }`);
  const owners = catalog.stored("urn:li:tag:new", "ownership") as { owners: { owner: string }[] } | undefined;
  return {
    me,
    isPrivileged: data.getGrantedPrivileges.privileges.includes("EDIT_ENTITY"),
    ...(errors && { code: errors[0].extensions.code }),
    ...(owners && { owner: owners.owners[0]?.owner }),
  };
}

test.each<readonly [string, Parameters<typeof catalogWith>[1], Record<string, string>, object]>([
  [
    "without a token it is DataHub itself, whom no policy names and who may do everything",
    { actor: system },
    {},
    { me: system, isPrivileged: false, owner: system },
  ],
  [
    "without a token X-DataHub-Actor is believed",
    { actor: system },
    { "X-DataHub-Actor": first },
    { me: first, isPrivileged: true, owner: first },
  ],
  [
    "a user without privileges is refused",
    { actor: system },
    { "X-DataHub-Actor": alice },
    { me: alice, isPrivileged: false, code: 403 },
  ],
  [
    "with a token it is the first user, whatever X-DataHub-Actor says",
    { auth: true },
    { "X-DataHub-Actor": alice },
    { me: first, isPrivileged: true, owner: first },
  ],
])("who makes a request: %s", async (_, options, headers, expected) => {
  expect(await asked(await catalogWith([], options), headers)).toEqual(expected);
});

test("what is proposed is written by the user of the request", async () => {
  const catalog = await catalogWith([], { actor: system });
  const proposal = { entityType: "tag", entityUrn: pii, changeType: "UPSERT", aspectName: "tagProperties" };
  const aspect = { contentType: "application/json", value: JSON.stringify({ name: "PII" }) };
  const path = "/aspects?action=ingestProposal";
  await call(catalog, "POST", path, { proposal: { ...proposal, aspect } }, { "X-DataHub-Actor": alice });
  const found = await call(catalog, "GET", `/entitiesV2/${encodeURIComponent(pii)}`);
  expect(found.body.aspects.tagProperties.created).toMatchObject({ actor: alice });
});

test("a description without subResourceType is that of the dataset, also where a column is named", async () => {
  const catalog = await catalogWith(shop);
  const describe = (more: string): Promise<unknown> =>
    catalog.send(
      `mutation { updateDescription(input: { resourceUrn: "${orders}", description: "all orders"${more} }) }`,
    );
  expect(await describe(`, subResource: "email"`)).toMatchObject({ data: { updateDescription: true } });
  expect(catalog.stored(orders, "editableDatasetProperties")).toEqual({ description: "all orders" });
  expect(catalog.stored(orders, "editableSchemaMetadata")).toBeUndefined();
});
