import type { GraphQLObjectType } from "graphql";
import { describe, expect, test } from "vitest";
import { catalogSchema } from "../../../src/local-catalog/graphql/schema.ts";
import { alice, catalogWith, finance, folder, pii, proposal, sharedCatalog, shop } from "../support.ts";
import {
  chart,
  dashboard,
  flow,
  glossary,
  job,
  margin,
  model,
  revenue,
  sampleAssets,
  samples,
} from "../samples.ts";

const world = [...shop, ...samples, ...glossary];

describe.each(sampleAssets)("a %s", (typename, type, urn, _ingested, _value, edited) => {
  const selection = `... on ${typename} {
    exists status { removed } platform { urn }
    properties { description customProperties { key } } editableProperties { description }
    domain { domain { urn } } ownership { owners { owner { ... on CorpUser { urn } } ownershipType { urn } } }
    tags { tags { tag { urn } associatedUrn } } glossaryTerms { terms { term { urn } associatedUrn actor { urn } } }
    aspects(input: { aspectNames: ["status", "globalTags"] }) { aspectName }
  }`;
  const read = "query ($urns: [String!]!) { entities(urns: $urns) { urn type " + selection + " } }";

  test("has ingested values only, as long as nobody edits it", async () => {
    const catalog = await catalogWith(world);
    const { data, errors } = await catalog.send(read, { urns: [urn] });
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      entities: [
        {
          urn,
          type,
          exists: true,
          properties: { description: "Ingested.", customProperties: [] },
          editableProperties: null,
          domain: null,
          ownership: null,
          tags: null,
          glossaryTerms: null,
        },
      ],
    });
  });

  test("gets and loses a domain, owners, tags and terms by the same mutations as a dataset", async () => {
    const catalog = await catalogWith(world);
    const put = await catalog.send(
      `mutation ($urn: String!) {
        setDomain(entityUrn: $urn, domainUrn: "${finance}")
        addOwner(input: { ownerUrn: "${alice}", ownerEntityType: CORP_USER, type: DATA_STEWARD, resourceUrn: $urn })
        addTags(input: { tagUrns: ["${pii}"], resourceUrn: $urn })
        addTerms(input: { termUrns: ["${revenue}", "${margin}"], resourceUrn: $urn })
        batchUpdateSoftDeleted(input: { urns: [$urn], deleted: true })
      }`,
      { urn },
    );
    expect(put.errors).toBeUndefined();
    const term = (of: string) => ({ term: { urn: of }, associatedUrn: urn, actor: null });
    expect((await catalog.send(read, { urns: [urn] })).data).toMatchObject({
      entities: [
        {
          exists: true,
          status: { removed: true },
          domain: { domain: { urn: finance } },
          ownership: {
            owners: [
              {
                owner: { urn: alice },
                ownershipType: { urn: "urn:li:ownershipType:__system__data_steward" },
              },
            ],
          },
          tags: { tags: [{ tag: { urn: pii }, associatedUrn: urn }] },
          glossaryTerms: { terms: [term(revenue), term(margin)] },
          aspects: [{ aspectName: "status" }, { aspectName: "globalTags" }],
        },
      ],
    });
    await catalog.send(
      `mutation ($urn: String!) {
        unsetDomain(entityUrn: $urn)
        batchRemoveOwners(input: { ownerUrns: ["${alice}"], resources: [{ resourceUrn: $urn }] })
        removeTag(input: { tagUrn: "${pii}", resourceUrn: $urn })
        removeTerm(input: { termUrn: "${revenue}", resourceUrn: $urn })
      }`,
      { urn },
    );
    expect((await catalog.send(read, { urns: [urn] })).data).toMatchObject({
      entities: [
        {
          domain: null,
          ownership: { owners: [] },
          tags: { tags: [] },
          glossaryTerms: { terms: [term(margin)] },
        },
      ],
    });
  });

  test("shows the description that users edit beside the ingested one", async () => {
    const catalog = await catalogWith([...world, proposal(urn, edited, { description: "Edited." })]);
    expect((await catalog.send(read, { urns: [urn] })).data).toMatchObject({
      entities: [
        { properties: { description: "Ingested." }, editableProperties: { description: "Edited." } },
      ],
    });
  });

  test("is found by its type and by what it has", async () => {
    const catalog = await catalogWith([
      ...world,
      proposal(urn, "globalTags", { tags: [{ tag: pii }] }),
      proposal(urn, "glossaryTerms", { terms: [{ urn: revenue }], auditStamp: { time: 0, actor: alice } }),
      proposal(urn, "ownership", { owners: [{ owner: alice, type: "NONE" }] }),
      proposal(urn, "domains", { domains: [finance], domainAssociations: [{ domain: finance }] }),
    ]);
    const found = async (field: string, value: string): Promise<readonly string[]> => {
      const { data, errors } = await catalog.send(
        `query ($and: [FacetFilterInput!]) { scrollAcrossEntities(input: { types: [${type}], query: "*", count: 100,
           orFilters: [{ and: $and }], sortInput: { sortCriteria: [{ field: "urn", sortOrder: ASCENDING }] } }) {
           searchResults { entity { urn } } } }`,
        { and: [{ field, values: [value] }] },
      );
      expect(errors).toBeUndefined();
      const { searchResults } = (data as never)["scrollAcrossEntities"] as {
        searchResults: readonly { entity: { urn: string } }[];
      };
      return searchResults.map(({ entity }) => entity.urn);
    };
    for (const [field, value] of [
      ["tags", pii],
      ["glossaryTerms", revenue],
      ["owners", alice],
      ["domains", finance],
      ["urn", urn],
    ] as const) {
      expect([field, await found(field, value)]).toEqual([field, [urn]]);
      expect([field, await found(field, "urn:li:tag:other")]).toEqual([field, []]);
    }
    expect(await found("removed", "true")).toEqual([]);
  });

  test("that was never written can be read, and does not exist", async () => {
    const catalog = await catalogWith([]);
    const { data, errors } = await catalog.send(read, { urns: [urn] });
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ entities: [{ urn, exists: false, status: null, properties: null }] });
  });
});

describe("the parts of an asset's URN", () => {
  const catalog = sharedCatalog(world);
  test.each([
    [
      `chart(urn: "${chart}") { tool chartId platform { urn } properties { name } }`,
      {
        tool: "looker",
        chartId: "sales",
        platform: { urn: "urn:li:dataPlatform:looker" },
        properties: { name: "Sample" },
      },
    ],
    [
      `dashboard(urn: "${dashboard}") { tool dashboardId platform { urn } properties { name } }`,
      {
        tool: "looker",
        dashboardId: "board",
        platform: { urn: "urn:li:dataPlatform:looker" },
        properties: { name: "Sample" },
      },
    ],
    [
      `dataFlow(urn: "${flow}") { orchestrator flowId cluster platform { name } }`,
      { orchestrator: "airflow", flowId: "daily", cluster: "prod", platform: { name: "airflow" } },
    ],
    [
      `dataJob(urn: "${job}") { jobId dataFlow { urn cluster } platform { name } }`,
      { jobId: "load", dataFlow: { urn: flow, cluster: "prod" }, platform: { name: "airflow" } },
    ],
    [
      `mlModel(urn: "${model}") { name origin description platform { name } properties { name } }`,
      {
        name: "churn",
        origin: "PROD",
        description: "Ingested.",
        platform: { name: "mlflow" },
        properties: { name: "Sample" },
      },
    ],
    [
      `mlModelGroup(urn: "${model.replace("mlModel", "mlModelGroup")}") { name origin platform { name } }`,
      { name: "churn", origin: "PROD", platform: { name: "mlflow" } },
    ],
    [
      `mlFeatureTable(urn: "urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,users)") { name platform { name } }`,
      { name: "users", platform: { name: "feast" } },
    ],
  ])("%s", async (field, expected) => {
    const { data, errors } = await catalog().send(`{ asset: ${field} }`);
    expect(errors).toBeUndefined();
    expect(data).toEqual({ asset: expected });
  });
});

test.each([...sampleAssets.map(([typename]) => typename), "Notebook", "GlossaryTerm", "GlossaryNode"])(
  "each field of a %s in the schema is served",
  (typename) => {
    const type = catalogSchema().getType(typename) as GraphQLObjectType;
    const fields = Object.values(type.getFields()).filter(({ resolve }) => !resolve);
    expect(fields.map(({ name }) => name)).toEqual(["urn", "type"]);
  },
);

test("a model without a name of its own is named by its URN", async () => {
  const catalog = await catalogWith([proposal(model, "mlModelProperties", { description: "x" })]);
  const { data } = await catalog.send(`{ mlModel(urn: "${model}") { properties { name } } }`);
  expect(data).toEqual({ mlModel: { properties: { name: "churn" } } });
});

test("charts and jobs are in containers, and are found there", async () => {
  const inFolder = (urn: string) => proposal(urn, "container", { container: folder });
  const catalog = await catalogWith([...world, inFolder(chart), inFolder(job)]);
  const { data } = await catalog.send(
    `query ($and: [FacetFilterInput!]) {
       chart(urn: "${chart}") { container { urn } parentContainers { count containers { urn } } }
       searchAcrossEntities(input: { query: "*", orFilters: [{ and: $and }] }) { searchResults { entity { urn } } } }`,
    { and: [{ field: "container", values: [folder] }] },
  );
  expect(data).toEqual({
    chart: { container: { urn: folder }, parentContainers: { count: 1, containers: [{ urn: folder }] } },
    searchAcrossEntities: { searchResults: [{ entity: { urn: chart } }, { entity: { urn: job } }] },
  });
});

test.each([
  ["platform", "urn:li:dataPlatform:looker", [chart, dashboard]],
  ["origin", "PROD", [model, "urn:li:mlModelGroup:(urn:li:dataPlatform:mlflow,churn,PROD)"]],
])("assets are found by %s", async (field, value, urns) => {
  const catalog = await catalogWith(samples);
  const { data } = await catalog.send(
    `query ($and: [FacetFilterInput!]) { searchAcrossEntities(input: { types: [CHART, DASHBOARD, MLMODEL, MLMODEL_GROUP],
       query: "*", orFilters: [{ and: $and }] }) { searchResults { entity { urn } } } }`,
    { and: [{ field, values: [value] }] },
  );
  expect(data).toEqual({
    searchAcrossEntities: { searchResults: urns.map((urn) => ({ entity: { urn } })) },
  });
});

test.each(["urn:li:chart:sales", "urn:li:dataJob:(load)", "urn:li:mlModel:(a,b)"])(
  "one URN with a wrong number of parts fails all of entities: %s",
  async (urn) => {
    const catalog = await catalogWith(world);
    const { data, errors } = await catalog.send(
      "query ($urns: [String!]!) { entities(urns: $urns) { urn } }",
      {
        urns: [chart, urn],
      },
    );
    expect(data).toEqual({ entities: null });
    expect(errors).toMatchObject([{ message: expect.stringContaining(urn), extensions: { code: 500 } }]);
  },
);

test("a notebook has the labels of other assets", async () => {
  const notebook = "urn:li:notebook:(querybook,1)";
  const catalog = await catalogWith([
    ...world,
    proposal(notebook, "globalTags", { tags: [{ tag: pii }] }),
    proposal(notebook, "domains", { domains: [finance], domainAssociations: [{ domain: finance }] }),
  ]);
  const { data } = await catalog.send(
    `{ entities(urns: ["${notebook}"]) { ... on Notebook { exists tags { tags { tag { urn } } } domain { domain { urn } } } } }`,
  );
  expect(data).toEqual({
    entities: [
      { exists: true, tags: { tags: [{ tag: { urn: pii } }] }, domain: { domain: { urn: finance } } },
    ],
  });
});
