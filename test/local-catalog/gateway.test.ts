import { expect, test } from "vitest";
import { alice, catalogWith, finance, orders, pii, proposal, shop, tier } from "./support.ts";
import { call, change } from "./rest.ts";

const entities = "query Read($urns: [String!]!) { entities(urns: $urns) { urn } }";
const batchGet = "/openapi/v3/entity/tag/batchGet";

test("with a largest batch, requests for more entities are answered with 504, and others as ever", async () => {
  const catalog = await catalogWith(shop, { maxBatch: 2 });
  const statuses = [
    await catalog.send(entities, { urns: [pii, tier] }),
    await catalog.send(entities, { urns: [pii, tier, orders] }),
    await catalog.send(
      `{ a: me { corpUser { urn } } b: me { corpUser { urn } } c: me { corpUser { urn } } }`,
    ),
    await catalog.send(`{ ${[0, 1, 2].map((n) => `e${n}: entityExists(urn: "${pii}")`).join(" ")} }`),
    await call(catalog, "POST", batchGet, [{ urn: pii }, { urn: tier }]),
    await call(catalog, "POST", batchGet, [{ urn: pii }, { urn: tier }, { urn: alice }]),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 504, 200, 504, 200, 504]);
});

test("what is refused for its size is not written", async () => {
  const catalog = await catalogWith(shop, { maxBatch: 1 });
  const add = (alias: string): string =>
    `${alias}: addTag(input: { tagUrn: "${pii}", resourceUrn: "${orders}" })`;
  expect((await catalog.send(`mutation { ${add("a")} ${add("b")} }`)).status).toBe(504);
  expect(catalog.stored(orders, "globalTags")).toBeUndefined();
  expect((await catalog.send(`mutation { ${add("a")} }`)).status).toBe(200);
});

test("with a lag of reads, each read by URN, list and search answers what was there before, and a write is made at once", async () => {
  let time = 1_700_000_000_000;
  const catalog = await catalogWith(shop, { readLag: 3, now: () => time });
  const domainOf = async (): Promise<unknown> => {
    const { data } = await catalog.send(`{ dataset(urn: "${orders}") { domain { domain { urn } } } }`);
    return data;
  };
  const stored = async (): Promise<unknown> =>
    (await call(catalog, "GET", `/entitiesV2/${encodeURIComponent(orders)}?aspects=List(domains)`)).body;
  const before = [await domainOf(), await stored()];
  await catalog.send(`mutation { setDomain(entityUrn: "${orders}", domainUrn: "${finance}") }`);
  await catalog.send(`mutation { createTag(input: { id: "new", name: "New" }) }`);
  expect(catalog.stored(orders, "domains")).toMatchObject({ domains: [finance] });
  expect([await domainOf(), await stored()]).toEqual(before);
  time += 2_900;
  expect([await domainOf(), await stored()]).toEqual(before);
  time += 100;
  expect(JSON.stringify([await domainOf(), await stored()]).split(finance)).toHaveLength(before.length + 2);
});

test("with a lag of reads, what was written is not known to exist, and a conditional write meets its new version", async () => {
  let time = 1_700_000_000_000;
  const catalog = await catalogWith([proposal(pii, "tagProperties", { name: "pii" })], {
    readLag: 3,
    now: () => time,
  });
  await catalog.send(`mutation { createTag(input: { id: "new", name: "New" }) }`);
  const exists = async (): Promise<unknown> =>
    (await catalog.send(`{ entityExists(urn: "urn:li:tag:new") }`)).data;
  expect(await exists()).toEqual({ entityExists: false });
  const proposed = change(
    "urn:li:tag:new",
    "tagProperties",
    { name: "Other" },
    {
      headers: { "If-Version-Match": "-1" },
    },
  );
  const written = await call(catalog, "POST", "/aspects?action=ingestProposal", { proposal: proposed });
  expect(written.status).toBe(422);
  time += 3_000;
  expect(await exists()).toEqual({ entityExists: true });
});
