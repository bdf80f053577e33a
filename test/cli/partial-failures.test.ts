import { describe, expect, test } from "vitest";
import { metadataFile, type MadeAspect, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { runCli } from "../support/command-line.ts";
import { refusing } from "../support/refusing.ts";
import { type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const orders = datasetNamed("orders");
const dataset = `kind: Dataset
platform: snowflake
name: orders
`;

const domainAt = (id: string, parent?: string): MadeAspect => [
  `urn:li:domain:${id}`,
  "domainProperties",
  { name: id, ...(parent !== undefined && { parentDomain: `urn:li:domain:${parent}` }) },
];

/** A repository with one manifest file, and a catalog that holds these aspects. */
async function world(manifest: string, aspects: readonly MadeAspect[]): Promise<Site> {
  const site = await siteWith({ "all.yaml": manifest }, "version: 1\n");
  if (aspects.length > 0) await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  return site;
}

interface Applied {
  readonly code: number;
  readonly outcomes: readonly Readonly<Record<string, string>>[];
}

/** Applies to a server that refuses some writes. */
async function applied(site: Site, isRefused: (write: string) => boolean): Promise<Applied> {
  const server = await refusing(site.catalog.url, isRefused);
  const argv = ["apply", "--auto-approve", "--format", "json", "--server", server];
  const { code, stdout } = await runCli(argv, { cwd: site.root });
  return { code, ...(JSON.parse(stdout) as Pick<Applied, "outcomes">) };
}

function parentOf(site: Site, id: string): unknown {
  return (site.aspect(`urn:li:domain:${id}`, "domainProperties") as { parentDomain?: string }).parentDomain;
}

const isProposalFor =
  (urn: string) =>
  (write: string): boolean =>
    write.includes("proposal") && write.includes(`"entityUrn":"${urn}"`);

describe("what replaces something is there before that is taken away", () => {
  test("an owner keeps the old role where the new one cannot be added", async () => {
    const site = await world(`${dataset}owners: [{ user: alice, type: DATA_STEWARD }]\n`, [
      ["urn:li:corpuser:alice", "corpUserInfo", { active: true }],
      [
        orders,
        "ownership",
        {
          owners: [{ owner: "urn:li:corpuser:alice", type: "TECHNICAL_OWNER" }],
          lastModified: { time: 0, actor: "urn:li:corpuser:x" },
        },
      ],
    ]);

    const { code, outcomes } = await applied(site, (write) => write.includes("addOwner"));

    expect(code).toBe(7);
    expect(outcomes).toMatchObject([
      { status: "failed", operation: "addOwner" },
      {
        status: "skipped",
        operation: "batchRemoveOwners",
        because: `it depends on a change of ${orders}, which failed`,
      },
    ]);
    expect(site.aspect(orders, "ownership")).toMatchObject({ owners: [{ type: "TECHNICAL_OWNER" }] });
  });

  test.each([
    ["tags", "tags: [new]\n", "globalTags", { tags: [{ tag: "urn:li:tag:old" }] }],
    [
      "tags of a column",
      "columns:\n  email: { tags: [new] }\n",
      "editableSchemaMetadata",
      {
        editableSchemaFieldInfo: [{ fieldPath: "email", globalTags: { tags: [{ tag: "urn:li:tag:old" }] } }],
        created: { time: 0, actor: "urn:li:corpuser:x" },
        lastModified: { time: 0, actor: "urn:li:corpuser:x" },
      },
    ],
  ])("%s stay where their replacement is refused", async (_, declared, aspect, value) => {
    const site = await world(dataset + declared, [
      ["urn:li:tag:old", "tagProperties", { name: "old" }],
      ["urn:li:tag:new", "tagProperties", { name: "new" }],
      [orders, "schemaMetadata", schemaWith("email")],
      [orders, aspect, value],
    ]);

    const { outcomes } = await applied(site, (write) => write.includes("addTags"));

    expect(outcomes.map(({ status, operation }) => [status, operation])).toEqual([
      ["failed", "addTags"],
      ["skipped", "removeTag"],
    ]);
    expect(JSON.stringify(site.aspect(orders, aspect))).toContain("urn:li:tag:old");
  });

  test("members stay where who follows them cannot be added", async () => {
    const site = await world("kind: Group\nid: g\nmembers: [bob]\n", [
      ["urn:li:corpGroup:g", "origin", { type: "NATIVE" }],
      ["urn:li:corpGroup:g", "corpGroupInfo", { admins: [], members: [], groups: [] }],
      ["urn:li:corpuser:bob", "corpUserInfo", { active: true }],
      ["urn:li:corpuser:alice", "nativeGroupMembership", { nativeGroups: ["urn:li:corpGroup:g"] }],
    ]);

    const { outcomes } = await applied(site, (write) => write.includes("addGroupMembers"));

    expect(outcomes.map(({ status }) => status)).toEqual(["failed", "skipped", "skipped"]);
    expect(site.aspect("urn:li:corpuser:alice", "nativeGroupMembership")).toEqual({
      nativeGroups: ["urn:li:corpGroup:g"],
    });
  });
});

describe("domains are never in a circle", () => {
  const live = [domainAt("a"), domainAt("b", "a"), domainAt("c", "b"), domainAt("d")];

  test("one moves below another after what is above that, declared or not", async () => {
    const site = await world(
      "- { kind: Domain, id: a, parent_domain: c }\n- { kind: Domain, id: b, parent_domain: d }\n",
      live,
    );

    const { outcomes } = await applied(site, isProposalFor("urn:li:domain:b"));

    expect(outcomes).toMatchObject([
      { status: "failed", urn: "urn:li:domain:b" },
      { status: "skipped", urn: "urn:li:domain:a", because: expect.stringContaining("urn:li:domain:b") },
    ]);
    expect(parentOf(site, "a")).toBeUndefined();

    expect(await applied(site, () => false)).toMatchObject({ code: 0 });
    expect(["a", "b", "c"].map((id) => parentOf(site, id))).toEqual(
      ["c", "d", "b"].map((id) => `urn:li:domain:${id}`),
    );
  });

  test("a tree that is turned over stays as it is where its new top cannot be moved", async () => {
    const site = await world(
      "- { kind: Domain, id: a, parent_domain: b }\n- { kind: Domain, id: b, parent_domain: c }\n- { kind: Domain, id: c, parent_domain: none }\n",
      live,
    );

    const { outcomes } = await applied(site, isProposalFor("urn:li:domain:c"));

    expect(outcomes.map(({ status, urn }) => [status, urn])).toEqual([
      ["failed", "urn:li:domain:c"],
      ["skipped", "urn:li:domain:b"],
      ["skipped", "urn:li:domain:a"],
    ]);
    expect(parentOf(site, "b")).toBe("urn:li:domain:a");
  });
});

test("a manager that cannot be created is not written, and a later apply does it", async () => {
  const site = await world(
    "- { kind: User, id: alice, manager_urn: boss }\n- { kind: User, id: boss }\n",
    [],
  );

  const { outcomes } = await applied(site, isProposalFor("urn:li:corpuser:boss"));

  expect(outcomes).toMatchObject([
    { status: "failed", urn: "urn:li:corpuser:boss" },
    {
      status: "skipped",
      urn: "urn:li:corpuser:alice",
      because: "urn:li:corpuser:boss could not be created",
    },
  ]);
  expect(site.aspect("urn:li:corpuser:alice", "corpUserInfo")).toBeUndefined();
  expect(await applied(site, () => false)).toMatchObject({ code: 0 });
  expect(site.aspect("urn:li:corpuser:alice", "corpUserInfo")).toMatchObject({
    managerUrn: "urn:li:corpuser:boss",
  });
});

test("two users who are each other's manager come about in one apply", async () => {
  const site = await world(
    "- { kind: User, id: a, manager_urn: b }\n- { kind: User, id: b, manager_urn: a }\n",
    [],
  );

  expect(await applied(site, () => false)).toMatchObject({ code: 0 });
  expect(["a", "b"].map((id) => site.aspect(`urn:li:corpuser:${id}`, "corpUserInfo"))).toMatchObject([
    { managerUrn: "urn:li:corpuser:b" },
    { managerUrn: "urn:li:corpuser:a" },
  ]);
});

test("a group whose origin cannot be written is not there at all, and the next apply creates it whole", async () => {
  const group = "urn:li:corpGroup:g";
  const site = await world("kind: Group\nid: g\ndisplay_name: G\nslack: '#g'\n", []);

  const { outcomes } = await applied(site, (write) => write.includes('"aspectName":"origin"'));

  expect(outcomes.map(({ status, operation }) => [status, operation])).toEqual([
    ["failed", "ingestProposal origin"],
    ["skipped", "ingestProposal corpGroupInfo"],
  ]);
  expect(site.catalog.aspects().filter(({ urn }) => urn === group)).toEqual([]);
  expect(await applied(site, () => false)).toMatchObject({ code: 0 });
  expect(site.aspect(group, "origin")).toEqual({ type: "NATIVE" });
});

test("a group that is there gets no origin", async () => {
  const group = "urn:li:corpGroup:g";
  const site = await world("kind: Group\nid: g\ndisplay_name: G\n", [
    [group, "corpGroupInfo", { admins: [], members: [], groups: [] }],
  ]);

  expect(await applied(site, () => false)).toMatchObject({ code: 0 });
  expect(site.aspect(group, "corpGroupInfo")).toMatchObject({ displayName: "G" });
  expect(site.aspect(group, "origin")).toBeUndefined();
});

test("what is applied of a new entity is not called failed for what is not", async () => {
  const site = await world('kind: User\nid: nu\ntitle: Lead\nslack: "@nu"\n', []);

  const { code, outcomes } = await applied(site, (write) => write.includes("corpUserEditableInfo"));

  expect(code).toBe(7);
  expect(outcomes).toMatchObject([
    { status: "applied", operation: "ingestProposal corpUserInfo", facet: "title" },
    { status: "failed", operation: "ingestProposal corpUserEditableInfo", facet: "slack" },
  ]);
  expect(outcomes).toHaveLength(2);
  expect(site.aspect("urn:li:corpuser:nu", "corpUserInfo")).toEqual({ active: true, title: "Lead" });
});
