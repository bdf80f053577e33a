import { expect, test } from "vitest";
import type { Change, DriftClass, SetChange } from "../../src/model/change.ts";
import type { Plan } from "../../src/model/plan.ts";
import { withVerdicts } from "../../src/plan/plan.ts";
import { checkOf, planOf, problems, usualChanges, violation } from "../report/plans.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { bot, type FakeGithub, startGithub } from "../support/github.ts";
import { planFile } from "../support/plan-file.ts";

const marker = "<!-- datahub-gitops drift drift -->";
const issue = "https://github.com/acme/data/issues/101";

function drift(changes: readonly Change[], of: DriftClass = "changed"): Plan {
  return planOf({ changes: changes.map((change) => ({ ...change, class: of })), summary: { unchanged: 4 } });
}

const some = drift(usualChanges.slice(2, 4));
const more = drift(usualChanges.slice(3, 5));
const none = drift(usualChanges.slice(0, 2), "pending");

function keep(github: FakeGithub, result: Plan | object, ...flags: readonly string[]): Promise<Ran> {
  const argv = ["github", "drift-issue", "drift.json", ...flags];
  return runCli(argv, { cwd: planFile(result, "drift.json"), env: github.env });
}

test("drift opens an issue, which stays as it is while the drift does, is updated, and is closed", async () => {
  const github = await startGithub();
  expect(await keep(github, some)).toEqual({ code: 0, stdout: `${issue}\n`, stderr: "Issue opened\n" });
  expect(await keep(github, some)).toEqual({ code: 0, stdout: `${issue}\n`, stderr: "Issue unchanged\n" });
  expect(github.writes()).toEqual(["POST /issues"]);
  expect(github.issues[0]).toMatchObject({
    title: "The catalog differs from Git: 2 changed",
    body: expect.stringMatching(`^${marker}\n`),
  });

  expect(await keep(github, more)).toEqual({ code: 0, stdout: `${issue}\n`, stderr: "Issue updated\n" });
  expect(github.comments).toHaveLength(1);
  expect(github.comments[0]?.body).toContain("The drift has changed: 1 new, 1 resolved, 2 differences now.");
  expect(github.comments[0]?.body).toContain("urn:li:tag:tier-1");

  expect(await keep(github, none)).toEqual({ code: 0, stdout: `${issue}\n`, stderr: "Issue closed\n" });
  expect(github.issues).toMatchObject([{ state: "closed" }]);
  expect(github.comments[1]?.body).toContain("The drift is resolved");
  const writes = github.writes().length;
  expect(await keep(github, none)).toMatchObject({ code: 0, stdout: "" });
  expect(github.writes()).toHaveLength(writes);
});

test("a new drift opens a new issue: none is opened again", async () => {
  const github = await startGithub();
  for (const each of [some, none, some]) await keep(github, each);
  expect(github.issues.map(({ state }) => state)).toEqual(["closed", "open"]);
});

test("the text names both ways out, and what differs", async () => {
  const github = await startGithub();
  const env = { ...github.env, GITHUB_WORKFLOW_REF: "acme/data/.github/workflows/drift.yml@refs/heads/main" };
  const cwd = planFile(some, "drift.json");
  await runCli(["github", "drift-issue", "drift.json"], { cwd, env });
  await expect(github.issues[0]?.body).toMatchFileSnapshot("expected/drift-issue.md");
});

test("where a change is in conflict, the text says what an apply keeps, and how to replace it", async () => {
  const github = await startGithub();
  const domain = some.changes.find((change) => change.shape === "scalar");
  const conflict = { base: null, live: "urn:li:domain:sales", desired: null };
  await keep(github, drift(domain?.shape === "scalar" ? [{ ...domain, conflict }] : []));
  expect(github.issues[0]?.body).toContain(
    "writes the declared values. Under `merge`, it does not overwrite single-valued fields that someone else changed, unless you use `--force-conflicts` (in the workflow, `conflicts`: `force`). Or run",
  );
});

test("where a rule is behind a change, the text says what a pull leaves", async () => {
  const github = await startGithub();
  await keep(github, drift(some.changes.map((change) => ({ ...change, rules: ["finance"] }))));
  expect(github.issues[0]?.body).toContain(
    "into the manifests. It does not change values that rules declare: edit the rule, or `exempt` the asset from it. Or run",
  );
  expect(github.issues[0]?.body).toContain("@@ catalog/finance.yaml:12:3 (rule finance)\n");
});

test("where a policy stops the apply, the text says so, and what it would make worse", async () => {
  const github = await startGithub();
  await keep(github, withVerdicts(checkOf({ introduced: [violation] }).policies, some));
  const body = github.issues[0]?.body;
  expect(body).toContain("the declared values. A policy blocks it: see below. Or run");
  expect(body).toContain("Policies: 1 introduced, 0 fixed, 0 existing, 0 waived.");
  expect(body).toContain("has no domain");
});

test("where and by whom a value was declared or written does not make another drift", async () => {
  const github = await startGithub();
  await keep(github, some);
  const moved = some.changes.map((change) => ({
    ...change,
    source: { file: "catalog/moved.yaml", line: 1, column: 1 },
    rules: ["finance"],
  }));
  expect(await keep(github, { ...some, changes: moved })).toMatchObject({ stderr: "Issue unchanged\n" });
});

test("a comment is written once, also where the run that wrote it was cut short", async () => {
  const github = await startGithub();
  await keep(github, some);
  github.failures.push({ method: "PATCH", path: /issues/, status: 422 });
  expect(await keep(github, more)).toMatchObject({ code: 1 });
  expect(await keep(github, more)).toMatchObject({ code: 0, stderr: "Issue updated\n" });
  expect(github.comments).toHaveLength(1);
  for (const each of [some, more]) await keep(github, each);
  expect(github.comments).toHaveLength(3);
});

test("an issue whose answer was lost is looked for before it is opened again", async () => {
  const github = await startGithub();
  github.failures.push({ method: "POST", path: /issues/, after: true });
  expect(await keep(github, some, "--label", "drift")).toMatchObject({ code: 0, stdout: `${issue}\n` });
  expect(github.issues).toMatchObject([{ labels: ["drift"] }]);
});

test("an issue of somebody else with the marker is not touched, and names keep issues apart", async () => {
  const github = await startGithub();
  github.issues.push({ id: 1, author: "mallory", body: marker, state: "open" });
  github.issues.push({ id: 2, author: bot, body: `> ${marker}`, state: "open" });
  await keep(github, some);
  await keep(github, some, "--name", "prod");
  expect(github.issues.map(({ state }) => state)).toEqual(["open", "open", "open", "open"]);
  expect(await keep(github, none, "--name", "prod")).toMatchObject({ stderr: "Issue closed\n" });
  expect(github.issues.map(({ state }) => state)).toEqual(["open", "open", "open", "closed"]);
});

test("without the permission the message names it: 1", async () => {
  const github = await startGithub();
  const message = "Resource not accessible by integration";
  github.failures.push({ method: "POST", path: /issues/, status: 403, message });
  const ran = await keep(github, some);
  expect(ran).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("`issues: write`") });
});

test("a limit that ends soon is waited for, and 502 is sent again", async () => {
  const github = await startGithub();
  github.failures.push({ method: "GET", path: /issues/, status: 502 });
  const headers = { "retry-after": "0" };
  github.failures.push({ method: "POST", path: /issues/, status: 403, headers });
  expect(await keep(github, some)).toMatchObject({ code: 0 });
  expect(github.issues).toHaveLength(1);
});

const problem = { code: "asset-missing", severity: "error", message: "gone", args: {} } as const;

test.each<readonly [string, number, Plan | object]>([
  ["problems and no plan", 3, { problems: [problem] }],
  ["an error", 1, { error: { code: "unreachable", message: "no answer" } }],
  ["a problem, and no drift that is known", 3, { ...none, problems: problems.slice(0, 1) }],
  [
    "drift that is not known as a whole",
    1,
    { ...some, problems: [{ ...problem, code: "read-failed", args: { urn: "x", error: "timed out" } }] },
  ],
  ["a plan that is no report of drift", 64, planOf({ changes: usualChanges })],
])("%s ends as that failure did, and nothing is sent: %i", async (_, code, result) => {
  const github = await startGithub();
  await keep(github, some);
  const sent = github.requests.length;
  const ran = await keep(github, result);
  expect(ran).toMatchObject({
    code,
    stdout: "",
    stderr: expect.stringMatching(/no issue was changed|not a drift report; use github comment/),
  });
  expect(github.requests).toHaveLength(sent);
  expect(github.issues[0]?.state).toBe("open");
});

test("drift beside problems is told with them, and again when the problems have changed", async () => {
  const github = await startGithub();
  const [first, second] = problems;
  expect(await keep(github, { ...some, problems: [first!] })).toMatchObject({
    code: 0,
    stderr: "Issue opened\n",
  });
  expect(github.issues[0]).toMatchObject({
    title: "The catalog differs from Git: 2 changed, 1 problem",
    body: expect.stringContaining("`apply` writes nothing until all problems are fixed."),
  });
  const moved = { ...first!, origin: { file: "catalog/moved.yaml", line: 1, column: 1 } };
  expect(await keep(github, { ...some, problems: [moved] })).toMatchObject({ stderr: "Issue unchanged\n" });
  expect(second?.severity).toBe("error");
  expect(await keep(github, { ...some, problems: [moved, second!] })).toMatchObject({
    stderr: "Issue updated\n",
  });
  expect(await keep(github, some)).toMatchObject({ stderr: "Issue updated\n" });
});

test("very much drift is cut to what GitHub takes, and counted", async () => {
  const github = await startGithub();
  const [change] = usualChanges.slice(4);
  const many = Array.from({ length: 2000 }, (_, index) => ({
    ...(change as SetChange),
    urn: `urn:li:dataset:(urn:li:dataPlatform:kafka,topic-${index},PROD)` as Change["urn"],
    add: [`urn:li:tag:t${index}`],
  }));
  await keep(github, drift(many));
  expect(github.issues[0]?.body.length).toBeLessThanOrEqual(65_536);
  expect(github.issues[0]?.body).toMatch(/… and [\d,]+ more changes/);
  expect(await keep(github, drift(many.slice(1)))).toMatchObject({ stderr: "Issue updated\n" });
  expect(github.comments[0]?.body).toContain("The drift has changed: 1999 differences now.");
});
