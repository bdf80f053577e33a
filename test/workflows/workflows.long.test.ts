import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
import { gitIn, testRepository } from "../support/git-repository.ts";
import { appliedRef, settingsWith } from "../support/site.ts";
import { githubToken } from "../support/github.ts";
import type { Event } from "./event.ts";
import { textsWith } from "./expressions.ts";
import { isOwnAction, project, readAction, type Workflow, workflowIn } from "./files.ts";
import { bash } from "./steps.ts";
import { branch, codes, finance, outputOf, siteInConflict, siteInSync, siteWithSample } from "./site.ts";

const [plan, apply, drift] = ["plan", "apply", "drift"].map((name) => `examples/github/${name}.yml`) as [
  string,
  string,
  string,
];
const pull = { eventName: "pull_request", pullRequest: 12 };
const compared = ["Compare with the reviewed plan", 0];
const pushed = [
  ["Push the base", 0],
  ["Push the run", 0],
];

test("what is merged is applied, and then there is nothing left to do", async () => {
  const site = await siteWithSample();
  const merged = await site.run(apply);
  expect(codes(merged), outputOf(merged)).toEqual([["Plan", 0], compared, ["Apply", 0], ...pushed]);
  expect(merged.jobs).toEqual(["plan", "approve", "apply"]);
  expect(merged.summary).toContain("32 to create");
  expect(JSON.parse(merged.files.get("plan.json") ?? "")).toMatchObject({ summary: { create: 32 } });
  expect(JSON.parse(merged.files.get("report.json") ?? "")).toMatchObject({
    summary: { failed: 0, skipped: 0 },
  });
  const checked = await site.run(drift, { eventName: "schedule" });
  expect(codes(checked)).toEqual([
    ["Drift", 0],
    ["Issue", 0],
  ]);
  expect(checked.summary).toContain("No drift");
  expect(site.github.issues).toEqual([]);
});

test("where nothing is to be done nobody is asked, and the ref moves to the commit and is pushed", async () => {
  const site = await siteInSync(settingsWith());
  const before = site.catalog.aspects();
  const head = site.repository.commit({ "catalog/README.md": "text" });
  const merged = await site.run(apply);
  expect(codes(merged), outputOf(merged)).toEqual([["Plan", 0], compared, ["Apply", 0], ...pushed]);
  expect(merged.jobs).toEqual(["plan", "record"]);
  expect(site.repository.git("rev-parse", appliedRef)).toBe(head);
  expect(site.catalog.aspects()).toEqual(before);
});

test("a ref that somebody moved on meanwhile is not moved back, and only what an apply moved is pushed", async () => {
  const origin = testRepository();
  const [first, second, third] = ["1", "2", "3"].map((text) => origin.commit({ "a.txt": text })) as [
    string,
    string,
    string,
  ];
  origin.git("checkout", "--quiet", "--detach", second);
  const side = origin.commit({ "a.txt": "side" });
  const other = "refs/datahub-gitops/other";
  for (const ref of [appliedRef, other]) origin.git("update-ref", ref, first);
  const directory = temporaryDirectory();
  const clone = join(directory, "clone");
  gitIn(directory, "clone", "--quiet", origin.root, clone);
  const run = async (name: string): Promise<number> => {
    const { run: script = "" } = readAction().runs.steps.find((step) => step.name === name) ?? {};
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: directory,
      RUNNER_TEMP: directory,
      GITHUB_OUTPUT: join(directory, "output"),
      COMMAND: "apply",
    };
    return (await bash(script, clone, env)).code;
  };
  expect(await run("Empty folder")).toBe(0);
  expect(await run("Base")).toBe(0);
  gitIn(clone, "update-ref", appliedRef, second);
  origin.git("update-ref", other, third);
  expect(await run("Push the base")).toBe(0);
  expect(origin.git("rev-parse", appliedRef, other)).toBe(`${second}\n${third}`);
  expect(await run("Base")).toBe(0);
  expect(gitIn(clone, "rev-parse", other)).toBe(third);
  gitIn(clone, "update-ref", appliedRef, side);
  origin.git("update-ref", appliedRef, third);
  expect(await run("Push the base")).not.toBe(0);
  expect(origin.git("rev-parse", appliedRef)).toBe(third);
});

test("git gets the token of the run for GitHub, and for no other host", async () => {
  const contexts = { inputs: { "github-token": githubToken }, github: { server_url: "https://github.com" } };
  const steps = readAction().runs.steps.filter(({ env = {} }) => "GIT_CONFIG_COUNT" in env);
  expect(steps.map(({ name }) => name)).toEqual([
    "Base",
    "Push the base",
    "Push the run",
    "Open a pull request",
  ]);
  for (const { env } of steps)
    for (const [host, fills] of Object.entries({ "github.com": true, "evil.example": false })) {
      const given = {
        ...textsWith(env, contexts),
        PATH: process.env["PATH"] ?? "",
        GIT_TERMINAL_PROMPT: "0",
      };
      const ask = `printf 'protocol=https\\nhost=${host}\\n' | git credential fill | grep -qxF "password=$GITHUB_TOKEN"`;
      const { code } = await bash(ask, temporaryDirectory(), { ...given, GIT_CONFIG_GLOBAL: "/dev/null" });
      expect({ host, fills: code === 0 }).toEqual({ host, fills });
    }
});

test("a pull request that takes away too much is red, and its plan is shown all the same", async () => {
  const site = await siteInSync();
  const untagged = (text: string): string => text.replaceAll(/tags: \[[^\]]+\]/g, "tags: []");
  branch(site, "greedy", untagged, [finance, "catalog/datasets/postgres/shop.yaml"]);
  const pulled = await site.run(plan, { ref: "greedy", ...pull });
  expect(codes(pulled)).toEqual([
    ["Plan", 5],
    ["Comment", 0],
    ["Result", 1],
  ]);
  expect(pulled.summary).toContain("urn:li:tag:finance-close");
  expect(pulled.summary).toContain("--max-removals");
  expect(pulled.files.has("plan.json")).toBe(true);
  // Merged all the same, it is not applied.
  site.repository.git("merge", "--quiet", "greedy");
  const before = site.catalog.aspects();
  const merged = await site.run(apply);
  expect(codes(merged)).toEqual([["Plan", 5]]);
  expect(merged.jobs).toEqual(["plan"]);
  expect(site.catalog.aspects()).toEqual(before);
});

test("a conflict holds back its own change, the rest is applied, and the run is red", async () => {
  const site = await siteInConflict();
  branch(site, "good", (text) => text.replace("tags: [finance-close, tier-1]", "tags: [tier-1, pii]"));
  site.repository.git("merge", "--quiet", "good");
  const merged = await site.run(apply);
  expect(codes(merged), outputOf(merged)).toEqual([["Plan", 0], compared, ["Apply", 6], ...pushed]);
  expect(JSON.parse(merged.files.get("report.json") ?? "")).toMatchObject({ summary: { applied: 2 } });
  // Accepted by hand, it is no reason to be red.
  const byHand = { eventName: "workflow_dispatch", inputs: { conflicts: "skip" } };
  expect(await site.run(apply, byHand)).toMatchObject({ isGreen: true });
});

test("a plan that a guard blocks is not asked for, also beside a conflict", async () => {
  const site = await siteInConflict();
  branch(site, "greedy", (text) => text.replaceAll(/tags: \[[^\]]+\]/g, "tags: []"), [
    finance,
    "catalog/datasets/postgres/shop.yaml",
  ]);
  site.repository.git("merge", "--quiet", "greedy");
  const before = site.catalog.aspects();
  const merged = await site.run(apply);
  expect(codes(merged), outputOf(merged)).toEqual([["Plan", 6]]);
  expect(merged.jobs).toEqual(["plan"]);
  expect(merged.summary).toContain("--max-removals");
  expect(site.catalog.aspects()).toEqual(before);
});

test("a correction that conflicts hold back is red until somebody decides them", async () => {
  const correct = (conflicts: string): Partial<Event> => ({
    eventName: "workflow_dispatch",
    inputs: { way_out: "correct", conflicts },
  });
  const site = await siteInConflict();
  const before = site.catalog.aspects();
  expect(codes(await site.run(drift, { eventName: "schedule" }))[0]).toEqual(["Drift", 2]);
  expect(site.github.issues[0]?.body).toContain("`--force-conflicts`");
  const held = await site.run(drift, correct("keep"));
  expect(codes(held), outputOf(held)).toEqual([["Plan", 0], compared, ["Held back", 6]]);
  expect(held.jobs).toEqual(["plan"]);
  expect(outputOf(held)).toContain("conflicts: force");
  const accepted = await site.run(drift, correct("skip"));
  expect(accepted).toMatchObject({ isGreen: true, jobs: ["plan"] });
  expect(site.catalog.aspects()).toEqual(before);
  const forced = await site.run(drift, correct("force"));
  expect(forced, outputOf(forced)).toMatchObject({ isGreen: true, jobs: ["plan", "approve", "correct"] });
  expect(await site.run(drift, { eventName: "schedule" })).toMatchObject({ isGreen: true });
});

test("a pull request from a fork, also one with a new tag, is planned against the snapshot of the drift run", async () => {
  const site = await siteInSync();
  const fork = { ref: "good", ...pull, isFork: true, secrets: {} };
  branch(site, "good", (text) => {
    const tagged = text.replace("tags: [finance-close, tier-1]", "tags: [tier-1, pii, new-one]");
    return `${tagged}\n- { kind: Tag, id: new-one }\n`;
  });
  const without = await site.run(plan, fork);
  expect(codes(without)).toEqual([
    ["Download the snapshot", 1],
    ["Plan", 0],
  ]);
  expect(without.summary).toContain("Valid: ");
  const vars = { DATAHUB_GMS_URL: site.catalog.url, DATAHUB_SNAPSHOT: "true" };
  expect(await site.run(drift, { eventName: "schedule", vars })).toMatchObject({ isGreen: true });
  const sent = site.catalog.requests.length;
  const pulled = await site.run(plan, fork);
  expect(codes(pulled), outputOf(pulled)).toEqual([
    ["Download the snapshot", 0],
    ["Plan", 0],
  ]);
  expect(pulled.jobs).toEqual(["snapshot", "catalog"]);
  expect(pulled.summary).toContain("urn:li:tag:pii");
  expect(pulled.summary).toContain("urn:li:tag:new-one");
  expect(site.catalog.requests).toHaveLength(sent);
  expect(site.github.writes()).toEqual([]);
});

test.each([
  ["plan", { ...pull, ref: "good" }, ["Sample", "Plan", "Comment"]],
  [
    "apply",
    { eventName: "push" },
    ["Sample", "Plan", "Compare with the reviewed plan", "Sample", "Apply", "Push the base", "Push the run"],
  ],
])("without a server this repository's own %s works on the sample", async (name, event, expected) => {
  const site = await siteWithSample();
  branch(site, "good", (text) => text.replace("tags: [finance-close, tier-1]", "tags: [tier-1]"));
  const run = await site.run(`.github/workflows/${name}.yml`, { ...event, vars: {}, secrets: {} });
  expect(codes(run), outputOf(run)).toEqual(expected.map((step) => [step, 0]));
  expect(site.catalog.requests).toEqual([]);
});

test("this repository's own drift run shows what the sample lacks, and opens an issue", async () => {
  const site = await siteWithSample();
  const run = await site.run(".github/workflows/drift.yml", {
    vars: {},
    secrets: {},
    eventName: "workflow_dispatch",
  });
  expect(codes(run), outputOf(run)).toEqual([
    ["Sample", 0],
    ["Drift", 2],
    ["Issue", 0],
  ]);
  expect(site.github.issues).toHaveLength(1);
});

test("limits that are given by hand settle what an apply on its own leaves", async () => {
  const site = await siteInSync();
  const greedy = readFileSync(join(site.repository.root, finance), "utf8").replaceAll(
    /tags: \[[^\]]+\]/g,
    "tags: []",
  );
  site.repository.commit({ [finance]: greedy });
  const inputs = {
    max_deletes: "",
    max_removals: "500",
    max_removals_percent: "100",
    max_vanished: "50",
    max_spread: "100",
  };
  const byHand = await site.run(apply, { eventName: "workflow_dispatch", inputs });
  expect(codes(byHand)).toEqual([["Plan", 0], compared, ["Apply", 0], ...pushed]);
  expect(byHand.summary).toContain("Applied");
});

test("what is no longer declared keeps the ref where it is, until a run by hand prunes it", async () => {
  const site = await siteInSync(settingsWith());
  const first = site.repository.git("rev-parse", appliedRef);
  const tags = readFileSync(join(site.repository.root, "catalog/tags.yaml"), "utf8");
  site.repository.commit({
    "catalog/tags.yaml": `${tags}---\nkind: Tag\nid: passing\nname: Passing\n`,
  });
  await site.run(apply);
  const second = site.repository.git("rev-parse", appliedRef);
  expect(second).not.toBe(first);
  const third = site.repository.commit({ "catalog/tags.yaml": tags });
  await site.run(apply);
  expect(site.repository.git("rev-parse", appliedRef)).toBe(second);
  const inputs = { prune: true, max_deletes: "1" };
  const byHand = await site.run(apply, { eventName: "workflow_dispatch", inputs });
  expect(codes(byHand), outputOf(byHand)).toEqual([["Plan", 0], compared, ["Apply", 0], ...pushed]);
  expect(site.repository.git("rev-parse", appliedRef)).toBe(third);
});

test("no input of an apply becomes a flag of its own", async () => {
  const site = await siteInSync();
  const before = site.catalog.aspects();
  for (const [name, value, code] of [
    ["max_deletes", "1 --server http://evil.example", 64],
    ["max_removals", "1 --no-verify", 64],
    ["max_removals_percent", "$(touch stolen)", 64],
    ["max_vanished", "1% --no-verify", 64],
    ["max_spread", "many", 64],
    ["conflicts", "skip --server http://evil.example", 0],
    ["prune", "true --server http://evil.example", 0],
  ] as const) {
    const run = await site.run(apply, { eventName: "workflow_dispatch", inputs: { [name]: value } });
    expect({ name, step: codes(run)[0] }).toEqual({ name, step: ["Plan", code] });
    expect(outputOf(run)).not.toMatch(/evil\.example(?!["' ]|$)|cannot connect/m);
    expect([...run.files.keys()]).not.toContain("stolen");
  }
  expect(site.catalog.aspects()).toEqual(before);
});

test("nothing runs by hand from another branch", async () => {
  const site = await siteWithSample();
  branch(site, "other", (text) => text.replace("tags: [finance-close, tier-1]", "tags: [tier-1]"));
  const before = site.catalog.aspects();
  const ways = ["look", "correct", "pull"].map((way) => [drift, { way_out: way }] as const);
  for (const [workflow, inputs] of [[apply, {}] as const, ...ways]) {
    const run = await site.run(workflow, { ref: "other", eventName: "workflow_dispatch", inputs });
    expect({ inputs, jobs: run.jobs }).toEqual({ inputs, jobs: [] });
  }
  expect(site.catalog.aspects()).toEqual(before);
});

test("one environment of several is planned, with a comment and an artifact of its own", async () => {
  const site = await siteWithSample(
    settingsWith("environments: { dev: { base: refs/datahub-gitops/dev }, prod: {} }"),
  );
  branch(site, "change", (text) => text.replace("tags: [finance-close, tier-1]", "tags: [tier-1]"));
  const text = readFileSync(join(project, "examples/github/plan.yml"), "utf8");
  const workflow = join(temporaryDirectory(), "plan.yml");
  writeFileSync(workflow, text.replaceAll("command: plan", "command: plan\n          environment: dev"));
  const run = await site.run(workflow, { eventName: "pull_request", pullRequest: 12, ref: "change" });
  expect(codes(run), outputOf(run)).toEqual([
    ["Plan", 0],
    ["Comment", 0],
  ]);
  expect(site.github.comments).toMatchObject([
    {
      body: expect.stringMatching(
        /^<!-- datahub-gitops comment plan-dev -->\n### Plan for `dev`\n/,
      ) as string,
    },
  ]);
  expect(JSON.parse(run.files.get("plan.json") ?? "")).toMatchObject({ scope: { environment: "dev" } });
});

test("a second use of the action in one job publishes nothing of the first where it ends without a plan", async () => {
  const site = await siteWithSample(
    ["version: 1", "environments:", "  staging: {}", "  prod: { server: https://datahub.acme.com }", ""].join(
      "\n",
    ),
  );
  const reviewing = workflowIn(plan);
  const steps = (reviewing.jobs["plan"]?.steps ?? []).flatMap((step) =>
    isOwnAction(step)
      ? ["staging", "prod"].map((environment) => ({ ...step, with: { ...step.with, environment } }))
      : [step],
  );
  const twice: Workflow = { ...reviewing, jobs: { plan: { ...reviewing.jobs["plan"], steps } } };
  branch(site, "topic", (text) => text.replace("tags: [finance-close, tier-1]", "tags: [tier-1]"));
  const run = await site.run(twice, { ...pull, ref: "topic" });
  expect(codes(run), outputOf(run)).toEqual([
    ["Plan", 0],
    ["Comment", 0],
    ["Plan", 64],
  ]);
  expect(site.github.artifacts.map(({ name }) => name)).toEqual([
    "datahub-gitops-page-plan-staging",
    "datahub-gitops-plan-staging",
  ]);
  expect(site.github.comments).toHaveLength(1);
});
