import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { twoEnvironments } from "../support/environments.ts";
import { tag } from "../support/history.ts";
import { inCatalog, type PlanJson, settingsWith, siteWith } from "../support/site.ts";

const files = { "shared/a.yaml": tag("a", "one"), "prod/b.yaml": tag("b") };

const tagIds = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `t${index}`);

/** So many tags in one file. */
const tags = (count: number): string =>
  tagIds(count)
    .map((id) => tag(id, "one"))
    .join("---\n");

test("one commit is applied to one environment and then to the next, each with its part, its server and its ref", async () => {
  const { dev, prod, git, commit } = await twoEnvironments(files);
  const first = git("rev-parse", "HEAD");

  expect(await dev.apply()).toMatchObject({ code: 0 });
  expect([dev.tags(), prod.tags()]).toEqual([["a"], []]);
  expect([dev.applied(), prod.applied()]).toEqual([first, ""]);
  expect(await prod.apply()).toMatchObject({ code: 0 });
  expect([dev.tags(), prod.tags()]).toEqual([["a"], ["a", "b"]]);
  expect([dev.applied(), prod.applied()]).toEqual([first, first]);

  const second = commit(inCatalog({ "shared/a.yaml": tag("a", "two") }));
  expect(await dev.apply()).toMatchObject({ code: 0 });
  expect([dev.applied(), prod.applied()]).toEqual([second, first]);
  expect((await dev.planned()).changes).toEqual([]);
  expect(await prod.planned()).toMatchObject({
    changes: [{ urn: "urn:li:tag:a", before: "one", after: "two" }],
    scope: { directory: "catalog", environment: "prod", ref: "refs/datahub-gitops/prod" },
    git: { base: first },
  });
});

test("keys of an environment win over those for all, and guards limit by limit", async () => {
  const { dev, prod, commit } = await twoEnvironments(
    { "shared/a.yaml": tags(6) },
    {
      all: ["missing: skip", "guards: { removals: { max_count: 9, min_existing: 1, max_percent: 90 } }"],
      dev: [],
      prod: ["    missing: error", "    guards: { removals: { max_count: 3 } }"],
    },
  );
  for (const environment of [dev, prod]) expect(await environment.apply()).toMatchObject({ code: 0 });
  const cleared = tagIds(5).map((id) => `kind: Tag\nid: ${id}\ndescription: none\n`);
  const kept = tag("t5", "one");
  commit(
    inCatalog({
      "shared/a.yaml": [...cleared, kept].join("---\n"),
      "x.yaml": "kind: Dataset\nplatform: x\nname: x\ntags: []\n",
    }),
  );

  const inDev = await dev.planned();
  expect(inDev.limits).toMatchObject({ removals: { max_count: 9, max_percent: 90, min_existing: 1 } });
  expect(inDev.findings).toMatchObject([{ guard: "missing" }]);
  expect(await dev.apply()).toMatchObject({ code: 0 });
  const inProd = await prod.planned();
  expect(inProd.limits).toMatchObject({ removals: { max_count: 3, max_percent: 90, min_existing: 1 } });
  expect(inProd.findings).toMatchObject([{ guard: "removals" }]);
  expect(inProd.problems).toMatchObject([{ code: "asset-missing" }]);
});

test.each([
  ["without --env", [], "the settings have environments: use --env <name>, one of dev, prod"],
  [
    "with a misspelt name",
    ["--env", "pord"],
    "--env pord: the settings have no such environment; did you mean prod?",
  ],
  [
    "with an unknown name",
    ["--env", "staging"],
    "--env staging: the settings have no such environment; use one of dev, prod",
  ],
])("%s a command says so before anything is asked", async (_, flags, message) => {
  const { dev, root: cwd } = await twoEnvironments(files);

  const commands = [
    ["plan"],
    ["apply", "--auto-approve"],
    ["drift"],
    ["pull"],
    ["export"],
    ["init", "--yes"],
  ];
  for (const command of [...commands, ["export", "--snapshot", "s.json"]]) {
    const ran = await runCli([...command, ...flags, "--server", dev.catalog.url], { cwd });
    expect(ran).toEqual({ code: 64, stdout: "", stderr: `error: ${message}\n` });
  }
  expect(dev.catalog.requests).toEqual([]);
});

test("--env needs environments in the settings", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const stderr =
    "error: --env prod: the settings have no `environments`; leave out --env, or write them into the settings first, as docs/environments.md of datahub-gitops shows\n";

  expect(await site.plan("--env", "prod")).toEqual({ code: 64, stdout: "", stderr });
  expect(site.catalog.requests).toEqual([]);
});

test("the server of another environment is refused before any request", async () => {
  const { dev, prod, root: cwd } = await twoEnvironments(files);

  const ran = await runCli(["plan", "--env", "prod", "--server", dev.catalog.url], { cwd });

  expect(ran).toMatchObject({ code: 64, stdout: "" });
  expect(ran.stderr).toContain(`the settings allow only the server ${prod.catalog.url}`);
  expect([...dev.catalog.requests, ...prod.catalog.requests]).toEqual([]);
});

test("a saved plan belongs to its environment, and says which when somebody is asked", async () => {
  const { dev, prod, root: cwd } = await twoEnvironments(files);
  await prod.run(["plan", "--out", "plan.json"]);

  expect(await dev.run(["apply", "plan.json"])).toEqual({
    code: 64,
    stdout: "",
    stderr: "error: plan.json was made for prod, but --env is dev; nothing was sent\n",
  });
  // Without --env the plan says it, and so which server is allowed.
  const elsewhere = await runCli(["apply", "plan.json", "--server", dev.catalog.url], { cwd });
  expect(elsewhere).toMatchObject({ code: 64, stdout: "" });
  expect(elsewhere.stderr).toContain(`the settings allow only the server ${prod.catalog.url}`);
  const asked = await prod.run(["apply"], { answers: ["no"] });
  expect(asked.stderr).toContain(`Apply these changes to prod (${prod.catalog.url})?`);
  expect(await prod.run(["apply", "plan.json"])).toMatchObject({ code: 0 });
  expect(prod.tags()).toEqual(["a", "b"]);
  expect(prod.applied()).not.toBe("");
  const markdown = (await prod.run(["plan", "--format", "markdown"])).stdout;
  expect(markdown).toContain("environment `prod`");
});

test("a plan that was made without an environment is not for one", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  await site.plan("--out", "plan.json");

  const ran = await site.run(["apply", "plan.json", "--env", "prod"]);

  const stderr = "error: plan.json was made without an environment, but --env is prod; nothing was sent\n";
  expect(ran).toEqual({ code: 64, stdout: "", stderr });
});

test("what leaves an environment is no longer declared there, and --prune deletes it there alone", async () => {
  const { dev, prod, commit, settings } = await twoEnvironments({ ...files, "shared/c.yaml": tag("c") });
  for (const environment of [dev, prod]) await environment.apply();
  commit(inCatalog({ "datahub-gitops.yaml": settings({ dev: ['    paths: ["shared/a*"]'] }) }));

  const left = { urn: "urn:li:tag:c", reason: "no-longer-declared" };
  expect(await dev.planned()).toMatchObject({ changes: [], unmanaged: [left] });
  expect((await dev.planned("--prune")).changes).toMatchObject([{ action: "delete", urn: "urn:li:tag:c" }]);
  expect(await dev.apply("--prune", "--max-deletes", "1")).toMatchObject({ code: 0 });
  expect(await prod.planned("--prune")).toMatchObject({ changes: [], unmanaged: [] });
  expect([dev.tags(), prod.tags()]).toEqual([["a"], ["a", "b", "c"]]);
});

test("what comes into an environment was not declared there before: the values of others stay", async () => {
  const { dev, commit, settings } = await twoEnvironments(
    { "shared/a.yaml": tag("a"), "prod/b.yaml": tag("b", "of prod") },
    { all: ["manage: { description: merge }"] },
  );
  const theirs = ["urn:li:tag:b", "tagProperties", { name: "b", description: "of prod" }] as const;
  await dev.catalog.load(metadataFile(temporaryDirectory(), [theirs]));
  expect(await dev.apply()).toMatchObject({ code: 0 });
  commit(inCatalog({ "prod/b.yaml": tag("b", "new") }));
  const all = ["manage: { description: merge }"];
  commit(inCatalog({ "datahub-gitops.yaml": settings({ all, dev: ['    paths: ["shared/*", "prod/*"]'] }) }));

  // Had it been declared before, the live value would be ours, and replaced.
  const { changes } = await dev.planned();
  expect(changes).toMatchObject([{ urn: "urn:li:tag:b", conflict: { live: "of prod", desired: "new" } }]);
});

test("--changed-since plans the whole of an environment where its settings changed, and not where another's did", async () => {
  const { dev, prod, git, commit, settings } = await twoEnvironments(files);
  git("checkout", "--quiet", "-b", "a-branch");
  const lines = { dev: ['    paths: ["shared/*", "prod/*"]'], prod: ['    paths: ["shared/*", "prod/*"]'] };
  commit(inCatalog({ "datahub-gitops.yaml": settings(lines), "prod/c.yaml": tag("c") }));

  const ofProd = await prod.planned("--changed-since", "main");
  expect(ofProd).not.toHaveProperty("settingsChanges");
  expect(ofProd.changes).toMatchObject([{ urn: "urn:li:tag:c" }]);
  expect(await dev.planned("--changed-since", "main")).toMatchObject({
    settingsChanges: [{ key: "paths", before: "shared/*", after: "shared/*, prod/*" }],
    summary: { create: 3 },
  });
});

test("validate checks each environment by itself, and names what belongs to none", async () => {
  const declared = (description: string): string => tag("b", description);
  const {
    root: cwd,
    write,
    settings,
  } = await twoEnvironments({
    ...files,
    "dev/b.yaml": declared("in dev"),
    "prod/b.yaml": declared("in prod"),
  });
  const dev = { dev: ['    paths: ["shared/*", "dev/*"]'] };
  write(inCatalog({ "datahub-gitops.yaml": settings(dev) }));
  const validate = (...flags: readonly string[]) => runCli(["validate", ...flags], { cwd });

  expect(await validate()).toEqual({
    code: 0,
    stdout: "Valid: dev with 2 documents in 2 files, prod with 2 documents in 2 files.\n",
    stderr: "",
  });
  write(
    inCatalog({ "old/c.yaml": tag("c"), "prod/d.yaml": "kind: Tag\n", "prod/a.yaml": tag("a", "twice") }),
  );
  const broken = await validate();
  expect(broken).toMatchObject({ code: 3, stdout: "" });
  expect(broken.stderr).toContain("catalog/old/c.yaml: warning outside-environments: ");
  expect(broken.stderr).toContain("catalog/prod/d.yaml:1:1 error missing-field: ");
  expect(broken.stderr.match(/duplicate-facet/g)).toHaveLength(1);
  expect(broken.stderr).toMatch(/\ndev: no problems\nprod: 2 errors\n$/);
  expect(await validate("--env", "dev")).toMatchObject({ code: 0, stderr: "" });
  expect(await validate("--env", "prod")).toMatchObject({ code: 3 });
  expect(await validate("--env", "pord")).toMatchObject({ code: 64 });
  expect(JSON.parse((await validate("--format", "json")).stdout)).toMatchObject({
    problems: [{ code: "outside-environments" }, { code: "missing-field" }, { code: "duplicate-facet" }],
  });
});

test("a file that is broken elsewhere does not hold an environment up", async () => {
  const { dev, prod, write } = await twoEnvironments(files);
  write(inCatalog({ "prod/b.yaml": "kind: [" }));

  expect(await dev.run(["plan"])).toMatchObject({ code: 0 });
  expect(await prod.run(["plan"])).toMatchObject({ code: 3 });
});

test("a pattern that matches nothing is an error, and names the way to write a folder", async () => {
  const { dev, settings, write } = await twoEnvironments(files);
  write(inCatalog({ "datahub-gitops.yaml": settings({ dev: ["    paths: [shared, 'shraed/*']"] }) }));

  const { code, stderr } = await dev.run(["plan"]);

  expect(code).toBe(3);
  expect(stderr).toContain("catalog/datahub-gitops.yaml:6:13 error unmatched-path: ");
  expect(stderr).toContain("write `shared/*`");
  expect(stderr).toContain("catalog/datahub-gitops.yaml:6:21 error unmatched-path: ");
  expect(dev.catalog.requests).toEqual([]);
});

test("export writes new files into the first folder of the environment, also where that is not there yet", async () => {
  const { dev, root: cwd, settings, write } = await twoEnvironments(files);
  const known: MadeAspect = ["urn:li:tag:new", "tagProperties", { name: "N" }];
  await dev.catalog.load(metadataFile(temporaryDirectory(), [known]));
  const settingsOf = (paths: string): void =>
    write(inCatalog({ "datahub-gitops.yaml": settings({ dev: [`    paths: ${paths}`] }) }));

  settingsOf('["shared/a.yaml"]');
  const refused = await dev.run(["export"]);
  expect(refused).toMatchObject({ code: 64, stdout: "" });
  expect(refused.stderr).toContain("none of its `paths` is a folder, such as dev/*");
  settingsOf('["dev/**", "shared/*"]');
  expect(await dev.run(["plan"])).toMatchObject({ code: 3 });
  expect(await dev.run(["export"])).toMatchObject({ code: 0 });
  expect(readFileSync(join(cwd, "catalog/dev/tags/new.yaml"), "utf8")).toContain("id: new");
  expect(await dev.planned()).toMatchObject({ changes: [{ urn: "urn:li:tag:a" }, { urn: "urn:li:tag:a" }] });
  expect(await dev.run(["export"])).toMatchObject({ code: 0 });
  expect(existsSync(join(cwd, "catalog/tags"))).toBe(false);
});

test("pull writes the values of an environment into its manifests, and drift compares with its base", async () => {
  const { prod, dev, root: cwd } = await twoEnvironments({ ...files, "prod/b.yaml": tag("b", "declared") });
  for (const environment of [dev, prod]) await environment.apply();
  const edit: MadeAspect = ["urn:li:tag:b", "tagProperties", { name: "b", description: "by hand" }];
  await prod.catalog.load(metadataFile(temporaryDirectory(), [edit]));

  expect(await dev.run(["drift"])).toMatchObject({ code: 0 });
  expect(await prod.run(["drift"])).toMatchObject({ code: 2 });
  expect(await prod.run(["pull"])).toMatchObject({ code: 0, stdout: "catalog/prod/b.yaml\n" });
  expect(readFileSync(join(cwd, "catalog/prod/b.yaml"), "utf8")).toContain("description: by hand");
});

test("a snapshot of an environment is planned against with its part", async () => {
  const { prod, root: cwd } = await twoEnvironments(files);
  await prod.apply();
  expect(await prod.run(["export", "--snapshot", "prod.json"])).toMatchObject({ code: 0 });

  const argv = ["plan", "--snapshot", "prod.json", "--quiet", "--env"];
  expect(await runCli([...argv, "prod"], { cwd })).toMatchObject({
    stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 2 entities in sync\.\n$/),
  });
  const refused = await runCli([...argv, "dev"], { cwd });
  expect(refused).toMatchObject({ code: 64, stdout: "" });
  expect(refused.stderr).toContain("the settings allow only the server");
});

test("an environment of all paths and without keys of its own plans as the same settings without environments", async () => {
  const site = await siteWith({ "a.yaml": tag("a", "one"), "b.yaml": tag("b") });
  const server = (await startTestCatalog()).url;
  await site.apply();
  site.commit(inCatalog({ "a.yaml": tag("a", "two"), "b.yaml": undefined }));
  const plain = await site.planned("--prune", "--max-deletes", "1");
  site.write(
    inCatalog({
      "datahub-gitops.yaml": `${settingsWith()}environments: { one: { paths: ["*"] }, two: { server: "${server}", base: refs/datahub-gitops/two } }\n`,
    }),
  );

  const { scope, git, ...rest } = (await site.planned(
    "--prune",
    "--max-deletes",
    "1",
    "--env",
    "one",
  )) as PlanJson & { scope: object; seal: string };

  expect({ ...rest, seal: "" }).toEqual({ ...without(plain, "scope", "git"), seal: "" });
  expect(scope).toMatchObject({ environment: "one", ref: "refs/datahub-gitops/applied" });
  expect(git).toMatchObject({ dirty: true });
});

function without(plan: object, ...keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(plan).filter(([key]) => !keys.includes(key)));
}
