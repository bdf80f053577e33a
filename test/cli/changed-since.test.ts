import { expect, test } from "vitest";
import { metadataFile } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { appliedRef, inCatalog, type PlanJson, settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

/** Manifests of so many tags, a file each. */
function tagFiles(count: number, from = 0): Readonly<Record<string, string>> {
  const ids = Array.from({ length: count }, (_, index) => `t${from + index}`);
  return Object.fromEntries(ids.map((id) => [`${id}.yaml`, tag(id, "one")]));
}

/** A repository of so many tags that are said to be applied, on a branch of its own. */
async function branchOf(count: number, settings = settingsWith(), more = {}): Promise<Site> {
  const site = await siteWith({ ...tagFiles(count), ...more }, settings);
  site.git("update-ref", appliedRef, "HEAD");
  site.git("checkout", "--quiet", "-b", "a-branch");
  return site;
}

/** Ids of the entities that a plan changes or lists. */
function idsIn({ changes, unmanaged }: PlanJson): readonly string[] {
  const urns = [...changes, ...unmanaged].map(({ urn }) => String(urn).split(":").at(-1) ?? "");
  return [...new Set(urns)].toSorted();
}

const gone = (ids: readonly string[]): Readonly<Record<string, undefined>> =>
  Object.fromEntries(ids.map((id) => [`${id}.yaml`, undefined]));

test("of 300 manifests only the 20 that differ are planned, with three requests", async () => {
  const site = await branchOf(300);
  const edited = Array.from({ length: 17 }, (_, index) => `t${index}`);
  site.commit(inCatalog(Object.fromEntries(edited.map((id) => [`${id}.yaml`, tag(id, "two")]))));
  site.commit({ "catalog/t17.yaml": tag("t17", "two") });
  site.git("mv", "catalog/t18.yaml", "catalog/moved.yaml");
  site.write({ "catalog/new.yaml": tag("new") });

  const { code, stdout, stderr } = await site.plan("--changed-since", "main", "--format", "json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const plan = JSON.parse(stdout) as PlanJson;
  // What only moved to another file is declared as before.
  expect(idsIn(plan)).toEqual([...edited, "t17", "new"].toSorted());
  expect(plan.summary).toMatchObject({ create: 19, unchanged: 0 });
  expect(site.catalog.requests.length).toBeLessThanOrEqual(3);
});

test("what is uncommitted, staged, untracked or ignored by git is planned", async () => {
  const site = await branchOf(4);
  site.write(
    inCatalog({ "t0.yaml": tag("t0", "two"), "untracked.yaml": tag("untracked"), "mine.yaml": tag("mine") }),
  );
  site.write({ ".git/info/exclude": "mine.yaml\n" });
  site.write({ "catalog/t1.yaml": tag("t1", "two") });
  site.git("add", "catalog/t1.yaml");

  expect(idsIn(await site.planned("--changed-since", "main"))).toEqual(["mine", "t0", "t1", "untracked"]);
  expect(idsIn(await site.planned("--changed-since", "HEAD"))).toEqual(["mine", "t0", "t1", "untracked"]);
});

test("commits that the other branch got meanwhile are not this one's changes", async () => {
  const site = await branchOf(3);
  site.commit({ "catalog/t0.yaml": tag("t0", "two") });
  site.git("checkout", "--quiet", "main");
  site.commit({ "catalog/t1.yaml": tag("t1", "two") });
  site.git("checkout", "--quiet", "a-branch");

  expect(idsIn(await site.planned("--changed-since", "main"))).toEqual(["t0"]);
});

test("a deleted manifest is listed as no longer declared, and with --prune deleted", async () => {
  const site = await branchOf(12);
  expect(await site.apply("--base", "HEAD")).toMatchObject({ code: 0 });
  site.commit(inCatalog({ ...gone(["t0"]), "t1.yaml": tag("t1", "two") }));

  const kept = await site.planned("--changed-since", "main");
  expect(idsIn(kept)).toEqual(["t0", "t1"]);
  expect(kept).toMatchObject({
    changes: [{ action: "update", urn: "urn:li:tag:t1" }],
    unmanaged: [{ facet: "description", reason: "no-longer-declared" }],
    summary: { blocked: 0 },
  });
  const pruned = await site.planned("--changed-since", "main", "--prune");
  expect(pruned.changes).toMatchObject([
    { urn: "urn:li:tag:t1" },
    { action: "delete", urn: "urn:li:tag:t0" },
  ]);
  expect(await site.apply("--changed-since", "main", "--prune", "--max-deletes", "1")).toMatchObject({
    code: 0,
  });
  expect(site.aspect("urn:li:tag:t0", "tagProperties")).toBeUndefined();
});

test("where nothing has changed there are no changes, and the catalog is asked for nothing", async () => {
  const site = await branchOf(3);
  site.commit({ "README.md": "words" });

  expect(await site.plan("--changed-since", "main", "--detailed-exitcode")).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 0 entities in sync\.\n$/),
    stderr: "",
  });
  expect(site.catalog.requests.map(({ path }) => path)).toEqual(["/config"]);
  expect(await site.apply("--changed-since", "main")).toMatchObject({ code: 0, stderr: "" });
});

test.each([
  [
    "nope",
    "error: --changed-since: `nope` does not name a commit of this repository: correct its name, or fetch it\n",
  ],
  [
    "",
    "error: --changed-since: `` does not name a commit of this repository: correct its name, or fetch it\n",
  ],
])("--changed-since %j ends with 1 before anything is asked", async (ref, stderr) => {
  const site = await branchOf(1);
  for (const command of [["plan"], ["apply", "--auto-approve"]]) {
    expect(await site.run([...command, `--changed-since=${ref}`])).toEqual({ code: 1, stdout: "", stderr });
  }
  expect(site.catalog.requests).toEqual([]);
});

test("--base and --changed-since are two commits: values of the one are ours, files of the other are unchanged", async () => {
  const site = await branchOf(3, settingsWith("manage: { description: merge }"));
  expect(await site.apply("--base", "HEAD")).toMatchObject({ code: 0 });
  site.commit(inCatalog({ "t0.yaml": tag("t0", "two") }));
  await site.edit('updateDescription(input: { resourceUrn: "urn:li:tag:t0", description: "theirs" })');

  const conflict = { conflict: { base: "one", live: "theirs", desired: "two" } };
  const named = await site.planned("--changed-since", "main", "--base", "main");
  expect(named).toMatchObject({ changes: [conflict], git: { base: site.git("rev-parse", "main") } });
  expect(idsIn(named)).toEqual(["t0"]);
  expect(await site.plan("--changed-since", "main", "--base", "nope")).toMatchObject({ code: 1 });
  expect(await site.plan("--changed-since", "nope", "--base", "main")).toMatchObject({ code: 1 });
});

test.each([
  ["the default file", [], "catalog/datahub-gitops.yaml"],
  ["a file that is named", ["--settings", "catalog/other.yaml"], "catalog/other.yaml"],
  ["a file outside of the catalog", ["--settings", "settings.yaml"], "settings.yaml"],
])(
  "where the settings have changed, %s, everything is planned, and the difference is told first",
  async (_, flags, file) => {
    const site = await branchOf(2);
    site.commit({ [file]: settingsWith("manage: { tags: merge }", "guards: { deletes: { max_count: 7 } }") });

    const { code, stdout, stderr } = await site.plan("--changed-since", "main", ...flags);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.split("\n");
    expect(lines[2]).toBe(
      "The settings have changed, so every entity is planned, and the stricter limits apply:",
    );
    expect(lines).toContain("  + manage.tags: merge");
    expect(lines).toContain("  ~ guards.deletes.max_count: 0 → 7");
    expect(stdout).toContain("Plan: 2 to create, ");

    const flag = ["--changed-since", "main", ...flags];
    expect((await site.planned(...flag)).limits).not.toHaveProperty("deletes");
    expect((await site.planned(...flag, "--max-deletes", "9")).limits).toMatchObject({
      deletes: { max_count: 9 },
    });
    const markdown = (await site.plan(...flag, "--format", "markdown")).stdout;
    expect(markdown).toMatch(/^### .*\n\n#### The settings have changed[^]*\+ manage\.tags: merge/);
  },
);

test.each(Object.entries({ server: "http://x", missing: "skip", conflicts: "skip", writes: "conditional" }))(
  "a change of `%s` in the settings is told",
  async (key, value) => {
    const site = await branchOf(1);
    const line = key === "server" ? `server: ${site.catalog.url}` : `${key}: ${value}`;
    site.commit({ "catalog/datahub-gitops.yaml": settingsWith(line) });

    const { stdout } = await site.plan("--changed-since", "main");

    expect(stdout.split("\n")).toContain(`  + ${line}`);
  },
);

test("settings whose words alone have changed are the same settings", async () => {
  const site = await branchOf(2);
  site.commit({ "catalog/datahub-gitops.yaml": `# why\n${settingsWith()}` });

  expect(await site.plan("--changed-since", "main")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 0 entities in sync\.\n$/),
  });
});

test("the guard `vanished` counts with the whole base, also where few files have changed", async () => {
  const site = await branchOf(20);
  site.commit(inCatalog(gone(["t0", "t1", "t2", "t3", "t4", "t5"])));
  expect(await site.plan("--changed-since", "main")).toMatchObject({ code: 0 });

  site.commit(inCatalog(gone(["t6"])));
  const { findings, limits } = await site.planned("--changed-since", "main");
  expect(findings).toMatchObject([
    {
      guard: "vanished",
      numbers: { vanished: 7, declared: 20, percent: 35, max_percent: 30, min_existing: 10 },
      flag: "--max-vanished 35%",
      setting: "guards.vanished.max_percent",
      changes: ["t0", "t1", "t2", "t3", "t4", "t5", "t6"].map((id) => ({ urn: `urn:li:tag:${id}` })),
    },
  ]);
  expect(limits).not.toHaveProperty("vanished");
  expect((await site.planned()).findings).toEqual(findings);
  expect(await site.plan("--changed-since", "main")).toMatchObject({ code: 5 });
  expect(await site.plan("--changed-since", "main", "--max-vanished", "35%")).toMatchObject({ code: 0 });
});

test("a file that declares much makes the guard no stricter than it is for all", async () => {
  const many = Array.from({ length: 30 }, (_, index) => tag(`m${index}`)).join("---\n");
  const site = await branchOf(10, settingsWith(), { "many.yaml": many });
  const lost = Array.from({ length: 9 }, (_, index) => `t${index}`);
  site.commit(inCatalog(gone(lost)));

  expect(await site.plan("--changed-since", "main")).toMatchObject({ code: 0 });
  expect((await site.planned()).findings).toEqual([]);
});

test("the guard `vanished` counts over the whole, whatever --target narrows the plan to", async () => {
  const names = Array.from({ length: 10 }, (_, index) => `d${index}`);
  const domains = Object.fromEntries(names.map((id) => [`${id}.yaml`, `kind: Domain\nid: ${id}\n`]));
  const site = await branchOf(10, settingsWith(), domains);
  site.commit(inCatalog(gone(["d0", "d1", "d2", "d3", "d4", "t1", "t2"])));

  const whole = (await site.planned()).findings;
  expect(whole).toMatchObject([{ guard: "vanished", numbers: { vanished: 7, declared: 20 } }]);
  for (const pattern of ["urn:li:domain:*", "urn:li:tag:t9"])
    expect((await site.planned("--target", pattern)).findings).toEqual(whole);
  expect((await site.planned("--changed-since", "main", "--target", "urn:li:tag:*")).findings).toEqual(whole);
});

test("files without a declaration, and those that are new since base, do not weaken the guard `vanished`", async () => {
  const comments = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`c${index}.yaml`, "# nothing yet\n"]),
  );
  const site = await branchOf(10, settingsWith(), comments);
  site.commit(inCatalog(tagFiles(20, 10)));
  site.git("branch", "--force", "main");
  site.commit(inCatalog(gone(["t0", "t1", "t2", "t3"])));

  const whole = (await site.planned()).findings;
  expect(whole).toMatchObject([{ guard: "vanished", numbers: { vanished: 4, declared: 10 } }]);
  expect((await site.planned("--changed-since", "main")).findings).toEqual(whole);
});

test("a mistake in a manifest that has not changed refuses a part as it refuses the whole", async () => {
  const site = await branchOf(12, settingsWith(), { "broken.yaml": "kind: [Tag\n" });
  site.commit(inCatalog({ "t0.yaml": tag("t0", "two") }));

  const whole = await site.plan();
  expect(whole).toMatchObject({ code: 3 });
  expect(await site.plan("--changed-since", "main")).toEqual(whole);
});

test("--target that matches none of the changed entities is no mistake: there are no changes", async () => {
  const site = await branchOf(2);
  site.commit({ "catalog/t0.yaml": tag("t0", "two") });
  const flags = ["--changed-since", "main", "--target"];

  expect(await site.plan(...flags, "urn:li:tag:t1")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 0 entities in sync\.\n$/),
  });
  expect(idsIn(await site.planned(...flags, "urn:li:tag:*"))).toEqual(["t0"]);
  expect(await site.plan("--target", "t9")).toEqual({
    code: 64,
    stdout: "",
    stderr:
      "error: no declared entity matches --target t9; a pattern must match the whole URN, name or id, such as urn:li:tag:pii or pii, and * matches any text\n",
  });
});

test("what moved to a file that has not changed on this branch is still declared, though base had it elsewhere", async () => {
  const site = await branchOf(3);
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit(inCatalog({ "t0.yaml": tag("other"), "governance.yaml": tag("t0", "one") }));
  site.git("branch", "--force", "main");
  site.commit(inCatalog({ "t0.yaml": tag("other", "two") }));

  const plan = await site.planned("--changed-since", "main", "--prune");
  expect(plan).toMatchObject({
    changes: [{ action: "create" }, { action: "create" }],
    unmanaged: [],
    summary: { delete: 0 },
  });
  expect(idsIn(plan)).toEqual(["other"]);
});

test("an apply of changed manifests is refused for a mistake that stands between them and the others", async () => {
  const group = (id: string, member: string): string => `kind: Group\nid: ${id}\nmembers: [${member}]\n`;
  const files = { "a.yaml": "kind: User\nid: a\n", "g1.yaml": group("g1", "a"), "g2.yaml": group("g2", "a") };
  const site = await siteWith(files);
  expect((await site.apply()).code).toBe(0);
  site.git("checkout", "--quiet", "-b", "a-branch");
  site.commit({ "catalog/a.yaml": "kind: User\nid: a\ngroups: [g1]\n" });
  const before = site.catalog.aspects();
  const { code, stderr } = await site.apply("--changed-since", "main");
  expect(code).toBe(3);
  expect(stderr).toContain("contradicting-membership");
  expect(site.catalog.aspects()).toEqual(before);
});

test("of an entity that a changed file declares in part, the parts in other files are planned too", async () => {
  const site = await siteWith({ "name.yaml": "kind: Tag\nid: t\nname: Tag\n" }, "version: 1\n");
  site.git("checkout", "--quiet", "-b", "a-branch");
  site.commit({ "catalog/color.yaml": "kind: Tag\nid: t\ncolor_hex: '#ffffff'\n" });

  const { changes } = await site.planned("--changed-since", "main");
  expect(changes).toMatchObject([
    { urn: "urn:li:tag:t", facet: "color_hex", source: { file: "catalog/color.yaml" } },
    { urn: "urn:li:tag:t", facet: "name", after: "Tag", source: { file: "catalog/name.yaml" } },
  ]);
  // Without a ref only this one has a base, and says what it reverts.
  const known = changes.map(({ reverts: _, ...change }) => change);
  expect(known).toEqual((await site.planned()).changes);
});

test("a facet that a changed file and another one declare is a problem, and nothing is asked", async () => {
  const site = await siteWith({ "a.yaml": tag("t", "one") }, "version: 1\n");
  site.git("checkout", "--quiet", "-b", "a-branch");
  site.commit({ "catalog/b.yaml": tag("t", "two") });

  const { code, stderr } = await site.plan("--changed-since", "main");
  expect(code).toBe(3);
  expect(stderr).toContain("catalog/b.yaml:3:1 error duplicate-facet");
  expect(site.catalog.requests).toEqual([]);
});

test.each([
  ["the first of two files", "a.yaml", "b.yaml"],
  ["the second of two files", "b.yaml", "a.yaml"],
])(
  "where a branch changed %s that contradict each other, the problem stands there",
  async (_, changed, other) => {
    const site = await siteWith({ [other]: tag("t", "one") }, "version: 1\n");
    site.git("checkout", "--quiet", "-b", "a-branch");
    site.write({ [`catalog/${changed}`]: tag("t", "two") });
    for (const flags of [
      ["--changed-since", "main"],
      ["--base", "main"],
    ]) {
      const { stdout } = await site.plan("--format", "json", ...flags);
      expect(JSON.parse(stdout)).toMatchObject({
        problems: [
          {
            code: "duplicate-facet",
            file: `catalog/${changed}`,
            line: 3,
            related: { file: `catalog/${other}`, line: 3 },
          },
        ],
      });
    }
  },
);

test.each([
  ["the first of two rules", "a.yaml", "b.yaml"],
  ["the second of two rules", "b.yaml", "a.yaml"],
])(
  "where a branch changed %s that give different values, the problem stands there",
  async (_, changed, other) => {
    const site = await siteWith({ [other]: ruleOf(other, "old") }, "version: 1\n");
    await site.catalog.load(metadataFile(site.root, [[datasetNamed("a"), "status", { removed: false }]]));
    site.git("checkout", "--quiet", "-b", "a-branch");
    site.write({ [`catalog/${changed}`]: ruleOf(changed, "new") });
    const { problems = [] } = await site.planned("--changed-since", "main");
    expect(problems.filter(({ code }) => code === "rule-conflict")).toMatchObject([
      { file: `catalog/${changed}`, line: 5, related: { file: `catalog/${other}`, line: 5 } },
    ]);
  },
);

const ruleOf = (id: string, domain: string): string =>
  `kind: Rule\nid: ${id}\nmatch: { kind: Dataset }\ndeclare:\n  domain: ${domain}\n---\nkind: Domain\nid: ${domain}\n`;

test.each([
  ["the first", "a.yaml", "b.yaml"],
  ["the second", "b.yaml", "a.yaml"],
])(
  "validate names %s of two files that contradict each other first where a pull request changed it",
  async (_, changed, other) => {
    const site = await siteWith({ [other]: tag("t", "one") }, "version: 1\n");
    site.git("update-ref", "refs/remotes/origin/main", "HEAD");
    site.commit({ [`catalog/${changed}`]: tag("t", "two") });
    const env = { GITHUB_BASE_REF: "main" };
    const { stdout } = await runCli(["validate", "--format", "json"], { cwd: site.root, env });
    expect(JSON.parse(stdout)).toMatchObject({
      problems: [
        { code: "duplicate-facet", file: `catalog/${changed}`, related: { file: `catalog/${other}` } },
      ],
    });
  },
);

test("what base declared in a part that has not changed is neither forgotten nor listed", async () => {
  const site = await siteWith(
    { "a.yaml": tag("t", "one"), "b.yaml": "kind: Tag\nid: t\nname: Tag\n" },
    settingsWith("manage: { description: merge, name: merge }"),
  );
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/b.yaml": "kind: Tag\nid: t\n# renamed\nname: Other\n" });
  site.git("checkout", "--quiet", "-b", "a-branch");
  site.commit({ "catalog/a.yaml": tag("t", "two") });

  const part = await site.planned("--changed-since", "main");
  expect(part).toMatchObject({
    changes: [
      { facet: "description", before: "one", after: "two" },
      { facet: "name", before: "Tag", after: "Other" },
    ],
    unmanaged: [],
    summary: { conflicts: 0 },
  });
  expect(part.changes).toEqual((await site.planned()).changes);
});
