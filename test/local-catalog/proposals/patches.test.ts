import { describe, expect, test } from "vitest";
import {
  alice,
  catalogWith,
  finance,
  missing,
  orders,
  pii,
  stewards,
  tier,
  type TestCatalog,
} from "../support.ts";
import { call, change, ingest, ingestBatch, type RestAnswer } from "../rest.ts";
import { asciiJson } from "../../support/ascii-json.ts";

const bySource = "attribution\u241Fsource";
const dbt = "urn:li:dataPlatform:dbt";
const auditor = "urn:li:ownershipType:auditor";

/** Sends a patch by Rest.li, as DataHub's Python client does. */
function patch(catalog: TestCatalog, aspect: string, sent: unknown, urn = orders): Promise<RestAnswer> {
  return ingest(catalog, { ...change(urn, aspect, {}), ...patched(sent) });
}

function patched(sent: unknown): object {
  const value = { value: asciiJson(sent), contentType: "application/json-patch+json" };
  return { changeType: "PATCH", aspect: value };
}

/** The stamps of aspects that a template makes. */
const stamps: Readonly<Record<string, readonly string[]>> = {
  ownership: ["lastModified"],
  editableSchemaMetadata: ["created", "lastModified"],
};
const stamp = { time: expect.any(Number), actor: "urn:li:corpuser:__datahub_system" };

const add = (path: string, value: unknown): object => ({ op: "add", path, value });
const remove = (path: string): object => ({ op: "remove", path, value: {} });
const attributed = (tag: string): object => ({
  tag,
  attribution: { time: 1, actor: "urn:li:corpuser:a", source: dbt },
});
const owner = (more: object): object => ({ owner: alice, type: "NONE", ...more });

describe("what the official patch builders send", () => {
  const tagKeys = { arrayPrimaryKeys: { tags: [bySource, "tag"] } };
  const tagFirst = { arrayPrimaryKeys: { tags: ["tag", bySource] } };
  const ownerKeys = { arrayPrimaryKeys: { owners: ["owner", "type", "typeUrn", bySource] } };
  const byTypeUrn = { arrayPrimaryKeys: { owners: ["owner", "typeUrn", "type", bySource] } };
  const domainKeys = { arrayPrimaryKeys: { domainAssociations: [bySource, "domain"] } };
  const domainFirst = { arrayPrimaryKeys: { domainAssociations: ["domain", bySource] } };
  const inField = (field: string, tag: string): string =>
    `/editableSchemaFieldInfo/${field}/globalTags/tags/${tag}`;

  test.each([
    [
      "add_tag on nothing",
      "globalTags",
      undefined,
      { patch: [add(`/tags//${pii}`, { tag: pii })], ...tagKeys },
      { tags: [{ tag: pii }] },
    ],
    [
      "add_tag beside the same tag of a source",
      "globalTags",
      { tags: [attributed(pii), { tag: tier }] },
      { patch: [add(`/tags//${pii}`, { tag: pii })], ...tagKeys },
      { tags: [attributed(pii), { tag: tier }, { tag: pii }] },
    ],
    [
      "add_tag again",
      "globalTags",
      { tags: [{ tag: pii }] },
      { patch: [add(`/tags//${pii}`, { tag: pii })], ...tagKeys },
      { tags: [{ tag: pii }] },
    ],
    [
      "add_tag of a source",
      "globalTags",
      { tags: [{ tag: pii }] },
      { patch: [add(`/tags/${dbt}/${pii}`, attributed(pii))], ...tagKeys },
      { tags: [{ tag: pii }, attributed(pii)] },
    ],
    [
      "remove_tag, of all sources",
      "globalTags",
      { tags: [attributed(pii), { tag: tier }, { tag: pii }] },
      { patch: [remove(`/tags/${pii}`)], ...tagFirst },
      { tags: [{ tag: tier }] },
    ],
    [
      "remove_tag of one source",
      "globalTags",
      { tags: [attributed(pii), { tag: pii }] },
      { patch: [remove(`/tags/${dbt}/${pii}`)], ...tagKeys },
      { tags: [{ tag: pii }] },
    ],
    [
      "remove_tag on nothing",
      "globalTags",
      undefined,
      { patch: [remove(`/tags/${pii}`)], ...tagFirst },
      { tags: [] },
    ],
    [
      "add_owner beside the same owner of another type",
      "ownership",
      { owners: [owner({ typeUrn: auditor })] },
      { patch: [add(`/owners/${alice}/NONE//`, owner({}))], ...ownerKeys },
      { owners: [owner({ typeUrn: auditor }), owner({})] },
    ],
    [
      "add_owner with a type on nothing",
      "ownership",
      undefined,
      {
        patch: [
          add(`/owners/${alice}/CUSTOM/${auditor}/`, { owner: alice, type: "CUSTOM", typeUrn: auditor }),
        ],
        ...ownerKeys,
      },
      { owners: [{ owner: alice, type: "CUSTOM", typeUrn: auditor }] },
    ],
    [
      "remove_owner",
      "ownership",
      { owners: [owner({}), owner({ typeUrn: auditor }), owner({ owner: stewards })] },
      { patch: [remove(`/owners/${alice}`)], ...ownerKeys },
      { owners: [owner({ owner: stewards })] },
    ],
    [
      "remove_owner of one type",
      "ownership",
      { owners: [owner({}), owner({ typeUrn: auditor })] },
      { patch: [remove(`/owners/${alice}/${auditor}`)], ...byTypeUrn },
      { owners: [owner({})] },
    ],
    [
      "set_owners",
      "ownership",
      { owners: [owner({})] },
      [add("/owners", [owner({ owner: stewards })])],
      { owners: [owner({ owner: stewards })] },
    ],
    [
      "add_domain, seen in the other field",
      "domains",
      undefined,
      { patch: [add(`/domainAssociations//${finance}`, { domain: finance })], ...domainKeys },
      { domains: [finance], domainAssociations: [{ domain: finance }] },
    ],
    [
      "remove_domain, seen in the other field",
      "domains",
      { domains: [finance] },
      { patch: [remove(`/domainAssociations/${finance}`)], ...domainFirst },
      { domains: [], domainAssociations: [] },
    ],
    [
      "for_field.add_tag on nothing, the path's key put back",
      "editableSchemaMetadata",
      undefined,
      [add(inField("id", pii), { tag: pii })],
      { editableSchemaFieldInfo: [{ fieldPath: "id", globalTags: { tags: [{ tag: pii }] } }] },
    ],
    [
      "for_field.add_tag beside another",
      "editableSchemaMetadata",
      {
        editableSchemaFieldInfo: [
          { fieldPath: "id", description: "Key.", globalTags: { tags: [{ tag: tier }] } },
        ],
      },
      [add(inField("id", pii), { tag: pii }), add(inField("a~1b", pii), { tag: pii })],
      {
        editableSchemaFieldInfo: [
          { fieldPath: "id", description: "Key.", globalTags: { tags: [{ tag: tier }, { tag: pii }] } },
          { fieldPath: "a/b", globalTags: { tags: [{ tag: pii }] } },
        ],
      },
    ],
    [
      "for_field.remove_tag",
      "editableSchemaMetadata",
      { editableSchemaFieldInfo: [{ fieldPath: "id", globalTags: { tags: [{ tag: tier }, { tag: pii }] } }] },
      [remove(inField("id", pii))],
      { editableSchemaFieldInfo: [{ fieldPath: "id", globalTags: { tags: [{ tag: tier }] } }] },
    ],
    [
      "an operation on fieldPath as well, as older servers need it",
      "editableSchemaMetadata",
      undefined,
      [add("/editableSchemaFieldInfo/id/fieldPath", "id"), add(inField("id", pii), { tag: pii })],
      { editableSchemaFieldInfo: [{ fieldPath: "id", globalTags: { tags: [{ tag: pii }] } }] },
    ],
    [
      "set_description and add_custom_property on nothing",
      "datasetProperties",
      undefined,
      [add("/description", "Orders."), add("/customProperties/team~1squad", "shop")],
      { description: "Orders.", customProperties: { "team/squad": "shop" } },
    ],
    [
      "remove_custom_property",
      "datasetProperties",
      { name: "orders", customProperties: { a: "1", b: "2" } },
      [remove("/customProperties/a")],
      { name: "orders", customProperties: { b: "2" } },
    ],
    ["status by its template", "status", undefined, [add("/removed", true)], { removed: true }],
    [
      "domains by their template",
      "domains",
      undefined,
      [add(`/domains/${finance}`, finance)],
      { domains: [finance], domainAssociations: [{ domain: finance }] },
    ],
    [
      "a list by its places",
      "status",
      { removed: false },
      { patch: [{ op: "replace", path: "/removed", value: true }], forceGenericPatch: true },
      { removed: true },
    ],
  ])("%s", async (_name, aspect, before, sent, after) => {
    const catalog = await catalogWith();
    if (before) await ingest(catalog, change(orders, aspect, before));
    expect(await patch(catalog, aspect, sent)).toMatchObject({ status: 200, body: { value: "success" } });
    const computed = aspect === "ownership" ? { ownerTypes: expect.any(Object) } : {};
    const made = before ? {} : Object.fromEntries((stamps[aspect] ?? []).map((name) => [name, stamp]));
    expect(catalog.stored(orders, aspect)).toEqual({ ...after, ...computed, ...made });
    expect(catalog.stored(orders, "datasetKey")).toBeDefined();
  });
});

test.each([
  [
    "a tag of several sources: the later entry's fields, and what only the earlier one has",
    "globalTags",
    { tags: [{ tag: pii, context: "{}" }, attributed(pii), { tag: tier }] },
    [remove(`/tags/${tier}`)],
    { tags: [{ context: "{}", ...attributed(pii) }] },
  ],
  [
    "two custom types of one owner",
    "ownership",
    { owners: [owner({ typeUrn: auditor }), owner({ typeUrn: "urn:li:ownershipType:other" })] },
    [add(`/owners/${stewards}/NONE`, owner({ owner: stewards }))],
    { owners: [owner({ typeUrn: "urn:li:ownershipType:other" }), owner({ owner: stewards })] },
  ],
])("a template takes two entries of one key for one: %s", async (_name, aspect, before, sent, after) => {
  const catalog = await catalogWith();
  await ingest(catalog, change(orders, aspect, before));

  expect(await patch(catalog, aspect, sent)).toMatchObject({ status: 200 });

  expect(catalog.stored(orders, aspect)).toMatchObject(after);
});

const tagging = (tag: string, version?: string): object => ({
  ...change(orders, "globalTags", {}),
  ...patched([add(`/tags/${tag}`, { tag })]),
  ...(version !== undefined && { headers: { "If-Version-Match": version } }),
});

async function versionOf(catalog: TestCatalog): Promise<string> {
  const path = `/openapi/v3/entity/dataset/${encodeURIComponent(orders)}/globalTags?systemMetadata=true`;
  return (await call(catalog, "GET", path)).body.systemMetadata.version;
}

test("several patches of one aspect in a batch are all applied, in their order, as one version", async () => {
  const catalog = await catalogWith();
  const untagging = { ...change(orders, "globalTags", {}), ...patched([remove(`/tags/${pii}`)]) };

  expect(await ingestBatch(catalog, tagging(pii), tagging(tier), untagging)).toMatchObject({
    status: 200,
    body: { value: "success" },
  });

  expect(catalog.stored(orders, "globalTags")).toEqual({ tags: [{ tag: tier }] });
  expect(await versionOf(catalog)).toBe("1");
});

test("a batch with one patch of another version writes nothing", async () => {
  const catalog = await catalogWith();
  await ingest(catalog, change(orders, "globalTags", { tags: [{ tag: pii }] }));
  const domains = { ...change(orders, "domains", {}), ...patched([add("/domains", [finance])]) };

  const stale = await ingestBatch(catalog, domains, tagging(tier, "7"));

  expect(stale).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining("Expected version 7, actual version 1") },
  });
  expect(catalog.stored(orders, "domains")).toBeUndefined();
  expect((await ingestBatch(catalog, domains, tagging(tier, "1"))).status).toBe(200);
  expect(catalog.stored(orders, "globalTags")).toEqual({ tags: [{ tag: pii }, { tag: tier }] });
});

test("a patch that changes nothing keeps the version", async () => {
  const catalog = await catalogWith();
  await ingestBatch(catalog, tagging(pii));

  await ingestBatch(catalog, tagging(pii), tagging(pii, "1"));

  expect(await versionOf(catalog)).toBe("1");
});

test("a patch is a list of operations that build on one another", async () => {
  const catalog = await catalogWith();
  await ingest(catalog, change(orders, "subTypes", { typeNames: ["Table", "View"] }));
  const operations = [
    { op: "test", path: "/typeNames/0", value: "Table" },
    { op: "add", path: "/typeNames/-", value: "Last" },
    { op: "add", path: "/typeNames/0", value: "First" },
    { op: "move", from: "/typeNames/1", path: "/typeNames/2" },
    { op: "copy", from: "/typeNames/0", path: "/typeNames/-" },
    { op: "remove", path: "/typeNames/1" },
  ];
  expect(await patch(catalog, "subTypes", { patch: operations, forceGenericPatch: true })).toMatchObject({
    status: 200,
  });
  expect(catalog.stored(orders, "subTypes")).toEqual({ typeNames: ["First", "Table", "Last", "First"] });
});

describe("an invalid patch is rejected with a message and changes nothing", () => {
  const generic = { forceGenericPatch: true };
  test.each([
    ["no operations", "globalTags", {}, 400, "must be a list of operations"],
    ["an operation that is not an object", "globalTags", [1], 400, "must be an object"],
    [
      "an unknown operation",
      "globalTags",
      [{ op: "merge", path: "/tags" }],
      400,
      "Unsupported PATCH operation",
    ],
    ["no value", "globalTags", [{ op: "add", path: "/tags" }], 400, "has no value"],
    ["no path", "globalTags", [{ op: "add", value: 1 }], 400, "is not a valid JSON Pointer"],
    ["a path without a slash", "globalTags", [add("tags", [])], 400, "is not a valid JSON Pointer"],
    ["a path with a lone tilde", "globalTags", [add("/tags/~2", {})], 400, "is not a valid JSON Pointer"],
    [
      "keys that are no list",
      "globalTags",
      { patch: [], arrayPrimaryKeys: { tags: "tag" } },
      400,
      "arrayPrimaryKeys",
    ],
    [
      "keys that are no object",
      "globalTags",
      { patch: [], arrayPrimaryKeys: ["tag"] },
      400,
      "arrayPrimaryKeys",
    ],
    ["an aspect without a template", "subTypes", [add("/typeNames", ["x"])], 400, "has no patch template"],
    ["points in time", "datasetProfile", [add("/rowCount", 1)], 400, "timeseries"],
    ["a failed test", "status", [{ op: "test", path: "/removed", value: true }], 422, "patch test failed"],
    [
      "a replacement of nothing",
      "status",
      [{ op: "replace", path: "/lifecycleStage", value: "urn:li:x:y" }],
      422,
      "There is no value",
    ],
    [
      "a way through a text",
      "datasetProperties",
      [add("/name/x/y", 1)],
      422,
      "leads through a value that is not an object",
    ],
    [
      "a place that is not a number",
      "subTypes",
      { patch: [add("/typeNames/x", "y")], ...generic },
      422,
      "does not contain a valid list index",
    ],
    [
      "a place beyond the end",
      "subTypes",
      { patch: [add("/typeNames/9", "y")], ...generic },
      422,
      "does not contain a valid list index",
    ],
    ["a value of another type", "globalTags", [add("/tags", 1)], 422, "not backed by a DataList"],
    [
      "a required field taken away",
      "subTypes",
      { patch: [remove("/typeNames")], ...generic },
      422,
      "/typeNames :: field is required",
    ],
    [
      "an entry without what it needs",
      "ownership",
      [add(`/owners/${alice}/NONE`, { source: {} })],
      422,
      "required",
    ],
    ["the prototype of an object", "status", [add("/__proto__", {})], 422, "cannot write"],
    ["the prototype on the way", "datasetProperties", [add("/__proto__/x", "y")], 422, "cannot write"],
  ])("%s", async (_name, aspect, sent, status, message) => {
    const catalog = await catalogWith();
    await ingest(catalog, change(orders, "status", { removed: false }));
    await ingest(catalog, change(orders, "datasetProperties", { name: "orders" }));
    await ingest(catalog, change(orders, "subTypes", { typeNames: ["Table"] }));
    const before = catalog.dump();
    const answer = await patch(catalog, aspect, sent);
    expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(message) } });
    expect(catalog.dump()).toEqual(before);
  });
});

test("a patch creates a missing entity", async () => {
  const catalog = await catalogWith();
  await patch(catalog, "status", [add("/removed", false)], missing);
  expect(catalog.stored(missing, "datasetKey")).toMatchObject({ name: "shop.missing" });
});
