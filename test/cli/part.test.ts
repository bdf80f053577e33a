import { expect, test } from "vitest";
import { type Ran, runCli } from "../support/command-line.ts";
import { inCatalog, type PlanJson, settingsWith, type Site, siteWith } from "../support/site.ts";

const domain = (id: string, parent?: string): string =>
  `kind: Domain\nid: ${id}\n${parent === undefined ? "" : `parent_domain: ${parent}\n`}`;
const member = (group: string, user: string): string =>
  `addGroupMembers(input: { groupUrn: "urn:li:corpGroup:${group}", userUrns: ["urn:li:corpuser:${user}"] })`;

/** A site whose repository went to a branch after a complete apply, with these files changed there. */
async function changed(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string | undefined>>,
  settings = settingsWith(),
): Promise<Site> {
  const site = await siteWith(before, settings);
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.git("checkout", "--quiet", "-b", "branch");
  site.commit(inCatalog(after));
  return site;
}

const urnsIn = ({ changes }: PlanJson): readonly unknown[] => changes.map(({ urn }) => urn);

test.each([[["--target", "urn:li:domain:a"]], [["--changed-since", "main"]]])(
  "a part that alone would make a circle of domains is refused, and the whole is not: %s",
  async (flags) => {
    const site = await changed(
      { "a.yaml": domain("a"), "b.yaml": domain("b", "a") },
      { "a.yaml": domain("a", "b"), "b.yaml": domain("b", "none") },
    );
    if (flags[0] === "--changed-since") {
      site.git("checkout", "--quiet", "main");
      site.commit(inCatalog({ "b.yaml": domain("b", "none") }));
      site.git("checkout", "--quiet", "branch");
      site.git("rebase", "--quiet", "main");
    }

    const { code, stderr } = await site.apply(...flags);
    expect(code).toBe(3);
    expect(stderr).toContain("error cyclic-selection: applied alone, the selected part makes");
    expect(await site.apply()).toMatchObject({ code: 0 });
  },
);

test("a group's mode holds for its members also where only one of its users is looked at", async () => {
  const site = await changed(
    {
      "h.yaml": "kind: Group\nid: h\nmembers: [x]\nmanage: { members: additive }\n",
      "x.yaml": "kind: User\nid: x\n",
      "alice.yaml": "kind: User\nid: alice\n",
    },
    { "alice.yaml": "kind: User\nid: alice\ngroups: []\n" },
  );
  await site.edit(member("h", "alice"));

  for (const flags of [[], ["--target", "urn:li:corpuser:alice"], ["--changed-since", "main"]])
    expect((await site.planned(...flags)).changes).toEqual([]);
});

test("a plan of a user who joins groups that no manifest declares can be shown and applied", async () => {
  const bob = (more = ""): string => `kind: User\nid: bob\n${more}`;
  const site = await changed(
    { "bob.yaml": bob(), "x.yaml": "kind: User\nid: x\n" },
    { "bob.yaml": bob("groups: [g, h]\n") },
  );
  const show = async (file: string): Promise<Ran> => await runCli(["show", file], { cwd: site.root });
  for (const id of ["g", "h"]) await site.edit(`createGroup(input: { id: "${id}", name: "${id}" })`);

  for (const flags of [
    ["--changed-since", "main"],
    ["--target", "urn:li:corpuser:bob"],
  ]) {
    expect((await site.planned(...flags)).summary).toMatchObject({ update: 2, unchanged: 1 });
    expect(await site.plan(...flags, "--out", "plan.json")).toMatchObject({ code: 0 });
    expect(await show("plan.json")).toMatchObject({ code: 0 });
  }
  const applied = await site.run(["apply", "plan.json", "--report", "report.json"]);
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  expect(await show("report.json")).toMatchObject({ code: 0 });
  expect((await site.planned()).summary).toMatchObject({ update: 0, unchanged: 2 });
});

test("a user's own modes hold where a changed group lists the user with fields", async () => {
  const group = (title: string): string => `kind: Group\nid: h\nmembers: [{ id: bob, title: ${title} }]\n`;
  const site = await changed(
    { "bob.yaml": "kind: User\nid: bob\nmanage: { title: additive }\n", "h.yaml": group("Old") },
    { "h.yaml": group("New") },
  );

  expect((await site.planned()).changes).toEqual([]);
  expect((await site.planned("--changed-since", "main")).changes).toEqual([]);
});

test("a part deletes nothing that the whole plan keeps, because a value outside of the part holds it", async () => {
  const tag = "kind: Tag\nid: t\nmanage: { owners: additive }\nowners: [{ user: u }]\n";
  const site = await changed(
    { "t.yaml": tag, "u.yaml": "kind: User\nid: u\n", "g.yaml": "kind: Group\nid: old\n" },
    { "g.yaml": undefined },
  );
  await site.edit(
    'addOwner(input: { ownerUrn: "urn:li:corpGroup:old", resourceUrn: "urn:li:tag:t", ownerEntityType: CORP_GROUP, type: TECHNICAL_OWNER })',
  );
  const prune = ["--prune", "--max-deletes", "9", "--max-vanished", "100%"];
  const whole = await site.plan(...prune);
  expect(whole).toMatchObject({ code: 3, stderr: expect.stringContaining("deleted-value") });
  for (const part of [
    ["--changed-since", "main"],
    ["--target", "urn:li:corpGroup:*"],
  ])
    expect(await site.plan(...prune, ...part)).toMatchObject({ code: 3, stderr: whole.stderr });
});

test("a part creates what its changes need and does not exist yet, and nothing else", async () => {
  const site = await siteWith({
    "tags.yaml": "kind: Tag\nid: pii\nowners: [{ group: g }]\n---\nkind: Tag\nid: other\n",
    "g.yaml": "kind: Group\nid: g\nmembers: [alice]\n",
    "users.yaml": "kind: User\nid: alice\n---\nkind: User\nid: bob\n",
    "d.yaml": `${domain("top")}---\n${domain("mid", "top")}---\n${domain("low", "mid")}`,
  });

  expect(urnsIn(await site.planned("--target", "urn:li:domain:mid"))).toEqual(
    expect.arrayContaining(["urn:li:domain:top", "urn:li:domain:mid"]),
  );
  expect(urnsIn(await site.planned("--target", "urn:li:domain:mid"))).not.toContain("urn:li:domain:low");
  const tagged = await site.planned("--target", "urn:li:tag:pii");
  expect(new Set(urnsIn(tagged))).toEqual(
    new Set(["urn:li:tag:pii", "urn:li:corpGroup:g", "urn:li:corpuser:alice"]),
  );
  expect(await site.apply("--target", "urn:li:tag:pii")).toMatchObject({ code: 0 });
  expect((await site.planned("--target", "urn:li:tag:pii")).changes).toEqual([]);
});

test("the share of removals is of the whole, however little a part looks at", async () => {
  const owners = (users: readonly string[]): string =>
    `[${users.map((user) => `{ user: ${user} }`).join(", ")}]`;
  const tagOf = (id: string, users: readonly string[]): string =>
    `kind: Tag\nid: ${id}\nowners: ${owners(users)}\n`;
  const all = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
  const users = all.map((id) => `kind: User\nid: ${id}\n`).join("---\n");
  const site = await changed(
    { "users.yaml": users, "one.yaml": tagOf("one", all), "two.yaml": tagOf("two", all) },
    { "one.yaml": tagOf("one", all.slice(4)) },
  );

  expect(await site.planned("--target", "urn:li:tag:one")).toMatchObject({
    summary: { removals: 4, blocked: 0 },
    findings: [],
  });
  const flags = ["--max-removals", "15%"];
  const whole = (await site.planned(...flags)).findings;
  expect(whole).toMatchObject([{ numbers: { removals: 4, existing: 20, percent: 20 } }]);
  expect((await site.planned(...flags, "--target", "urn:li:tag:one")).findings).toEqual(whole);
  expect((await site.planned(...flags, "--changed-since", "main")).findings).toEqual(whole);
});

test("a reference to a declared definition that cannot be found is created by the part, not refused", async () => {
  const site = await siteWith({ "a.yaml": domain("a", "b"), "b.yaml": domain("b") }, "version: 1\n");
  const { code } = await site.apply("--target", "urn:li:domain:a");

  expect(code).toBe(0);
  expect(site.aspect("urn:li:domain:b", "domainProperties")).toBeDefined();
});

test("a part of users takes nobody out of a group that a plan of everything deletes", async () => {
  const bob = (more = ""): string => `kind: User\nid: bob\n${more}`;
  const site = await changed(
    { "bob.yaml": bob(), "g.yaml": "kind: Group\nid: g\nmembers: [bob]\n", "t.yaml": "kind: Tag\nid: t\n" },
    { "bob.yaml": bob("groups: []\n"), "g.yaml": undefined },
    settingsWith("manage: { groups: merge }", "prune: { assignments: true }"),
  );

  expect(await site.planned("--prune")).toMatchObject({
    changes: [{ action: "delete", urn: "urn:li:corpGroup:g" }],
    unmanaged: [],
  });
  expect(await site.planned("--prune", "--target", "urn:li:corpuser:*")).toMatchObject({
    changes: [],
    unmanaged: [],
  });
});
