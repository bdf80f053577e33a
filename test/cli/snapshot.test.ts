import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { canonicalJson, type JsonObject } from "../../src/model/json.ts";
import { metadataFile, type MadeAspect, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { forge } from "../support/sealed.ts";
import { siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const alice = "urn:li:corpuser:alice@acme.com";
const zoe = "urn:li:corpuser:zoe@acme.com";
const technical = "urn:li:ownershipType:__system__technical_owner";
const profile = {
  active: true,
  displayName: "Alice Doe",
  fullName: "Alice B. Doe",
  email: "alice@acme.com",
  departmentId: 9_007_199_254_740_991,
};

const world: readonly MadeAspect[] = [
  ["urn:li:tag:pii", "tagProperties", { name: "Personal data" }],
  ["urn:li:tag:old", "tagProperties", { name: "old" }],
  ["urn:li:tag:spare", "tagProperties", { name: "spare" }],
  ["urn:li:tag:gone", "tagProperties", { name: "gone" }],
  ["urn:li:tag:gone", "status", { removed: true }],
  ["urn:li:corpuser:yan@acme.com", "corpUserInfo", { active: true }],
  ["urn:li:ownershipType:custom", "ownershipTypeInfo", { name: "custom" }],
  [alice, "corpUserInfo", profile],
  [alice, "corpUserEditableInfo", { phone: "+41 44 123", aboutMe: "Write to alice@acme.com" }],
  [alice, "nativeGroupMembership", { nativeGroups: ["urn:li:corpGroup:finance"] }],
  [zoe, "corpUserInfo", { active: true, displayName: "Zoe Roe", email: "zoe@acme.com" }],
  [zoe, "nativeGroupMembership", { nativeGroups: ["urn:li:corpGroup:finance"] }],
  ["urn:li:corpGroup:finance", "corpGroupInfo", { admins: [], members: [], groups: [] }],
  ["urn:li:corpGroup:finance", "origin", { type: "NATIVE" }],
  [datasetNamed("orders"), "datasetProperties", { customProperties: {}, tags: [] }],
  [datasetNamed("orders"), "schemaMetadata", schemaWith("email")],
  [datasetNamed("orders"), "globalTags", { tags: [{ tag: "urn:li:tag:old" }] }],
  [
    datasetNamed("orders"),
    "ownership",
    { owners: [alice, zoe].map((owner) => ({ owner, type: "TECHNICAL_OWNER", typeUrn: technical })) },
  ],
];

const orders = "kind: Dataset\nplatform: snowflake\nname: orders\n";
const manifests = `${orders}owners: [{ user: alice@acme.com }]
tags: [pii]
---
kind: User
id: alice@acme.com
display_name: Alice Doe
email: alice@acme.com
phone: "+41 44 123"
title: Steward
---
kind: Group
id: finance
members: [alice@acme.com]
`;

/** A repository with a snapshot of the world, and the address of the server that it was taken from. */
async function snapshotted(...flags: readonly string[]): Promise<{
  readonly cwd: string;
  readonly file: string;
  readonly url: string;
  readonly sent: () => number;
}> {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), world));
  const cwd = temporaryDirectory();
  declare(cwd, manifests);
  const file = join(cwd, "live.json");
  const server = ["--server", catalog.url];
  const taken = await runCli(["export", "--snapshot", file, "--quiet", ...flags, ...server], { cwd });
  expect(taken).toEqual({ code: 0, stdout: "", stderr: "" });
  return { cwd, file, url: catalog.url, sent: () => catalog.requests.length };
}

function declare(cwd: string, text: string): void {
  mkdirSync(join(cwd, "catalog"), { recursive: true });
  writeFileSync(join(cwd, "catalog", "all.yaml"), text);
}

function planOf({ stdout }: Ran): JsonObject {
  return JSON.parse(stdout) as JsonObject;
}

const json = ["--format", "json", "--quiet"];

test("a snapshot is private, and a plan against it is that of the server, and asks no server", async () => {
  const { cwd, file, url, sent } = await snapshotted();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const online = await runCli(["plan", "--server", url, ...json], { cwd });
  const before = sent();
  const offline = await runCli(["plan", "--snapshot", "live.json", ...json], { cwd });
  expect(sent()).toBe(before);
  expect(offline).toEqual(online);
  expect(planOf(offline)["changes"]).not.toEqual([]);
});

test("the same state makes the same file", async () => {
  const { cwd, file, url } = await snapshotted();
  await runCli(["export", "--snapshot", "again.json", "--server", url], { cwd });
  expect(readFileSync(join(cwd, "again.json"), "utf8")).toBe(readFileSync(file, "utf8"));
});

test("changed manifests are planned as the server would, with columns, live values and groups that were not declared", async () => {
  const { cwd, url } = await snapshotted();
  declare(
    cwd,
    `${orders}columns: { email: { tags: [old] } }\nowners: [{ user: zoe@acme.com, type: BUSINESS_OWNER }]\n`,
  );
  const online = await runCli(["plan", "--server", url, ...json], { cwd });
  const offline = await runCli(["plan", "--snapshot", "live.json", ...json], { cwd });
  expect(offline).toEqual(online);
  expect(planOf(offline)["summary"]).toMatchObject({ additions: 2, removals: 2 });
});

test("what a prune deletes, and what stays below it, is planned from a snapshot as from the server", async () => {
  const site = await siteWith({
    "keep.yaml": tag("keep"),
    "a.yaml": tag("a"),
    "top.yaml": "kind: Domain\nid: top\n",
  });
  expect(await site.apply()).toMatchObject({ code: 0 });
  const many = Array.from({ length: 501 }, (_, index) => datasetNamed(`d${index}`));
  const tagged = { tags: [{ tag: "urn:li:tag:a" }] };
  await site.catalog.load(
    metadataFile(
      temporaryDirectory(),
      many.map((of) => [of, "globalTags", tagged]),
    ),
  );
  await site.edit('createDomain(input: { id: "theirs", name: "theirs", parentDomain: "urn:li:domain:top" })');
  expect(await site.run(["export", "--snapshot", "live.json", "--quiet"])).toMatchObject({ code: 0 });
  const planned = async (): Promise<JsonObject> => {
    const argv = ["plan", "--prune", ...json];
    const offline = await runCli([...argv, "--snapshot", "live.json"], { cwd: site.root });
    const online = await site.run(argv);
    expect(offline).toEqual(online);
    return planOf(offline);
  };

  site.commit({ "catalog/a.yaml": undefined });
  const { changes } = await planned();
  expect(changes).toMatchObject([{ action: "delete", urn: "urn:li:tag:a", assignments: 501 }]);
  site.commit({ "catalog/top.yaml": undefined });
  const { problems } = await planned();
  expect(problems).toMatchObject([{ code: "deleted-parent", args: { below: ["urn:li:domain:theirs"] } }]);
});

const grown = `${manifests.replace("tags: [pii]", "tags: [pii, new, spare]")}---
kind: Tag
id: new
---
kind: Domain
id: sales
name: Sales
---
kind: User
id: newcomer@acme.com
display_name: New Comer
groups: [finance, audit]
---
kind: Group
id: audit
members: [newcomer@acme.com]
---
kind: Dataset
platform: snowflake
name: orders
owners: [{ user: yan@acme.com, type: custom }]
`.replace("members: [alice@acme.com]\n", "members: [alice@acme.com, newcomer@acme.com]\n");

test.each([[], ["--redact"]])(
  "definitions that are new since the snapshot, and references to any that were there, are planned as by the server %j",
  async (...flags) => {
    const { cwd, url } = await snapshotted(...flags);
    declare(cwd, grown);
    const online = planOf(await runCli(["plan", "--server", url, ...json], { cwd }));
    const { code, stdout, stderr } = await runCli(["plan", "--snapshot", "live.json", ...json], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const offline = JSON.parse(stdout) as JsonObject;
    expect(offline["summary"]).toEqual(online["summary"]);
    expect(offline["problems"]).toEqual(online["problems"]);
    if (flags.length === 0) expect(offline["digest"]).toBe(online["digest"]);
  },
);

test("a reference to what is not there is told as by the server, also where it is soft-deleted", async () => {
  const { cwd, url } = await snapshotted();
  declare(cwd, `${orders}tags: [pii, nowhere, gone]\nowners: [{ user: alice@acme.com, type: nothing }]\n`);
  const online = await runCli(["plan", "--server", url, ...json], { cwd });
  const offline = await runCli(["plan", "--snapshot", "live.json", ...json], { cwd });
  expect(offline).toEqual(online);
  expect(planOf(offline)["problems"]).toMatchObject([
    { code: "reference-missing" },
    { code: "reference-removed" },
    { code: "reference-missing" },
  ]);
});

test("what the snapshot does not hold is a problem that names it, and the rest is planned", async () => {
  const { cwd } = await snapshotted();
  const others =
    "---\nkind: Dataset\nplatform: snowflake\nname: other\ntags: []\n---\nkind: Tag\nid: spare\n";
  declare(cwd, `${orders}tags: [pii]\n${others}`);
  const { code, stdout, stderr } = await runCli(["plan", "--snapshot", "live.json"], { cwd });
  expect(code).toBe(3);
  expect(stderr).toContain("`urn:li:tag:spare` is not in the snapshot");
  expect(stderr).toContain(`\`${datasetNamed("other")}\` is not in the snapshot`);
  expect(stderr).not.toContain("does not exist");
  expect(stdout).toContain("- urn:li:tag:old");
  declare(cwd, "kind: Tag\nid: spare\n");
  const nothing = await runCli(["plan", "--snapshot", "live.json"], { cwd });
  expect(nothing).toMatchObject({ code: 3, stderr: expect.stringContaining("is not in the snapshot") });
});

test("a plan says how old the snapshot is", async () => {
  const { cwd } = await snapshotted();
  const now = (): Date => new Date(50 * 3_600_000);
  const { stderr } = await runCli(["plan", "--snapshot", "live.json"], { cwd, now });
  expect(stderr).toMatch(
    /^Comparing with a snapshot of http:\S+ from 1970-01-01T00:00:00\.000Z, 2 days old$/m,
  );
});

test("a file that is edited, truncated, foreign, of another version or not there is refused", async () => {
  const { cwd, file } = await snapshotted();
  const taken = readFileSync(file, "utf8");
  const cases: readonly (readonly [string, string])[] = [
    [taken.replace("Personal data", "Impersonal data"), "was edited after it was saved"],
    [taken.slice(0, -100), "is not valid JSON and may be truncated"],
    ['{"formatVersion":"1","changes":[]}', "is not a snapshot"],
    [taken.replace('"formatVersion": "2"', '"formatVersion": "1"'), 'has format version "1", but only "2"'],
    ["", "is empty"],
  ];
  for (const [text, says] of cases) {
    writeFileSync(file, text);
    const { code, stdout, stderr } = await runCli(["plan", "--snapshot", "live.json"], { cwd });
    expect({ code, stdout, stderr }).toEqual({ code: 3, stdout: "", stderr: expect.stringContaining(says) });
  }
  expect(await runCli(["plan", "--snapshot", "no.json"], { cwd })).toMatchObject({ code: 3 });
  expect(await runCli(["show", "live.json"], { cwd })).toMatchObject({ code: 3 });
});

test("a snapshot that somebody sealed again with other contents is no crash", async () => {
  const { cwd, file } = await snapshotted();
  const answersIn = (entry: Record<string, unknown>) =>
    Object.values(entry["answers"] as Record<string, Record<string, unknown>>);
  const edits: readonly ((entry: Record<string, unknown>) => void)[] = [
    (entry) => answersIn(entry).forEach((answer) => (answer["entity"] = { aspects: 7 })),
    (entry) => answersIn(entry).forEach((answer) => (answer["exists"] = "yes")),
    (entry) => answersIn(entry).forEach((answer) => (answer["entity"] = null)),
    (entry) => (entry["answers"] = {}),
    (entry) => (entry["stored"] = { globalTags: [] }),
  ];
  const taken = readFileSync(file, "utf8");
  for (const edit of edits) {
    writeFileSync(file, taken);
    forge(file, ({ entities }) => {
      for (const entry of Object.values(entities as Record<string, Record<string, unknown>>)) edit(entry);
    });
    const { code, stderr } = await runCli(["plan", "--snapshot", "live.json"], { cwd });
    expect([0, 1, 3]).toContain(code);
    expect(stderr).not.toContain("This is a bug");
  }
});

test("a snapshot takes the place of a server: both are wrong usage, and so is a snapshot of another server than the pinned", async () => {
  const { cwd, url } = await snapshotted();
  for (const other of [["--local"], ["--server", url]]) {
    expect(await runCli(["plan", "--snapshot", "live.json", ...other], { cwd })).toMatchObject({ code: 64 });
  }
  writeFileSync(join(cwd, "catalog", "datahub-gitops.yaml"), "version: 1\nserver: https://other\n");
  expect(await runCli(["plan", "--snapshot", "live.json"], { cwd })).toMatchObject({ code: 64 });
});

test("a redacted snapshot holds no name, address or phone number, and the plan against it is the same but for them", async () => {
  const { cwd, file, url } = await snapshotted("--redact");
  const kept = readFileSync(file, "utf8");
  for (const text of ["Alice", "Doe", "Zoe", "Roe", "@acme.com", "+41 44"]) expect(kept).not.toContain(text);
  const online = planOf(await runCli(["plan", "--server", url, ...json], { cwd }));
  const offline = planOf(await runCli(["plan", "--snapshot", "live.json", ...json], { cwd }));
  expect(offline["summary"]).toEqual(online["summary"]);
  const shown = canonicalJson(offline["changes"]);
  expect(shown).toContain("redacted-");
  expect(shown).not.toContain("zoe@");
  const told = await runCli(["plan", "--snapshot", "live.json"], { cwd });
  expect(told.stderr).toContain("Comparing with a redacted snapshot");
});

test("where manifests declare all that is redacted, the plan is that of the server", async () => {
  const { cwd, url } = await snapshotted("--redact");
  declare(
    cwd,
    manifests.replace(
      "[alice@acme.com]\n",
      "[alice@acme.com, { id: zoe@acme.com, display_name: Zoe Roe }]\n",
    ),
  );
  const online = planOf(await runCli(["plan", "--server", url, ...json], { cwd }));
  const offline = planOf(await runCli(["plan", "--snapshot", "live.json", ...json], { cwd }));
  expect(offline["digest"]).toBe(online["digest"]);
});

const rule = `kind: Rule
id: orders
match: { kind: Dataset, name: "ord*", container: schema }
declare:
  tags: [pii]
  columns: { "*mail": { tags: [pii] } }
`;

test("with rules, too, the plan is that of the server, also where it removes what an earlier commit declared by one", async () => {
  const { run, root, catalog, planned, apply, commit } = await siteWith({ "rules.yaml": rule });
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      ...world,
      [datasetNamed("orders"), "container", { container: "urn:li:container:schema" }],
    ]),
  );
  expect(await apply()).toMatchObject({ code: 0 });
  commit({
    "catalog/rules.yaml": `${rule.replace("tags: [pii]\n", "tags: [old]\n")}manage: { tags: merge }\n`,
  });
  expect(await run(["export", "--snapshot", "live.json"])).toMatchObject({ code: 0 });
  const online = await planned();
  const before = catalog.requests.length;
  const { stdout } = await runCli(["plan", "--snapshot", "live.json", ...json], { cwd: root });
  expect(catalog.requests.length).toBe(before);
  expect(JSON.parse(stdout)).toEqual(online);
  expect(online.changes).toMatchObject([
    { urn: datasetNamed("orders"), add: ["urn:li:tag:old"], remove: ["urn:li:tag:pii"] },
  ]);
});

test("a rule that asks for what the snapshot does not hold is a problem at its line", async () => {
  const { cwd } = await snapshotted();
  declare(cwd, `${manifests}---\n${rule}`);
  const { code, stderr } = await runCli(["plan", "--snapshot", "live.json"], { cwd });
  expect(code).toBe(3);
  expect(stderr).toContain("`orders` may match is not in the snapshot");
  expect(stderr).toContain("catalog/all.yaml:18:1");
});
