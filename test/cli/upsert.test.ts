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

test.each([
  [
    "users first",
    [
      ["user", users],
      ["group", groups],
    ],
    team,
  ],
  [
    "groups first",
    [
      ["group", groups],
      ["user", users],
    ],
    ada,
  ],
] as const)(
  "files of users and groups go through, %s, and again without a change",
  async (_, files, late) => {
    const catalog = await catalogWith();
    const runs: Ran[] = [];
    for (const [command, text] of files) runs.push(await upsert(catalog, command, text));
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(runs[0]?.stderr).toContain("warning membership-skipped");
    expect(runs[0]?.stderr.replaceAll(/\s+/g, " ")).toContain(late);
    expect(runs[1]?.stderr).toBe("");
    expect(groupsOf(catalog, ada)).toEqual([team]);
    expect(groupsOf(catalog, ben)).toEqual([team]);
    const before = catalog.aspects();
    for (const [command, text] of files) {
      const { code, stdout, stderr } = await upsert(catalog, command, text);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^Server: .*\n\nNo changes\. 2 entities in sync\.\n$/);
    }
    expect(catalog.aspects()).toEqual(before);
  },
);

test("each field of a user lands in its aspect, those of both aspects together", async () => {
  const catalog = await catalogWith();
  const text = `id: ada@acme.com
display_name: Ada L
first_name: Ada
last_name: Lovelace
full_name: Ada Lovelace
email: ada@acme.com
title: Countess
manager_urn: urn:li:corpuser:datahub
department_id: 7
department_name: Engines
country_code: GB
description: Counts everything.
slack: "@ada"
phone: "1843"
picture_link: https://acme.com/ada.png
`;
  expect((await upsert(catalog, "user", text)).code).toBe(0);
  expect(aspectOf(catalog, ada, "corpUserInfo")).toEqual({
    active: true,
    displayName: "Ada L",
    firstName: "Ada",
    lastName: "Lovelace",
    fullName: "Ada Lovelace",
    email: "ada@acme.com",
    title: "Countess",
    managerUrn: "urn:li:corpuser:datahub",
    departmentId: 7,
    departmentName: "Engines",
    countryCode: "GB",
  });
  expect(aspectOf(catalog, ada, "corpUserEditableInfo")).toMatchObject({
    aboutMe: "Counts everything.",
    slack: "@ada",
    phone: "1843",
    pictureLink: "https://acme.com/ada.png",
  });
});

test("each field of a group lands in its aspect, and its owners are technical owners", async () => {
  const catalog = await catalogWith();
  const text = `urn: ${team}
overrideEditable: true
display_name: Team
email: team@acme.com
description: All of us.
slack: "#team"
picture_link: https://acme.com/team.png
owners: [urn:li:corpuser:datahub]
members: [{ urn: "${ben}", title: Clerk }]
`;
  expect((await upsert(catalog, "group", text)).code).toBe(0);
  expect(aspectOf(catalog, team, "corpGroupInfo")).toEqual({
    admins: [],
    members: [],
    groups: [],
    displayName: "Team",
    email: "team@acme.com",
    description: "All of us.",
    slack: "#team",
  });
  expect(aspectOf(catalog, team, "corpGroupEditableInfo")).toMatchObject({
    pictureLink: "https://acme.com/team.png",
  });
  expect(aspectOf(catalog, team, "ownership")).toMatchObject({
    owners: [{ owner: "urn:li:corpuser:datahub", type: "TECHNICAL_OWNER" }],
  });
  expect(aspectOf(catalog, ben, "corpUserInfo")).toMatchObject({ title: "Clerk" });
});

test("fields that a record does not name stay as they are", async () => {
  const catalog = await catalogWith([
    ada,
    "corpUserInfo",
    { active: false, title: "Countess", system: true },
  ]);
  expect((await upsert(catalog, "user", "id: ada@acme.com\nemail: a@b.c\n")).code).toBe(0);
  expect(aspectOf(catalog, ada, "corpUserInfo")).toEqual({
    active: false,
    title: "Countess",
    system: true,
    email: "a@b.c",
  });
});

test("a slip in a member's id creates no user, is named, and the others become members", async () => {
  const catalog = await catalogWith([ada, "corpUserInfo", { active: true }]);
  const text = `id: team@acme.com\nmembers:\n  - adda@acme.com\n  - ada@acme.com\n`;
  const { code, stderr } = await upsert(catalog, "group", text);
  expect(code).toBe(0);
  expect(stderr).toContain("file.yaml:3:5 warning membership-skipped: user");
  expect(stderr).toContain("`urn:li:corpuser:adda@acme.com` does not exist in the catalog");
  expect(stderr).toMatch(/did you\s+mean/);
  expect(catalog.aspects().filter(({ urn }) => urn.includes("adda"))).toEqual([]);
  expect(groupsOf(catalog, ada)).toEqual([team]);
});

test("members of a group are added, and nobody is removed", async () => {
  const catalog = await catalogWith(
    ...groupNamed(team),
    [ada, "corpUserInfo", { active: true }],
    [cleo, "corpUserInfo", { active: true }],
    [cleo, "nativeGroupMembership", { nativeGroups: [team] }],
  );
  for (const members of ["[ada@acme.com]", "[]"]) {
    const { code, stdout } = await upsert(catalog, "group", `id: ${team}\nmembers: ${members}\n`);
    expect(code).toBe(0);
    expect(stdout).not.toContain("cleo");
  }
  expect([groupsOf(catalog, ada), groupsOf(catalog, cleo)]).toEqual([[team], [team]]);
});

test.each([
  ["without the key they stay", "", [team], ""],
  ["a list adds to them", "groups: [others]\n", [team, others], ""],
  ["an empty list takes none away", "groups: []\n", [team], ""],
  ["a group that is not there is left out", "groups: [others, tream@acme.com]\n", [team, others], "tream"],
])("the groups of a user: %s", async (_, line, expected, named) => {
  const catalog = await catalogWith(
    ...groupNamed(team),
    ...groupNamed(others),
    [ada, "corpUserInfo", { active: true }],
    [ada, "nativeGroupMembership", { nativeGroups: [team] }],
  );
  const { code, stderr } = await upsert(catalog, "user", `id: ada@acme.com\n${line}`);
  expect(code).toBe(0);
  expect(stderr).toContain(named);
  expect(groupsOf(catalog, ada)).toEqual(expected);
});

test("a soft-deleted group is skipped with a warning that says so", async () => {
  const catalog = await catalogWith(...groupNamed(team), [team, "status", { removed: true }]);
  const { code, stderr } = await upsert(catalog, "user", `id: ada@acme.com\ngroups: [${team}]\n`);
  expect(code).toBe(0);
  expect(stderr).toContain("soft-deleted");
  expect(groupsOf(catalog, ada)).toEqual([]);
});

test("the manager of a user that does not exist is an error, and the rest is written", async () => {
  const catalog = await catalogWith();
  const text = "id: ada@acme.com\nemail: a@b.c\nmanager_urn: nobody\n";
  const { code, stdout, stderr } = await upsert(catalog, "user", text);
  expect(code).toBe(1);
  expect(stderr).toMatch(/file\.yaml:3:\d+ error reference-missing[\s\S]*urn:li:corpuser:nobody/);
  expect(stdout).toMatch(/0 failed, 0 skipped\.\n$/);
  expect(stdout).not.toContain("Refused");
  expect(aspectOf(catalog, ada, "corpUserInfo")).toEqual({ active: true, email: "a@b.c" });
  expect(catalog.aspects().some((row) => row.urn === "urn:li:corpuser:nobody")).toBe(false);
});

/** The owners of a group, by id. */
function ownersOf(catalog: TestCatalog, urn: string): readonly string[] {
  const { owners = [] } = (aspectOf(catalog, urn, "ownership") ?? {}) as {
    readonly owners?: readonly { readonly owner: string }[];
  };
  return owners.map(({ owner }) => owner);
}

test.each([
  ["the others are written", [], "owners: [datahub, nobody]\n", ["urn:li:corpuser:datahub"]],
  [
    "nobody loses the ownership",
    [{ owner: cleo, type: "TECHNICAL_OWNER", typeUrn: technicalOwner }],
    "owners: [datahub, nobody]\n",
    [cleo, "urn:li:corpuser:datahub"],
  ],
  [
    "alone, nothing changes",
    [{ owner: cleo, type: "TECHNICAL_OWNER", typeUrn: technicalOwner }],
    "owners: [nobody]\n",
    [cleo],
  ],
])("an owner that does not exist is left out with a warning: %s", async (_, owners, line, expected) => {
  const catalog = await catalogWith(
    ...groupNamed(team),
    [cleo, "corpUserInfo", { active: true }],
    [team, "ownership", { owners, lastModified: { time: 0, actor: ada } }],
  );
  const ran = await upsert(catalog, "group", `id: ${team}\nemail: a@b.c\n${line}`);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toMatch(/file\.yaml:3:\d+ warning reference-missing[\s\S]*urn:li:corpuser:nobody/);
  expect(ownersOf(catalog, team)).toEqual(expected);
  expect(aspectOf(catalog, team, "corpGroupInfo")).toMatchObject({ email: "a@b.c" });
  expect(catalog.aspects().some((row) => row.urn === "urn:li:corpuser:nobody")).toBe(false);
});

test("--overwrite unsets what a record does not have in the info aspect, shows it, and keeps all else", async () => {
  const editable = { aboutMe: "Counts.", slack: "@ada" };
  const catalog = await catalogWith(
    [ada, "corpUserInfo", { active: false, title: "Countess", email: "old@b.c", system: true }],
    [ada, "corpUserEditableInfo", editable],
    [ben, "corpUserInfo", { active: true, title: "Clerk" }],
  );
  const text = "id: ada@acme.com\nemail: a@b.c\n";
  const planned = await upsert(catalog, "user", text, "--overwrite", "--dry-run");
  expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining("- title: Countess") });
  expect((await upsert(catalog, "user", text, "--overwrite")).code).toBe(0);
  expect(aspectOf(catalog, ada, "corpUserInfo")).toEqual({ active: false, system: true, email: "a@b.c" });
  expect(aspectOf(catalog, ada, "corpUserEditableInfo")).toEqual(editable);
  expect(await upsert(catalog, "user", text, "--overwrite")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 1 entity in sync\.\n$/),
  });

  const group = `id: ${team}\nmembers: [{ id: ben@acme.com, display_name: Ben }]\n`;
  expect((await upsert(catalog, "group", group, "--overwrite")).code).toBe(0);
  expect(aspectOf(catalog, ben, "corpUserInfo")).toMatchObject({ title: "Clerk", displayName: "Ben" });
});

test("members of a group that an identity provider owns are an error, and its other fields are written", async () => {
  const catalog = await catalogWith(
    [team, "corpGroupInfo", { admins: [], members: [], groups: [] }],
    [team, "origin", { type: "EXTERNAL", externalType: "okta" }],
    [ada, "corpUserInfo", { active: true }],
  );
  const text = `id: ${team}\nslack: "#team"\nmembers: [ada@acme.com]\n`;
  const { code, stderr } = await upsert(catalog, "group", text);
  expect(code).toBe(1);
  expect(stderr).toContain("error external-group");
  expect(aspectOf(catalog, team, "corpGroupInfo")).toMatchObject({ slack: "#team" });
  expect(groupsOf(catalog, ada)).toEqual([]);
});

test.each([
  ["an unknown field", "- { id: ben, titel: x }", /2:14 error unknown-field[\s\S]*did you mean\s+`title`/],
  ["a field of groups", "- { id: ben, admins: [a] }", /2:14 error unknown-field[\s\S]*`admins`/],
  ["no id", "- { title: x }", /2:5 error missing-field[\s\S]*`id`/],
  ["an id that is a number", "- id: 123", /2:7 error wrong-type[\s\S]*`"123"`/],
  ["a URN of another type", "- urn: urn:li:tag:a", /2:8 error wrong-reference/],
  ["a key without a value", "- { id: ben, title: }", /2:14 error null-value/],
  ["an id and a URN", `- { id: ben, urn: "${ben}" }`, /2:14 error conflicting-fields[\s\S]*`urn`[\s\S]*`id`/],
  ["another kind", "- { id: ben, kind: Group }", /2:20 error unknown-value[\s\S]*`Group`/],
  ["text instead of a mapping", "- ben", /2:3 error not-a-record[\s\S]*a\s+string/],
  ["a list instead of a mapping", "- [ben]", /2:3 error not-a-record[\s\S]*a\s+list/],
  ["the same id as another", "- { id: ada@acme.com, title: x }", /2:5 error duplicate-entity/],
  ["a key that names the prototype", '- { id: ben, "__proto__": { title: x } }', /2:14 error unknown-field/],
])("a record with %s is refused with its place, and the others go through", async (_, record, message) => {
  const catalog = await catalogWith();
  const text = `- { id: ada@acme.com, email: a@b.c }\n${record}\n- { id: cleo@acme.com, kind: User }\n`;
  const { code, stdout, stderr } = await upsert(catalog, "user", text);
  expect(code).toBe(3);
  expect(stderr).toMatch(message);
  expect(stderr.match(/ error /g)).toHaveLength(1);
  expect(stdout).toContain("Plan: 2 to create");
  expect(aspectOf(catalog, ada, "corpUserInfo")).toMatchObject({ email: "a@b.c" });
  expect(aspectOf(catalog, cleo, "corpUserInfo")).toEqual({ active: true });
  expect(catalog.aspects().some(({ urn }) => urn.startsWith("urn:li:corpuser:ben"))).toBe(false);
});

test("admins beside owners are refused, and so is an inline member with an unknown field", async () => {
  const catalog = await catalogWith();
  const text = `- { id: a, admins: [datahub], owners: [datahub] }\n- { id: b, members: [{ id: ben, nick: x }] }\n`;
  const { code, stdout, stderr } = await upsert(catalog, "group", text);
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toMatch(/1:12 error conflicting-fields[\s\S]*2:33 error unknown-field/);
  expect(catalog.requests).toEqual([]);
});

test.each([
  ["is not there", undefined, /unreadable[\s\S]*does not exist/],
  ["is no YAML", "- { id: ada", /yaml-syntax/],
  ["is empty", "", /no-records/],
  ["holds only comments", "# nobody\n", /no-records/],
  ["is an empty list", "[]", /no-records/],
  ["is a text", "Not Found", /not-a-record/],
])("a file that %s is refused before anything is sent", async (_, text, message) => {
  const catalog = await catalogWith();
  const cwd = temporaryDirectory();
  if (text !== undefined) writeFileSync(join(cwd, "file.yaml"), text);
  const argv = ["user", "upsert", "-f", "file.yaml", "--server", catalog.url];
  const { code, stdout, stderr } = await runCli(argv, { cwd });
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toMatch(message);
  expect(catalog.requests).toEqual([]);
});

test.each([
  ["without a file", ["user", "upsert", "--server", "http://127.0.0.1:1"], /--file/],
  ["without a server", ["user", "upsert", "-f", "file.yaml"], /DATAHUB_GMS_URL/],
  ["with an unknown sub-command", ["user", "upsrt"], /upsrt|--file|too many/],
  ["with an unknown flag", ["group", "upsert", "-f", "file.yaml", "--dryrun"], /Did you mean --dry-run/],
  ["with a wrong format", ["group", "upsert", "-f", "file.yaml", "--format", "yaml"], /Allowed choices/],
])("an upsert %s is a wrong usage", async (_, argv, message) => {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, "file.yaml"), users);
  const { code, stdout, stderr } = await runCli(argv, { cwd });
  expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  expect(stderr).toMatch(message);
});

test("an upsert does not take its server from ~/.datahubenv", async () => {
  const catalog = await catalogWith();
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, ".datahubenv"), `gms: { server: "${catalog.url}" }\n`);
  writeFileSync(join(cwd, "file.yaml"), users);
  const run = (...flags: string[]): Promise<Ran> =>
    runCli(["user", "upsert", "-f", "file.yaml", ...flags], { cwd, home: cwd });
  const { code, stderr } = await run();
  expect(code).toBe(64);
  expect(stderr).toContain("a command that writes");
  expect(catalog.requests).toEqual([]);
  expect((await run("--dry-run")).code).toBe(0);
});

test.each(["user", "group"] as const)(
  "%s upsert --dry-run shows the plan and writes nothing",
  async (command) => {
    const catalog = await catalogWith();
    const before = catalog.aspects();
    const { code, stdout } = await upsert(catalog, command, command === "user" ? users : groups, "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toMatch(/Plan: \d to create, .*\n$/);
    expect(
      catalog.requests.some(
        ({ path, body }) => path.includes("ingest") || /mutation/.test(JSON.stringify(body ?? "")),
      ),
    ).toBe(false);
    expect(catalog.aspects()).toEqual(before);
  },
);

test("with --format json the report is JSON, and carries the problems of records that were left out", async () => {
  const catalog = await catalogWith();
  const text = `- { id: ada@acme.com, email: a@b.c }\n- { id: ben, titel: x }\n`;
  const { code, stdout, stderr } = await upsert(catalog, "user", text, "--format", "json");
  expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({
    plan: { summary: { create: 1 }, problems: [{ code: "unknown-field", file: "file.yaml", line: 2 }] },
    summary: { failed: 0, skipped: 0 },
  });
  const refused = await upsert(catalog, "user", "- { titel: x }\n", "--format", "json");
  expect({ code: refused.code, stderr: refused.stderr }).toEqual({ code: 3, stderr: "" });
  expect(JSON.parse(refused.stdout)).toMatchObject({ formatVersion: "1", problems: [{}, {}] });
});

test("a write that the server refuses ends with 1, and the other records go through", async () => {
  const catalog = await catalogWith();
  const url = await inFrontOf(catalog.url, ({ text }, response, incoming) => {
    if (!incoming.url.includes("ingestProposal") || !text.includes(ben)) return undefined;
    response.statusCode = 403;
    return { message: "may not be edited" };
  });
  const { code, stdout } = await upsert({ url }, "user", "- { id: ben@acme.com }\n- { id: cleo@acme.com }\n");
  expect(code).toBe(1);
  expect(stdout).toContain("may not be edited");
  expect(aspectOf(catalog, cleo, "corpUserInfo")).toEqual({ active: true });
});

test("the sub-command can be left out, and the token is in no output", async () => {
  const catalog = await catalogWith();
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, "file.yaml"), users);
  const env = { DATAHUB_GMS_TOKEN: "s3cr3t-t0ken" };
  const argv = ["user", "-f", "file.yaml", "--server", catalog.url];
  const { code, stdout, stderr } = await runCli(argv, { cwd, env });
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain("s3cr3t");
});

test("with --dry-run a record with an unknown field ends with 3, too", async () => {
  const catalog = await catalogWith();
  const { code, stdout } = await upsert(
    catalog,
    "group",
    "- { id: a }\n- { id: b, titel: x }\n",
    "--dry-run",
  );
  expect(code).toBe(3);
  expect(stdout).toContain("Plan: 1 to create");
});

test("what an upsert removes is not counted as what another mode would keep: records have no modes", async () => {
  const catalog = await catalogWith([ada, "corpUserInfo", { active: true, title: "Dr" }]);
  const { stdout } = await upsert(catalog, "user", "id: ada@acme.com\n", "--overwrite", "--dry-run");
  expect(stdout).toContain("Plan: ");
  expect(stdout).toContain("1 removed");
  expect(stdout).not.toContain("merge");
});
