import { join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { runCli } from "../support/command-line.ts";
import { inFrontOf, withoutBatches, withoutOpenApi } from "../support/in-front-of.ts";
import { settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const orders = datasetNamed("orders");
const technical = "urn:li:ownershipType:__system__technical_owner";
const stamp = { time: 0, actor: "urn:li:corpuser:x" };

const manifest = (...lines: readonly string[]): string =>
  ["kind: Dataset", "platform: snowflake", "name: orders", ...lines, ""].join("\n");

const declared = manifest(
  "domain: finance",
  "owners: [{ user: ada }]",
  "tags: [pii]",
  "columns: { email: { tags: [pii] }, id: { tags: [] } }",
);

const tags = (...ids: readonly string[]): JsonObject => ({
  tags: ids.map((id) => ({ tag: `urn:li:tag:${id}` })),
});

const world: readonly MadeAspect[] = [
  ...["ada", "ben"].map((id): MadeAspect => [`urn:li:corpuser:${id}`, "corpUserInfo", { active: true }]),
  ...["pii", "old", "mine"].map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]),
  ...["finance", "sales"].map((id): MadeAspect => [`urn:li:domain:${id}`, "domainProperties", { name: id }]),
  [orders, "schemaMetadata", schemaWith("email", "id")],
  [orders, "domains", { domains: ["urn:li:domain:sales"] }],
  [
    orders,
    "ownership",
    { owners: [{ owner: "urn:li:corpuser:ben", type: "DATAOWNER" }], lastModified: stamp },
  ],
  [orders, "globalTags", tags("old")],
  [
    orders,
    "editableSchemaMetadata",
    {
      created: stamp,
      lastModified: stamp,
      editableSchemaFieldInfo: [{ fieldPath: "id", description: "the key", globalTags: tags("old") }],
    },
  ],
];

async function siteFor(text = declared, ...settings: readonly string[]): Promise<Site> {
  const site = await siteWith({ "all.yaml": text }, settingsWith("writes: conditional", ...settings));
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  return site;
}

const apply = (server: string, cwd: string, ...flags: readonly string[]) =>
  runCli(["apply", "--auto-approve", "--format", "json", "--server", server, ...flags], { cwd });

interface ReportJson {
  readonly outcomes: readonly Readonly<Record<string, unknown>>[];
  readonly summary: Readonly<Record<string, number>>;
}

test("with conditional writes an asset is written by proposals only, one for each aspect, and each value names its source", async () => {
  const site = await siteFor();

  const { code, stdout } = await site.apply("--format", "json");

  expect(code).toBe(0);
  expect((JSON.parse(stdout) as ReportJson).outcomes).toMatchObject([
    {
      status: "applied",
      facet: "columns.tags",
      operation: "ingestProposal editableSchemaMetadata",
      columns: ["email", "id"],
    },
    { status: "applied", facet: "domain", operation: "ingestProposal domains" },
    { status: "applied", facet: "owners", operation: "ingestProposal ownership" },
    { status: "applied", facet: "tags", operation: "ingestProposal globalTags" },
  ]);
  expect(writesIn(site.catalog).toSorted()).toEqual([
    "domains",
    "editableSchemaMetadata",
    "globalTags",
    "ownership",
  ]);
  const commit = site.git("rev-parse", "HEAD");
  const attribution = {
    actor: "urn:li:corpuser:datahub",
    source: "urn:li:dataHubAction:datahub-gitops",
    sourceDetail: { tool: expect.stringMatching(/^datahub-gitops\//), commit },
  };
  expect(site.aspect(orders, "globalTags")).toMatchObject({ tags: [{ tag: "urn:li:tag:pii", attribution }] });
  expect(site.aspect(orders, "ownership")).toMatchObject({
    owners: [{ owner: "urn:li:corpuser:ada", type: "TECHNICAL_OWNER", typeUrn: technical, attribution }],
    lastModified: { actor: "urn:li:corpuser:datahub" },
  });
  expect(site.aspect(orders, "domains")).toMatchObject({
    domains: ["urn:li:domain:finance"],
    domainAssociations: [{ domain: "urn:li:domain:finance", attribution }],
  });
  expect(site.aspect(orders, "editableSchemaMetadata")).toMatchObject({
    editableSchemaFieldInfo: [
      { fieldPath: "id", description: "the key", globalTags: { tags: [] } },
      { fieldPath: "email", globalTags: { tags: [{ tag: "urn:li:tag:pii", attribution }] } },
    ],
  });
});

test("a server without conditional writes is an error before anything is written", async () => {
  const site = await siteFor();
  const url = await inFrontOf(site.catalog.url, withoutBatches);

  const { code, stdout } = await apply(url, site.root);

  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    error: {
      code: "unsupported",
      message: expect.stringMatching(/`writes: conditional` needs DataHub 0\.14 .*nothing was written/),
    },
  });
  expect(writesIn(site.catalog)).toEqual([]);
});

test("where a gateway lets no request to OpenAPI through, what is written conditionally is read one by one", async () => {
  const site = await siteFor();
  const url = await inFrontOf(site.catalog.url, withoutOpenApi);

  const { code, stdout } = await apply(url, site.root);

  expect({ code, ...(JSON.parse(stdout) as ReportJson).summary }).toMatchObject({ code: 0, failed: 0 });
  expect(site.aspect(orders, "domains")).toMatchObject({ domains: ["urn:li:domain:finance"] });
  const proposals = site.catalog.requests.filter(({ path }) => path.startsWith("/aspects?action="));
  expect(JSON.stringify(proposals)).toContain("If-Version-Match");
});

test("what somebody adds between the check and the write is not lost", async () => {
  const site = await siteFor(manifest("tags: [pii]"));
  let isEdited = false;
  const url = await inFrontOf(site.catalog.url, async ({ text }) => {
    if (isEdited || !text.includes('"aspectName":"globalTags"')) return undefined;
    isEdited = true;
    await site.edit(`addTags(input: { tagUrns: ["urn:li:tag:mine"], resourceUrn: "${orders}" })`);
    return undefined;
  });

  const ran = await apply(url, site.root);

  expect(isEdited).toBe(true);
  expect(ran.code).toBe(6);
  expect((JSON.parse(ran.stdout) as ReportJson).outcomes).toMatchObject([{ status: "stale", facet: "tags" }]);
  expect(site.aspect(orders, "globalTags")).toMatchObject(tags("old", "mine"));
});

test("a token that lacks a privilege is refused before anything is written", async () => {
  const site = await siteFor(manifest("owners: [{ user: ada }]"));
  const url = await inFrontOf(site.catalog.url, ({ query }) =>
    query.startsWith("query ReadPrivileges")
      ? { data: { platform: { privileges: [] }, p0: { privileges: ["EDIT_ENTITY_OWNERS"] } } }
      : undefined,
  );

  const { code, stdout } = await apply(url, site.root);

  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    error: {
      code: "unauthorized",
      message: expect.stringContaining(`write conditionally to ${orders} without the privilege EDIT_ENTITY`),
    },
  });
  expect(writesIn(site.catalog)).toEqual([]);
});

test("a saved plan is written as the settings said when it was made, but for a tag that was deleted meanwhile", async () => {
  const site = await siteFor(manifest("tags: [pii]", "domain: finance"));
  const file = join(temporaryDirectory(), "plan.json");
  await site.plan("--out", file);
  site.write({ "catalog/datahub-gitops.yaml": settingsWith() });
  await site.edit('deleteTag(urn: "urn:li:tag:pii")');

  const { code, stdout } = await site.run(["apply", file, "--allow-partial", "--format", "json"]);

  expect(code).toBe(0);
  expect((JSON.parse(stdout) as ReportJson).outcomes).toMatchObject([
    { status: "applied", operation: "ingestProposal domains" },
    { status: "skipped", because: expect.stringContaining("urn:li:tag:pii is no longer in the catalog") },
  ]);
  expect(site.aspect(orders, "globalTags")).toEqual(tags("old"));
});
