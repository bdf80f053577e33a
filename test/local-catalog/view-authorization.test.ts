import { expect, test } from "vitest";
import { call, change } from "./rest.ts";
import { finances, glossary, revenue, sampleAssets, samples } from "./samples.ts";
import { alice, catalogWith, orders, pii, proposal, shop } from "./support.ts";

const owned = (urn: string): object =>
  proposal(urn, "ownership", { owners: [{ owner: alice, type: "NONE" }] });
const email = `urn:li:schemaField:(${orders},email)`;
const urns = sampleAssets.map(([, , urn]) => urn);
const world = [...shop, ...samples, ...glossary, ...urns.map(owned)];

test.each(sampleAssets)("an asset that no one may view is a shell: %s", async (typename, type, urn) => {
  const catalog = await catalogWith(world, { restrict: new Set([urn]) });
  const { data } = await catalog.send(
    `query ($urn: String!) { entities(urns: [$urn]) { urn type ... on ${typename} {
      exists status { removed } browsePathV2 { path { name } } ownership { owners { type } } tags { tags { tag { urn } } }
      editableProperties { description } properties { description } structuredProperties { properties { structuredProperty { urn } } }
      aspects(input: { aspectNames: ["ownership"] }) { aspectName }
    } } }`,
    { urn },
  );
  expect(data?.["entities"]).toEqual([
    {
      urn,
      type,
      exists: true,
      status: null,
      browsePathV2: null,
      ownership: null,
      tags: null,
      editableProperties: null,
      properties: { description: null },
      structuredProperties: null,
      aspects: [{ aspectName: "ownership" }],
    },
  ]);
});

test("what a shell must not leave out is empty, and its names stay", async () => {
  const catalog = await catalogWith(
    [...world, proposal(revenue, "structuredProperties", { properties: [] })],
    { restrict: new Set([revenue, finances, email]) },
  );
  const { data } = await catalog.send(
    `query ($urns: [String!]!) { entities(urns: $urns) { urn
      ... on GlossaryTerm { name hierarchicalName properties { name definition termSource description customProperties { key } }
        structuredProperties { properties { structuredProperty { urn } } } }
      ... on GlossaryNode { properties { name description } }
      ... on SchemaFieldEntity { fieldPath tags { tags { tag { urn } } } }
    } }`,
    { urns: [revenue, finances, email] },
  );
  const texts = { name: "Revenue", definition: "", termSource: "", description: null, customProperties: [] };
  expect(data?.["entities"]).toEqual([
    {
      urn: revenue,
      name: "revenue",
      hierarchicalName: "",
      properties: texts,
      structuredProperties: { properties: [] },
    },
    { urn: finances, properties: { name: "Finances", description: null } },
    { urn: email, fieldPath: "", tags: null },
  ]);
});

test("what others have of an entity that no one may view is left out, but of its stored aspects and of searches", async () => {
  const termed = proposal(orders, "glossaryTerms", {
    terms: [{ urn: revenue }],
    auditStamp: { time: 0, actor: alice },
  });
  const catalog = await catalogWith([...world, termed], { restrict: new Set([revenue]) });
  const { data } = await catalog.send(
    `query ($urn: String!) { dataset(urn: $urn) { glossaryTerms { terms { term { urn } } } aspects(input: { aspectNames: ["glossaryTerms"] }) { payload } }
      scrollAcrossEntities(input: { types: [GLOSSARY_TERM], query: "*", count: 10 }) { searchResults { entity { urn } } } }`,
    { urn: orders },
  );
  expect(data?.["dataset"]).toEqual({
    glossaryTerms: { terms: [] },
    aspects: [{ payload: expect.stringContaining(revenue) }],
  });
  expect(JSON.stringify(data?.["scrollAcrossEntities"])).toContain(revenue);
});

test("relationships leave out those who may not be viewed", async () => {
  const catalog = await catalogWith(world, { restrict: new Set([orders]) });
  const { data } = await catalog.send(
    `query ($urn: String!) { corpUser(urn: $urn) { relationships(input: { types: ["OwnedBy"], direction: INCOMING, count: 100 }) { total relationships { entity { urn } } } } }`,
    { urn: alice },
  );
  const found = JSON.stringify(data?.["corpUser"]);
  expect(found).toContain(`"total":${urns.length - 1}`);
  expect(found).not.toContain(orders);
});

const encoded = encodeURIComponent(orders);
const other = urns.find((urn) => urn.startsWith("urn:li:chart:")) ?? "";

test.each<[string, string, string, object?]>([
  ["OpenAPI", "GET", `/openapi/v3/entity/dataset/${encoded}`],
  ["OpenAPI, one aspect", "GET", `/openapi/v3/entity/dataset/${encoded}/ownership`],
  [
    "OpenAPI, others with it",
    "POST",
    "/openapi/v3/entity/generic/batchGet",
    [{ urn: other }, { urn: orders }],
  ],
  ["OpenAPI, a scroll with it", "POST", "/openapi/v3/entity/scroll?count=100", { entities: ["dataset"] }],
  ["Rest.li", "GET", `/entitiesV2/${encoded}`],
  ["Rest.li, one aspect", "GET", `/aspects/${encoded}?aspect=ownership&version=0`],
  [
    "OpenAPI, a write",
    "POST",
    "/openapi/v3/entity/dataset?async=false",
    [{ urn: orders, status: { value: { removed: true } } }],
  ],
  ["OpenAPI, a deletion", "DELETE", `/openapi/v3/entity/dataset/${encoded}`],
  [
    "Rest.li, a proposal",
    "POST",
    "/aspects?action=ingestProposal",
    { proposal: change(orders, "status", { removed: true }) },
  ],
  ["Rest.li, a deletion", "POST", "/entities?action=delete", { urn: orders }],
])("REST refuses an entity that no one may view: %s", async (_, method, path, body) => {
  const catalog = await catalogWith(world, { restrict: new Set([orders]) });
  const { status } = await call(catalog, method, path, body);
  expect(status).toBe(403);
  expect(catalog.stored(orders, "status")).toEqual({ removed: false });
});

test("a mutation of a facet is carried out also for an entity that no one may view", async () => {
  const catalog = await catalogWith(world, { restrict: new Set([orders]) });
  await catalog.send("mutation ($input: TagAssociationInput!) { addTag(input: $input) }", {
    input: { tagUrn: pii, resourceUrn: orders },
  });
  expect(JSON.stringify(catalog.stored(orders, "globalTags"))).toContain(pii);
});
