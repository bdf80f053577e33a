import { describe, expect, test } from "vitest";
import {
  alice,
  catalogWith,
  column,
  finance,
  folder,
  orders,
  pii,
  proposal,
  sharedCatalog,
  shop,
  stewards,
  tier,
  type Answer,
} from "../support.ts";

const dataset = (platform: string, name: string, fabric = "PROD") =>
  `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},${fabric})`;
const invoices = dataset("snowflake", "eu.invoices");
const events = dataset("kafka", "Events", "DEV");
const removed = dataset("kafka", "old");
const loans = "urn:li:domain:loans";
const chart = "urn:li:chart:(looker,1)";

const world: readonly object[] = [
  ...shop,
  proposal(loans, "domainProperties", {
    name: "Loans",
    parentDomain: finance,
    created: { time: 5, actor: alice },
  }),
  proposal(alice, "corpUserInfo", {
    active: true,
    displayName: "Alice",
    fullName: "Alice Doe",
    email: "Alice@acme.com",
  }),
  proposal("urn:li:corpuser:bot", "subTypes", { typeNames: ["SERVICE_ACCOUNT"] }),
  proposal(orders, "globalTags", { tags: [{ tag: pii }] }),
  proposal(orders, "domains", { domains: [loans] }),
  proposal(orders, "datasetProperties", {
    name: "All Orders",
    customProperties: { team: "shop", tier: "1" },
  }),
  proposal(orders, "container", { container: folder }),
  proposal(orders, "browsePathsV2", { path: [{ id: "db" }, { id: "shop", urn: folder }] }),
  proposal(invoices, "ownership", { owners: [{ owner: stewards, type: "NONE" }] }),
  proposal(invoices, "dataPlatformInstance", {
    platform: "urn:li:dataPlatform:snowflake",
    instance: "urn:li:dataPlatformInstance:(urn:li:dataPlatform:snowflake,eu)",
  }),
  proposal(invoices, "editableSchemaMetadata", {
    editableSchemaFieldInfo: [{ fieldPath: "iban", globalTags: { tags: [{ tag: tier }] } }],
  }),
  proposal(invoices, "status", { removed: false }),
  proposal(events, "schemaMetadata", { fields: [column("user", { globalTags: { tags: [{ tag: pii }] } })] }),
  proposal(events, "subTypes", { typeNames: ["Topic"] }),
  proposal(removed, "status", { removed: true }),
  proposal(folder, "containerProperties", { name: "Shop", env: "PROD" }),
  proposal(folder, "subTypes", { typeNames: ["Schema"] }),
  proposal(folder, "dataPlatformInstance", { platform: "urn:li:dataPlatform:snowflake" }),
  proposal(chart, "status", { removed: false }),
];

const scroll = `query ($i: ScrollAcrossEntitiesInput!) { scrollAcrossEntities(input: $i) {
  nextScrollId count total searchResults { entity { urn } extraProperties { name value } } facets { field } } }`;
const search = `query ($i: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $i) {
  start count total searchResults { entity { urn type } insights { text } matchedFields { name } } suggestions { text } } }`;

interface Results {
  readonly nextScrollId?: string | null;
  readonly count: number;
  readonly total: number;
  readonly searchResults: readonly { readonly entity: { readonly urn: string } }[];
}

function resultsOf({ data, errors }: Answer): Results {
  expect(errors).toBeUndefined();
  return Object.values(data ?? {})[0] as unknown as Results;
}

const urnsOf = (results: Results) => results.searchResults.map(({ entity }) => entity.urn);

describe("a filter of the official clients finds the right entities", () => {
  const catalog = sharedCatalog(world);
  const kafka = "urn:li:dataPlatform:kafka";
  test.each([
    ["platform.keyword", { field: "platform.keyword", values: [kafka] }, [events]],
    [
      "platform of containers",
      { field: "platform", values: ["urn:li:dataPlatform:snowflake"] },
      [folder, invoices, orders],
    ],
    ["several values", { field: "origin", values: ["DEV", "QA"] }, [events]],
    ["env", { field: "env", values: ["PROD"] }, [folder]],
    ["removed", { field: "removed", values: ["true"] }, [removed]],
    [
      "not removed, with what has no status",
      { field: "removed", values: ["true"], negated: true },
      [folder, events, invoices, orders],
    ],
    ["tags", { field: "tags", values: [pii] }, [orders]],
    ["tags that ingestion has put on columns", { field: "fieldTags.keyword", values: [pii] }, [events]],
    ["tags that people have put on columns", { field: "editedFieldTags", values: [tier] }, [invoices]],
    ["owners", { field: "owners", values: [stewards] }, [invoices]],
    ["domains", { field: "domains", values: [loans] }, [orders]],
    [
      "domains and what is below them",
      { field: "domains", values: [finance], condition: "DESCENDANTS_INCL" },
      [orders],
    ],
    ["domains, exactly", { field: "domains", values: [finance] }, []],
    [
      "domains and what is above them",
      { field: "domains", values: ["urn:li:domain:x", loans], condition: "ANCESTORS_INCL" },
      [orders],
    ],
    ["domains around", { field: "domains", values: [finance], condition: "RELATED_INCL" }, [orders]],
    ["container", { field: "container", values: [folder] }, [orders]],
    [
      "a part of the browse path",
      { field: "browsePathV2", values: [folder], condition: "CONTAIN" },
      [orders],
    ],
    [
      "platformInstance",
      {
        field: "platformInstance",
        values: ["urn:li:dataPlatformInstance:(urn:li:dataPlatform:snowflake,eu)"],
      },
      [invoices],
    ],
    ["customProperties", { field: "customProperties", values: ["team=shop"] }, [orders]],
    ["typeNames", { field: "typeNames", values: ["Schema"] }, [folder]],
    ["urn", { field: "urn", values: [orders, folder] }, [folder, orders]],
    ["the entity type", { field: "_entityType", values: ["CONTAINER"] }, [folder]],
    ["name", { field: "name", values: ["All Orders"] }, [orders]],
    ["name in another case", { field: "name", values: ["all orders"] }, []],
    ["IEQUAL", { field: "name", values: ["all orders"], condition: "IEQUAL" }, [orders]],
    ["IN", { field: "name", values: ["All Orders", "Shop"], condition: "IN" }, [folder, orders]],
    ["CONTAIN", { field: "name", values: ["order"], condition: "CONTAIN" }, [orders]],
    ["START_WITH", { field: "urn", values: ["urn:li:container:"], condition: "START_WITH" }, [folder]],
    ["END_WITH", { field: "urn", values: [",DEV)"], condition: "END_WITH" }, [events]],
    ["EXISTS", { field: "owners", condition: "EXISTS" }, [invoices]],
    ["EXISTS, negated", { field: "domains", condition: "EXISTS", negated: true }, [folder, events, invoices]],
    ["GREATER_THAN", { field: "customProperties.tier", values: ["0"], condition: "GREATER_THAN" }, []],
    ["no value at all", { field: "name" }, []],
    ["a field that no entity has", { field: "nope", values: ["x"] }, []],
  ])("%s", async (_name, filter, urns) => {
    const i = { types: ["DATASET", "CONTAINER"], query: "*", count: 100, orFilters: [{ and: [filter] }] };
    const results = resultsOf(await catalog().send(scroll, { i }));
    expect(urnsOf(results)).toEqual(urns);
    expect(results.total).toBe(urns.length);
    expect(urnsOf(resultsOf(await catalog().send(search, { i })))).toEqual(urns);
  });

  test.each([
    ["GREATER_THAN", ["5"], []],
    ["GREATER_THAN_OR_EQUAL_TO", ["5"], ["urn:li:ownershipType:new"]],
    ["LESS_THAN", ["10"], ["urn:li:ownershipType:new"]],
    ["LESS_THAN_OR_EQUAL_TO", ["4"], []],
  ])("numbers by %s", async (condition, values, urns) => {
    await catalog().loadRecords(
      proposal("urn:li:ownershipType:new", "ownershipTypeInfo", { name: "New", weight: 5 }),
    );
    const i = {
      types: ["CUSTOM_OWNERSHIP_TYPE"],
      query: "*",
      orFilters: [{ and: [{ field: "weight", values, condition }] }],
    };
    expect(urnsOf(resultsOf(await catalog().send(scroll, { i })))).toEqual(urns);
  });

  test("all filters of one entry have to match, and any of several entries", async () => {
    const i = {
      query: "*",
      count: 100,
      orFilters: [
        {
          and: [
            { field: "origin", values: ["PROD"] },
            { field: "tags", values: [pii] },
          ],
        },
        { and: [{ field: "email", values: ["alice@acme.com"], condition: "IEQUAL" }] },
      ],
    };
    expect(urnsOf(resultsOf(await catalog().send(scroll, { i })))).toEqual([alice, orders]);
  });

  test.each([
    ["fullName", "Alice Doe"],
    ["displayName", "Alice"],
    ["email", "Alice@acme.com"],
  ])("a user is found by %s", async (field, value) => {
    const i = { types: ["CORP_USER"], query: "*", orFilters: [{ and: [{ field, values: [value] }] }] };
    expect(urnsOf(resultsOf(await catalog().send(scroll, { i })))).toEqual([alice]);
  });

  test.each([
    ["a word of a name", "alice", [alice]],
    ["a word of a URN", "INVOICES", [invoices]],
    ["words in any order", "orders all", [orders]],
    ["a beginning", "eve*", [events]],
    ["a quoted word", '"invoices"', [invoices]],
    ["words that no entity has together", "alice invoices", []],
  ])("a query finds by %s", async (_name, query, urns) => {
    expect(urnsOf(resultsOf(await catalog().send(search, { i: { query } })))).toEqual(urns);
  });

  test.each([
    ["hidden by default", undefined, false],
    ["hidden where null is said", { includeSoftDeleted: null, skipCache: true }, false],
    ["shown where asked for", { includeSoftDeleted: true }, true],
  ])("soft-deleted entities are %s", async (_name, searchFlags, shown) => {
    const i = { types: ["DATASET"], query: "*", searchFlags };
    expect(urnsOf(resultsOf(await catalog().send(scroll, { i }))).includes(removed)).toBe(shown);
  });

  test("without types all searchable types are found, also those that GraphQL serves by URN and type only", async () => {
    const results = resultsOf(await catalog().send(search, { i: { query: "", count: 100, types: [] } }));
    expect(results).toMatchObject({ start: 0, count: 100, total: results.searchResults.length });
    expect(results.searchResults).toContainEqual({
      entity: { urn: chart, type: "CHART" },
      insights: [],
      matchedFields: [],
    });
    expect(urnsOf(results).some((urn) => urn.startsWith("urn:li:ownershipType:"))).toBe(false);
  });

  test("the fields of a result are read with it", async () => {
    const { data, errors } = await catalog().send(
      `{ searchAcrossEntities(input: { query: "loans", types: [DOMAIN] }) { searchResults { entity {
        ... on Domain { properties { name } parentDomains { domains { urn } } } } } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      searchAcrossEntities: {
        searchResults: [
          { entity: { properties: { name: "Loans" }, parentDomains: { domains: [{ urn: finance }] } } },
        ],
      },
    });
  });

  test.each([
    ["the URN, upwards", [{ field: "urn", sortOrder: "ASCENDING" }], [folder, events, invoices, orders]],
    ["the URN, downwards", [{ field: "urn", sortOrder: "DESCENDING" }], [orders, invoices, events, folder]],
    [
      "platform, then URN",
      [{ field: "platform", sortOrder: "DESCENDING" }],
      [folder, invoices, orders, events],
    ],
  ])("results are sorted by %s, also page by page", async (_name, sortCriteria, urns) => {
    const i = { types: ["DATASET", "CONTAINER"], query: "*", sortInput: { sortCriteria } };
    expect(urnsOf(resultsOf(await catalog().send(search, { i })))).toEqual(urns);
    const first = resultsOf(await catalog().send(scroll, { i: { ...i, count: 3 } }));
    const second = resultsOf(
      await catalog().send(scroll, { i: { ...i, count: 3, scrollId: first.nextScrollId } }),
    );
    expect([...urnsOf(first), ...urnsOf(second)]).toEqual(urns);
    expect(second.nextScrollId).toBeNull();
  });

  test.each([
    ["filters, the old way", { filters: [{ field: "tags", values: [pii] }] }, [orders]],
    [
      "one criterion, the old way",
      { count: 1, sortInput: { sortCriterion: { field: "urn", sortOrder: "DESCENDING" } } },
      [orders],
    ],
    ["a page further on", { start: 1, count: 1 }, [invoices]],
    ["a page behind the end", { start: 9 }, []],
    ["no results, only the total", { count: 0 }, []],
  ])("searchAcrossEntities accepts %s", async (_name, more, urns) => {
    const i = { types: ["DATASET"], query: "*", ...more };
    expect(urnsOf(resultsOf(await catalog().send(search, { i })))).toEqual(urns);
  });

  test.each([
    [undefined, 10],
    [10_000, 10_000],
    [10_001, 5000],
  ])("a count of %s is one of %i", async (count, taken) => {
    expect(resultsOf(await catalog().send(scroll, { i: { query: "*", count } })).count).toBe(taken);
  });

  test.each([
    ["a search beyond the first 10,000", search, { start: 9_991 }],
    ["a scroll id that is none", scroll, { scrollId: "nonsense" }],
    ["a scroll id of another sort", scroll, { scrollId: Buffer.from('["a","b"]').toString("base64url") }],
  ])("%s is a server error", async (_name, document, more) => {
    const { errors } = await catalog().send(document, { i: { query: "*", ...more } });
    expect(errors).toMatchObject([
      {
        message: expect.stringMatching(/^java\.lang\.RuntimeException: Failed to execute search/),
        extensions: { code: 500 },
      },
    ]);
  });
});

test("a scroll returns each entity once, whatever is written in between", async () => {
  const urns = Array.from({ length: 25 }, (_, index) => dataset("s3", `t${String(index).padStart(2, "0")}`));
  const catalog = await catalogWith(urns.map((urn) => proposal(urn, "status", { removed: false })));
  const found: string[] = [];
  let scrollId: string | null | undefined;
  do {
    const i = { types: ["DATASET"], query: "*", count: 10, scrollId };
    const page = resultsOf(await catalog.send(scroll, { i }));
    found.push(...urnsOf(page));
    scrollId = page.nextScrollId;
    await catalog.loadRecords(
      proposal(dataset("s3", `a${found.length}`), "status", { removed: false }),
      proposal(urns[2] ?? "", "status", { removed: true }),
    );
  } while (scrollId);
  expect(found).toEqual(urns);
});

describe("lists", () => {
  const sharedLists = sharedCatalog(world);
  test.each([
    [
      "domains at the root",
      "listDomains(input: {}) { start count total domains { urn } }",
      { start: 0, count: 20, total: 1, domains: [{ urn: finance }] },
    ],
    [
      "domains under a parent",
      `listDomains(input: { parentDomain: "${finance}" }) { total domains { urn } }`,
      { total: 1, domains: [{ urn: loans }] },
    ],
    [
      "users, without service accounts",
      "listUsers(input: { start: 0, count: 1 }) { start count total users { urn properties { fullName } } }",
      { start: 0, count: 1, total: 2, users: [{ urn: alice, properties: { fullName: "Alice Doe" } }] },
    ],
    [
      "users by a word",
      'listUsers(input: { query: "datahub" }) { total users { username } }',
      { total: 1, users: [{ username: "datahub" }] },
    ],
    ["groups", "listGroups(input: {}) { total groups { urn } }", { total: 1, groups: [{ urn: stewards }] }],
    [
      "groups behind the end",
      "listGroups(input: { start: 5 }) { start total groups { urn } }",
      { start: 5, total: 1, groups: [] },
    ],
    [
      "ownership types by a filter",
      'listOwnershipTypes(input: { filters: [{ field: "name", values: ["Auditor"] }] }) { total ownershipTypes { info { name } } }',
      { total: 1, ownershipTypes: [{ info: { name: "Auditor" } }] },
    ],
    [
      "ownership types of a fresh catalog, with their stamps",
      'listOwnershipTypes(input: { query: "steward" }) { ownershipTypes { info { created { actor } lastModified { actor } } status { removed } } }',
      {
        ownershipTypes: [
          {
            info: {
              created: { actor: "urn:li:corpuser:__datahub_system" },
              lastModified: { actor: "urn:li:corpuser:__datahub_system" },
            },
            status: null,
          },
        ],
      },
    ],
  ])("%s", async (_name, field, expected) => {
    const { data, errors } = await sharedLists().send(`{ it: ${field} }`);
    expect(errors).toBeUndefined();
    expect(data).toEqual({ it: expected });
  });

  test("a malformed parent is rejected", async () => {
    const { errors } = await sharedLists().send('{ listDomains(input: { parentDomain: "x" }) { total } }');
    expect(errors).toMatchObject([{ extensions: { code: 500 } }]);
  });
});

test("what is in a hidden lifecycle stage is found where it is asked for", async () => {
  const stage = (id: string) => `urn:li:lifecycleStageType:${id}`;
  const stamp = { time: 0, actor: alice };
  const info = (name: string, hideInSearch: boolean) => ({
    name,
    settings: { hideInSearch },
    created: stamp,
    lastModified: stamp,
  });
  const catalog = await catalogWith([
    ...shop,
    proposal(stage("DRAFT"), "lifecycleStageTypeInfo", info("Draft", true)),
    proposal(stage("LIVE"), "lifecycleStageTypeInfo", info("Live", false)),
    proposal(orders, "status", { removed: false, lifecycleStage: stage("DRAFT") }),
    proposal(invoices, "status", { removed: false, lifecycleStage: stage("LIVE") }),
  ]);
  const found = async (more: string): Promise<unknown> => {
    const { data } = await catalog.send(
      `{ scrollAcrossEntities(input: { types: [DATASET], query: "*", ${more} }) { searchResults { entity { urn } } } }`,
    );
    const page = data?.["scrollAcrossEntities"] as unknown as {
      searchResults: { entity: { urn: string } }[];
    };
    return page.searchResults.map(({ entity }) => entity.urn);
  };
  expect(await found("")).toEqual([invoices]);
  expect(await found("searchFlags: { includeHiddenLifecycleStages: true }")).toEqual([invoices, orders]);
  const filter = (values: string) => `orFilters: [{ and: [{ field: "lifecycleStage", ${values} }] }]`;
  expect(await found(filter(`values: ["${stage("DRAFT")}"]`))).toEqual([orders]);
});
