import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { canonicalJson, type JsonObject } from "../../src/model/json.ts";
import { metadataFile, type MadeAspect, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { forge } from "../support/sealed.ts";
import { appliedRef, type Site, siteWith } from "../support/site.ts";
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

/** The plan against a server, and that against a snapshot of it, which must ask no server. */
async function bothPlans(
  { cwd, url, sent }: Awaited<ReturnType<typeof snapshotted>>,
  ...flags: readonly string[]
): Promise<readonly [online: Ran, offline: Ran]> {
  const online = await runCli(["plan", "--server", url, ...json, ...flags], { cwd });
  const before = sent();
  const offline = await runCli(["plan", "--snapshot", "live.json", ...json, ...flags], { cwd });
  expect(sent()).toBe(before);
  return [online, offline];
}

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

test("a snapshot is private, the same for the same state, and a plan against it is that of the server, whatever the manifests are now", async () => {
  const taken = await snapshotted();
  const { cwd, file, url } = taken;
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await runCli(["export", "--snapshot", "again.json", "--server", url], { cwd });
  expect(readFileSync(join(cwd, "again.json"), "utf8")).toBe(readFileSync(file, "utf8"));

  declare(
    cwd,
    `${grown.replace("tags: [pii,", "tags: [pii, nowhere, gone,")}columns: { email: { tags: [old] } }\n`,
  );
  const [then, later] = await bothPlans(taken);
  expect(later).toEqual(then);
  expect(planOf(later)["changes"]).not.toEqual([]);
  expect(planOf(later)["problems"]).toMatchObject([
    { code: "reference-missing" },
    { code: "reference-removed" },
  ]);
  // A snapshot takes no place of the server that the settings allow.
  writeFileSync(join(cwd, "catalog", "datahub-gitops.yaml"), "version: 1\nserver: https://other\n");
  expect(await runCli(["plan", "--snapshot", "live.json"], { cwd })).toMatchObject({ code: 64 });
});

/** Takes a snapshot of a site whose last commit is the base. */
async function snapshotOf(site: Site): Promise<void> {
  site.git("update-ref", appliedRef, "HEAD");
  expect(await site.run(["export", "--snapshot", "live.json", "--quiet"])).toMatchObject({ code: 0 });
}

test("what a prune deletes, and what stays below it, is planned from a snapshot as from the server", async () => {
  const site = await siteWith({
    "keep.yaml": tag("keep"),
    "a.yaml": tag("a"),
    "top.yaml": "kind: Domain\nid: top\n",
  });
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:tag:a", "tagProperties", { name: "a" }],
      ["urn:li:domain:top", "domainProperties", { name: "top" }],
      ["urn:li:domain:theirs", "domainProperties", { name: "theirs", parentDomain: "urn:li:domain:top" }],
      ...["d0", "d1", "d2"].map((name): MadeAspect => [
        datasetNamed(name),
        "globalTags",
        { tags: [{ tag: "urn:li:tag:a" }] },
      ]),
    ]),
  );
  await snapshotOf(site);
  site.commit({ "catalog/a.yaml": undefined, "catalog/top.yaml": undefined });

  const argv = ["plan", "--prune", ...json];
  const offline = await runCli([...argv, "--snapshot", "live.json"], { cwd: site.root });

  expect(offline).toEqual(await site.run(argv));
  const { changes, problems } = planOf(offline);
  expect(changes).toContainEqual(
    expect.objectContaining({ action: "delete", urn: "urn:li:tag:a", assignments: 3 }),
  );
  expect(problems).toMatchObject([{ code: "deleted-parent", args: { below: ["urn:li:domain:theirs"] } }]);
});

const rule = `kind: Rule
id: orders
match: { kind: Dataset, name: "ord*", container: schema }
declare:
  tags: [pii]
  columns: { "*mail": { tags: [pii] } }
`;

test("what the snapshot does not hold is a problem that names it, the rest is planned, and the plan says how old the snapshot is", async () => {
  const { cwd } = await snapshotted();
  const others =
    "---\nkind: Dataset\nplatform: snowflake\nname: other\ntags: []\n---\nkind: Tag\nid: spare\n";
  declare(cwd, `${orders}tags: [pii]\n${others}`);
  const now = (): Date => new Date(50 * 3_600_000);

  const { code, stdout, stderr } = await runCli(["plan", "--snapshot", "live.json"], { cwd, now });

  expect(code).toBe(3);
  expect(stderr).toMatch(
    /^Comparing with a snapshot of http:\S+ from 1970-01-01T00:00:00\.000Z, 2 days old$/m,
  );
  expect(stderr).toContain("`urn:li:tag:spare` is not in the snapshot");
  expect(stderr).toContain(`\`${datasetNamed("other")}\` is not in the snapshot`);
  expect(stderr).not.toContain("does not exist");
  expect(stdout).toContain("- urn:li:tag:old");
  declare(cwd, rule);
  expect(await runCli(["plan", "--snapshot", "live.json"], { cwd })).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(
      /catalog\/all\.yaml:1:1 error [\s\S]*the assets that rule `orders` may match/,
    ),
  });
});

test("what the server did not answer of what is stored is a problem, as it is from the server, and the snapshot says so", async () => {
  const days = "urn:li:structuredProperty:days";
  const site = await siteWith({
    "days.yaml":
      "kind: StructuredProperty\nid: days\nvalue_type: number\nentity_types: [dataset]\ndisplay_name: Days\n",
  });
  const definition = {
    qualifiedName: "days",
    valueType: "urn:li:dataType:datahub.number",
    entityTypes: ["urn:li:entityType:datahub.dataset"],
  };
  const aspects = [
    [days, "propertyDefinition", definition],
    [days, "status", { removed: true }],
  ] as const;
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  const server = await inFrontOf(site.catalog.url, (_, response, { url }) => {
    if (!url.includes("structuredProperty") || url.includes("/graphql")) return undefined;
    response.statusCode = 400;
    return {};
  });
  const run = (...argv: readonly string[]): Promise<Ran> => runCli(argv, { cwd: site.root });
  const reason = "the server does not return its stored aspects";
  const taken = await run("export", "--snapshot", "all.json", "--server", server);
  expect([taken.code, taken.stderr]).toEqual([
    1,
    expect.stringContaining(`${days} could not be read: ${reason}`),
  ]);
  const live = await run("plan", "--server", server);
  const offline = await run("plan", "--snapshot", "all.json");
  expect([live.code, offline.code]).toEqual([1, 1]);
  for (const { stderr } of [live, offline]) expect(stderr).toContain(reason);
});

test("a snapshot that somebody edited, or a report in its place, is refused, and one that was sealed again with other contents is no crash", async () => {
  const { cwd, file } = await snapshotted();
  const taken = readFileSync(file, "utf8");
  const plan = (): Promise<Ran> => runCli(["plan", "--snapshot", "live.json"], { cwd });
  writeFileSync(file, taken.replace("Personal data", "Impersonal data"));
  expect(await plan()).toEqual({
    code: 3,
    stdout: "",
    stderr: expect.stringContaining("was edited after it was saved"),
  });
  writeFileSync(file, taken);
  expect(await runCli(["show", "live.json"], { cwd })).toMatchObject({ code: 3 });

  type Entry = Record<string, unknown>;
  const answersIn = (entry: Entry): readonly Entry[] =>
    Object.values(entry["answers"] as Record<string, Entry>);
  const edits: readonly ((entry: Entry) => void)[] = [
    (entry) => answersIn(entry).forEach((answer) => (answer["entity"] = { aspects: 7 })),
    (entry) => answersIn(entry).forEach((answer) => (answer["entity"] = null)),
    (entry) => (entry["answers"] = {}),
    (entry) => (entry["stored"] = { globalTags: [] }),
  ];
  forge(file, ({ entities }) =>
    Object.values(entities as Record<string, Entry>).forEach((entry, index) => edits[index % 4]?.(entry)),
  );
  const { code, stderr } = await plan();
  expect([0, 1, 3]).toContain(code);
  expect(stderr).not.toContain("This is a bug");
});

test.each([["--local"], ["--server", "http://127.0.0.1:1"]])(
  "a snapshot takes the place of a server: with %j it is wrong usage",
  async (...other) => {
    const cwd = temporaryDirectory();
    expect(await runCli(["plan", "--snapshot", "live.json", ...other], { cwd })).toMatchObject({ code: 64 });
  },
);

test("a redacted snapshot holds no name, address or phone number, and the plan against it is the same but for them", async () => {
  const taken = await snapshotted("--redact");
  const kept = readFileSync(taken.file, "utf8");
  for (const text of ["Alice", "Doe", "Zoe", "Roe", "@acme.com", "+41 44"]) expect(kept).not.toContain(text);
  declare(taken.cwd, grown);

  const [online, offline] = await bothPlans(taken);

  expect({ ...offline, stdout: "" }).toEqual({ code: 0, stdout: "", stderr: "" });
  const [there, here] = [planOf(online), planOf(offline)];
  expect([here["summary"], here["problems"]]).toEqual([there["summary"], there["problems"]]);
  const shown = canonicalJson(here["changes"]);
  expect(shown).toContain("redacted-");
  expect(shown).not.toContain("zoe@");
  // Where the manifests name all that is redacted, nothing is left of it.
  declare(
    taken.cwd,
    manifests.replace(
      "[alice@acme.com]\n",
      "[alice@acme.com, { id: zoe@acme.com, display_name: Zoe Roe }]\n",
    ),
  );
  const [all, named] = await bothPlans(taken);
  expect(planOf(named)["digest"]).toBe(planOf(all)["digest"]);
  const told = await runCli(["plan", "--snapshot", "live.json"], { cwd: taken.cwd });
  expect(told.stderr).toContain("Comparing with a redacted snapshot");
});

test("with rules, too, the plan is that of the server, also where it removes what an earlier commit declared by one", async () => {
  const site = await siteWith({ "rules.yaml": rule });
  const { root, catalog, planned, commit } = site;
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      ...world,
      [datasetNamed("orders"), "globalTags", { tags: [{ tag: "urn:li:tag:pii" }] }],
      [datasetNamed("orders"), "container", { container: "urn:li:container:schema" }],
    ]),
  );
  site.git("update-ref", appliedRef, "HEAD");
  commit({
    "catalog/rules.yaml": `${rule.replace("tags: [pii]\n", "tags: [old]\n")}manage: { tags: merge }\n`,
  });
  expect(await site.run(["export", "--snapshot", "live.json"])).toMatchObject({ code: 0 });
  const online = await planned();
  const before = catalog.requests.length;

  const { stdout } = await runCli(["plan", "--snapshot", "live.json", ...json], { cwd: root });

  expect(catalog.requests.length).toBe(before);
  expect(JSON.parse(stdout)).toEqual(online);
  expect(online.changes).toContainEqual(
    expect.objectContaining({
      urn: datasetNamed("orders"),
      add: ["urn:li:tag:old"],
      remove: ["urn:li:tag:pii"],
    }),
  );
});
