import { expect, test } from "vitest";
import { call, change, ingest } from "../rest.ts";
import { alice, column, finance, orders, pii, proposal, shop, stewards, tier } from "../support.ts";
import { faultyCatalog, type FaultyCatalog } from "./support.ts";

// It ends when the second mutation has read, so no test waits for its end.
const window = { fault: "lost_update", milliseconds: 600_000, rate: 1 } as const;

test("two tags that are added at the same time lose one with the window, and none without", async () => {
  const [lossy, safe] = await Promise.all([faultyCatalog([window]), faultyCatalog([])]);
  for (const catalog of [lossy, safe]) {
    const answers = await Promise.all([catalog.addTags(pii), catalog.addTags(tier)]);
    expect(answers.map(({ data }) => data)).toEqual([{ m0: true }, { m0: true }]);
  }
  expect(lossy.tags()).toHaveLength(1);
  expect(await lossy.report()).toMatchObject({
    lost_updates: 1,
    overlapping_writes: { greatest: 2, urn: orders },
    writes: { mutations: 2 },
  });
  expect(safe.tags().toSorted()).toEqual([pii, tier].toSorted());
  expect(await safe.report()).toMatchObject({
    lost_updates: 0,
    overlapping_writes: { greatest: 1, urn: orders },
  });
});

const owner = (ownerUrn: string, ownerEntityType: string): string =>
  `ownerUrn: "${ownerUrn}", ownerEntityType: ${ownerEntityType}, type: DATA_STEWARD`;
const groupOf = (name: string) => `urn:li:corpGroup:${name}`;
const sales = "urn:li:domain:sales";
const world = [
  ...shop,
  proposal(sales, "domainProperties", { name: "Sales" }),
  proposal(groupOf("a"), "origin", { type: "NATIVE" }),
  proposal(groupOf("b"), "origin", { type: "NATIVE" }),
  proposal(orders, "globalTags", { tags: [{ tag: pii }, { tag: tier }] }),
  proposal(orders, "ownership", {
    owners: [alice, stewards].map((urn) => ({ owner: urn, type: "DATA_STEWARD" })),
    lastModified: { time: 0, actor: alice },
  }),
];
const target = `resourceUrn: "${orders}"`;
const inColumn = (name: string): string =>
  `${target}, subResourceType: DATASET_FIELD, subResource: "${name}"`;

const adding = `addOwner(input: { ${owner("urn:li:corpuser:datahub", "CORP_USER")}, ${target} })`;
const removing = `batchRemoveOwners(input: { ownerUrns: ["${alice}"], resources: [{ ${target} }] })`;
const removingTag = (tag: string) => `removeTag(input: { tagUrn: "${tag}", ${target} })`;
const tagging = (name: string) => `addTags(input: { tagUrns: ["${pii}"], ${inColumn(name)} })`;
const joining = (group: string) => `addGroupMembers(input: { groupUrn: "${group}", userUrns: ["${alice}"] })`;
const setting = (domain: string) => `setDomain(entityUrn: "${orders}", domainUrn: "${domain}")`;

test.each([
  ["ownership", orders, [adding, removing]],
  ["globalTags", orders, [removingTag(pii), removingTag(tier)]],
  ["editableSchemaMetadata", orders, [tagging("id"), tagging("customer.email")]],
  ["nativeGroupMembership", alice, [joining(groupOf("a")), joining(groupOf("b"))]],
  ["domains", orders, [setting(finance), setting(sales)]],
] as const)("of two mutations of %s at the same time one is lost", async (aspect, urn, mutations) => {
  const alone = await Promise.all(
    mutations.map(async (mutation) => {
      const catalog = await faultyCatalog([], {}, world);
      await catalog.send(`mutation { ${mutation} }`);
      return timeless(catalog.stored(urn, aspect));
    }),
  );
  const catalog = await faultyCatalog([window], {}, world);
  const answers = await Promise.all(mutations.map((mutation) => catalog.send(`mutation { ${mutation} }`)));
  expect(answers.map(({ errors }) => errors)).toEqual([undefined, undefined]);
  expect(alone).toContain(timeless(catalog.stored(urn, aspect)));
  expect((await catalog.report()).lost_updates).toBe(1);
});

/** A value as text, without the times of its audit stamps. */
function timeless(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"time":\d+/g, '"time":0');
}

test("mutations of one request, and those of different aspects, lose nothing", async () => {
  const catalog = await faultyCatalog([{ ...window, milliseconds: 10 }]);
  await Promise.all([catalog.addTags(pii, tier), catalog.send(`mutation { ${setting(finance)} }`)]);
  expect(catalog.tags()).toEqual([pii, tier]);
  expect(catalog.stored(orders, "domains")).toMatchObject({ domains: [finance] });
  expect((await catalog.report()).lost_updates).toBe(0);
});

test("a mutation that fails writes nothing, with its window", async () => {
  const catalog = await faultyCatalog([{ ...window, milliseconds: 1 }]);
  const before = catalog.dump();
  const { data, errors } = await catalog.addTags("urn:li:tag:missing");
  expect([data, errors?.[0]?.extensions["code"]]).toEqual([{ m0: null }, 400]);
  expect(catalog.dump()).toEqual(before);
  expect(await catalog.report()).toMatchObject({ faults: [{ injected: 0 }], writes: { mutations: 0 } });
});

test("what DataHub wrote before a step failed is written, with its window", async () => {
  const catalog = await faultyCatalog([{ ...window, milliseconds: 1 }], {}, world);
  const users = JSON.stringify([alice, "urn:li:corpuser:missing"]);
  const { data } = await catalog.send(
    `mutation { addGroupMembers(input: { groupUrn: "${groupOf("a")}", userUrns: ${users} }) }`,
  );
  expect(data).toEqual({ addGroupMembers: null });
  expect(catalog.stored(alice, "nativeGroupMembership")).toEqual({ nativeGroups: [groupOf("a")] });
});

test("a mutation stores the same, with its window and without faults", async () => {
  const mutations = `mutation { createTag(input: { id: "new", name: "New" })
    createDomain(input: { id: "new", name: "New", parentDomain: "${finance}" })
    deleteTag(urn: "${pii}")
    createGroup(input: { id: "new", name: "New" })
    updateCorpUserProperties(urn: "${alice}", input: { title: "CFO" }) { editableProperties { title } } }`;
  const stored = async (catalog: FaultyCatalog): Promise<readonly unknown[]> => {
    const { errors, data } = await catalog.send(mutations);
    expect(errors).toBeUndefined();
    const rows = catalog.dump().map(({ urn, aspect, version, value }) => [urn, aspect, version, value]);
    return [data, timeless(rows)];
  };
  expect(await stored(await faultyCatalog([{ ...window, milliseconds: 1 }], {}, world))).toEqual(
    await stored(await faultyCatalog([], {}, world)),
  );
});

/** Adds a tag by proposals that are bound to the version that was read, until one is accepted. */
async function propose(catalog: FaultyCatalog, tag: string): Promise<void> {
  for (let status = 0; status !== 200;) {
    const path = `/openapi/v3/entity/dataset/${encodeURIComponent(orders)}/globalTags?systemMetadata=true`;
    const { body } = await call(catalog, "GET", path);
    const tags: readonly object[] = body?.value?.tags ?? [];
    const headers = { "If-Version-Match": body?.systemMetadata?.version ?? "-1" };
    const bound = change(orders, "globalTags", { tags: [...tags, { tag }] }, { headers });
    ({ status } = await ingest(catalog, bound));
  }
}

test("conditional proposals of several clients lose nothing, with the window", async () => {
  const catalog = await faultyCatalog([window]);
  const wanted = Array.from({ length: 8 }, (_, index) => `urn:li:tag:t${index}`);
  await Promise.all(wanted.map((tag) => propose(catalog, tag)));
  expect(catalog.tags().toSorted()).toEqual(wanted);
  expect(await catalog.report()).toMatchObject({ lost_updates: 0, writes: { mutations: 0, rest: 8 } });
});

test("a conditional proposal is lost if a mutation that read before it writes after it", async () => {
  const catalog = await faultyCatalog([window]);
  const added = catalog.addTags(pii);
  await catalog.untilInjected(1);
  const headers = { "If-Version-Match": "-1" };
  const first = change(orders, "globalTags", { tags: [{ tag: tier }] }, { headers });
  expect((await ingest(catalog, first)).status).toBe(200);
  // Another mutation of the dataset ends the window.
  await catalog.send(`mutation { ${setting(finance)} }`);
  expect((await added).data).toEqual({ m0: true });
  expect(catalog.tags()).toEqual([pii]);
  expect((await catalog.report()).lost_updates).toBe(1);
  expect((await ingest(catalog, first)).status).toBeGreaterThanOrEqual(400);
  expect(catalog.tags()).toEqual([pii]);
});

test("only the mutations that are named have a window", async () => {
  const catalog = await faultyCatalog([{ ...window, milliseconds: 600_000, only: ["setDomain"] }]);
  expect((await catalog.addTags(pii)).data).toEqual({ m0: true });
  expect((await catalog.report()).faults).toMatchObject([{ injected: 0 }]);
});

test("writes of different entities do not overlap", async () => {
  const other = orders.replace("orders", "customers");
  const records = [...shop, proposal(other, "schemaMetadata", { fields: [column("id")] })];
  const catalog = await faultyCatalog([{ ...window, milliseconds: 10 }], {}, records);
  const toAny = `mutation ($urn: String!) { addTag(input: { tagUrn: "${pii}", resourceUrn: $urn }) }`;
  await Promise.all([orders, other].map((urn) => catalog.send(toAny, { urn })));
  expect((await catalog.report()).overlapping_writes.greatest).toBe(1);
});
