import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";
import type { StubRequest } from "../support/stub-server.ts";

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

/** What a server says of itself that has a version. */
const version = (text: string) => ({ noCode: "true", versions: { "acryldata/datahub": { version: text } } });

/** Answers which privileges a token has on the one entity that is asked about, and on the platform. */
const answering =
  (onEntity: readonly string[], onPlatform: readonly string[] = []) =>
  ({ query }: StubRequest) =>
    query.startsWith("query ReadPrivileges")
      ? { data: { platform: { privileges: onPlatform }, p0: { privileges: onEntity } } }
      : undefined;

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
  expect((await site.plan()).stdout).toContain("No changes.");
});

test("both ways of writing lead to the same plan and the same state", async () => {
  const states = [];
  for (const writes of ["conditional", "graphql"]) {
    const site = await siteWith({ "all.yaml": declared }, settingsWith(`writes: ${writes}`));
    await site.catalog.load(metadataFile(temporaryDirectory(), world));
    const { changes, summary } = await site.planned();
    expect((await site.apply()).code).toBe(0);
    expect((await site.plan()).stdout).toContain("No changes. 1 entity in sync.");
    states.push({ summary, changes: changes.map(({ removed: _, ...change }) => change) });
  }
  expect(states[0]).toEqual(states[1]);
});

test("a saved plan is written as the settings said when it was made", async () => {
  const site = await siteFor();
  const file = join(temporaryDirectory(), "plan.json");
  await site.plan("--out", file);
  site.write({ "catalog/datahub-gitops.yaml": settingsWith() });

  expect((await site.run(["apply", file])).code).toBe(0);

  expect(writesIn(site.catalog)).toContain("globalTags");
});

test.each([
  ["authoritative", 6, "stale", ["mine", "old"]],
  ["merge", 0, "applied", ["mine", "old", "pii"]],
])(
  "under %s, what somebody adds between the check and the write is not lost",
  async (mode, code, status, left) => {
    const site = await siteFor(manifest("tags: [pii]"), `manage: { tags: ${mode} }`);
    let isEdited = false;
    const url = await inFrontOf(site.catalog.url, async ({ text }) => {
      if (isEdited || !text.includes('"aspectName":"globalTags"')) return undefined;
      isEdited = true;
      await site.edit(`addTags(input: { tagUrns: ["urn:li:tag:mine"], resourceUrn: "${orders}" })`);
      return undefined;
    });

    const ran = await apply(url, site.root);

    expect(isEdited).toBe(true);
    expect(ran.code).toBe(code);
    expect((JSON.parse(ran.stdout) as ReportJson).outcomes).toMatchObject([{ status, facet: "tags" }]);
    const { tags: stored } = site.aspect(orders, "globalTags") as {
      readonly tags: readonly { readonly tag: string }[];
    };
    expect(stored.map(({ tag }) => tag).toSorted()).toEqual(left.map((id) => `urn:li:tag:${id}`));
  },
);

test("a conditional write that somebody undoes at once has failed, with what was found", async () => {
  const site = await siteFor(
    manifest("tags: [pii]", "columns: { email: { tags: [pii] }, id: { tags: [] } }"),
  );
  const url = await inFrontOf(site.catalog.url, async ({ text }, response, incoming) => {
    await incoming.passTo(site.catalog.url, response);
    if (text.includes('"aspectName":"editableSchemaMetadata"'))
      await site.edit(
        `removeTag(input: { tagUrn: "urn:li:tag:pii", resourceUrn: "${orders}", subResourceType: DATASET_FIELD, subResource: "email" })`,
      );
  });

  const { code, stdout } = await apply(url, site.root);

  expect(code).toBe(7);
  expect((JSON.parse(stdout) as ReportJson).outcomes).toMatchObject([
    { status: "applied", facet: "columns.tags", column: "id" },
    { status: "failed", facet: "columns.tags", column: "email", expected: ["urn:li:tag:pii"], found: [] },
    { status: "applied", facet: "tags" },
  ]);
});

test("a server without conditional writes is an error before anything is written", async () => {
  const site = await siteFor();
  const old = { noCode: "true", versions: { "acryldata/datahub": { version: "v0.13.3" } } };
  const url = await inFrontOf(site.catalog.url, () => undefined, old);

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

test.each<readonly [string, readonly string[], string, number]>([
  ["may edit nothing", [], "tags: [pii]", 1],
  ["may edit the owners only by mutations", ["EDIT_ENTITY_OWNERS"], "owners: [{ user: ada }]", 1],
  ["may edit tags", ["EDIT_ENTITY_TAGS"], "tags: [pii]", 0],
  ["may edit tags and is to write the domain, too", ["EDIT_ENTITY_TAGS"], "tags: [pii]\ndomain: finance", 1],
  ["may edit all", ["EDIT_ENTITY"], "tags: [pii]\ndomain: finance", 0],
])("of a token that %s it is known before anything is written", async (_, privileges, lines, code) => {
  const site = await siteFor(manifest(lines));
  const url = await inFrontOf(site.catalog.url, answering(privileges), version("v1.7.0"));

  const ran = await apply(url, site.root);

  expect(ran.code).toBe(code);
  if (code === 0) return;
  expect(JSON.parse(ran.stdout)).toMatchObject({
    error: {
      code: "unauthorized",
      message: expect.stringContaining(
        `write conditionally to ${orders}: it needs the privilege EDIT_ENTITY`,
      ),
    },
  });
  expect(writesIn(site.catalog)).toEqual([]);
});

test("of an older server a token needs more than the privilege to edit tags", async () => {
  const site = await siteFor(manifest("tags: [pii]"));
  const url = await inFrontOf(site.catalog.url, answering(["EDIT_ENTITY_TAGS"]), version("v1.4.0"));

  const { code, stdout } = await apply(url, site.root);

  expect(code).toBe(1);
  expect(stdout).toContain('EDIT_ENTITY (\\"Edit Entity\\")');
  expect(writesIn(site.catalog)).toEqual([]);
});

test.each([
  [["EDIT_ENTITY"], 1],
  [["MANAGE_USERS_AND_GROUPS"], 0],
])("the owners of a group need the privilege of the platform: %j", async (privileges, code) => {
  const site = await siteFor("kind: Group\nid: data\nowners: [{ user: ada }]\n");
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:corpGroup:data", "corpGroupInfo", { admins: [], members: [], groups: [] }],
    ]),
  );
  const url = await inFrontOf(site.catalog.url, answering([], privileges));
  expect((await apply(url, site.root)).code).toBe(code);
});

test("a tag that is deleted meanwhile is not written", async () => {
  const site = await siteFor(manifest("tags: [pii]"));
  const file = join(temporaryDirectory(), "plan.json");
  await site.plan("--out", file);
  await site.edit('deleteTag(urn: "urn:li:tag:pii")');

  const { code, stdout } = await site.run(["apply", file, "--allow-partial", "--format", "json"]);

  expect(code).toBe(0);
  expect((JSON.parse(stdout) as ReportJson).outcomes).toMatchObject([
    { status: "skipped", because: expect.stringContaining("urn:li:tag:pii is no longer in the catalog") },
  ]);
  expect(site.aspect(orders, "globalTags")).toEqual(tags("old"));
});

test("a server without authentication, of whose own user no policy lists privileges, is written to", async () => {
  const settings = settingsWith("writes: conditional");
  const site = await siteWith({ "all.yaml": declared }, settings, {
    actor: "urn:li:corpuser:__datahub_system",
  });
  await site.catalog.load(metadataFile(temporaryDirectory(), world));

  expect((await site.apply()).code).toBe(0);

  const attribution = { actor: "urn:li:corpuser:__datahub_system" };
  expect(site.aspect(orders, "globalTags")).toMatchObject({ tags: [{ tag: "urn:li:tag:pii", attribution }] });
  expect((await site.plan()).stdout).toContain("No changes.");
});

test("a server that does not tell privileges is an error before anything is written", async () => {
  const site = await siteFor();
  const url = await inFrontOf(site.catalog.url, ({ query }) =>
    query.startsWith("query ReadPrivileges")
      ? { data: null, errors: [{ message: "no such thing" }] }
      : undefined,
  );

  const { code, stdout } = await apply(url, site.root);

  expect(code).toBe(1);
  expect(stdout).toContain("no such thing");
  expect(writesIn(site.catalog)).toEqual([]);
});

test("definitions and memberships are written as ever, and an owner of a new entity conditionally", async () => {
  const text = [
    "{ kind: Domain, id: hr, name: HR, owners: [{ user: ada }] }",
    "{ kind: Group, id: g, display_name: G, members: [ada] }",
  ].join("\n---\n");
  const site = await siteFor(text);

  expect((await site.apply()).code).toBe(0);

  expect(site.aspect("urn:li:domain:hr", "ownership")).toMatchObject({
    owners: [{ owner: "urn:li:corpuser:ada", attribution: { source: expect.any(String) } }],
  });
  expect(writesIn(site.catalog).some((write) => write.includes("addGroupMembers"))).toBe(true);
  expect((await site.plan()).stdout).toContain("No changes.");
});

test("an unknown way of writing is a problem of the settings", async () => {
  const site = await siteFor();
  writeFileSync(join(site.root, "catalog/datahub-gitops.yaml"), "version: 1\nwrites: sometimes\n");

  const { code, stderr } = await site.plan();

  expect(code).toBe(3);
  expect(stderr).toContain("writes");
});
