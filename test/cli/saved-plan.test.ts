import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import { digestOf } from "../../src/plan/base/hash.ts";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { planFile, savedPlan } from "../support/plan-file.ts";
import { appliedRef, settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
import { planOf, problems } from "../report/plans.ts";
import { printed } from "../report/print.ts";

const files = { "a.yaml": tag("a", "one"), "b.yaml": tag("b", "two") };

const applySaved = (site: Site, ...flags: readonly string[]): Promise<Ran> =>
  site.run(["apply", "plan.json", ...flags]);

/** Has descriptions of tags in the catalog. */
async function load({ catalog }: Site, tags: Readonly<Record<string, string>>): Promise<void> {
  const aspects = Object.entries(tags).map(
    ([id, description]) => [`urn:li:tag:${id}`, "tagProperties", { name: id, description }] as const,
  );
  await catalog.load(metadataFile(temporaryDirectory(), aspects));
}

test("a saved plan is applied without asking: exactly its changes, whatever the manifests are now", async () => {
  const site = await siteWith(files);
  const { stdout: planned } = await site.plan("--out", "plan.json");
  const head = site.at("HEAD");
  site.write({ "catalog/a.yaml": tag("a", "other"), "catalog/c.yaml": tag("c") });
  expect(await applySaved(site, "--dry-run")).toMatchObject({ code: 0, stdout: planned });
  expect(writesIn(site.catalog)).toEqual([]);

  const { code, stdout, stderr } = await applySaved(site, "--report", "report.json");

  expect(code).toBe(0);
  expect(stderr).toContain(`, because files in the catalog directory differ from the checked-out commit\n`);
  expect(stdout).toMatch(
    /^Server: .*\n\n\+ Tag urn:li:tag:a {2}catalog\/a\.yaml:1:1\n[\s\S]*\nApplied 2 operations, 0 failed, 0 skipped\.\n$/,
  );
  expect(site.aspect("urn:li:tag:a", "tagProperties")).toMatchObject({ description: "one" });
  expect(site.aspect("urn:li:tag:c", "tagProperties")).toBeUndefined();
  const report = JSON.parse(readFileSync(join(site.root, "report.json"), "utf8")) as Record<string, unknown>;
  expect(report).toMatchObject({
    run: { exitCode: 0, approval: "saved-plan" },
    plan: { git: { commit: head }, scope: { directory: "catalog", ref: appliedRef } },
    summary: { applied: 2 },
  });
  expect(report["plan"]).toEqual(JSON.parse(readFileSync(join(site.root, "plan.json"), "utf8")));
});

// No server listens there: whoever asks it fails with 1.
const nowhere = "http://127.0.0.1:9";

/** Applies what is saved as `plan.json` to a server that is not there. */
async function appliedNowhere(saved: Plan | string, ...flags: readonly string[]): Promise<Ran> {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, "plan.json"), typeof saved === "string" ? saved : savedPlan(saved));
  return await runCli(["apply", "plan.json", "--server", nowhere, ...flags], { cwd });
}

const savedAs = (plan: Plan): Plan => ({ ...plan, digest: digestOf(plan) });
const edited = savedPlan(planOf()).replace('"create": 0', '"create": 1');
const problem = planOf({ problems });

test.each<readonly [string, Plan | string, number, RegExp]>([
  ["another target", planOf(), 64, /plan\.json was made for http:\/\/127\.0\.0\.1:8080, but the target is /],
  [
    "an edited plan",
    edited,
    3,
    /^error: plan\.json was edited after it was saved: its seal does not match\n$/,
  ],
  [
    "a report",
    printed({ report: { plan: savedAs(planOf()), outcomes: [] } }, "json"),
    3,
    /is a report, not a plan/,
  ],
  ["a manifest", "kind: Tag\nid: a\n", 3, /is not valid JSON/],
  [
    "a plan with errors",
    problem,
    3,
    /error asset-missing[\s\S]*error: plan\.json cannot be applied, because it has 2 problems; save a new plan after fixing the cause/,
  ],
])("apply refuses %s, and nothing is asked", async (_, saved, code, message) => {
  expect(await appliedNowhere(saved)).toEqual({ code, stdout: "", stderr: expect.stringMatching(message) });
});

test("the problems of a saved plan are printed in the format that is asked for, and are in the report", async () => {
  const cwd = planFile(problem);
  const argv = ["apply", "plan.json", "--server", nowhere, "--format", "json", "--report", "report.json"];

  const { code, stdout } = await runCli(argv, { cwd });

  const expected = { formatVersion: "1", problems: problems.map(({ code: each }) => ({ code: each })) };
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject(expected);
  expect(JSON.parse(readFileSync(join(cwd, "report.json"), "utf8"))).toMatchObject(expected);
});

test("a saved plan needs a target that is given, and that the settings allow", async () => {
  const cwd = planFile(planOf({ scope: { directory: "catalog" }, target: nowhere }));
  expect(await runCli(["apply", "plan.json"], { cwd })).toMatchObject({
    code: 64,
    stderr: expect.stringContaining("no server given"),
  });
  const site = await siteWith({}, "version: 1\nserver: https://datahub.acme.com\n");
  planFile(planOf({ scope: { directory: "catalog" }, target: site.catalog.url }), "plan.json", site.root);
  expect(await applySaved(site)).toMatchObject({
    code: 64,
    stderr: expect.stringContaining("the settings allow only the server https://datahub.acme.com"),
  });
  expect(site.catalog.requests).toEqual([]);
});

test.each([
  ["--target", "*"],
  ["--exclude", "*"],
  ["--changed-since", "HEAD"],
  ["--base", "HEAD"],
  ["--prune"],
  ["--missing", "skip"],
  ["--force-conflicts"],
  ["--skip-conflicts"],
])("%s comes too late for a saved plan", async (...flags) => {
  expect(await appliedNowhere("", ...flags)).toMatchObject({
    code: 64,
    stderr: expect.stringContaining(`${flags[0]} cannot be used with a saved plan`),
  });
});

test("--allow-partial is for saved plans only", async () => {
  const cwd = temporaryDirectory();
  expect(await runCli(["apply", "--allow-partial", "--server", nowhere], { cwd })).toMatchObject({
    code: 64,
    stderr: "error: --allow-partial works only with a saved plan\n",
  });
});

test("guards judge a saved plan again, by its own limits and the flags that are given now", async () => {
  const settings = settingsWith(
    "prune: { kinds: [Tag] }",
    "guards: { deletes: { max_count: 1 }, vanished: { max_percent: 100 } }",
  );
  const site = await siteWith({ ...files, "d.yaml": tag("d") }, settings);
  await load(site, { a: "one", b: "two", d: "" });
  site.git("update-ref", appliedRef, "HEAD");
  site.commit({
    "catalog/b.yaml": undefined,
    "catalog/datahub-gitops.yaml": settings,
    "catalog/d.yaml": undefined,
  });
  expect(await site.plan("--out", "plan.json", "--prune")).toMatchObject({ code: 5 });
  site.write({ "catalog/datahub-gitops.yaml": settingsWith("guards: { deletes: { max_count: 9 } }") });

  const blocked = await applySaved(site);
  expect(blocked).toMatchObject({ code: 5, stdout: expect.stringContaining("--max-deletes 2") });
  expect(writesIn(site.catalog)).toEqual([]);
  const { code, stdout } = await applySaved(site, "--max-deletes", "2", "--format", "json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    plan: {
      limits: { deletes: { max_count: 2 }, vanished: { max_percent: 100 } },
      findings: [],
      summary: { blocked: 0 },
    },
  });
});

test("a stale change refuses a saved plan as a whole with 6, and with --allow-partial only itself", async () => {
  const site = await siteWith({ "a.yaml": tag("a", "ours"), "b.yaml": tag("b", "new") });
  await load(site, { a: "one", b: "two" });
  await site.plan("--out", "plan.json");
  await load(site, { a: "theirs" });
  const before = site.catalog.aspects();

  const refused = await applySaved(site);
  expect(refused.code).toBe(6);
  expect(refused.stdout).toMatch(/\nApplied 0 operations, 0 failed, 0 skipped, 1 stale\.\n$/);
  expect(refused.stderr).toContain("Nothing was applied: the catalog has changed since the plan was saved.");
  expect(site.catalog.aspects()).toEqual(before);

  const partial = await applySaved(site, "--allow-partial");
  expect(partial.code).toBe(0);
  expect(partial.stdout).toMatch(/\nApplied 1 operation, 0 failed, 1 skipped\.\n$/);
  expect(partial.stderr).toContain(`, because not all changes were applied`);
  expect(site.aspect("urn:li:tag:a", "tagProperties")).toMatchObject({ description: "theirs" });
  expect(site.aspect("urn:li:tag:b", "tagProperties")).toMatchObject({ description: "new" });
});

test("the commit of a saved plan is noted as applied where it is checked out, also if nothing was to be done", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const first = site.at("HEAD");
  await site.plan("--out", "plan.json");
  expect(await applySaved(site)).toMatchObject({ code: 0 });
  expect(site.at()).toBe(first);

  const next = site.commit({ "README.md": "words" });
  await site.plan("--out", "plan.json");
  site.commit({ "README.md": "other words" });
  expect(await applySaved(site)).toMatchObject({
    code: 0,
    stderr: `The base (${appliedRef}) stays at ${first?.slice(0, 12)}, because the commit of the plan is not checked out\n`,
  });
  expect(site.at()).toBe(first);
  site.git("update-ref", "refs/heads/main", next);
  expect(await applySaved(site)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 1 entity in sync\.\n$/),
  });
  expect(site.at()).toBe(next);
});

test("the plan that drift reports is applied where its manifests are not, and then no ref is moved", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const elsewhere = temporaryDirectory();
  const plan = join(elsewhere, "plan.json");
  expect(await site.run(["drift", "--report", plan])).toMatchObject({ code: 2 });

  expect(await site.run(["apply", "plan.json"], { cwd: elsewhere })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(
      `\nThe base (${appliedRef}) is not set, because the commit of the plan is not checked out\n`,
    ),
  });
  expect(site.at()).toBeUndefined();
});

test("a plan for the local catalog is applied to the same one, and to no other", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const run = (...argv: readonly string[]): Promise<Ran> => runCli([...argv, "--local"], { cwd: site.root });
  expect(await run("plan", "--out", "plan.json", "--data", "one")).toMatchObject({ code: 0 });
  expect(await run("apply", "plan.json", "--data", "other")).toMatchObject({ code: 64 });
  expect(await run("apply", "plan.json", "--data", "one")).toMatchObject({ code: 0 });
});
