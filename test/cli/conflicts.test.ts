import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/command-line.ts";
import { planErrors } from "../support/published-schemas.ts";
import {
  appliedRef,
  runNote,
  settingsWith,
  type Site,
  siteOnce,
  siteWith,
  writesIn,
} from "../support/site.ts";

const finance = "urn:li:domain:finance";

function domain(name: string, description: string): string {
  return `kind: Domain\nid: finance\nname: ${name}\ndescription: ${description}\n`;
}

async function makeSiteInConflict(...lines: readonly string[]): Promise<Site> {
  const settings = settingsWith("manage: { name: merge, description: merge }", ...lines);
  const site = await siteWith({ "domain.yaml": domain("Finance", "before") }, settings);
  expect(await site.apply()).toMatchObject({ code: 0 });
  await site.edit(`updateDescription(input: { resourceUrn: "${finance}", description: "theirs" })`);
  site.commit({ "catalog/domain.yaml": domain("Money", "ours") });
  return site;
}

/** A site in mode `merge` where somebody has changed a description, and the manifests change it too, and the name. */
const siteInConflict = siteOnce(makeSiteInConflict);

function properties(site: Site): unknown {
  return site.aspect(finance, "domainProperties");
}

test("a conflict shows all three values, holds back only itself, and ends plan and apply with 6", async () => {
  const site = await siteInConflict();
  const base = site.at();

  const planned = await site.plan();
  expect(planned).toMatchObject({ code: 6, stderr: "" });
  expect(planned.stdout).toMatch(
    /conflict: the live value will be kept and the rest applied; declare it, or use --force-conflicts or --skip-conflicts\n +base +before\n +live +theirs\n +declared +ours\n/,
  );
  const applied = await site.apply();
  expect(applied).toMatchObject({
    code: 6,
    stderr: `${runNote(site)}${appliedRef} was not moved: a conflict holds a change back\n`,
  });
  expect(applied.stdout).toMatch(
    /skipped: set description of Money \(urn:li:domain:finance\) .*\n +conflict: the live value is kept until it is declared or --force-conflicts overwrites it\nApplied 1 operation, 0 failed, 1 skipped\.\n$/,
  );
  expect(properties(site)).toMatchObject({ name: "Money", description: "theirs" });
  expect(site.at()).toBe(base);
  expect(await site.planned()).toMatchObject({ changes: [{ facet: "description" }] });
});

test("what a conflict holds back is no work: it is counted by itself, and not by --detailed-exitcode", async () => {
  const site = await siteInConflict();
  const last = ({ stdout }: { readonly stdout: string }): string | undefined => stdout.split("\n").at(-2);
  const skipping = ["--skip-conflicts", "--detailed-exitcode"];
  const both = await site.plan(...skipping);
  expect(both.code).toBe(2);
  expect(last(both)).toBe(
    "Plan: 0 to create, 1 to update, 0 to delete; 0 values added, 1 replaced, 0 removed; 1 held back.",
  );
  expect((await site.apply()).code).toBe(6);

  const left = await site.plan();
  expect(left.code).toBe(6);
  expect(last(left)).toBe(
    "Plan: 0 to create, 0 to update, 0 to delete; 0 values added, 0 replaced, 0 removed; 1 held back.",
  );
  expect((await site.planned()).summary).toMatchObject({
    update: 0,
    unchanged: 0,
    conflicts: 1,
    heldBack: 1,
  });
  const settled = await site.plan(...skipping);
  expect({ code: settled.code, last: last(settled) }).toEqual({ code: 0, last: last(left) });
  expect(await site.plan("--force-conflicts", "--detailed-exitcode")).toMatchObject({ code: 2 });
});

test("a report of an apply with a conflict says what was held back", async () => {
  const site = await siteInConflict();
  const { code, stdout } = await site.apply("--format", "json");

  expect(code).toBe(6);
  expect(JSON.parse(stdout)).toMatchObject({
    outcomes: [
      { status: "applied", facet: "name" },
      { status: "skipped", facet: "description", because: expect.stringContaining("--force-conflicts") },
    ],
    summary: { applied: 1, failed: 0, skipped: 1 },
  });
});

test.each([
  ["hold", [], 6, "theirs"],
  ["skip", [], 0, "theirs"],
  ["hold", ["--skip-conflicts"], 0, "theirs"],
  ["skip", ["--force-conflicts"], 0, "ours"],
] as const)(
  "with `conflicts: %s` and flags %j apply ends with %i",
  async (rule, flags, code, description) => {
    const site = await siteInConflict(`conflicts: ${rule}`);
    const base = site.at();

    expect(await site.plan(...flags)).toMatchObject({ code });
    expect(await site.apply(...flags)).toMatchObject({ code });
    expect(properties(site)).toMatchObject({ name: "Money", description });
    if (description === "ours") return expect(site.at()).toBe(site.git("rev-parse", "HEAD"));
    expect(site.at()).toBe(base);
    expect((await site.plan(...flags)).stdout).toContain("live      theirs");
  },
);

test("a conflict in JSON: base, live and desired, and the winner once there is one", async () => {
  const site = await siteInConflict();
  const conflict = { base: "before", live: "theirs", desired: "ours" };

  const { changes, summary } = await site.planned();
  expect(changes.map((change) => [change["facet"], change["conflict"]])).toEqual([
    ["description", conflict],
    ["name", undefined],
  ]);
  expect(summary).toMatchObject({ update: 1, replacements: 1, conflicts: 1, blocked: 0, heldBack: 1 });
  const forced = await site.planned("--force-conflicts");
  expect(forced).toMatchObject({
    changes: [{ conflict: { ...conflict, winner: "desired" } }, {}],
    summary: { replacements: 2, conflicts: 0, heldBack: 0 },
  });
  const skipped = await site.planned("--skip-conflicts");
  expect(skipped).toMatchObject({
    changes: [{ conflict: { ...conflict, winner: "live" } }, {}],
    summary: { replacements: 1, conflicts: 1, heldBack: 1 },
  });
});

test("plan ends with 0 once it is said who wins", async () => {
  const site = await siteInConflict();
  expect(await site.plan("--force-conflicts")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("the live value will be overwritten"),
  });
  expect(await site.plan("--skip-conflicts")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("the live value will be kept"),
  });
});

test("--force-conflicts writes what is declared", async () => {
  const site = await siteInConflict();
  expect(await site.apply("--force-conflicts")).toMatchObject({ code: 0 });
  expect(properties(site)).toMatchObject({ name: "Money", description: "ours" });
  expect(await site.apply()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 1 entity in sync\.\n$/),
  });
});

test("--skip-conflicts keeps the live value, and writes another field of the same aspect", async () => {
  const site = await siteInConflict();
  const { code, stdout } = await site.apply("--skip-conflicts", "--format", "json");

  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    outcomes: [
      { status: "applied", urn: finance, facet: "name", operation: "ingestProposal domainProperties" },
      {
        status: "skipped",
        urn: finance,
        facet: "description",
        because: expect.stringContaining("--skip-conflicts"),
      },
    ],
    summary: { applied: 1, failed: 0, skipped: 1 },
  });
  expect(properties(site)).toMatchObject({ name: "Money", description: "theirs" });
  const again = await site.apply("--skip-conflicts");
  expect(again.code).toBe(0);
  expect(again.stdout).toMatch(/Applied 0 operations, 0 failed, 1 skipped\.\n$/);
});

test("declaring the live value ends a conflict, and so does base once it is the live one", async () => {
  const site = await siteInConflict();
  const head = site.commit({ "catalog/domain.yaml": domain("Money", "theirs") });
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(site.at()).toBe(head);
  site.commit({ "catalog/domain.yaml": domain("Money", "ours") });
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(properties(site)).toMatchObject({ description: "ours" });
});

test("both flags are a wrong usage", async () => {
  const site = await siteInConflict();
  for (const command of ["plan", "apply"]) {
    const { code, stdout, stderr } = await site.run([command, "--force-conflicts", "--skip-conflicts"]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toMatch(/--(force|skip)-conflicts' cannot be used with option '--(force|skip)-conflicts'/);
  }
});

test("with a base that is not known every other value is a conflict, and one that is unset or the same is none", async () => {
  const settings = settingsWith("manage: { name: merge, description: merge }");
  const site = await siteWith({ "domain.yaml": domain("Finance", "ours") }, settings);
  await site.edit('createDomain(input: { id: "finance", name: "Finance" })');
  expect(await site.planned()).toMatchObject({
    summary: { conflicts: 0 },
    changes: [{ facet: "description", before: null }],
  });

  await site.edit(`updateDescription(input: { resourceUrn: "${finance}", description: "theirs" })`);
  const { changes } = await site.planned();
  expect(changes).toMatchObject([{ conflict: { base: null, live: "theirs", desired: "ours" } }]);
});

test("the flags are nothing to a plan without a conflict", async () => {
  const site = await siteWith(
    { "domain.yaml": domain("Finance", "ours") },
    settingsWith("manage: { description: merge }"),
  );
  expect(await site.apply("--skip-conflicts")).toMatchObject({ code: 0 });
  expect(site.at()).toBe(site.git("rev-parse", "HEAD"));
});

test("unsetting what somebody has changed is a conflict, too", async () => {
  const site = await siteInConflict();
  site.commit({ "catalog/domain.yaml": "kind: Domain\nid: finance\ndescription: none\n" });
  expect(await site.plan()).toMatchObject({ code: 6, stdout: expect.stringMatching(/declared +none\n/) });
  expect(await site.apply("--skip-conflicts")).toMatchObject({ code: 0 });
  expect(properties(site)).toMatchObject({ description: "theirs" });
  expect(await site.apply("--force-conflicts")).toMatchObject({ code: 0 });
  expect(properties(site)).not.toHaveProperty("description");
});

const group = "urn:li:corpGroup:team";
const users = ["alice", "bob", "carol"].map((id) => `kind: User\nid: ${id}\n`).join("---\n");
const team = (members: string, more = ""): string => `kind: Group\nid: team\n${more}members: [${members}]\n`;

/** Who is in the group, as its members say themselves. */
function membersOf(site: Site): readonly string[] {
  return ["alice", "bob", "carol"].filter((id) => {
    const aspects = ["nativeGroupMembership", "groupMembership"].map((name) =>
      site.aspect(`urn:li:corpuser:${id}`, name),
    );
    return JSON.stringify(aspects).includes(group);
  });
}

/** Alice and Bob are declared as members; somebody adds Carol; then only Alice is declared. */
async function siteWithTeam(settings: string, more = ""): Promise<Site> {
  const site = await siteWith({ "users.yaml": users, "team.yaml": team("alice, bob", more) }, settings);
  expect(await site.apply()).toMatchObject({ code: 0 });
  await site.edit(`addGroupMembers(input: { groupUrn: "${group}", userUrns: ["urn:li:corpuser:carol"] })`);
  expect(membersOf(site)).toEqual(["alice", "bob", "carol"]);
  site.commit({ "catalog/team.yaml": team("alice", more) });
  return site;
}

const carol = { urn: group, facet: "members", value: "urn:li:corpuser:carol", reason: "other-writer" };

// What each mode does to each value is a law (test/laws/modes.test.ts).
test.each([
  ["merge in the settings", settingsWith("manage: { members: merge }"), "", ["bob"], [carol]],
  [
    "authoritative in the manifest over merge",
    settingsWith("manage: { members: merge }"),
    "manage: { members: authoritative }\n",
    ["bob", "carol"],
    [],
  ],
] as const)("members that a group lists, with %s", async (_, settings, more, removed, unmanaged) => {
  const site = await siteWithTeam(settings, more);

  const plan = await site.planned();
  expect(plan.changes.flatMap((change) => change["remove"])).toEqual(
    removed.map((id) => `urn:li:corpuser:${id}`),
  );
  expect(plan.unmanaged).toMatchObject(unmanaged);
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(membersOf(site)).toEqual(
    ["alice", "bob", "carol"].filter((id) => !(removed as readonly string[]).includes(id)),
  );
  expect(await site.apply()).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes.") });
});

const alice = (groups: string, more = ""): string => `kind: User\nid: alice\n${more}groups: [${groups}]\n`;
const groups = ["one", "two", "theirs"].map((id) => `kind: Group\nid: ${id}\n`).join("---\n");

test.each([
  [
    "merge of members in the settings",
    settingsWith("manage: { members: merge }"),
    "",
    ["two"],
    ["theirs other-writer"],
  ],
  [
    "additive of groups over merge of members",
    settingsWith("manage: { members: merge, groups: additive }"),
    "",
    [],
    ["theirs other-writer", "two no-longer-declared"],
  ],
] as const)("groups that a user lists, with %s", async (_, settings, more, removed, unmanaged) => {
  const site = await siteWith({ "groups.yaml": groups, "alice.yaml": alice("one, two", more) }, settings);
  expect(await site.apply()).toMatchObject({ code: 0 });
  await site.edit(
    'addGroupMembers(input: { groupUrn: "urn:li:corpGroup:theirs", userUrns: ["urn:li:corpuser:alice"] })',
  );
  site.commit({ "catalog/alice.yaml": alice("one", more) });

  const plan = await site.planned();
  expect(plan.changes.map(({ urn, remove }) => [urn, remove])).toEqual(
    removed.map((id) => [`urn:li:corpGroup:${id}`, ["urn:li:corpuser:alice"]]),
  );
  expect(
    plan.unmanaged.map(({ urn, reason }) => `${String(urn).split(":").at(-1)} ${String(reason)}`),
  ).toEqual(unmanaged);
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(await site.apply()).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes.") });
});

test("members that somebody adds are kept where users list their groups and the group lists none", async () => {
  const site = await siteWith({
    "a.yaml": `${users}---\nkind: Group\nid: team\n`,
    "alice.yaml": "# nothing yet\n",
  });
  expect(await site.apply()).toMatchObject({ code: 0 });
  await site.edit(`addGroupMembers(input: { groupUrn: "${group}", userUrns: ["urn:li:corpuser:carol"] })`);
  site.commit({
    "catalog/a.yaml": `${users.replace("id: alice\n", "id: alice\ngroups: [team]\n")}---\nkind: Group\nid: team\n`,
  });

  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(membersOf(site)).toEqual(["alice", "carol"]);
});

test("every part that a plan can have is valid by the published schema, and show tells it again", async () => {
  const settings = settingsWith(
    "manage: { description: merge, members: merge }",
    'ignore: [{ facet: owners, value: "urn:li:corpuser:bot", reason: a machine }]',
  );
  const files = {
    "domain.yaml": domain("Finance", "before"),
    "users.yaml": users,
    "team.yaml": team("alice, bob"),
    "old.yaml": "kind: Tag\nid: old\n",
  };
  const site = await siteWith(files, settings);
  expect(await site.apply()).toMatchObject({ code: 0 });
  await site.edit(`updateDescription(input: { resourceUrn: "${finance}", description: "theirs" })`);
  await site.edit(`addGroupMembers(input: { groupUrn: "${group}", userUrns: ["urn:li:corpuser:carol"] })`);
  site.commit({
    "catalog/domain.yaml": domain("Money", "ours"),
    "catalog/team.yaml": team("alice"),
    "catalog/old.yaml": undefined,
  });

  for (const flags of [
    [],
    ["--prune"],
    ["--prune", "--skip-conflicts"],
    ["--force-conflicts"],
    ["--base", "HEAD"],
    ["--missing", "skip"],
  ]) {
    const text = await site.plan(...flags);
    await site.plan("--quiet", ...flags, "--out", "plan.json");
    const saved = readFileSync(join(site.root, "plan.json"), "utf8");
    expect(planErrors(JSON.parse(saved))).toBeNull();
    const shown = await runCli(["show", "plan.json"], { cwd: site.root });
    expect(shown).toEqual({ code: 0, stdout: text.stdout, stderr: text.stderr });
    expect((await runCli(["show", "plan.json", "--format", "json"], { cwd: site.root })).stdout).toBe(saved);
  }
  expect(await runCli(["validate"], { cwd: site.root })).toMatchObject({ code: 0 });
  expect(writesIn(site.catalog).length).toBeGreaterThan(0);
});

test("where conflicts hold back all that there is, apply asks nobody, and says what it skipped", async () => {
  const site = await siteInConflict();
  expect((await site.apply("--skip-conflicts")).code).toBe(0);
  const asked = await runCli(["apply", "--skip-conflicts", "--server", site.catalog.url], {
    cwd: site.root,
    answers: [],
  });
  expect(asked.code).toBe(0);
  expect(asked.stderr).not.toContain("Apply these changes");
  expect(asked.stdout).toContain("Applied 0 operations, 0 failed, 1 skipped.");
});

test("what a conflict holds back needs no reference, and closes no circle of domains", async () => {
  const below = (parent: string): string => `kind: Domain\nid: a\nparent_domain: ${parent}\n`;
  const site = await siteWith(
    { "a.yaml": below("none"), "others.yaml": "[{ kind: Domain, id: b }, { kind: Domain, id: c }]\n" },
    settingsWith("manage: { parent_domain: merge }"),
  );
  expect(await site.apply()).toMatchObject({ code: 0 });
  const move = (id: string, parent: string): Promise<void> =>
    site.edit(
      `moveDomain(input: { resourceUrn: "urn:li:domain:${id}", parentDomain: "urn:li:domain:${parent}" })`,
    );
  await move("a", "c");

  site.commit({ "catalog/a.yaml": below("absent") });
  expect(await site.plan()).toMatchObject({ code: 6, stderr: "" });
  expect(await site.plan("--skip-conflicts")).toMatchObject({ code: 0, stderr: "" });
  expect((await site.plan("--force-conflicts")).stderr).toContain("error reference-missing");

  await move("b", "a");
  site.commit({ "catalog/a.yaml": below("b") });
  expect(await site.plan()).toMatchObject({ code: 6, stderr: "" });
  expect(await site.plan("--skip-conflicts")).toMatchObject({ code: 0, stderr: "" });
  expect((await site.plan("--force-conflicts")).stderr).toContain("error parent-cycle");
});
