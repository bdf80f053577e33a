import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { gitIn } from "../support/git-repository.ts";
import { tag } from "../support/history.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import {
  appliedRef,
  inCatalog,
  type PlanJson,
  settingsWith,
  type Site,
  siteOnce,
  siteWith,
  runNote,
} from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const merging = settingsWith("manage: { description: merge }");

async function makeAppliedAndAhead(settings: string): Promise<Site> {
  const site = await siteWith({ "a.yaml": tag("a", "one"), "b.yaml": tag("b") }, settings);
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(site.at()).toBe(site.git("rev-parse", "HEAD"));
  site.commit({ "catalog/a.yaml": tag("a", "two") });
  return site;
}

const appliedAndAhead = siteOnce(makeAppliedAndAhead);

/** A site whose first commit is applied, and whose second one changes a description. */
async function siteAhead(
  settings = merging,
): Promise<Site & { readonly first: string; readonly head: string }> {
  const site = await appliedAndAhead(settings);
  return { ...site, first: site.at() ?? "", head: site.at("HEAD") ?? "" };
}

test("a complete apply from a clean work tree makes the ref, moves it, and says so", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const first = site.git("rev-parse", "HEAD");

  const made = await site.apply();
  expect(made).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`${appliedRef} now points to ${first.slice(0, 12)}\n`),
  });
  expect(site.at()).toBe(first);

  const second = site.commit({ "catalog/a.yaml": tag("a", "text") });
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(site.at()).toBe(second);
});

test("the ref moves also when nothing was to be done, and is silent where it is already", async () => {
  const site = await siteAhead();
  await site.apply();
  const next = site.commit({ "README.md": "words" });

  const { code, stdout, stderr } = await site.apply();
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 2 entities in sync\.\n$/),
  });
  expect(stderr).toContain(appliedRef);
  expect(site.at()).toBe(next);
  expect((await site.apply()).stderr).toBe("");
});

test.each([
  ["a plan", ["plan"], 0],
  ["a dry run", ["apply", "--dry-run"], 0],
  ["a part of the entities", ["apply", "--auto-approve", "--target", "*"], 0],
  ["a part of the files", ["apply", "--auto-approve", "--changed-since", "HEAD~1"], 0],
  ["another base that is a commit", ["apply", "--auto-approve", "--base", "HEAD~1"], 0],
  ["another base that is a branch", ["apply", "--auto-approve", "--base", "main"], 0],
])("after %s the ref stays", async (_, argv, expected) => {
  const site = await siteAhead(settingsWith());
  const branch = site.at("refs/heads/main");

  expect(await site.run(argv)).toMatchObject({ code: expected });
  expect(site.at()).toBe(site.first);
  expect(site.at("refs/heads/main")).toBe(branch);
});

test("a base that is an ancestor of the ref names no ref: nothing moves and nobody is warned", async () => {
  const site = await siteAhead();
  site.git("update-ref", appliedRef, site.head);

  const { code, stderr } = await site.apply("--base", `${appliedRef}~1`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: runNote(site) });
  expect(site.at()).toBe(site.head);
});

test.each([
  ["a manifest differs from the commit", { "catalog/a.yaml": tag("a", "three") }],
  ["a manifest is new and not committed", { "catalog/c.yaml": tag("c") }],
  ["a manifest is deleted and the deletion not committed", { "catalog/b.yaml": undefined }],
  ["the settings differ from the commit", { "catalog/datahub-gitops.yaml": `${merging}# more\n` }],
])("the ref stays where %s, and the apply says why", async (_, files) => {
  const site = await siteAhead();
  site.write(files);

  const { code, stderr } = await site.apply();
  expect(code).toBe(0);
  expect(stderr).toContain(`${appliedRef} was not moved: the manifests differ from the last commit\n`);
  expect(site.at()).toBe(site.first);
});

test("a file beside the catalog makes no difference", async () => {
  const site = await siteAhead();
  site.write({ "plan.json": "{}" });

  await site.apply();
  expect(site.at()).toBe(site.head);
});

test("the ref stays when the question is answered with no, and moves when with yes", async () => {
  const site = await siteAhead();

  expect(await site.run(["apply"], { answers: ["no"] })).toMatchObject({ code: 1 });
  expect(site.at()).toBe(site.first);
  expect(await site.run(["apply"], { answers: ["yes"] })).toMatchObject({ code: 0 });
  expect(site.at()).toBe(site.head);
});

test("the ref stays as long as somebody else's value stands against a declared one", async () => {
  const site = await siteAhead();
  await site.edit('updateDescription(input: { resourceUrn: "urn:li:tag:a", description: "theirs" })');

  expect(await site.apply()).toMatchObject({ code: 6 });
  expect(site.at()).toBe(site.first);
  const skipped = await site.apply("--skip-conflicts");
  expect(skipped.code).toBe(0);
  expect(skipped.stderr).toContain(`${appliedRef} was not moved: a conflict holds a change back\n`);
  expect(site.at()).toBe(site.first);
  expect(await site.apply("--force-conflicts")).toMatchObject({ code: 0 });
  expect(site.at()).toBe(site.head);
});

test("the ref stays when a guard blocks, and moves when the flag allows it", async () => {
  const site = await siteAhead();
  const head = site.commit({ "catalog/b.yaml": undefined });

  expect(await site.apply("--prune")).toMatchObject({ code: 5 });
  expect(site.at()).toBe(site.first);
  expect(await site.apply("--prune", "--max-deletes", "1")).toMatchObject({ code: 0 });
  expect(site.at()).toBe(head);
});

test("the ref stays when something declared is not there", async () => {
  const site = await siteAhead();
  site.commit({ "catalog/c.yaml": "kind: Dataset\nplatform: snowflake\nname: gone\ntags: [a]\n" });

  expect(await site.apply()).toMatchObject({ code: 3 });
  expect(site.at()).toBe(site.first);
});

test("the ref stays when an operation failed", async () => {
  const site = await siteAhead();
  const server = await inFrontOf(site.catalog.url, ({ text }, response) =>
    text.includes("proposal")
      ? response.writeHead(500, { "content-type": "application/json" }).end('{"message":"disk full"}')
      : undefined,
  );

  const { code, stdout } = await runCli(["apply", "--auto-approve", "--server", server], { cwd: site.root });
  expect(code).toBe(7);
  expect(stdout).toMatch(/Applied 0 operations, 1 failed, 0 skipped\.\n$/);
  expect(site.at()).toBe(site.first);
});

test("the ref stays when the apply was interrupted, also after its last request", async () => {
  const site = await siteAhead();
  const interruption = new AbortController();
  const server = await inFrontOf(site.catalog.url, async ({ text }, response, incoming) => {
    await incoming.passTo(site.catalog.url, response);
    if (text.includes("proposal")) interruption.abort(new Error("interrupted"));
  });

  const argv = ["apply", "--auto-approve", "--server", server];
  const { code } = await runCli(argv, { cwd: site.root, interrupted: interruption.signal });
  expect(code).toBe(130);
  expect(site.at()).toBe(site.first);
});

test("where somebody else has moved the ref meanwhile, that is a warning, also with --quiet", async () => {
  const site = await siteAhead();
  const server = await inFrontOf(site.catalog.url, ({ text }) => {
    if (text.includes("proposal")) site.git("update-ref", appliedRef, site.head);
  });
  const other = site.commit({ "README.md": "words" });

  const argv = ["apply", "--auto-approve", "--quiet", "--server", server];
  const { code, stderr } = await runCli(argv, { cwd: site.root });
  expect(code).toBe(0);
  expect(stderr).toMatch(
    new RegExp(`^warning: cannot move ${appliedRef} to ${other.slice(0, 12)}: .*${site.head}.*\n$`),
  );
  expect(site.at()).toBe(site.head);
});

test.each(["refs/elsewhere/applied", "refs/heads/applied", "refs/tags/applied", "datahub-gitops/applied"])(
  "a base in the settings that is %s is neither made nor moved",
  async (ref) => {
    const site = await siteWith({ "a.yaml": tag("a") }, settingsWith().replace(appliedRef, ref));
    const { stderr } = await site.apply();
    expect(stderr).toContain(
      "correct its name, or fetch it; an apply creates and moves only refs under `refs/datahub-gitops/`",
    );
    const refs = site.git("for-each-ref", "--format=%(refname)").split("\n");
    expect(refs).toEqual(["refs/datahub-gitops/runs", "refs/heads/main"]);

    const [first, full] = [site.git("rev-parse", "HEAD"), ref.startsWith("refs/") ? ref : `refs/${ref}`];
    site.git("update-ref", full, first);
    site.commit({ "catalog/a.yaml": tag("a", "text") });
    expect(await site.apply()).toMatchObject({ code: 0 });
    expect(site.at(full)).toBe(first);
  },
);

test.each([
  ["nope", "correct its name, or fetch it"],
  ["HEAD~7", "correct its name, or fetch it"],
  ["-x", "correct its name, or fetch it"],
  ["", "correct its name, or fetch it"],
  [
    "refs/datahub-gitops/other",
    "the first complete apply creates it; to fetch it into this clone, run `git fetch origin '+refs/datahub-gitops/*:refs/datahub-gitops/*'`",
  ],
])("--base %j, which names no commit, ends with 1 before anything is asked", async (ref, advice) => {
  const site = await siteAhead();
  const asked = site.catalog.requests.length;

  const message = `the base \`${ref}\` does not name a commit of this repository: ${advice}`;
  const stderr = `error: ${message}\n`;
  for (const command of [["plan"], ["apply", "--auto-approve"]]) {
    expect(await site.run([...command, `--base=${ref}`])).toEqual({ code: 1, stdout: "", stderr });
  }
  const { stdout, ...json } = await site.run(["plan", "--format", "json", `--base=${ref}`]);
  expect(json).toEqual({ code: 1, stderr });
  expect(JSON.parse(stdout)).toEqual({ formatVersion: "1", error: { code: "unknown-base", message } });
  expect(site.catalog.requests).toHaveLength(asked);
  expect(site.at()).toBe(site.first);
});

const orders = datasetNamed("orders");
const tagged = (...tags: readonly string[]): string =>
  `kind: Dataset\nplatform: snowflake\nname: orders\ntags: [${tags.join(", ")}]\n`;

async function makeSiteWithoutTag(): Promise<Site> {
  const settings = settingsWith("manage: { tags: merge }");
  const site = await siteWith(
    { "tags.yaml": `${tag("a")}---\n${tag("b")}`, "orders.yaml": tagged("a", "b") },
    settings,
  );
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [[orders, "datasetProperties", { customProperties: {} }]]),
  );
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/orders.yaml": tagged("a") });
  return site;
}

/** A site in mode `merge` that has given a dataset the tags `a` and `b`, and now declares only `a`. */
const siteWithoutTag = siteOnce(makeSiteWithoutTag);

const removal = expect.objectContaining({ facet: "tags", remove: ["urn:li:tag:b"] });
const left = { facet: "tags", value: "urn:li:tag:b", reason: "other-writer" };

/** What a plan in a directory says, and which code it warns with. */
async function plannedIn(cwd: string, { catalog }: Site, ...flags: readonly string[]) {
  const argv = ["plan", "--format", "json", "--server", catalog.url, ...flags];
  const { code, stdout } = await runCli(argv, { cwd });
  const plan = JSON.parse(stdout) as PlanJson;
  return { code, ...plan, warnings: (plan.problems ?? []).map((problem) => problem["code"]) };
}

test("with a base what is declared no longer goes, and with an unknown one it stays and a warning says why", async () => {
  const site = await siteWithoutTag();
  expect(await plannedIn(site.root, site)).toMatchObject({ code: 0, warnings: [], changes: [removal] });

  site.git("update-ref", "-d", appliedRef);
  const blind = await plannedIn(site.root, site);
  expect(blind).toMatchObject({ code: 0, warnings: ["base-missing"], changes: [], unmanaged: [left] });
  expect(blind.problems).toMatchObject([
    { severity: "warning", file: "catalog/datahub-gitops.yaml", line: 2 },
  ]);
  const { stdout, stderr } = await site.apply();
  expect(stdout).toContain(
    "Not managed, will not change (without a base, it is unknown what was declared before)",
  );
  expect(stderr).toContain(`${appliedRef} now points to`);
  expect(await plannedIn(site.root, site)).toMatchObject({ warnings: [], changes: [], unmanaged: [left] });
});

test("a clone without the ref, shallow or not, is told how to fetch it, and is right then", async () => {
  const site = await siteWithoutTag();
  const parent = temporaryDirectory();
  gitIn(parent, "clone", "--quiet", "--depth", "1", `file://${site.root}`, "clone");
  const clone = join(parent, "clone");

  const blind = await plannedIn(clone, site);
  expect(blind).toMatchObject({ code: 0, warnings: ["base-missing"], changes: [] });
  expect(JSON.stringify(blind.problems)).toMatch(/git fetch origin '\+refs\/datahub-gitops.*--unshallow/);
  expect(
    await runCli(["plan", "--server", site.catalog.url, "--base", "HEAD~1"], { cwd: clone }),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("git fetch --unshallow"),
  });
  const fetch = ["fetch", "--quiet", "origin", "+refs/datahub-gitops/*:refs/datahub-gitops/*"];
  gitIn(clone, ...fetch, "--depth", "1");
  const apart = await plannedIn(clone, site);
  expect(apart).toMatchObject({ code: 0, warnings: ["base-no-merge-base"], changes: [] });
  expect(JSON.stringify(apart.problems)).toContain("git fetch --unshallow");
  gitIn(clone, "fetch", "--quiet", "--unshallow");
  expect(await plannedIn(clone, site)).toMatchObject({ code: 0, warnings: [], changes: [removal] });
});

test.each([
  ["no repository", "base-no-repository", (_: string) => {}],
  ["no commit", "base-no-commits", (cwd: string) => void gitIn(cwd, "init", "--quiet")],
])(
  "with %s nothing goes under merge, --base is an error, and an apply tells that no ref moves",
  async (_, code, prepare) => {
    const site = await siteWithoutTag();
    const cwd = temporaryDirectory();
    cpSync(join(site.root, "catalog"), join(cwd, "catalog"), { recursive: true });
    prepare(cwd);

    expect(await plannedIn(cwd, site)).toMatchObject({
      code: 0,
      warnings: [code],
      changes: [],
      git: { commit: null },
    });
    const run = (...argv: readonly string[]) => runCli([...argv, "--server", site.catalog.url], { cwd });
    const named = await run("plan", "--base", "HEAD");
    expect(named).toMatchObject({ code: 1, stdout: "" });
    expect(named.stderr).toMatch(
      /^error: cannot read the base `HEAD`: the (?:catalog directory is not in a Git repository|Git repository has no commits)\n$/,
    );
    const applied = await run("apply", "--auto-approve");
    expect(applied.code).toBe(0);
    expect(applied.stderr).toContain(`${appliedRef} was not moved: the repository has no commit\n`);
  },
);

test("where the base commit has errors nothing goes, and the next apply makes a new base", async () => {
  const site = await siteWithoutTag();
  const broken = site.commit({ "catalog/more.yaml": "kind: Tag\nid: c\ndescripton: x\n" });
  site.git("update-ref", appliedRef, broken);
  const head = site.commit({ "catalog/more.yaml": tag("c") });

  const { code, warnings, changes } = await plannedIn(site.root, site, "--prune");
  expect({ code, warnings }).toEqual({ code: 0, warnings: ["base-invalid"] });
  expect(changes).toMatchObject([{ action: "create", urn: "urn:li:tag:c" }]);
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(site.at()).toBe(head);
});

test("a manifest that is renamed declares the same as before", async () => {
  const site = await siteWithoutTag();
  site.move("catalog/orders.yaml", "catalog/sales/orders.yaml");
  site.move("catalog/tags.yaml", "catalog/governance.yaml");
  site.commit();

  expect(await plannedIn(site.root, site, "--prune")).toMatchObject({
    code: 0,
    warnings: [],
    changes: [removal],
    unmanaged: [],
  });
});

test("a catalog directory that moved has no base until it is applied from its new place", async () => {
  const site = await siteWithoutTag();
  site.move("catalog", "metadata/catalog");
  const head = site.commit();

  const blind = await plannedIn(site.root, site, "metadata/catalog", "--prune");
  expect(blind).toMatchObject({ code: 0, warnings: ["base-without-catalog"], changes: [] });
  expect(await site.apply("metadata/catalog")).toMatchObject({ code: 0 });
  expect(site.at()).toBe(head);
  expect(await plannedIn(site.root, site, "metadata/catalog")).toMatchObject({ warnings: [] });
});

test("from a subdirectory the same is planned", async () => {
  const site = await siteWithoutTag();
  mkdirSync(join(site.root, "deep", "er"), { recursive: true });

  for (const [cwd, dir] of [
    ["catalog", "."],
    ["deep/er", "../../catalog"],
  ] as const) {
    const planned = await plannedIn(join(site.root, cwd), site, dir, "--prune");
    expect(planned).toMatchObject({ code: 0, warnings: [], changes: [removal] });
  }
});

test.each([
  [
    "an untracked manifest that git is told not to show",
    (site: Site) => {
      site.git("config", "status.showUntrackedFiles", "no");
      site.write({ "catalog/more.yaml": tag("more") });
    },
  ],
  [
    "a manifest that git is told to take for unchanged",
    (site: Site) => {
      site.git("update-index", "--assume-unchanged", "catalog/a.yaml");
      site.write({ "catalog/a.yaml": tag("a", "another text") });
    },
  ],
])("with %s the ref is not moved", async (_, edit) => {
  const site = await siteWith({ "a.yaml": tag("a") });
  edit(site);
  const { code, stderr } = await site.apply();
  expect(code).toBe(0);
  expect(stderr).toContain("was not moved: the manifests differ from the last commit");
  expect(site.at()).toBeUndefined();
});

test("where a sparse work tree leaves out manifests the ref is not moved", async () => {
  const site = await siteWith({ "a/a.yaml": tag("a"), "b/b.yaml": tag("b") });
  site.git("sparse-checkout", "set", "--no-cone", "catalog/a", "catalog/datahub-gitops.yaml");
  const { code, stderr } = await site.apply();
  expect(code).toBe(0);
  expect(stderr).toContain("was not moved");
  expect(site.at()).toBeUndefined();
});

// Who was declared before, and who is now: from either side.
test.each<readonly [string, Record<string, string>, Record<string, string>]>([
  [
    "the members of the group",
    { "g.yaml": "kind: Group\nid: g\nmembers: [a, b]\n", "b.yaml": "kind: User\nid: b\n" },
    { "g.yaml": "kind: Group\nid: g\nmembers: [a]\n" },
  ],
  [
    "the groups of the user",
    { "g.yaml": "kind: Group\nid: g\n", "b.yaml": "kind: User\nid: b\ngroups: [g]\n" },
    { "g.yaml": "kind: Group\nid: g\nmembers: [a]\n", "b.yaml": "kind: User\nid: b\n" },
  ],
])("a member that was declared before in %s is removed while the index lags", async (_, before, now) => {
  const site = await siteWith({ "a.yaml": "kind: User\nid: a\n", ...before });
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit(inCatalog(now));
  const server = await inFrontOf(site.catalog.url, ({ query }) =>
    query.includes("ReadMembers(")
      ? { data: { corpGroup: { relationships: { total: 0, relationships: [] } } } }
      : undefined,
  );

  const argv = ["plan", "--format", "json", "--server", server];
  const { changes } = JSON.parse((await runCli(argv, { cwd: site.root })).stdout) as PlanJson;

  expect(changes).toContainEqual(
    expect.objectContaining({ urn: "urn:li:corpGroup:g", facet: "members", remove: ["urn:li:corpuser:b"] }),
  );
});
