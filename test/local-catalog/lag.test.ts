import { expect, test } from "vitest";
import { call } from "./rest.ts";
import {
  alice,
  catalogWith,
  finance,
  orders,
  pii,
  proposal,
  shop,
  stewards,
  temporaryDirectory,
  type TestCatalog,
  tier,
} from "./support.ts";

/** A catalog that lags 8 seconds behind a clock which the test moves. */
async function lagging(records: readonly object[] = shop, dataDir = temporaryDirectory()) {
  let time = 1_700_000_000_000;
  const catalog = await catalogWith(records, { lag: 8, now: () => time, dataDir });
  return { ...catalog, later: (seconds: number) => void (time += seconds * 1_000) };
}

async function found(catalog: TestCatalog, types: string): Promise<readonly string[]> {
  const { data } = await catalog.send(
    `{ searchAcrossEntities(input: { types: [${types}], query: "*", count: 100 }) { searchResults { entity { urn } } } }`,
  );
  const { searchResults } = (data as never)["searchAcrossEntities"] as {
    searchResults: { entity: { urn: string } }[];
  };
  return searchResults.map(({ entity }) => entity.urn);
}

const createTag = `mutation { createTag(input: { id: "new", name: "New" }) }`;

test("a search knows what was written after the lag, and a read by URN at once", async () => {
  const catalog = await lagging();
  await catalog.send(createTag);
  catalog.later(7.9);
  const { data } = await catalog.send(`{ tag(urn: "urn:li:tag:new") { properties { name } } }`);
  expect(data).toEqual({ tag: { properties: { name: "New" } } });
  expect(await found(catalog, "TAG")).not.toContain("urn:li:tag:new");
  catalog.later(0.1);
  expect(await found(catalog, "TAG")).toContain("urn:li:tag:new");
});

test("what was there before, and what is loaded, is known at once", async () => {
  const catalog = await lagging();
  await catalog.loadRecords(proposal("urn:li:tag:loaded", "tagProperties", { name: "x" }));
  expect(await found(catalog, "TAG")).toEqual(["urn:li:tag:loaded", pii, tier]);
});

test("a search filters by the values that the index knows", async () => {
  const catalog = await lagging([...shop, proposal(orders, "globalTags", { tags: [{ tag: pii }] })]);
  const tagged = (tag: string): Promise<unknown> =>
    catalog
      .send(
        `{ searchAcrossEntities(input: { types: [DATASET], query: "*", orFilters: [{ and: [{ field: "tags", values: ["${tag}"] }] }] }) { total } }`,
      )
      .then(({ data }) => (data as never)["searchAcrossEntities"]["total"]);
  await catalog.send(`mutation {
    removeTag(input: { tagUrn: "${pii}", resourceUrn: "${orders}" })
    addTag(input: { tagUrn: "${tier}", resourceUrn: "${orders}" }) }`);
  expect([await tagged(pii), await tagged(tier)]).toEqual([1, 0]);
  catalog.later(8);
  expect([await tagged(pii), await tagged(tier)]).toEqual([0, 1]);
});

test("relationships and members follow after the lag", async () => {
  const catalog = await lagging();
  const members = async (): Promise<unknown> => {
    const types = `types: ["IsMemberOfGroup", "IsMemberOfNativeGroup"]`;
    const { data } = await catalog.send(`{
      corpGroup(urn: "${stewards}") { relationships(input: { ${types}, direction: INCOMING }) { total } }
      corpUser(urn: "${alice}") { relationships(input: { ${types}, direction: OUTGOING }) { total } } }`);
    const path = `/openapi/relationships/v1/?direction=OUTGOING&urn=${encodeURIComponent(alice)}`;
    const { body } = await call(catalog, "GET", path);
    const { corpGroup, corpUser } = data as unknown as Record<string, { relationships: { total: number } }>;
    return [corpGroup!.relationships.total, corpUser!.relationships.total, body.total];
  };
  await catalog.send(
    `mutation { addGroupMembers(input: { groupUrn: "${stewards}", userUrns: ["${alice}"] }) }`,
  );
  expect(await members()).toEqual([0, 0, 0]);
  catalog.later(8);
  expect(await members()).toEqual([1, 1, 1]);
});

test("a deleted entity is counted until the index knows of it, and its page may be empty before the end", async () => {
  const catalog = await lagging();
  await catalog.send(`mutation { deleteTag(urn: "${pii}") }`);
  const page = async (scrollId?: string): Promise<{ nextScrollId: string }> => {
    const i = { types: ["TAG"], query: "*", count: 1, scrollId };
    const query = `query ($i: ScrollAcrossEntitiesInput!) { scrollAcrossEntities(input: $i) {
      nextScrollId total searchResults { entity { urn } } } }`;
    return (await catalog.send(query, { i })).data!["scrollAcrossEntities"]!;
  };
  const first = await page();
  expect(first).toMatchObject({ total: 2, searchResults: [] });
  const second = await page(first.nextScrollId);
  expect(second).toMatchObject({ total: 2, searchResults: [{ entity: { urn: tier } }] });
  expect(await page(second.nextScrollId)).toEqual({ nextScrollId: null, total: 2, searchResults: [] });
  const scroll = "/openapi/v3/entity/scroll?count=10";
  const scrolled = await call(catalog, "POST", scroll, { entities: ["tag"] });
  expect(scrolled.body).toMatchObject({ totalCount: 2, entities: [{ urn: tier }] });
  const search = { entity: "tag", input: "*", start: 0, count: 10 };
  const { body } = await call(catalog, "POST", "/entities?action=search", search);
  expect(body.value).toMatchObject({ numEntities: 2, entities: [{ entity: tier }] });
  catalog.later(8);
  expect(await page()).toMatchObject({ total: 1, searchResults: [{ entity: { urn: tier } }] });
});

test("a name is taken, and a domain has children, as long as the index says so", async () => {
  const catalog = await lagging();
  const child = `createDomain(input: { name: "Ledger", parentDomain: "${finance}" })`;
  const first = await catalog.send(`mutation { a: ${child} b: ${child} deleteDomain(urn: "${finance}") }`);
  expect(first.errors).toBeUndefined();
  catalog.later(8);
  const second = await catalog.send(`mutation { ${child} }`);
  expect(second.errors?.[0]?.message).toContain("Parent Domain does not exist");
});

test("a mutation that fails leaves the index as it was", async () => {
  const catalog = await lagging();
  const tag = (urn: string) => `addTag(input: { tagUrn: "${urn}", resourceUrn: "${orders}" })`;
  await catalog.send(`mutation { a: ${tag(pii)} b: ${tag("urn:li:tag:none")} c: ${tag(tier)} }`);
  expect(catalog.stored(orders, "globalTags")).toEqual({ tags: [{ tag: pii }, { tag: tier }] });
  expect(await found(catalog, "DATASET")).toEqual([orders]);
  catalog.later(8);
  expect(await found(catalog, "DATASET")).toEqual([orders]);
});

const datasets = Array.from(
  { length: 30 },
  (_, index) => `urn:li:dataset:(urn:li:dataPlatform:x,t${index},PROD)`,
);
const tagged = [
  ...shop,
  ...datasets.map((urn) => proposal(urn, "globalTags", { tags: [{ tag: pii }, { tag: tier }] })),
];

function holders(catalog: TestCatalog): readonly string[] {
  return catalog
    .dump()
    .filter(({ aspect, version }) => aspect === "globalTags" && version === 0)
    .filter(({ value }) => JSON.stringify(value).includes(`"${pii}"`))
    .map(({ urn }) => urn);
}

const deletions = [
  ["deleteTag", (catalog: TestCatalog) => catalog.send(`mutation { deleteTag(urn: "${pii}") }`)],
  [
    "deleteReferences",
    (catalog: TestCatalog) => call(catalog, "POST", "/entities?action=deleteReferences", { urn: pii }),
  ],
] as const;

test.each(deletions)("%s removes the references little by little over the lag", async (_, remove) => {
  const catalog = await lagging(tagged);
  await remove(catalog);
  const left = [];
  for (const seconds of [1, 3, 3, 1]) {
    catalog.later(seconds);
    await call(catalog, "GET", "/entitiesV2/urn%3Ali%3Atag%3Atier-1");
    left.push(holders(catalog).length);
  }
  const [early, middle = 0, late = 0, end] = left;
  expect([early, end]).toEqual([30, 0]);
  expect(middle).toBeLessThan(30);
  expect(late).toBeLessThan(middle);
  expect(late).toBeGreaterThan(0);
  expect(catalog.stored(datasets[0]!, "globalTags")).toEqual({ tags: [{ tag: tier }] });
});

test("deleteReferences names the references that it will remove", async () => {
  const catalog = await lagging(tagged);
  const { body } = await call(catalog, "POST", "/entities?action=deleteReferences", { urn: pii });
  expect(body.value.total).toBe(30);
});

test("relationships to a deleted entity leave the index with it, before its references are removed", async () => {
  const catalog = await lagging(tagged);
  const edges = async (): Promise<unknown> => {
    const input = `{ types: ["TaggedWith"], direction: INCOMING, start: 0, count: 0 }`;
    const { data } = await catalog.send(
      `{ tag(urn: "${pii}") { relationships(input: ${input}) { total } } }`,
    );
    return (data as never)["tag"]["relationships"]["total"];
  };
  expect(await edges()).toBe(30);
  await catalog.send(`mutation { deleteTag(urn: "${pii}") }`);
  expect([await edges(), holders(catalog).length]).toEqual([0, 30]);
  await catalog.send(`mutation { createTag(input: { id: "pii", name: "PII" }) }`);
  await catalog.send(`mutation { addTag(input: { tagUrn: "${pii}", resourceUrn: "${orders}" }) }`);
  catalog.later(8);
  expect(await edges()).toBe(1);
});

test("a reference that is made while the removal is under way may vanish, and one made after it stays", async () => {
  const catalog = await lagging(tagged);
  await catalog.send(`mutation { deleteTag(urn: "${pii}") }`);
  const resources = datasets.map((resourceUrn) => ({ resourceUrn }));
  const assign = (): Promise<unknown> =>
    catalog.send(
      `mutation ($resources: [ResourceRefInput!]!) { batchAddTags(input: { tagUrns: ["${pii}"], resources: $resources }) }`,
      { resources },
    );
  catalog.later(4);
  await catalog.send(`mutation { createTag(input: { id: "pii", name: "PII" }) }`);
  await assign();
  expect(holders(catalog)).toHaveLength(30);
  catalog.later(4);
  await call(catalog, "GET", "/entitiesV2/urn%3Ali%3Atag%3Atier-1");
  const kept = holders(catalog).length;
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(30);
  await assign();
  catalog.later(8);
  await call(catalog, "GET", "/entitiesV2/urn%3Ali%3Atag%3Atier-1");
  expect(holders(catalog)).toHaveLength(30);
});

/** The datasets that still have one of both tags, after deletions so many seconds apart. */
async function leftAfterDeletions(secondsApart: number): Promise<readonly string[]> {
  const catalog = await lagging(tagged);
  await catalog.send(`mutation { deleteTag(urn: "${pii}") }`);
  catalog.later(secondsApart);
  await catalog.send(`mutation { deleteTag(urn: "${tier}") }`);
  catalog.later(60);
  await catalog.send("{ me { corpUser { urn } } }");
  return datasets.filter((urn) => JSON.stringify(catalog.stored(urn, "globalTags")).includes("urn:li:tag:"));
}

test("removals of references to what is deleted at once overwrite each other, those of deletions one after the other do not", async () => {
  expect(await leftAfterDeletions(0)).toEqual(datasets);
  expect(await leftAfterDeletions(8)).toEqual([]);
});

const node = "urn:li:glossaryNode:finances";
const term = (id: string) => `urn:li:glossaryTerm:${id}`;
const inNode = (id: string) =>
  proposal(term(id), "glossaryTermInfo", { definition: "", termSource: "INTERNAL", parentNode: node });

test("deleteGlossaryEntity makes roots of the children that the index knows, and one written just before keeps its parent", async () => {
  const ids = ["a", "b", "c", "d"];
  const catalog = await lagging([
    ...shop,
    proposal(node, "glossaryNodeInfo", { definition: "" }),
    ...ids.map(inNode),
  ]);
  await catalog.send(
    `mutation { createGlossaryTerm(input: { id: "late", name: "Late", parentNode: "${node}" })
       deleteGlossaryEntity(urn: "${node}") }`,
  );
  const parents = (): readonly unknown[] =>
    [...ids, "late"].map((id) => (catalog.stored(term(id), "glossaryTermInfo") as never)["parentNode"]);
  expect(parents()).toEqual([node, node, node, node, node]);
  catalog.later(60);
  await catalog.send("{ me { corpUser { urn } } }");
  expect(parents()).toEqual([undefined, undefined, undefined, undefined, node]);
});

test("a term that was assigned just before its deletion stays where it was assigned", async () => {
  const catalog = await lagging([...shop, inNode("revenue")]);
  await catalog.send(
    `mutation { addTerm(input: { termUrn: "${term("revenue")}", resourceUrn: "${orders}" })
       deleteGlossaryEntity(urn: "${term("revenue")}") }`,
  );
  catalog.later(60);
  const { data } = await catalog.send(
    `{ dataset(urn: "${orders}") { glossaryTerms { terms { term { urn exists } } } } }`,
  );
  expect(data).toEqual({
    dataset: { glossaryTerms: { terms: [{ term: { urn: term("revenue"), exists: false } }] } },
  });
});

test("a tag that was assigned just before its deletion stays, too", async () => {
  const catalog = await lagging();
  await catalog.send(
    `mutation { addTag(input: { tagUrn: "${pii}", resourceUrn: "${orders}" }) deleteTag(urn: "${pii}") }`,
  );
  catalog.later(60);
  await catalog.send("{ me { corpUser { urn } } }");
  expect(holders(catalog)).toEqual([orders]);
});

test("sibling names of terms are those that the index knows", async () => {
  const catalog = await lagging();
  const create = `createGlossaryTerm(input: { name: "Revenue", parentNode: "${node}" })`;
  const first = await catalog.send(`mutation { a: ${create} b: ${create} }`);
  expect(first.errors).toBeUndefined();
  catalog.later(8);
  expect((await catalog.send(`mutation { ${create} }`)).errors?.[0]?.extensions["code"]).toBe(400);
});

test.each([8, 0])(
  "a removal that was under way when the server ended is completed (with a lag of %i)",
  async (lag) => {
    const dataDir = temporaryDirectory();
    const first = await lagging(tagged, dataDir);
    await first.send(`mutation { deleteTag(urn: "${pii}") }`);
    first.later(4);
    await first.send("{ me { corpUser { urn } } }");
    expect(holders(first).length).toBeLessThan(30);
    await first.close();

    const second = await catalogWith([], { dataDir, lag, now: () => 1_700_000_000_000 + 8_000 });
    expect(holders(second)).toEqual([]);
  },
);

test("a deletion that waits between its read and its write removes references later, too", async () => {
  let time = 1_700_000_000_000;
  const faults = { faults: [{ fault: "lost_update", milliseconds: 0, rate: 1 }] } as const;
  const catalog = await catalogWith(tagged, { lag: 8, now: () => time, faults });
  await catalog.send(`mutation { deleteTag(urn: "${pii}") }`);
  expect(holders(catalog)).toHaveLength(30);
  time += 8_000;
  await catalog.send("{ me { corpUser { urn } } }");
  expect(holders(catalog)).toEqual([]);
});
