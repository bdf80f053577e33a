import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import type { Change } from "../../src/model/change.ts";
import type { Plan } from "../../src/model/plan.ts";
import { defaultLimits } from "../../src/plan/checks/guards/index.ts";
import { digestOf } from "../../src/plan/hash.ts";
import { runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { forge } from "../support/sealed.ts";
import {
  appliedRef,
  type PlanJson,
  settingsWith,
  type Site,
  siteOnce,
  siteWith,
  writesIn,
} from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";
import { denying } from "../support/denying.ts";

const files = { "a.yaml": tag("a", "one"), "b.yaml": tag("b", "two") };

/** A site with a plan of all that its manifests declare, saved to `plan.json`. */
async function siteWithPlan(flags: readonly string[] = [], settings = settingsWith()): Promise<Site> {
  const site = await siteWith(files, settings);
  await site.plan("--out", "plan.json", ...flags);
  return site;
}

const applySaved = (site: Site, ...flags: readonly string[]): ReturnType<Site["run"]> =>
  site.run(["apply", "plan.json", ...flags]);

test("a saved plan is applied without asking: exactly its changes, whatever the manifests are now", async () => {
  const site = await siteWithPlan();
  const head = site.git("rev-parse", "HEAD");
  site.write({ "catalog/a.yaml": tag("a", "other"), "catalog/c.yaml": tag("c") });

  const { code, stdout, stderr } = await applySaved(site, "--report", "report.json");
  expect(code).toBe(0);
  expect(stderr).toContain(`\n${appliedRef} was not moved: the manifests differ from the last commit\n`);
  expect(stdout).toMatch(
    /^Server: .*\n\n\+ Tag urn:li:tag:a\n[\s\S]*\nApplied 2 operations, 0 failed, 0 skipped\.\n$/,
  );
  expect(site.aspect("urn:li:tag:a", "tagProperties")).toMatchObject({ description: "one" });
  expect(site.aspect("urn:li:tag:c", "tagProperties")).toBeUndefined();
  expect(JSON.parse(readFileSync(join(site.root, "report.json"), "utf8"))).toMatchObject({
    run: { exitCode: 0, approval: "saved-plan" },
    plan: { git: { commit: head }, scope: { directory: "catalog", ref: appliedRef } },
    summary: { applied: 2 },
  });
});

test("the report of a saved plan holds the plan as it was saved", async () => {
  const site = await siteWithPlan();
  const { stdout } = await applySaved(site, "--format", "json");
  const report = JSON.parse(stdout) as { readonly plan: unknown };
  expect(report.plan).toEqual(JSON.parse(readFileSync(join(site.root, "plan.json"), "utf8")));
});

test("a dry run of a saved plan shows it and sends no write", async () => {
  const site = await siteWithPlan();
  const planned = await site.plan();
  expect(await applySaved(site, "--dry-run")).toEqual(planned);
  expect(writesIn(site.catalog)).toEqual([]);
});

/** Refused with this code, and nothing was sent since the plan was made. */
async function expectRefused(
  site: Site,
  code: number,
  message: RegExp,
  flags: readonly string[] = [],
): Promise<void> {
  const sent = site.catalog.requests.length;
  const refused = await applySaved(site, ...flags);
  expect(refused).toMatchObject({ code, stdout: "" });
  expect(refused.stderr).toMatch(message);
  expect(site.catalog.requests.slice(sent)).toEqual([]);
}

const edited = (from: string, to: string) => (text: string) => text.replace(from, to);

test.each<readonly [string, (text: string) => string, RegExp]>([
  ["is cut off", (text) => text.slice(0, 200), /may be truncated/],
  ["is empty", () => "", /is empty/],
  ["is a manifest", () => "kind: Tag\nid: a\n", /is not valid JSON/],
  ["is other JSON", () => "[]", /is not a plan/],
  [
    "is of another format version",
    edited('"formatVersion": "1"', '"formatVersion": "2"'),
    /format version "2"/,
  ],
  ["has another value", edited('"one"', '"two"'), /was edited/],
  ["has another target", (text) => text.replace(/"target": "[^"]+"/, '"target": "http://b"'), /was edited/],
  ["has another summary", edited('"create": 2', '"create": 0'), /was edited/],
  ["has another commit", (text) => text.replace(/"commit": "\w+/, '"commit": "0000'), /was edited/],
  ["has another scope", edited('"directory": "catalog"', '"directory": "other"'), /was edited/],
  ["lacks its seal", (text) => text.replace(/,\n {2}"seal": "[^"]+"/, ""), /is not a valid plan/],
])("a saved plan that %s is refused, and nothing is sent", async (_, damage, message) => {
  const site = await siteWithPlan();
  const file = join(site.root, "plan.json");
  writeFileSync(file, damage(readFileSync(file, "utf8")));
  await expectRefused(site, 3, message);
});

test.each<readonly [string, (plan: Record<string, unknown>) => void, RegExp]>([
  ["another digest", (plan) => void (plan["digest"] = `sha256:${"0".repeat(64)}`), /was edited/],
  [
    "a change of another shape than its facet",
    (plan) => {
      const [change] = plan["changes"] as [Record<string, unknown>];
      Object.assign(change, { shape: "set", add: ["x"], remove: [] });
      delete change["before"];
      delete change["after"];
      plan["digest"] = "";
    },
    /is not a valid plan/,
  ],
])("a plan that was sealed again with %s is refused", async (_, damage, message) => {
  const site = await siteWithPlan();
  forge(join(site.root, "plan.json"), damage);
  await expectRefused(site, 3, message);
});

test("a plan of another target is a wrong usage, and nothing is sent to either", async () => {
  const site = await siteWithPlan();
  const other = await siteWith(files);
  const sent = site.catalog.requests.length;
  const argv = ["apply", "plan.json", "--server", other.catalog.url];
  const { code, stderr } = await runCli(argv, { cwd: site.root });
  expect(code).toBe(64);
  expect(stderr).toContain(
    `plan.json was made for ${site.catalog.url}, but the target is ${other.catalog.url}`,
  );
  expect(other.catalog.requests).toEqual([]);
  expect(site.catalog.requests).toHaveLength(sent);
});

test("a plan is applied only to a target that is given, and that the settings allow", async () => {
  const site = await siteWithPlan();
  expect(await runCli(["apply", "plan.json"], { cwd: site.root })).toMatchObject({
    code: 64,
    stderr: expect.stringContaining("no server given"),
  });
  site.write({ "catalog/datahub-gitops.yaml": "version: 1\nserver: https://datahub.acme.com\n" });
  await expectRefused(site, 64, /the settings allow only the server https:\/\/datahub\.acme\.com/);
});

test("a report is no plan", async () => {
  const site = await siteWithPlan();
  await site.apply("--report", "plan.json");
  await expectRefused(site, 3, /is a report, not a plan/);
});

test.each([
  [["--target", "*"], "--target"],
  [["--changed-since", "HEAD"], "--changed-since"],
  [["--base", "HEAD"], "--base"],
  [["--prune"], "--prune"],
  [["--missing", "skip"], "--missing"],
  [["--force-conflicts"], "--force-conflicts"],
  [["--skip-conflicts"], "--skip-conflicts"],
])("%j comes too late for a saved plan", async (flags, name) => {
  const site = await siteWithPlan();
  await expectRefused(site, 64, new RegExp(`${name} cannot be used with a saved plan`), flags);
});

test("a plan with problems is refused and shows them, one with warnings is applied", async () => {
  const site = await siteWith({
    ...files,
    "d.yaml": "kind: Dataset\nplatform: snowflake\nname: d\ntags: []\n",
  });
  const saved = await site.plan("--out", "plan.json");
  expect(saved.code).toBe(3);
  expect(saved.stderr).toContain("The refused plan was saved to plan.json\n");
  await expectRefused(
    site,
    3,
    /error asset-missing[\s\S]*plan\.json cannot be applied, because it has 1 problem/,
  );
  const asJson = await site.run(["apply", "plan.json", "--format", "json", "--report", "report.json"]);
  const problems = { formatVersion: "1", problems: [{ code: "asset-missing" }, { code: "base-missing" }] };
  expect(asJson.code).toBe(3);
  expect(JSON.parse(asJson.stdout)).toMatchObject(problems);
  expect(JSON.parse(readFileSync(join(site.root, "report.json"), "utf8"))).toMatchObject(problems);

  expect((await site.plan("--out", "plan.json", "--missing", "skip")).code).toBe(0);
  const { code, stderr } = await applySaved(site);
  expect(code).toBe(0);
  expect(stderr).toContain("warning asset-missing");
});

test("a plan that could not read everything is refused", async () => {
  const dataset = (name: string): string => `kind: Dataset\nplatform: snowflake\nname: ${name}\ntags: []\n`;
  const site = await siteWith({ "a.yaml": dataset("a"), "b.yaml": dataset("b") });
  const aspects = ["a", "b"].map((name): MadeAspect => [
    datasetNamed(name),
    "globalTags",
    { tags: [{ tag: "urn:li:tag:x" }] },
  ]);
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  const url = await denying(site.catalog.url, datasetNamed("a"));
  const run = (...argv: readonly string[]): ReturnType<typeof runCli> =>
    runCli([...argv, "--server", url], { cwd: site.root });
  expect(await run("plan", "--out", "plan.json")).toMatchObject({ code: 1 });
  expect(await run("apply", "plan.json")).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/error read-failed[\s\S]*cannot be applied/),
  });
  expect(writesIn(site.catalog)).toEqual([]);
});

test("a saved plan of a part holds what its changes need", async () => {
  const site = await siteWith({ ...files, "z.yaml": "kind: Domain\nid: z\n" });
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      [datasetNamed("d"), "datasetProperties", { customProperties: {}, tags: [] }],
    ]),
  );
  site.commit({ "catalog/d.yaml": "kind: Dataset\nplatform: snowflake\nname: d\ndomain: z\n" });
  expect(await site.plan("--out", "plan.json", "--changed-since", "HEAD~1")).toMatchObject({ code: 0 });
  const { code, stdout, stderr } = await applySaved(site);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/Applied 2 operations, 0 failed, 0 skipped\.\n$/);
});

async function makeAppliedAndRemoving(settings: string): Promise<Site> {
  const tags = Array.from({ length: 12 }, (_, index) => `t${index}`);
  const dataset = (some: readonly string[]): string =>
    `kind: Dataset\nplatform: snowflake\nname: d\ntags: [${some.join(", ")}]\n`;
  const aspects = tags.map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]);
  const site = await siteWith({ ...files, "d.yaml": dataset(tags) }, settings);
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      ...aspects,
      [datasetNamed("d"), "datasetProperties", { customProperties: {}, tags: [] }],
    ]),
  );
  const applied = await site.apply();
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  site.commit({ "catalog/b.yaml": undefined, "catalog/d.yaml": dataset(tags.slice(1)) });
  return site;
}

const appliedAndRemoving = siteOnce(makeAppliedAndRemoving);

/** A site whose saved plan deletes a tag, and takes one of twelve tags from a dataset. */
async function siteThatRemoves(flags: readonly string[], settings = settingsWith()): Promise<Site> {
  const site = await appliedAndRemoving(settings);
  await site.plan("--out", "plan.json", "--prune", ...flags);
  return site;
}

test.each<readonly [string, readonly string[], readonly string[], number, RegExp]>([
  ["blocked, and nothing is said now", [], [], 5, /deletes|1 entity would be deleted/],
  ["blocked, and a flag allows it now", [], ["--max-deletes", "1"], 0, /Applied/],
  ["allowed by a flag that is not repeated", ["--max-deletes", "1"], [], 0, /Applied/],
  ["allowed, and a flag is stricter now", ["--max-deletes", "1"], ["--max-deletes", "0"], 5, /Blocked/],
  [
    "allowed, and fewer values may go now",
    ["--max-deletes", "1"],
    ["--max-removals", "0"],
    5,
    /1 of 12 live values of `tags` would be removed \(limit: 0\)/,
  ],
  [
    "allowed, and a smaller share may go now",
    ["--max-deletes", "1"],
    ["--max-removals", "8%"],
    5,
    /1 of 12 live values of `tags` would be removed \(8\.4%, limit: 8%\)/,
  ],
])("guards judge a saved plan again: %s", async (_, then, now, code, message) => {
  const site = await siteThatRemoves(then);
  const sent = writesIn(site.catalog).length;
  const applied = await applySaved(site, ...now);
  expect(applied.code, applied.stderr).toBe(code);
  expect(applied.stdout).toMatch(message);
  expect(writesIn(site.catalog).length > sent).toBe(code === 0);
});

test("a stricter guard of what is no longer declared needs nothing but the plan", async () => {
  const site = await siteThatRemoves(["--max-deletes", "1"]);
  const { code, stdout } = await applySaved(site, "--max-vanished", "10%", "--format", "json");
  // Of the few entities that the base declares the share is not judged.
  expect(code).toBe(0);
  const settings = settingsWith("guards: { vanished: { max_percent: 50, min_existing: 1 } }");
  const few = await siteThatRemoves(["--max-deletes", "1"], settings);
  const blocked = await applySaved(few, "--max-vanished", "10%");
  expect(blocked.code).toBe(5);
  expect(blocked.stdout).toContain(
    "1 of 3 entities declared in the base is no longer declared (33.4%, limit: 10%)",
  );
  expect(JSON.parse(stdout)).toMatchObject({ plan: { counts: { vanished: { of: 3 } } } });
});

test("limits of the settings that changed since do not count: those of the plan do", async () => {
  const site = await siteThatRemoves([], settingsWith("guards: { deletes: { max_count: 1 } }"));
  site.write({ "catalog/datahub-gitops.yaml": settingsWith() });
  expect(await applySaved(site)).toMatchObject({ code: 0 });
});

test("a plan holds the limits that differ from the defaults, and is judged by the defaults of the others", async () => {
  const guards = "guards: { deletes: { max_count: 0 }, vanished: { max_percent: 30 } }";
  const site = await siteThatRemoves(["--max-removals", "1%"], settingsWith(guards));
  const { limits } = JSON.parse(readFileSync(join(site.root, "plan.json"), "utf8")) as PlanJson;
  expect(limits).toEqual({ removals: { max_percent: 1 } });

  const { code, stdout } = await applySaved(site, "--max-removals", "50%");
  expect(code).toBe(5);
  expect(stdout).toContain("--max-deletes");
  expect(await applySaved(site, "--max-removals", "50%", "--max-deletes", "1")).toMatchObject({ code: 0 });
});

/** A site with a saved plan that adds a tag to a column. */
async function siteWithColumnTag(): Promise<Site> {
  const dataset =
    "kind: Dataset\nplatform: snowflake\nname: d\ncolumns: { email: { tags: [pii] }, id: { tags: [] } }\n";
  const site = await siteWith({ "d.yaml": dataset, "t.yaml": tag("pii") });
  const fields = ["email", "id"].map((fieldPath) => ({ fieldPath, nativeDataType: "text" }));
  const schema: MadeAspect = [datasetNamed("d"), "schemaMetadata", { fields }];
  await site.catalog.load(metadataFile(temporaryDirectory(), [schema]));
  expect(await site.plan("--out", "plan.json")).toMatchObject({ code: 0 });
  return site;
}

test("a change of a column has its path, and a plan in which the two differ is refused", async () => {
  const site = await siteWithColumnTag();
  const file = join(site.root, "plan.json");
  const saved = readFileSync(file, "utf8");
  const { changes } = JSON.parse(saved) as { changes: readonly Record<string, unknown>[] };
  expect(changes.map(({ facet, column, path }) => [facet, column, path])).toEqual([
    ["name", undefined, undefined],
    ["columns.tags", "email", ["email"]],
  ]);

  for (const [index, path] of [
    [1, ["id"]],
    [1, ["email", "id"]],
    [0, ["email"]],
  ] as const) {
    writeFileSync(file, saved);
    forge(file, (plan) => void Object.assign((plan["changes"] as Change[])[index] ?? {}, { path }));
    await expectRefused(site, 3, /was edited/);
  }
});

test("an older plan, which has all limits, no path and no count of what is held back, is read and applied", async () => {
  const site = await siteWithColumnTag();
  forge(join(site.root, "plan.json"), (plan) => {
    const { heldBack: _, ...summary } = plan["summary"] as Record<string, number>;
    const changes = (plan["changes"] as readonly Change[]).map(({ path: _path, ...change }) => change);
    Object.assign(plan, { limits: defaultLimits, summary, changes });
    plan["digest"] = digestOf(plan as unknown as Plan);
  });

  expect((await runCli(["show", "plan.json"], { cwd: site.root })).stdout).toBe((await site.plan()).stdout);
  expect(await applySaved(site, "--max-deletes", "0")).toMatchObject({ code: 0 });
  expect(site.aspect(datasetNamed("d"), "editableSchemaMetadata")).toMatchObject({
    editableSchemaFieldInfo: [{ fieldPath: "email" }],
  });
});

test("a report tells under which limits a plan was applied", async () => {
  const site = await siteThatRemoves([]);
  const { stdout } = await applySaved(site, "--max-deletes", "1", "--format", "json");
  expect(JSON.parse(stdout)).toMatchObject({
    plan: { limits: { deletes: { max_count: 1 } }, findings: [], summary: { blocked: 0 } },
  });
});

describe("a saved plan of which something has gone stale", () => {
  async function stale(): Promise<Site> {
    const site = await siteWith(files);
    expect(await site.apply()).toMatchObject({ code: 0 });
    site.commit({ "catalog/a.yaml": tag("a", "ours"), "catalog/b.yaml": tag("b", "new") });
    await site.plan("--out", "plan.json");
    await site.edit('updateDescription(input: { resourceUrn: "urn:li:tag:a", description: "theirs" })');
    return site;
  }

  test("is refused as a whole: nothing is written, and the exit code is 6", async () => {
    const site = await stale();
    const before = site.catalog.aspects();
    const { code, stdout, stderr } = await applySaved(site);
    expect(code).toBe(6);
    expect(stdout).toMatch(/\nApplied 0 operations, 0 failed, 0 skipped, 1 stale\.\n$/);
    expect(stderr).toContain("Nothing was applied: the catalog has changed since the plan was saved.");
    expect(site.catalog.aspects()).toEqual(before);
  });

  test("is applied in part if that is allowed: what is stale is skipped, and the ref stays", async () => {
    const site = await stale();
    const at = site.at();
    const { code, stdout } = await applySaved(site, "--allow-partial");
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nApplied 1 operation, 0 failed, 1 skipped\.\n$/);
    expect(site.aspect("urn:li:tag:a", "tagProperties")).toMatchObject({ description: "theirs" });
    expect(site.aspect("urn:li:tag:b", "tagProperties")).toMatchObject({ description: "new" });
    expect(site.at()).toBe(at);
  });

  test("has no way to be applied in part without a saved plan", async () => {
    const site = await siteWith(files);
    expect(await site.apply("--allow-partial")).toMatchObject({
      code: 64,
      stderr: "error: --allow-partial applies only to a saved plan\n",
    });
  });
});

test("a conflict of a saved plan holds back only itself: 6", async () => {
  const site = await siteWith(files, settingsWith("manage: { description: merge }"));
  expect(await site.apply()).toMatchObject({ code: 0 });
  await site.edit('updateDescription(input: { resourceUrn: "urn:li:tag:a", description: "theirs" })');
  site.commit({ "catalog/a.yaml": tag("a", "ours"), "catalog/b.yaml": tag("b", "new") });
  expect((await site.plan("--out", "plan.json")).code).toBe(6);
  const { code, stdout, stderr } = await applySaved(site);
  expect(code).toBe(6);
  expect(stdout).toMatch(/Applied 1 operation, 0 failed, 1 skipped\.\n$/);
  expect(stderr).toContain(`${appliedRef} was not moved: a conflict holds a change back`);
});

test.each<readonly [string, (site: Site) => readonly string[], (site: Site) => void, RegExp | undefined]>([
  ["moves if its commit is checked out", () => [], () => {}, undefined],
  [
    "stays if another commit is checked out",
    () => [],
    (site) => void site.commit({ "README.md": "words" }),
    /was not moved: the commit of the plan is not checked out/,
  ],
  [
    "stays if the plan was made of more than the commit",
    (site) => (site.write({ "catalog/c.yaml": tag("c") }), []),
    (site) => site.write({ "catalog/c.yaml": undefined }),
    /was not moved: the manifests differ from the last commit/,
  ],
  [
    "stays if the plan is of some entities",
    () => ["--target", "*:a"],
    () => {},
    /was not moved: only a part of the catalog was applied/,
  ],
  [
    "stays if the plan is of some files",
    () => ["--changed-since", "HEAD~1"],
    () => {},
    /was not moved: only a part of the catalog was applied/,
  ],
])("after a saved plan the ref %s", async (_, before, meanwhile, message) => {
  const site = await siteWith({ "b.yaml": tag("b") });
  site.commit({ "catalog/a.yaml": tag("a") });
  const head = site.git("rev-parse", "HEAD");
  expect(await site.plan("--out", "plan.json", ...before(site))).toMatchObject({ code: 0 });
  meanwhile(site);
  const { code, stderr } = await applySaved(site);
  expect(code).toBe(0);
  expect(site.at()).toBe(message ? undefined : head);
  if (message) expect(stderr).toMatch(message);
});

test("the ref stays if a saved plan leaves behind what is no longer declared", async () => {
  const site = await siteWith(files);
  expect(await site.apply()).toMatchObject({ code: 0 });
  const first = site.at();
  site.commit({ "catalog/b.yaml": undefined, "catalog/a.yaml": tag("a", "new") });
  await site.plan("--out", "plan.json");
  const { code, stderr } = await applySaved(site);
  expect(code).toBe(0);
  expect(stderr).toContain(
    `${appliedRef} was not moved: 1 entity (urn:li:tag:b) in the catalog is no longer declared`,
  );
  expect(site.at()).toBe(first);
});

test("the ref stays if something failed", async () => {
  const site = await siteWithPlan();
  const server = await inFrontOf(site.catalog.url, ({ text }, response) =>
    text.includes("proposal") ? response.writeHead(500).end() : undefined,
  );
  const run = (...argv: readonly string[]): ReturnType<typeof runCli> =>
    runCli([...argv, "--server", server], { cwd: site.root });
  await run("plan", "--out", "plan.json");
  expect(await run("apply", "plan.json")).toMatchObject({ code: 7 });
  expect(site.at()).toBeUndefined();
});

test("a saved plan is applied where its manifests are not, and then no ref is moved", async () => {
  const site = await siteWithPlan();
  const elsewhere = temporaryDirectory();
  writeFileSync(join(elsewhere, "plan.json"), readFileSync(join(site.root, "plan.json")));
  const applied = await site.run(["apply", "plan.json"], { cwd: elsewhere });
  expect(applied).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(
      `\n${appliedRef} was not moved: the commit of the plan is not checked out\n`,
    ),
  });
  expect(site.at()).toBeUndefined();
});

test("a plan for the local catalog is applied to the same one, and to no other", async () => {
  const site = await siteWith(files);
  const run = (...argv: readonly string[]): ReturnType<typeof runCli> =>
    runCli([...argv, "--local", "--data", "one"], { cwd: site.root });
  expect(await run("plan", "--out", "plan.json")).toMatchObject({ code: 0 });
  const other = ["apply", "plan.json", "--local", "--data", "other"];
  expect(await runCli(other, { cwd: site.root })).toMatchObject({ code: 64 });
  expect(await run("apply", "plan.json")).toMatchObject({ code: 0 });
  expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0 });
});

test("a plan with nothing to do is applied, and its commit is noted", async () => {
  const site = await siteWith(files);
  expect(await site.apply()).toMatchObject({ code: 0 });
  const next = site.commit({ "README.md": "words" });
  await site.plan("--out", "plan.json");
  expect(await applySaved(site)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 2 entities in sync\.\n$/),
  });
  expect(site.at()).toBe(next);
});

test("a drift report is a plan like any other", async () => {
  const site = await siteWith(files);
  expect(await site.run(["drift", "--report", "plan.json"])).toMatchObject({ code: 2 });
  expect(await applySaved(site)).toMatchObject({ code: 0 });
});
