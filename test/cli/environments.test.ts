import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { type TestEnvironment, type TwoEnvironments, twoEnvironments } from "../support/environments.ts";
import { tag } from "../support/history.ts";
import { appliedRef, inCatalog, type PlanJson, settingsWith, siteWith } from "../support/site.ts";

const files = { "shared/a.yaml": tag("a", "one"), "prod/b.yaml": tag("b") };

/** Makes a catalog have these tags, as an apply of the commit would have made it, and moves the ref of its environment. */
async function makeApplied(
  { git }: TwoEnvironments,
  { catalog, name }: TestEnvironment,
  tags: Readonly<Record<string, string>>,
): Promise<void> {
  const aspects = Object.entries(tags).map(([id, description]): MadeAspect => [
    `urn:li:tag:${id}`,
    "tagProperties",
    { name: id, description },
  ]);
  await catalog.load(metadataFile(temporaryDirectory(), aspects));
  git("update-ref", `refs/datahub-gitops/${name}`, "HEAD");
}

test("each environment has its part, its server, its ref and its limits", async () => {
  const place = await twoEnvironments(files, {
    all: ["guards: { removals: { max_count: 9, max_percent: 90 } }"],
    dev: ['    paths: ["shared/*"]'],
    prod: ['    paths: ["shared/*", "prod/*"]', "    guards: { removals: { max_count: 3 } }"],
  });
  const { dev, prod, git, commit } = place;
  const first = git("rev-parse", "HEAD");

  expect(await dev.apply()).toMatchObject({ code: 0 });
  expect([dev.tags(), prod.tags()]).toEqual([["a"], []]);
  expect([dev.applied(), prod.applied()]).toEqual([first, ""]);
  await makeApplied(place, prod, { a: "one", b: "" });
  commit(inCatalog({ "shared/a.yaml": tag("a", "two") }));
  expect(await prod.planned()).toMatchObject({
    changes: [{ urn: "urn:li:tag:a", before: "one", after: "two" }],
    limits: { removals: { max_count: 3, max_percent: 90 } },
    scope: { directory: "catalog", environment: "prod", ref: "refs/datahub-gitops/prod" },
    git: { base: first },
  });
});

test("without --env each command says so before anything is asked", async () => {
  const { dev, root: cwd } = await twoEnvironments(files);
  const commands = [
    "plan",
    "apply --auto-approve",
    "drift",
    "pull",
    "export",
    "init --yes",
    "export --snapshot s.json",
  ];

  for (const command of commands) {
    const ran = await runCli([...command.split(" "), "--server", dev.catalog.url], { cwd });
    const stderr = "error: the settings have environments; use --env with one of dev, prod\n";
    expect(ran).toEqual({ code: 64, stdout: "", stderr });
  }
  expect(dev.catalog.requests).toEqual([]);
});

test("an environment that is not in the settings is refused with the one that was meant, or with all", async () => {
  const { root: cwd } = await twoEnvironments(files);

  for (const [name, advice] of [
    ["pord", "did you mean prod?"],
    ["staging", "use one of dev, prod"],
  ] as const)
    expect(await runCli(["validate", "--env", name], { cwd })).toEqual({
      code: 64,
      stdout: "",
      stderr: `error: --env ${name}: the settings have no such environment; ${advice}\n`,
    });
});

test("--env needs environments in the settings", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const stderr =
    "error: --env prod: the settings have no `environments`; remove --env, or add `environments` to the settings\n";

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
  expect(await prod.run(["apply", "plan.json", "--dry-run"])).toMatchObject({ code: 0 });
});

test("a plan that was made without an environment is not for one", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  await site.plan("--out", "plan.json");

  const ran = await site.run(["apply", "plan.json", "--env", "prod"]);

  const stderr = "error: plan.json was made without an environment, but --env is prod; nothing was sent\n";
  expect(ran).toEqual({ code: 64, stdout: "", stderr });
});

test("what leaves an environment is no longer declared there, and --prune deletes it there alone", async () => {
  const place = await twoEnvironments({ ...files, "shared/c.yaml": tag("c") });
  const { dev, prod, commit, settings } = place;
  await makeApplied(place, dev, { a: "one", c: "" });
  await makeApplied(place, prod, { a: "one", b: "", c: "" });
  commit(inCatalog({ "datahub-gitops.yaml": settings({ dev: ['    paths: ["shared/a*"]'] }) }));

  expect((await dev.planned("--prune")).changes).toMatchObject([{ action: "delete", urn: "urn:li:tag:c" }]);
  expect(await prod.planned("--prune")).toMatchObject({ changes: [], unmanaged: [] });
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
  expect(await dev.run(["export"])).toMatchObject({ code: 0 });
  expect(readFileSync(join(cwd, "catalog/dev/tags/new.yaml"), "utf8")).toContain("id: new");
  expect(existsSync(join(cwd, "catalog/tags"))).toBe(false);
});

test("pull writes the values of an environment into its manifests, and drift compares with its base", async () => {
  const place = await twoEnvironments({ ...files, "prod/b.yaml": tag("b", "declared") });
  const { prod, root: cwd } = place;
  await makeApplied(place, prod, { a: "one", b: "by hand" });

  expect(await prod.run(["drift"])).toMatchObject({ code: 2 });
  expect(await prod.run(["pull"])).toMatchObject({ code: 0, stdout: "catalog/prod/b.yaml\n" });
  expect(readFileSync(join(cwd, "catalog/prod/b.yaml"), "utf8")).toContain("description: by hand");
});

test("a snapshot of an environment is planned against with its part", async () => {
  const place = await twoEnvironments(files);
  const { prod, root: cwd } = place;
  await makeApplied(place, prod, { a: "one", b: "" });
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
  const tags: readonly MadeAspect[] = ["a", "b"].map((id) => [
    `urn:li:tag:${id}`,
    "tagProperties",
    { name: id },
  ]);
  await site.catalog.load(metadataFile(temporaryDirectory(), tags));
  site.git("update-ref", appliedRef, "HEAD");
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
