import { expect, test } from "vitest";
import { createReader, type Reader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import type { DeclaredReference } from "../../../src/model/reference.ts";
import type { Entity } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { SnapshotScope } from "../../../src/sync/snapshot/scope.ts";
import { takeSnapshot } from "../../../src/sync/snapshot/take-snapshot.ts";
import { columnTagged } from "../../support/assets.ts";
import { metadataFile, startTestCatalog, temporaryDirectory } from "../../support/catalog.ts";
import { ruleFor, withColumns } from "../../support/rules.ts";
import { schemaWith } from "../../support/schema.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const [orders, clicks, views] = ["orders", "clicks", "views"].map(datasetNamed) as [Urn, Urn, Urn];
const [ada, ben] = [urn("urn:li:corpuser:ada"), urn("urn:li:corpuser:ben")];
const team = urn("urn:li:corpGroup:team");
const [child, parent, root] = ["child", "parent", "root"].map((id) => urn(`urn:li:domain:${id}`)) as [
  Urn,
  Urn,
  Urn,
];
const product = urn("urn:li:dataProduct:p");

const owned = (owner: Urn): object => ({
  owners: [{ owner, type: "NONE" }],
  lastModified: { time: 0, actor: ada },
});

/** Orders are in a child of other domains, and owned by Ada; the team has Ben. */
async function readerOfWorld(): Promise<Reader> {
  const catalog = await startTestCatalog();
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      [orders, "schemaMetadata", schemaWith("id")],
      [orders, "domains", { domains: [child] }],
      [orders, "ownership", owned(ada)],
      [orders, "container", { container: "urn:li:container:c" }],
      ["urn:li:container:c", "containerProperties", { name: "c" }],
      ["urn:li:container:c", "status", { removed: false }],
      [clicks, "schemaMetadata", schemaWith("id")],
      [child, "domainProperties", { name: "child", description: "C.", parentDomain: parent }],
      [parent, "domainProperties", { name: "parent", description: "P.", parentDomain: root }],
      [root, "domainProperties", { name: "root", description: "R." }],
      [ada, "corpUserInfo", { active: true }],
      [ben, "corpUserInfo", { active: true }],
      [ben, "groupMembership", { groups: [team] }],
      [team, "corpGroupInfo", { displayName: "team", admins: [], members: [], groups: [] }],
      ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
      [product, "dataProductProperties", { name: "p", assets: [{ destinationUrn: clicks }] }],
    ]),
  );
  return createReader(connectionTo(catalog.url));
}

const declared = (of: Urn, kind: string, facets: Parameters<typeof entityOf>[2] = {}): Entity =>
  entityOf(kind, of, facets);
const deciding = { rules: [], holds: () => false };
const header = { tool: "t", createdAt: "2026-01-01T00:00:00.000Z", target: "http://a" };

// What is in each snapshot.
const always = /^urn:li:(?:ownershipType:__system__|corpuser:datahub)/;

/** By URN the queries whose answers were saved, and the aspects as they are stored. */
async function taken(scope: Partial<SnapshotScope>): Promise<string> {
  const desired = { state: stateOf(), references: [] };
  const { entities } = await takeSnapshot(await readerOfWorld(), { desired, deciding, ...scope }, header);
  const own = Object.entries(entities).filter(([of]) => !always.test(of));
  const lines = own.map(([of, { answers, stored = {} }]) => {
    const queries = Object.entries(answers).map(([query, { error }]) => query + (error ? " failed" : ""));
    return `${of}: ${[...queries, ...Object.keys(stored).toSorted()].join(", ")}`;
  });
  return lines.join("\n");
}

test("of a declared asset a snapshot has what it says and who wrote it, what it refers to and all above that", async () => {
  expect(await taken({ desired: { state: stateOf(declared(orders, "Dataset")), references: [] } }))
    .toMatchInlineSnapshot(`
    "urn:li:container:c: ReadParentContainers
    urn:li:corpuser:ada: ReadDefinitions, ReadExistence, ReadMemberships, ReadNames, corpUserInfo
    urn:li:dataProduct:p: ReadDefinitions, ReadExistence, ReadNames, dataProductProperties
    urn:li:dataset:(urn:li:dataPlatform:snowflake,orders,PROD): ReadAssetFacts, ReadAssets, domains, ownership
    urn:li:domain:child: ReadDefinitions, ReadExistence, ReadNames, domainProperties
    urn:li:domain:parent: ReadDefinitions, ReadExistence, ReadNames, domainProperties
    urn:li:domain:root: ReadDefinitions, ReadExistence, ReadNames, domainProperties"
  `);
});

test("of a declared asset with values of columns it has the columns, and of one of base too what it says", async () => {
  const columns = { shape: "map", entries: new Map() } as const;
  const state = stateOf(declared(orders, "Dataset", { "columns.tags": columns }));
  const before = stateOf(declared(clicks, "Dataset"));
  expect(await taken({ desired: { state, references: [] }, before })).toMatchInlineSnapshot(`
    "urn:li:container:c: ReadParentContainers
    urn:li:corpuser:ada: ReadDefinitions, ReadExistence, ReadMemberships, ReadNames, corpUserInfo
    urn:li:dataProduct:p: ReadDefinitions, ReadExistence, ReadNames, dataProductProperties
    urn:li:dataset:(urn:li:dataPlatform:snowflake,clicks,PROD): ReadAssets
    urn:li:dataset:(urn:li:dataPlatform:snowflake,orders,PROD): ReadAssetColumns, ReadAssetFacts, ReadAssets, domains, ownership
    urn:li:domain:child: ReadDefinitions, ReadExistence, ReadNames, domainProperties
    urn:li:domain:parent: ReadDefinitions, ReadExistence, ReadNames, domainProperties
    urn:li:domain:root: ReadDefinitions, ReadExistence, ReadNames, domainProperties"
  `);
});

test("among the columns of a declared asset are those that are only edited", async () => {
  const columns = { shape: "map", entries: new Map() } as const;
  const state = stateOf(declared(orders, "Dataset", { "columns.tags": columns }));
  const desired = { state, references: [] };
  const { entities } = await takeSnapshot(await readerOfWorld(), { desired, deciding }, header);
  expect(entities[orders]?.answers["ReadAssetColumns"]?.entity).toHaveProperty("edited");
});

test("of groups and users it has who is in which group", async () => {
  expect(await taken({ desired: { state: stateOf(declared(team, "Group")), references: [] } }))
    .toMatchInlineSnapshot(`
    "urn:li:corpGroup:team: ReadDefinitions, ReadExistence, ReadMembers, ReadMemberships, ReadNames, ReadReferring, corpGroupInfo
    urn:li:corpuser:ben: ReadDefinitions, ReadExistence, ReadMemberships, ReadNames, corpUserInfo"
  `);
  expect(await taken({ desired: { state: stateOf(declared(ben, "User")), references: [] } }))
    .toMatchInlineSnapshot(`
    "urn:li:corpGroup:team: ReadDefinitions, ReadExistence, ReadMemberships, ReadNames, corpGroupInfo
    urn:li:corpuser:ben: ReadDefinitions, ReadExistence, ReadMemberships, ReadNames, ReadReferring, corpUserInfo"
  `);
});

test("of a data product it has all products, since an asset may be in one alone", async () => {
  expect(
    await taken({ desired: { state: stateOf(declared(product, "DataProduct")), references: [] } }),
  ).toMatchInlineSnapshot(
    `"urn:li:dataProduct:p: ReadDefinitions, ReadExistence, ReadNames, ReadReferring, dataProductProperties"`,
  );
});

test("of what is referred to it has whether that exists", async () => {
  const reference = (of: Urn, facet: string): DeclaredReference => ({
    urn: of,
    facet,
    from: orders,
    entityType: "",
    origin: { file: "a", line: 1, column: 1 },
  });
  const references = [
    reference(views, "assets"),
    reference(ada, "owners"),
    reference(clicks, "data_products"),
  ];
  expect(await taken({ desired: { state: stateOf(), references } })).toMatchInlineSnapshot(`
    "urn:li:corpuser:ada: ReadDefinitions, ReadExistence, ReadMemberships, ReadNames, ReadReferring, corpUserInfo
    urn:li:dataProduct:p: ReadDefinitions, ReadExistence, ReadNames, dataProductProperties
    urn:li:dataset:(urn:li:dataPlatform:snowflake,clicks,PROD): ReadAssets, ReadExistence
    urn:li:dataset:(urn:li:dataPlatform:snowflake,orders,PROD): ReadExistence
    urn:li:dataset:(urn:li:dataPlatform:snowflake,views,PROD): ReadAssets, ReadExistence"
  `);
});

test("of what rules match it has what assets that are declared are matched by", async () => {
  const rules = [
    withColumns(ruleFor("Dataset", { name: "orders" })),
    { ...ruleFor("Chart"), columns: [columnTagged("*", "pii")] },
  ];
  const holds = (rule: { readonly kind: string }, { urn: of }: { readonly urn: Urn }): boolean =>
    rule.kind === "Dataset" && of === orders;
  expect(await taken({ deciding: { rules, holds } })).toMatchInlineSnapshot(`
    "urn:li:container:c: ReadParentContainers
    urn:li:corpuser:ada: ReadDefinitions, ReadExistence, ReadMemberships, ReadNames, corpUserInfo
    urn:li:dataProduct:p: ReadDefinitions, ReadExistence, ReadNames, dataProductProperties
    urn:li:dataset:(urn:li:dataPlatform:snowflake,clicks,PROD): ReadAssetFacts
    urn:li:dataset:(urn:li:dataPlatform:snowflake,orders,PROD): ReadAssetColumns, ReadAssetFacts, ReadAssets, domains, ownership
    urn:li:domain:child: ReadDefinitions, ReadExistence, ReadNames, domainProperties
    urn:li:domain:parent: ReadDefinitions, ReadExistence, ReadNames, domainProperties
    urn:li:domain:root: ReadDefinitions, ReadExistence, ReadNames, domainProperties
    urn:li:tag:pii: ReadDefinitions, ReadExistence, ReadNames, ReadReferring, tagProperties"
  `);
});

test("of kinds that policies judge it has all entities, and who owns them", async () => {
  expect(await taken({ judged: ["Dataset", "Tag"] })).toMatchInlineSnapshot(`
    "urn:li:container:c: ReadParentContainers
    urn:li:corpuser:ada: ReadDefinitions, ReadExistence, ReadMemberships, ReadNames, ReadPeople, corpUserInfo
    urn:li:dataProduct:p: ReadDefinitions, ReadExistence, ReadNames, dataProductProperties
    urn:li:dataset:(urn:li:dataPlatform:snowflake,clicks,PROD): ReadAssetColumns, ReadAssetFacts, ReadAssets
    urn:li:dataset:(urn:li:dataPlatform:snowflake,orders,PROD): ReadAssetColumns, ReadAssetFacts, ReadAssets, domains, ownership
    urn:li:domain:child: ReadDefinitions, ReadExistence, ReadNames, domainProperties
    urn:li:domain:parent: ReadDefinitions, ReadExistence, ReadNames, domainProperties
    urn:li:domain:root: ReadDefinitions, ReadExistence, ReadNames, domainProperties
    urn:li:tag:pii: ReadDefinitions, ReadExistence, ReadNames, ReadReferring, tagProperties"
  `);
});

test("it says of which format it is, and what it was taken of", async () => {
  const scope = { desired: { state: stateOf(), references: [] }, deciding };
  expect(await takeSnapshot(await readerOfWorld(), scope, header)).toMatchObject({
    formatVersion: "2",
    ...header,
  });
});

test("a rule matches no assets of another kind", async () => {
  const rules = [ruleFor("Dataset"), ruleFor("Chart")];
  const holds = ({ kind }: { readonly kind: string }): boolean => kind === "Chart";
  expect(await taken({ deciding: { rules, holds } })).not.toContain("ReadAssets");
});

test("a definition of which it cannot be read whether it exists is there with the reason", async () => {
  const reader = await readerOfWorld();
  const query: Reader["query"] = async (document, variables, signal) => {
    const answer = await reader.query(document, variables, signal);
    const [place] = Object.entries(variables).find(([, value]) => value === root) ?? [];
    return place ? { ...answer, errors: [{ message: "no", path: [place.replace("u", "e")] }] } : answer;
  };
  const scope = { desired: { state: stateOf(), references: [] }, deciding };
  const { entities } = await takeSnapshot({ ...reader, query }, scope, header);
  expect(entities[root]).toEqual({ answers: { ReadExistence: { error: "no" } } });
});

test("what was read of a definition stays where its list cannot be read later", async () => {
  const reader = await readerOfWorld();
  let times = 0;
  const query: Reader["query"] = async (document, variables, signal) => {
    const answer = await reader.query(document, variables, signal);
    const [place] = Object.entries(variables).find(([, value]) => value === root) ?? [];
    if (!place || !document.startsWith("query ReadExistence") || (times += 1) === 1) return answer;
    return { ...answer, errors: [{ message: "no", path: [place.replace("u", "e")] }] };
  };
  const desired = { state: stateOf(declared(root, "Domain")), references: [] };
  const { entities } = await takeSnapshot({ ...reader, query }, { desired, deciding }, header);
  expect(times).toBe(2);
  expect(entities[root]?.answers["ReadExistence"]).toMatchObject({ exists: true });
});
