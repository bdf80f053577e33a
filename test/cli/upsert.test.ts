import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  metadataFile,
  type MadeAspect,
  startTestCatalog,
  temporaryDirectory,
  type TestCatalog,
} from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { writesIn } from "../support/site.ts";

const ada = "urn:li:corpuser:ada@acme.com";
const ben = "urn:li:corpuser:ben@acme.com";
const cleo = "urn:li:corpuser:cleo@acme.com";
const team = "urn:li:corpGroup:team@acme.com";
const others = "urn:li:corpGroup:others";
const technicalOwner = "urn:li:ownershipType:__system__technical_owner";

const users = `- id: ada@acme.com
  first_name: Ada
  email: ada@acme.com
  slack: "@ada"
  description: Counts everything.
  groups:
    - team@acme.com
- id: datahub
  phone: "1-800"
`;
const groups = `id: team@acme.com
display_name: Team
admins:
  - datahub
members:
  - ada@acme.com # by id
  - id: ben@acme.com
    slack: "@ben"
    display_name: Ben
`;

type Command = "user" | "group";

/** Runs an upsert of a file that holds the text, in a directory of its own. */
async function upsert(
  catalog: { readonly url: string },
  command: Command,
  text: string,
  ...flags: string[]
): Promise<Ran> {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, "file.yaml"), text);
  return runCli([command, "upsert", "-f", "file.yaml", "--server", catalog.url, ...flags], { cwd });
}

async function catalogWith(...aspects: readonly MadeAspect[]): Promise<TestCatalog> {
  const catalog = await startTestCatalog();
  if (aspects.length > 0) await catalog.load(metadataFile(temporaryDirectory(), aspects));
  return catalog;
}

function aspectOf(catalog: TestCatalog, urn: string, aspect: string): unknown {
  return catalog.aspects().find((row) => row.urn === urn && row.aspect === aspect)?.value;
}

function groupsOf(catalog: TestCatalog, user: string): unknown {
  const stored = aspectOf(catalog, user, "nativeGroupMembership") as { nativeGroups?: unknown } | undefined;
  return stored?.nativeGroups ?? [];
}

function groupNamed(urn: string): readonly MadeAspect[] {
  return [
    [urn, "corpGroupInfo", { admins: [], members: [], groups: [] }],
    [urn, "origin", { type: "NATIVE" }],
  ];
}

test("files of users and groups go through, and again without a change", async () => {
  const catalog = await catalogWith();
  const first = await upsert(catalog, "user", users);
  expect(first.code).toBe(0);
  expect(first.stderr).toContain("warning membership-skipped");
  expect(first.stderr.replaceAll(/\s+/g, " ")).toContain(team);
  expect(await upsert(catalog, "group", groups)).toMatchObject({ code: 0, stderr: "" });
  expect([groupsOf(catalog, ada), groupsOf(catalog, ben)]).toEqual([[team], [team]]);
  expect(aspectOf(catalog, team, "ownership")).toMatchObject({
    owners: [{ owner: "urn:li:corpuser:datahub", type: "TECHNICAL_OWNER" }],
  });
  const before = catalog.aspects();

  for (const [command, text] of [
    ["user", users],
    ["group", groups],
  ] as const) {
    const { code, stdout, stderr } = await upsert(catalog, command, text);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Server: .*\n\nNo changes\. 2 entities in sync\.\n$/);
  }

  expect(catalog.aspects()).toEqual(before);
});

test("a user keeps fields and groups that its record does not name, and what the catalog lacks is left out: a group with a warning, a manager with an error", async () => {
  const catalog = await catalogWith(
    ...groupNamed(team),
    ...groupNamed(others),
    ...groupNamed("urn:li:corpGroup:removed"),
    ["urn:li:corpGroup:removed", "status", { removed: true }],
    [ada, "corpUserInfo", { active: false, title: "Countess", system: true }],
    [ada, "nativeGroupMembership", { nativeGroups: [team] }],
  );
  const text =
    "id: ada@acme.com\nemail: a@b.c\nmanager_urn: nobody\ngroups: [others, tream@acme.com, removed]\n";

  const { code, stdout, stderr } = await upsert(catalog, "user", text);

  expect(code).toBe(1);
  expect(stderr).toMatch(/file\.yaml:3:\d+ error reference-missing[\s\S]*urn:li:corpuser:nobody/);
  expect(stderr).toMatch(/file\.yaml:4:\d+ warning membership-skipped: [\s\S]*tream/);
  expect(stderr).toContain("soft-deleted");
  expect(stdout).toMatch(/0 failed, 0 skipped\.\n$/);
  expect(stdout).not.toContain("Refused");
  expect(aspectOf(catalog, ada, "corpUserInfo")).toEqual({
    active: false,
    title: "Countess",
    system: true,
    email: "a@b.c",
  });
  expect(groupsOf(catalog, ada)).toEqual([team, others]);
  expect(catalog.aspects().some((row) => /nobody|tream/.test(row.urn))).toBe(false);
});

test("a group gains members and owners, and loses none; a slip in an id creates nobody, and members of an external group are an error", async () => {
  const external = "urn:li:corpGroup:okta";
  const owners = [{ owner: cleo, type: "TECHNICAL_OWNER", typeUrn: technicalOwner }];
  const catalog = await catalogWith(
    ...groupNamed(team),
    [team, "ownership", { owners, lastModified: { time: 0, actor: ada } }],
    [external, "corpGroupInfo", { admins: [], members: [], groups: [] }],
    [external, "origin", { type: "EXTERNAL", externalType: "okta" }],
    [ada, "corpUserInfo", { active: true }],
    [cleo, "corpUserInfo", { active: true }],
    [cleo, "nativeGroupMembership", { nativeGroups: [team] }],
  );
  const text = `- id: team@acme.com
  members: [adda@acme.com, ada@acme.com]
  owners: [datahub, nobody]
- id: okta
  slack: "#okta"
  members: [ada@acme.com]
`;

  const { code, stdout, stderr } = await upsert(catalog, "group", text);

  expect(code).toBe(1);
  expect(stderr).toContain("file.yaml:2:13 warning membership-skipped: user");
  expect(stderr).toMatch(/did you\s+mean/);
  expect(stderr).toMatch(/file\.yaml:3:\d+ warning reference-missing[\s\S]*urn:li:corpuser:nobody/);
  expect(stderr).toContain("error external-group");
  expect(stdout).not.toContain("cleo");
  expect([groupsOf(catalog, ada), groupsOf(catalog, cleo)]).toEqual([[team], [team]]);
  expect(aspectOf(catalog, team, "ownership")).toMatchObject({
    owners: [{ owner: cleo }, { owner: "urn:li:corpuser:datahub" }],
  });
  expect(aspectOf(catalog, external, "corpGroupInfo")).toMatchObject({ slack: "#okta" });
  expect(catalog.aspects().some(({ urn }) => /adda|nobody/.test(urn))).toBe(false);
});

test("--overwrite unsets what a record does not have in the info aspect, shows it, and keeps all else", async () => {
  const editable = { aboutMe: "Counts.", slack: "@ada" };
  const catalog = await catalogWith(
    [ada, "corpUserInfo", { active: false, title: "Countess", email: "old@b.c", system: true }],
    [ada, "corpUserEditableInfo", editable],
    [ben, "corpUserInfo", { active: true, title: "Clerk" }],
  );
  const text = "id: ada@acme.com\nemail: a@b.c\n";

  const { code, stdout } = await upsert(catalog, "user", text, "--overwrite");

  expect(code).toBe(0);
  expect(stdout).toContain("- title: Countess");
  expect(stdout).toContain("1 removed");
  // Records have no modes, of which another one would keep what is removed.
  expect(stdout).not.toContain("merge");
  expect(aspectOf(catalog, ada, "corpUserInfo")).toEqual({ active: false, system: true, email: "a@b.c" });
  expect(aspectOf(catalog, ada, "corpUserEditableInfo")).toEqual(editable);
  const group = `id: ${team}\nmembers: [{ id: ben@acme.com, display_name: Ben }]\n`;
  expect((await upsert(catalog, "group", group, "--overwrite")).code).toBe(0);
  expect(aspectOf(catalog, ben, "corpUserInfo")).toMatchObject({ title: "Clerk", displayName: "Ben" });
});

test("records with an error are left out, with 3, and the report as JSON carries their problems", async () => {
  const catalog = await catalogWith();
  const text = `- { id: ada@acme.com, email: a@b.c }\n- { id: ben, titel: x }\n`;

  const dry = await upsert(catalog, "user", text, "--dry-run");

  expect(dry.code).toBe(3);
  expect(dry.stderr).toMatch(/file\.yaml:2:14 error unknown-field[\s\S]*did you mean\s+`title`/);
  expect(dry.stdout).toContain("Plan: 1 to create");
  const { code, stdout, stderr } = await upsert(catalog, "user", text, "--format", "json");
  expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({
    plan: { summary: { create: 1 }, problems: [{ code: "unknown-field", file: "file.yaml", line: 2 }] },
    summary: { failed: 0, skipped: 0 },
  });
  expect(aspectOf(catalog, ada, "corpUserInfo")).toMatchObject({ email: "a@b.c" });
});

test("where all records have errors nothing is sent, and the problems are the JSON", async () => {
  const nowhere = { url: "http://127.0.0.1:1" };
  const { code, stdout, stderr } = await upsert(nowhere, "user", "- { titel: x }\n", "--format", "json");
  expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ formatVersion: "1", problems: [{}, {}] });
});

test.each([
  ["without a file", ["user", "upsert", "--server", "http://127.0.0.1:1"], /--file/],
  ["without a server", ["user", "upsert", "-f", "file.yaml"], /DATAHUB_GMS_URL/],
  ["with an unknown sub-command", ["user", "upsrt"], /upsrt|--file|too many/],
  ["with an unknown flag", ["group", "upsert", "-f", "file.yaml", "--dryrun"], /Did you mean --dry-run/],
  ["with a wrong format", ["group", "upsert", "-f", "file.yaml", "--format", "yaml"], /It must be one of/],
])("an upsert %s is a wrong usage", async (_, argv, message) => {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, "file.yaml"), users);
  const { code, stdout, stderr } = await runCli(argv, { cwd });
  expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  expect(stderr).toMatch(message);
});

test("an upsert does not take its server from ~/.datahubenv, but for a dry run, which writes nothing", async () => {
  const catalog = await catalogWith();
  const before = catalog.aspects();
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, ".datahubenv"), `gms: { server: "${catalog.url}" }\n`);
  writeFileSync(join(cwd, "file.yaml"), groups);
  const run = (...flags: string[]): Promise<Ran> =>
    runCli(["group", "upsert", "-f", "file.yaml", ...flags], { cwd, home: cwd });

  expect(await run()).toMatchObject({ code: 64, stderr: expect.stringContaining("commands that write") });

  expect(catalog.requests).toEqual([]);
  expect(await run("--dry-run")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Plan: \d to create, .*\n$/),
  });
  expect(writesIn(catalog)).toEqual([]);
  expect(catalog.aspects()).toEqual(before);
});

test("a write that the server refuses ends with 1, and the other records go through; the sub-command can be left out, and the token is in no output", async () => {
  const catalog = await catalogWith();
  const url = await inFrontOf(catalog.url, ({ text }, response, incoming) => {
    if (!incoming.url.includes("ingestProposal") || !text.includes(ben)) return undefined;
    response.statusCode = 403;
    return { message: "may not be edited" };
  });
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, "file.yaml"), "- { id: ben@acme.com }\n- { id: cleo@acme.com }\n");
  const env = { DATAHUB_GMS_TOKEN: "s3cr3t-t0ken" };

  const { code, stdout, stderr } = await runCli(["user", "-f", "file.yaml", "--server", url], { cwd, env });

  expect(code).toBe(1);
  expect(stdout).toContain("may not be edited");
  expect(stdout + stderr).not.toContain("s3cr3t");
  expect(aspectOf(catalog, cleo, "corpUserInfo")).toEqual({ active: true });
});
