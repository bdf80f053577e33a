import { expect, test } from "vitest";
import { metadataFile } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { appliedRef, inCatalog, type PlanJson, settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

// What has changed since a ref is in `test/workflow/scope/scope.test.ts`, what a part plans in `test/laws/parts.test.ts`.

/** A repository of these files that are said to be applied, on a branch of its own. */
async function onBranch(files: Readonly<Record<string, string>>): Promise<Site> {
  const site = await siteWith(files);
  site.git("update-ref", appliedRef, "HEAD");
  site.git("checkout", "--quiet", "-b", "a-branch");
  return site;
}

const three = { "a.yaml": tag("a", "one"), "b.yaml": tag("b", "one"), "c.yaml": tag("c", "one") };

test("only what differs is planned, with three requests, and where nothing does, the catalog is asked for nothing", async () => {
  const site = await onBranch(three);

  expect(await site.plan("--changed-since", "main", "--detailed-exitcode")).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 0 entities in sync\.\n$/),
    stderr: "",
  });
  expect(site.catalog.requests.map(({ path }) => path)).toEqual(["/config"]);

  site.commit(inCatalog({ "a.yaml": tag("a", "two"), "b.yaml": undefined, "moved.yaml": three["b.yaml"] }));
  site.write({ "catalog/new.yaml": tag("new") });
  const { code, stdout, stderr } = await site.plan("--changed-since", "main", "--format", "json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const plan = JSON.parse(stdout) as PlanJson;
  expect(new Set(plan.changes.map(({ urn }) => urn))).toEqual(new Set(["urn:li:tag:a", "urn:li:tag:new"]));
  expect(plan.summary).toMatchObject({ create: 2, unchanged: 0 });
  expect(site.catalog.requests.length).toBeLessThanOrEqual(1 + 3);
});

test.each([
  [["plan"], "nope"],
  [["apply", "--auto-approve"], ""],
])("%j with --changed-since=%j ends with 1 before anything is asked", async (command, ref) => {
  const site = await siteWith(three);
  expect(await site.run([...command, `--changed-since=${ref}`])).toEqual({
    code: 1,
    stdout: "",
    stderr: `error: --changed-since: \`${ref}\` is not a commit in this repository: correct its name, or fetch it\n`,
  });
  expect(site.catalog.requests).toEqual([]);
});

test("where the settings have changed, the difference is told before the plan of everything", async () => {
  const site = await onBranch(three);
  const file = "settings.yaml";
  site.commit({ [file]: settingsWith("manage: { tags: merge }", "guards: { deletes: { max_count: 7 } }") });
  const flags = ["--changed-since", "main", "--settings", file];

  const { code, stdout, stderr } = await site.plan(...flags);

  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.split("\n");
  expect(lines[2]).toBe(
    "The settings have changed, so the plan covers every entity and uses the stricter of the old and new limits:",
  );
  expect(lines).toContain("  + manage.tags: merge");
  expect(lines).toContain("  ~ guards.deletes.max_count: 0 → 7");
  expect(stdout).toContain("Plan: 3 to create, ");
  const markdown = (await site.plan(...flags, "--format", "markdown")).stdout;
  expect(markdown).toMatch(/^### .*\n\n#### The settings have changed[^]*\+ manage\.tags: merge/);
});

test("--target that matches none of the changed entities is no mistake, and one that matches nothing declared is", async () => {
  const site = await onBranch(three);
  site.commit({ "catalog/a.yaml": tag("a", "two") });

  expect(await site.plan("--changed-since", "main", "--target", "urn:li:tag:b")).toMatchObject({ code: 0 });
  expect(await site.plan("--target", "t9")).toEqual({
    code: 64,
    stdout: "",
    stderr:
      "error: no declared entity matches --target t9; a pattern must match the full URN, name or id, such as urn:li:tag:pii or pii, and `*` matches any text\n",
  });
});

test("a facet that a changed file and another one declare is a problem, and nothing is asked", async () => {
  const site = await siteWith({ "a.yaml": tag("t", "one") });
  site.write({ "catalog/b.yaml": tag("t", "two") });

  const { code, stderr } = await site.plan("--changed-since", "HEAD");

  expect(code).toBe(3);
  expect(stderr).toContain("catalog/b.yaml:3:1 error duplicate-facet");
  expect(site.catalog.requests).toEqual([]);
});

const ruleOf = (id: string, domain: string): string =>
  `kind: Rule\nid: ${id}\nmatch: { kind: Dataset }\ndeclare:\n  domain: ${domain}\n---\nkind: Domain\nid: ${domain}\n`;

test.each([
  ["the first of two rules", "a.yaml", "b.yaml"],
  ["the second of two rules", "b.yaml", "a.yaml"],
])(
  "where a branch changed %s that give different values, the problem stands there",
  async (_, changed, other) => {
    const site = await siteWith({ [other]: ruleOf(other, "old") }, "version: 1\n");
    await site.catalog.load(metadataFile(site.root, [[datasetNamed("a"), "status", { removed: false }]]));
    site.write({ [`catalog/${changed}`]: ruleOf(changed, "new") });

    const { problems = [] } = await site.planned("--changed-since", "HEAD");

    expect(problems.filter(({ code }) => code === "rule-conflict")).toMatchObject([
      { file: `catalog/${changed}`, line: 5, related: { file: `catalog/${other}`, line: 5 } },
    ]);
  },
);

test("a value about which rules contradict each other is not one that is no longer declared, and no prune removes it", async () => {
  const site = await siteWith({ "a.yaml": ruleOf("a", "old") });
  await site.catalog.load(metadataFile(site.root, [[datasetNamed("a"), "status", { removed: false }]]));
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/b.yaml": ruleOf("b", "new") });

  const { code, stdout } = await site.plan();

  expect(code).toBe(3);
  expect(stdout).not.toContain("no longer declared");
  expect(stdout).not.toContain("--prune");
  expect(stdout).not.toContain("0 of them new");
  site.write({ "catalog/datahub-gitops.yaml": settingsWith("prune: { assignments: true }") });
  expect((await site.planned("--prune")).changes.filter(({ facet }) => facet === "domain")).toEqual([]);
});

test("validate names the file first that a pull request changed, of two that contradict each other", async () => {
  const site = await siteWith({ "b.yaml": tag("t", "one") }, "version: 1\n");
  site.git("update-ref", "refs/remotes/origin/main", "HEAD");
  site.commit({ "catalog/a.yaml": tag("t", "two") });
  const env = { GITHUB_BASE_REF: "main" };

  const { stdout } = await runCli(["validate", "--format", "json"], { cwd: site.root, env });

  expect(JSON.parse(stdout)).toMatchObject({
    problems: [{ code: "duplicate-facet", file: "catalog/a.yaml", related: { file: "catalog/b.yaml" } }],
  });
});
