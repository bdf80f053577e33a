import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import { sealed } from "../../src/plan/base/hash.ts";
import { conflict, planOf, usualChanges } from "../report/plans.ts";
import { temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { type FakeArtifact, type FakeGithub, githubToken, startGithub } from "../support/github.ts";
import { planFile, savedPlan } from "../support/plan-file.ts";
import { zipOf } from "../support/zip.ts";

const merge = "c0ffee";
const head = "0ddba11";
const plan = planOf({ changes: usualChanges, summary: { create: 1, update: 2 } });

function archiveOf(reviewed: Plan): Buffer {
  return zipOf({ "plan.json": savedPlan(reviewed) });
}

function artifact(parts: Partial<FakeArtifact> = {}): FakeArtifact {
  return { name: "datahub-gitops-plan", sha: head, branch: "topic", archive: archiveOf(plan), ...parts };
}

const merged = { number: 12, head, branch: "topic", merge };

/** A GitHub where #12 was merged, and its run saved these artifacts. */
async function githubWith(...artifacts: readonly FakeArtifact[]): Promise<FakeGithub> {
  const github = await startGithub();
  github.pulls.push(merged);
  github.artifacts.push(...artifacts);
  return github;
}

interface Compared extends Ran {
  readonly summary: string;
  readonly output: string;
}

async function compare(github: FakeGithub, now = plan): Promise<Compared> {
  const cwd = planFile(now);
  for (const name of ["summary", "output"]) writeFileSync(join(cwd, name), "before\n");
  const files = { GITHUB_STEP_SUMMARY: "summary", GITHUB_OUTPUT: "output" };
  const env = { ...github.env, ...files, GITHUB_SHA: merge };
  const ran = await runCli(["github", "reviewed-plan", "plan.json"], { cwd, env });
  const [summary = "", output = ""] = ["summary", "output"].map((name) =>
    readFileSync(join(cwd, name), "utf8").replace(/^before\n/, ""),
  );
  return { ...ran, summary, output };
}

const outputs = (reviewed: boolean, changes = true, pull: number | "" = 12): string =>
  `reviewed=${reviewed}\nchanges=${changes}\npull-request=${pull}\n`;

test("the plan that was reviewed is recognised, wherever its manifests are by now and whatever its limits", async () => {
  const changes = usualChanges.map((change) => ({
    ...change,
    source: { file: "catalog/moved.yaml", line: 3, column: 1 },
    ...(change.facet === "domain" && { removed: [{ value: "urn:li:domain:sales", declaredBefore: null }] }),
  })) as Plan["changes"];
  const limits = { ...plan.limits, deletes: { max_count: 3 } };
  const github = await githubWith(artifact({ archive: archiveOf({ ...plan, changes, limits }) }));
  const line = "This is the plan that was reviewed in #12.\n";
  expect(await compare(github)).toEqual({
    code: 0,
    stdout: line,
    stderr: "",
    summary: line,
    output: outputs(true),
  });
  expect(github.writes()).toEqual([]);
});

test("the token does not go to the storage to which GitHub redirects", async () => {
  const github = await githubWith(artifact());
  await compare(github);
  const sent = github.requests.map(({ path, authorization }) => [path.startsWith("storage"), authorization]);
  expect(new Set(sent.map(([isStorage, token]) => `${isStorage} ${token}`))).toEqual(
    new Set([`false token ${githubToken}`, "true undefined"]),
  );
});

test("changes that nobody reviewed are listed, and reviewed ones that are gone, too", async () => {
  const reviewed = { ...plan, changes: usualChanges.slice(2) };
  const github = await githubWith(artifact({ archive: archiveOf(reviewed) }));
  const more = await compare(github);
  expect(more).toMatchObject({
    code: 0,
    stdout: "2 of 5 changes were not in the plan reviewed in #12.\n",
    output: outputs(false),
  });
  expect(more.summary).toMatch(
    /^2 of 5 changes were not in the plan reviewed in #12:\n\n#### Not reviewed\n/,
  );
  expect(more.summary).toContain("+ name: PII");
  const less = await compare(
    github,
    planOf({ changes: usualChanges.slice(1, 4), names: { "urn:li:tag:pii": "P" } }),
  );
  expect(less.stdout).toBe(
    "1 of 3 changes was not in the plan reviewed in #12, and 1 change reviewed in #12 is no longer in the plan.\n",
  );
  expect(less.summary).toContain("P (urn:li:tag:pii)");
});

test("a change of another column is another change", async () => {
  const changes = usualChanges.map((change, index) => (index === 2 ? { ...change, path: ["id"] } : change));
  const github = await githubWith(artifact());
  const { stdout, output } = await compare(github, { ...plan, changes } as Plan);
  expect(stdout).toMatch(/^1 of 5 changes was not in/);
  expect(output).toBe(outputs(false));
});

test("a change computed from another live value is another change", async () => {
  const changes = usualChanges.map((change, index) =>
    index === 3 ? { ...change, fingerprint: "1".repeat(64) } : change,
  );
  const github = await githubWith(artifact());
  const { stdout, output } = await compare(github, { ...plan, changes });
  expect(stdout).toMatch(/^1 of 5 changes was not in/);
  expect(output).toBe(outputs(false));
});

test("a plan with nothing to do says so to the workflow", async () => {
  const empty = planOf();
  const github = await githubWith(artifact({ archive: archiveOf(empty) }));
  expect(await compare(github, empty)).toMatchObject({ code: 0, output: outputs(true, false) });
});

test("a plan of which a conflict holds back every change has nothing to do", async () => {
  const held = planOf({ changes: [conflict], summary: { conflicts: 1, heldBack: 1 } });
  const github = await githubWith(artifact({ archive: archiveOf(held) }));
  expect(await compare(github, held)).toMatchObject({ code: 0, output: outputs(true, false) });
});

test("the plan that was reviewed is recognised where it was saved without paths", async () => {
  const { seal: _, ...saved } = JSON.parse(savedPlan(plan)) as Plan & { readonly seal: string };
  const changes = saved.changes.map(({ path: _path, ...change }) => change);
  const archive = zipOf({ "plan.json": JSON.stringify(sealed({ ...saved, changes })) });
  const github = await githubWith(artifact({ archive }));
  expect(await compare(github)).toMatchObject({ output: outputs(true) });
});

test("of several artifacts the newest of the last commit is taken", async () => {
  const old = archiveOf(planOf());
  const github = await githubWith(
    artifact({ archive: old, createdAt: "2026-01-01T00:00:00Z" }),
    artifact({ createdAt: "2026-01-03T00:00:00Z" }),
    artifact({ archive: old, createdAt: "2026-01-02T00:00:00Z" }),
    artifact({ archive: old, createdAt: "2026-01-09T00:00:00Z", sha: "badc0de" }),
    artifact({ archive: old, createdAt: "2026-01-09T00:00:00Z", name: "other" }),
    artifact({ archive: old, createdAt: "2026-01-09T00:00:00Z", isExpired: true }),
    artifact({ archive: old, createdAt: "2026-01-09T00:00:00Z", isFromFork: true }),
  );
  expect(await compare(github)).toMatchObject({ output: outputs(true) });
});

test.each<readonly [string, readonly FakeArtifact[]]>([
  ["#12: none of its runs saved a plan", []],
  ["#12: none of its runs saved a plan", [artifact({ sha: "badc0de" })]],
  ["#12: the plan saved by its run has expired", [artifact({ isExpired: true })]],
  ["#12: it comes from a fork, and runs from forks are not trusted", [artifact({ isFromFork: true })]],
  [
    "#12: its plan was made for http://elsewhere, but this plan is for http://127.0.0.1:8080",
    [artifact({ archive: archiveOf({ ...plan, target: "http://elsewhere" }) })],
  ],
  [
    "#12: the plan saved by its run was edited",
    [artifact({ archive: zipOf({ "plan.json": savedPlan(plan).replace("tier-1", "tier-2") }) })],
  ],
  ["#12: the plan saved by its run is not valid", [artifact({ archive: zipOf({ "plan.json": "{}" }) })]],
  ["#12: the plan saved by its run cannot be unpacked", [artifact({ archive: Buffer.from("no zip") })]],
  ["#12: the plan saved by its run cannot be unpacked", [artifact({ archive: zipOf({ "a.json": "{}" }) })]],
])("there is no reviewed plan: %s", async (why, artifacts) => {
  const github = await githubWith(...artifacts);
  const line = `No reviewed plan: ${why}.\n`;
  const output = outputs(false);
  expect(await compare(github)).toEqual({ code: 0, stdout: line, stderr: "", summary: line, output });
});

const other = { event: "push", file: "apply.yml", createdAt: "2026-01-09T00:00:00Z" };
const otherRun = "#12: no run of plan.yml for a pull request to the same base branch saved a plan";

test.each([
  ["its workflow ran for a push", { event: "push" }],
  ["another workflow saved it", { file: "other.yml" }],
  ["the plan of apply.yml itself has the commit of a fast-forward", other],
])(
  "a plan that no run of plan.yml for the pull request saved is not the reviewed one: %s",
  async (_, run) => {
    const forged = artifact({ createdAt: "2026-01-05T00:00:00Z", run });
    expect(await compare(await githubWith(forged))).toMatchObject({
      stdout: `No reviewed plan: ${otherRun}.\n`,
      output: outputs(false),
    });
    const own = artifact({ archive: archiveOf(planOf()) });
    expect((await compare(await githubWith(own, forged))).stdout).toContain("5 of 5 changes were not in");
  },
);

test("a plan that a run on another branch with the same commit saved is not the reviewed one", async () => {
  const github = await githubWith(artifact({ branch: "other" }));
  expect(await compare(github)).toMatchObject({
    stdout: "No reviewed plan: #12: none of its runs saved a plan.\n",
  });
});

test("a plan is not taken for reviewed where another pull request has the same branch and commit", async () => {
  const github = await githubWith(artifact());
  github.pulls.push({ number: 13, head: "badc0de", branch: "topic", base: "old" });
  expect(await compare(github)).toMatchObject({ output: outputs(true) });
  github.pulls.push({ number: 14, head, branch: "topic", base: "prepared" });
  expect(await compare(github)).toMatchObject({
    stdout:
      "No reviewed plan: #12: another pull request has the same commits, so it is unclear which one saved the plan.\n",
    output: outputs(false),
  });
});

test("a plan that was made before the base of the pull request was changed is not the reviewed one", async () => {
  const github = await startGithub();
  github.pulls.push({ ...merged, baseChanges: ["2026-01-03T00:00:00Z", "2026-01-02T00:00:00Z"] });
  github.artifacts.push(artifact({ run: { createdAt: "2026-01-03T00:00:00Z" } }));
  expect((await compare(github)).stdout).toBe(`No reviewed plan: ${otherRun}.\n`);
  github.artifacts.push(artifact({ run: { createdAt: "2026-01-03T00:00:01Z" } }));
  expect(await compare(github)).toMatchObject({ output: outputs(true) });
});

test("a workflow of another name is told with --workflow", async () => {
  const github = await githubWith(artifact({ run: { file: "review.yml" } }));
  const env = { ...github.env, GITHUB_SHA: merge };
  const argv = ["github", "reviewed-plan", "--workflow", "review.yml", "plan.json"];
  const { stdout } = await runCli(argv, { cwd: planFile(plan), env });
  expect(stdout).toContain("This is the plan that was reviewed in #12.");
});

test.each([
  ["none was merged", []],
  ["none was merged yet", [{ number: 12, head: merge }]],
  ["it was merged into another branch", [{ ...merged, base: "prepared" }]],
])("where no pull request merged the commit there is no reviewed plan: %s", async (_, pulls) => {
  const github = await startGithub();
  github.pulls.push(...pulls);
  expect(await compare(github)).toMatchObject({
    code: 0,
    stdout: `No reviewed plan: no pull request merged ${merge}.\n`,
    output: outputs(false, true, ""),
  });
});

test("without files for summary and output the Markdown is on stdout", async () => {
  const github = await githubWith(artifact({ archive: archiveOf({ ...plan, changes: [] }) }));
  const env = { ...github.env, GITHUB_SHA: merge };
  const { stdout } = await runCli(["github", "reviewed-plan", "plan.json"], { cwd: planFile(plan), env });
  expect(stdout).toMatch(/^5 of 5 changes were not in[^\n]+\.\n\n5 of 5 changes were not in[^\n]+:\n\n####/);
});

test("without the commit the usage is wrong, and without the permission the message names it", async () => {
  const github = await githubWith(artifact());
  const cwd = planFile(plan);
  const argv = ["github", "reviewed-plan", "plan.json"];
  expect(await runCli(argv, { cwd, env: github.env })).toMatchObject({
    code: 64,
    stderr: expect.stringContaining("GITHUB_SHA is not set"),
  });
  github.failures.push({ method: "GET", path: /artifacts/, status: 403 });
  const denied = await compare(github);
  expect(denied).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("`actions: read`") });
});

test("a storage that fails once is asked again, and one that has lost the artifact is expired", async () => {
  const github = await githubWith(artifact());
  github.failures.push({ method: "GET", path: /^storage/, status: 503 });
  expect(await compare(github)).toMatchObject({ code: 0, output: outputs(true) });
  github.failures.push({ method: "GET", path: /zip$/, status: 410 });
  expect(await compare(github)).toMatchObject({ stdout: expect.stringContaining("has expired") });
});

test("the newest snapshot of the default branch is saved, and none of another branch or of a fork", async () => {
  const name = "datahub-gitops-snapshot";
  const held = (text: string, parts: Partial<FakeArtifact>): FakeArtifact =>
    artifact({ name, archive: zipOf({ "snapshot.json": text }), ...parts });
  const github = await startGithub();
  const cwd = temporaryDirectory();
  const fetch = (): Promise<Ran> =>
    runCli(["github", "snapshot", "--out", "snapshot.json"], { cwd, env: github.env });
  github.artifacts.push(
    held("topic", { branch: "topic", createdAt: "2026-01-05T00:00:00Z" }),
    held("fork", { branch: "main", createdAt: "2026-01-05T00:00:00Z", isFromFork: true }),
    held("push", { branch: "main", createdAt: "2026-01-05T00:00:00Z", run: { event: "push" } }),
  );
  const none = await fetch();
  expect(none).toMatchObject({ code: 1, stdout: "" });
  expect(none.stderr).toBe(
    `error: the artifact ${name} from a scheduled or manual run on main was not found\n`,
  );
  github.artifacts.push(held("{}", { branch: "main", run: { event: "schedule" } }));
  expect(await fetch()).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(readFileSync(join(cwd, "snapshot.json"), "utf8")).toBe("{}");
});
