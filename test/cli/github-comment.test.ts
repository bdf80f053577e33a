import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import { planOf, usualChanges } from "../report/plans.ts";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { bot, type FakeGithub, githubToken, startGithub } from "../support/github.ts";
import { testRepository } from "../support/git-repository.ts";
import { appliedRef, settingsWith, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";
import { planFile } from "../support/plan-file.ts";

const plan = planOf({ changes: usualChanges, summary: { create: 1, update: 2, additions: 4 } });
const other = planOf({ changes: usualChanges.slice(0, 2), summary: { create: 1, additions: 2 } });
const nothing = planOf({ summary: { unchanged: 3 } });
const marker = "<!-- datahub-gitops comment plan -->";
const page = "https://github.com/acme/data/pull/12#issuecomment-901";

function comment(github: FakeGithub, result: Plan | object, ...flags: readonly string[]): Promise<Ran> {
  const argv = ["github", "comment", "plan.json", "--pull-request", "12", ...flags];
  return runCli(argv, { cwd: planFile(result), env: github.env });
}

test("the first run writes a comment, an equal second one sends nothing, and a changed one updates it", async () => {
  const github = await startGithub();
  expect(await comment(github, plan)).toEqual({ code: 0, stdout: `${page}\n`, stderr: "Comment created\n" });
  expect(await comment(github, plan)).toEqual({
    code: 0,
    stdout: `${page}\n`,
    stderr: "Comment unchanged\n",
  });
  expect(github.comments).toHaveLength(1);
  expect(await comment(github, other)).toEqual({ code: 0, stdout: `${page}\n`, stderr: "Comment updated\n" });
  expect(github.writes()).toEqual(["POST /issues/12/comments", "PATCH /issues/comments/901"]);
  expect(github.comments).toMatchObject([{ of: 12, body: expect.stringMatching(`^${marker}\n`) }]);
  const tokens = new Set(github.requests.map(({ authorization }) => authorization));
  expect(tokens).toEqual(new Set([`token ${githubToken}`]));
});

test("a comment that was deleted is written anew, also where it is deleted meanwhile", async () => {
  const github = await startGithub();
  await comment(github, plan);
  github.comments.pop();
  expect(await comment(github, plan)).toMatchObject({ code: 0, stderr: "Comment created\n" });
  github.failures.push({ method: "PATCH", path: /comments/, status: 404, message: "Not Found" });
  expect(await comment(github, other)).toMatchObject({ code: 0, stderr: "Comment created\n" });
});

test("where there is nothing to do a comment is updated, and none is made", async () => {
  const github = await startGithub();
  const quiet = await comment(github, nothing);
  expect(quiet).toEqual({
    code: 0,
    stdout: "",
    stderr: "No changes, and no comment to update\n",
  });
  await comment(github, plan);
  expect(await comment(github, nothing)).toMatchObject({ code: 0, stderr: "Comment updated\n" });
  expect(github.comments[0]?.body).toContain("No changes. 3 entities in sync.");
});

test("a comment of somebody else, or one that quotes the marker, is not touched", async () => {
  const github = await startGithub();
  github.comments.push({ id: 1, of: 12, author: "mallory", body: `${marker}\nNothing to see.` });
  github.comments.push({ id: 2, of: 12, author: bot, body: `> ${marker}\nquoted` });
  const before = structuredClone(github.comments);
  expect(await comment(github, plan)).toMatchObject({ code: 0, stderr: "Comment created\n" });
  expect(github.comments.slice(0, 2)).toEqual(before);
});

test("comments of several names stand beside each other", async () => {
  const github = await startGithub();
  await comment(github, plan, "--name", "prod");
  await comment(github, plan, "--name", "dev");
  await comment(github, other, "--name", "prod");
  expect(github.comments.map(({ body }) => body.split("\n")[0])).toEqual([
    "<!-- datahub-gitops comment prod -->",
    "<!-- datahub-gitops comment dev -->",
  ]);
});

test("a comment is found on a later page", async () => {
  const github = await startGithub();
  for (let id = 1; id <= 230; id += 1)
    github.comments.push({ id, of: 12, author: "alice", body: `Comment ${id}` });
  await comment(github, plan);
  expect(await comment(github, other)).toMatchObject({ code: 0, stderr: "Comment updated\n" });
});

test("without the permission the message names it: 1", async () => {
  const github = await startGithub();
  const message = "Resource not accessible by integration";
  github.failures.push({ method: "POST", path: /comments/, status: 403, message });
  const { code, stdout, stderr } = await comment(github, plan);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("`pull-requests: write`");
  expect(stderr).toContain("fork");
  expect(github.writes()).toHaveLength(1);
});

test.each([
  ["retry-after", { "retry-after": "0" }],
  [
    "x-ratelimit-reset",
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${Math.floor(Date.now() / 1000)}` },
  ],
])("a limit of requests that ends soon is waited for: %s", async (_, headers) => {
  const github = await startGithub();
  github.failures.push({ method: "POST", path: /comments/, status: 403, message: "slow down", headers });
  const { code, stdout, stderr } = await comment(github, plan);
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${page}\n` });
  expect(stderr).toMatch(/GitHub is rate limiting this token/);
  expect(github.comments).toHaveLength(1);
});

test("a limit of requests that lasts longer than the longest wait is an error that says so", async () => {
  const github = await startGithub();
  const headers = { "retry-after": "1800" };
  github.failures.push({ method: "GET", path: /comments/, status: 429, headers });
  const { code, stderr } = await comment(github, plan);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /cannot read the comments on pull request #12: GitHub is rate limiting this token; try again in 1800 s; this tool waits at most 90 s/,
  );
});

test.each([
  ["is answered with 502", { status: 502 }],
  ["is not answered", {}],
])("a request that %s is sent again", async (_, failure) => {
  const github = await startGithub();
  github.failures.push({ method: "GET", path: /comments/, ...failure });
  github.failures.push({ method: "POST", path: /comments/, ...failure });
  expect(await comment(github, plan)).toMatchObject({ code: 0, stdout: `${page}\n` });
  expect(github.comments).toHaveLength(1);
});

test("a comment whose answer was lost is looked for before it is written again", async () => {
  const github = await startGithub();
  github.failures.push({ method: "POST", path: /comments/, after: true });
  expect(await comment(github, plan)).toMatchObject({ code: 0, stdout: `${page}\n` });
  expect(github.comments).toHaveLength(1);
  expect(github.writes()).toEqual(["POST /issues/12/comments"]);
});

test("what stays broken is an error after five tries", async () => {
  const github = await startGithub();
  for (let tries = 0; tries < 9; tries += 1)
    github.failures.push({ method: "GET", path: /comments/, status: 503 });
  expect(await comment(github, plan)).toMatchObject({ code: 1, stdout: "" });
  expect(github.failures).toHaveLength(4);
});

test.each(["GITHUB_TOKEN", "GITHUB_REPOSITORY"])(
  "without %s the usage is wrong, and it is named",
  async (name) => {
    const github = await startGithub();
    const { [name]: _, ...env } = github.env;
    const cwd = planFile(plan);
    const ran = await runCli(["github", "comment", "plan.json", "--pull-request", "12"], { cwd, env });
    expect(ran).toMatchObject({
      code: 64,
      stdout: "",
      stderr: expect.stringContaining(`${name} is not set`),
    });
    expect(github.requests).toEqual([]);
  },
);

test("all variables that are missing are named at once", async () => {
  const { stderr } = await runCli(["github", "comment", "plan.json"], { cwd: planFile(plan), env: {} });
  for (const name of ["GITHUB_TOKEN", "GITHUB_REPOSITORY", "GITHUB_EVENT_PATH"])
    expect(stderr).toContain(`${name} is not set`);
});

test("a report of drift is no plan, and nothing is sent", async () => {
  const github = await startGithub();
  const drift = planOf({ changes: usualChanges.map((change) => ({ ...change, class: "changed" })) });
  expect(await comment(github, drift)).toEqual({
    code: 64,
    stdout: "",
    stderr:
      "error: plan.json is a drift report, not a plan; use github drift-issue for it, or save a plan with plan --report\n",
  });
  expect(github.requests).toEqual([]);
});

test("the pull request is that of the event, or the one that is named", async () => {
  const github = await startGithub();
  const run = async (event: object | undefined): Promise<Ran> => {
    const cwd = planFile(plan);
    if (event) writeFileSync(join(cwd, "event.json"), JSON.stringify(event));
    const env = { ...github.env, ...(event && { GITHUB_EVENT_PATH: "event.json" }) };
    return await runCli(["github", "comment", "plan.json"], { cwd, env });
  };
  expect(await run({ pull_request: { number: 34 } })).toMatchObject({ code: 0 });
  expect(await run({ issue: { number: 35, pull_request: {} } })).toMatchObject({ code: 0 });
  expect(github.comments.map(({ of }) => of)).toEqual([34, 35]);
  expect(await run({ issue: { number: 36 } })).toMatchObject({ code: 64 });
  const missing = await run(undefined);
  expect(missing).toMatchObject({
    code: 64,
    stderr: expect.stringContaining("GITHUB_EVENT_PATH is not set"),
  });
});

test("problems without a plan, and an error, are told in the comment", async () => {
  const github = await startGithub();
  const problem = { code: "unknown-field", severity: "error", message: "no `platfrom`", args: {} };
  expect(await comment(github, { problems: [problem] })).toMatchObject({ code: 0 });
  expect(github.comments[0]?.body).toContain("no `platfrom`");
  expect(await comment(github, { error: { code: "unreachable", message: "no answer" } })).toMatchObject({
    code: 0,
  });
  expect(github.comments[0]?.body).toContain("no answer");
});

test.each<readonly [string, (text: string) => string, RegExp]>([
  ["was edited", (text) => text.replace("Personal data", "Public data"), /was edited after it was saved/],
  ["is something else", () => "[]", /is not a plan/],
])("a file that %s is refused, and nothing is sent: 3", async (_, damage, message) => {
  const github = await startGithub();
  const cwd = planFile(plan);
  writeFileSync(join(cwd, "plan.json"), damage(readFileSync(join(cwd, "plan.json"), "utf8")));
  const argv = ["github", "comment", "plan.json", "--pull-request", "12"];
  const ran = await runCli(argv, { cwd, env: github.env });
  expect(ran).toMatchObject({ code: 3, stdout: "", stderr: expect.stringMatching(message) });
  expect(await runCli(argv, { cwd: temporaryDirectory(), env: github.env })).toMatchObject({
    code: 3,
    stderr: "error: plan.json does not exist\n",
  });
  expect(github.requests).toEqual([]);
});

const settings =
  "version: 1\ngithub: { mention: { urn:li:corpuser:alice: alice-gh, urn:li:corpGroup:g: acme/finance } }\n";
const mentioned = (github: FakeGithub): string | undefined =>
  /^Owners: (.*)$/m.exec(github.comments[0]?.body ?? "")?.[1];

test("owners of what changes are mentioned where the settings name them, and nobody else", async () => {
  const tag = (id: string, owner: string): string =>
    `kind: Tag\nid: ${id}\nname: "Ask @mallory"\nowners: [${owner}]\n`;
  const files = { "a.yaml": tag("a", "{ user: alice }, { user: eve }"), "b.yaml": tag("b", "{ group: g }") };
  const site = await siteWith(files, settings);
  const github = await startGithub();
  const argv = ["github", "comment", "plan.json", "--pull-request", "12"];
  const post = (): Promise<Ran> => runCli(argv, { cwd: site.root, env: github.env });
  await site.plan("--report", "plan.json");
  expect(await post()).toMatchObject({ code: 0, stderr: "Comment created\n" });
  expect(mentioned(github)).toBe("@acme/finance @alice-gh");

  site.write({ "catalog/datahub-gitops.yaml": "version: 1\n" });
  expect(await post()).toMatchObject({ code: 0 });
  expect(mentioned(github)).toBeUndefined();
  site.write({ "catalog/datahub-gitops.yaml": "version: 2\n" });
  const { code, stderr } = await post();
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Owners are neither mentioned/),
  });
});

const names = ["ada", "bob", "eve", "lia", "zoe"];
const mentionAll = `github: { mention: { ${names.map((id) => `urn:li:corpuser:${id}: ${id}-gh`).join(", ")} } }\n`;
const ownersOf = (...ids: readonly string[]) => ({
  owners: ids.map((id) => ({
    owner: `urn:li:corpuser:${id}`,
    type: "CUSTOM",
    typeUrn: "urn:li:ownershipType:__system__technical_owner",
  })),
});

test("owners by rule and in the catalog are mentioned too, of what is removed as well, each once, and not the author", async () => {
  const [a, b, gone] = [datasetNamed("a"), datasetNamed("b"), "urn:li:tag:gone"];
  const definitions = `- { kind: Tag, id: pii }\n${names.map((id) => `- { kind: User, id: ${id} }\n`).join("")}`;
  const rule = `kind: Rule\nid: r\nmatch: { kind: Dataset, name: a }\ndeclare: { tags: [pii], owners: [{ user: ada }, { user: bob }] }\n`;
  const site = await siteWith(
    { "definitions.yaml": definitions, "r.yaml": rule, "gone.yaml": "kind: Tag\nid: gone\n" },
    settingsWith("manage: merge", mentionAll),
  );
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
      [a, "globalTags", { tags: [{ tag: "urn:li:tag:pii" }] }],
      [a, "ownership", ownersOf("lia", "ada", "bob")],
      [b, "ownership", ownersOf("eve")],
      [gone, "tagProperties", { name: "gone" }],
      [gone, "ownership", ownersOf("zoe")],
    ]),
  );
  site.git("update-ref", appliedRef, "HEAD");
  site.commit({ "catalog/gone.yaml": undefined, "catalog/r.yaml": rule.replace("[pii]", "[]") });
  await site.plan("--report", "plan.json", "--prune", "--max-deletes", "1");
  const saved = JSON.parse(readFileSync(join(site.root, "plan.json"), "utf8")) as Plan;
  expect(saved.owners).toEqual(["ada", "bob", "lia", "zoe"].map((id) => `urn:li:corpuser:${id}`));

  const github = await startGithub();
  site.write({ "event.json": JSON.stringify({ pull_request: { number: 12, user: { login: "Bob-GH" } } }) });
  const env = { ...github.env, GITHUB_EVENT_PATH: "event.json" };
  expect(await runCli(["github", "comment", "plan.json"], { cwd: site.root, env })).toMatchObject({
    code: 0,
  });
  expect(mentioned(github)).toBe("@ada-gh @lia-gh @zoe-gh");
});

test("owners are mentioned in an environment, too", async () => {
  const site = await siteWith(
    { "a.yaml": "kind: Tag\nid: a\nowners: [{ user: ada }]\n" },
    `version: 1\n${mentionAll}environments: { prod: { base: refs/datahub-gitops/prod } }\n`,
  );
  await site.plan("--env", "prod", "--report", "plan.json");
  const github = await startGithub();
  const argv = ["github", "comment", "plan.json", "--pull-request", "12"];
  expect(await runCli(argv, { cwd: site.root, env: github.env })).toMatchObject({ code: 0 });
  expect(mentioned(github)).toBe("@ada-gh");
  expect(github.comments[0]?.body).toContain("### Plan for `prod`\n");
});

test("live owners are mentioned where no manifest declares owners, and are in no plan without a mention", async () => {
  const a = datasetNamed("a");
  const files = { "a.yaml": `- { kind: Tag, id: pii }\n- { kind: Dataset, urn: "${a}", tags: [pii] }\n` };
  const site = await siteWith(files, settingsWith());
  await site.catalog.load(metadataFile(temporaryDirectory(), [[a, "ownership", ownersOf("eve")]]));
  const before = (await site.planned()) as unknown as Plan;
  expect(before).not.toHaveProperty("owners");
  site.write({ "catalog/datahub-gitops.yaml": settingsWith(mentionAll) });
  expect(await site.planned()).toMatchObject({ owners: ["urn:li:corpuser:eve"], digest: before.digest });
});

test("with the address of DataHub in the settings a plan links to its pages", async () => {
  const manifests = "kind: Tag\nid: a\ndescription: A.\n---\nkind: Domain\nid: d\n";
  const site = await siteWith({ "a.yaml": manifests }, settingsWith("links: https://datahub.acme.com/"));
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [["urn:li:tag:a", "tagProperties", { name: "a" }]]),
  );
  const { stdout } = await site.plan("--format", "markdown");
  expect(stdout).toContain("<sub>In DataHub: [a](<https://datahub.acme.com/tag/urn%3Ali%3Atag%3Aa/>)</sub>");
});

test("problems are links to their lines in the last commit of the branch, below the root of the repository", async () => {
  const github = await startGithub();
  const site = testRepository();
  site.write({
    "data/catalog/a.yaml": "kind: Tag\nid: a\ncolour: red\n",
    "event.json": JSON.stringify({ pull_request: { number: 12, head: { sha: "0ddba11" } } }),
  });
  const [cwd, env] = [
    join(site.root, "data"),
    { ...github.env, GITHUB_WORKSPACE: site.root, GITHUB_SHA: "c0ffee" },
  ];
  const problems = ["plan", "--server", "http://127.0.0.1:9", "--report", "plan.json"];
  expect(await runCli(problems, { cwd })).toMatchObject({ code: 3 });
  const argv = ["github", "comment", "plan.json"];
  const event = { GITHUB_EVENT_PATH: join(site.root, "event.json") };
  expect(await runCli(argv, { cwd, env: { ...env, ...event } })).toMatchObject({ code: 0 });
  const line = "https://github.com/acme/data/blob/0ddba11/data/catalog/a.yaml#L3";
  expect(github.comments[0]?.body).toContain(`- [\`catalog/a.yaml:3:1\`](<${line}>) \`unknown-field\`: `);
});

test("several files are told in one comment, each under its name", async () => {
  const github = await startGithub();
  const cwd = planFile(plan, "prod.json");
  planFile(nothing, "dev.json", cwd);
  const argv = ["github", "comment", "prod.json", "dev.json", "--pull-request", "12"];
  expect(await runCli(argv, { cwd, env: github.env })).toMatchObject({ code: 0 });
  expect(github.comments).toHaveLength(1);
  expect(github.comments[0]?.body.match(/^### .*$/gm)).toEqual([
    "### Plan for `http://127.0.0.1:8080` (`prod.json`)",
    "### Plan for `http://127.0.0.1:8080` (`dev.json`)",
  ]);
});
