import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli, type RunOptions } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { forge } from "../support/sealed.ts";
import { reportErrors } from "../support/published-schemas.ts";
import { settingsWith, type Site, siteWith } from "../support/site.ts";
import { startStub } from "../support/stub-server.ts";

interface Report {
  readonly run: Readonly<Record<string, unknown>>;
  readonly plan: { readonly git: unknown };
  readonly outcomes: readonly object[];
}

function reportIn(site: Site): Report {
  const report = JSON.parse(readFileSync(join(site.root, "report.json"), "utf8")) as Report;
  expect(reportErrors(report)).toBeNull();
  return report;
}

/** Applies with a report, and returns the run that it tells. */
async function runOf(
  site: Site,
  flags: readonly string[],
  options: Partial<RunOptions> = {},
): Promise<Report["run"]> {
  await site.run(["apply", "--report", "report.json", ...flags], options);
  return reportIn(site).run;
}

/** A clock that goes on by a second each time somebody looks. */
function clock(): () => Date {
  let seconds = 0;
  return () => new Date(1000 * (seconds += 1));
}

test("a report tells when the apply began and ended, which commit it applied, and how it ended", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const run = await runOf(site, ["--auto-approve"], { now: clock() });
  expect(run).toEqual({
    startedAt: "1970-01-01T00:00:01.000Z",
    endedAt: "1970-01-01T00:00:02.000Z",
    exitCode: 0,
    approval: "auto-approve",
  });
  const commit = site.git("rev-parse", "HEAD");
  expect(reportIn(site).plan.git).toEqual({ commit, dirty: false, base: null });
});

const github = { GITHUB_ACTIONS: "true", GITHUB_ACTOR: "alice", GITHUB_TRIGGERING_ACTOR: "bob" };

test.each<readonly [string, readonly string[], RunOptions["env"], unknown]>([
  ["--approved-by", ["--approved-by", " carol "], github, { name: "carol", source: "--approved-by" }],
  ["who started a run of GitHub again", [], github, { name: "bob", source: "GITHUB_TRIGGERING_ACTOR" }],
  [
    "who started a run of GitHub",
    [],
    { ...github, GITHUB_TRIGGERING_ACTOR: "" },
    { name: "alice", source: "GITHUB_ACTOR" },
  ],
  [
    "who started a run of GitLab",
    [],
    { GITLAB_CI: "true", GITLAB_USER_LOGIN: "dave" },
    { name: "dave", source: "GITLAB_USER_LOGIN" },
  ],
  ["nobody where no CI system runs", [], { GITHUB_ACTOR: "alice", GITLAB_USER_LOGIN: "dave" }, undefined],
])("the approver of a report is %s", async (_, flags, env, approvedBy) => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const run = await runOf(site, ["--auto-approve", ...flags], { env: env ?? {} });
  expect(run["approvedBy"]).toEqual(approvedBy);
});

test("an answer on the terminal is an approval, and what needs none has none", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  expect(await runOf(site, [], { answers: ["yes"] })).toMatchObject({ approval: "answer" });
  const idle = await runOf(site, ["--auto-approve", "--approved-by", "carol"]);
  expect(idle).toEqual({ startedAt: expect.any(String), endedAt: expect.any(String), exitCode: 0 });
});

test("an empty name is a wrong usage", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const { code, stderr } = await site.run(["apply", "--auto-approve", "--approved-by", " "]);
  expect(code).toBe(64);
  expect(stderr).toContain("Use a name");
});

test("a report tells how an apply ended that a guard blocked, and one that the server stopped", async () => {
  const site = await siteWith({ "a.yaml": tag("a"), "b.yaml": tag("b") });
  const server = await inFrontOf(site.catalog.url, ({ text }, response) =>
    text.includes("proposal") ? response.writeHead(401).end() : undefined,
  );
  const argv = ["apply", "--auto-approve", "--report", "report.json", "--server", server];
  expect(await runCli(argv, { cwd: site.root })).toMatchObject({ code: 1 });
  expect(reportIn(site).run).toMatchObject({ exitCode: 1, stopped: expect.stringContaining("401") });

  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/a.yaml": undefined });
  expect(await runOf(site, ["--auto-approve", "--prune"])).toMatchObject({ exitCode: 5 });
});

/** A site in which one operation was applied, one failed, and one was held back by a conflict. */
async function siteWithReport(): Promise<Site> {
  const settings = settingsWith("manage: { description: merge }");
  const site = await siteWith({ "a.yaml": tag("a", "one"), "b.yaml": tag("b") }, settings);
  expect(await site.apply()).toMatchObject({ code: 0 });
  await site.edit('updateDescription(input: { resourceUrn: "urn:li:tag:a", description: "theirs" })');
  site.commit({
    "catalog/a.yaml": tag("a", "ours"),
    "catalog/b.yaml": undefined,
    "catalog/c.yaml": "kind: Domain\nid: c\nname: See\ndescription: a\n",
    "catalog/d.yaml": "kind: Dataset\nplatform: snowflake\nname: d\ntags: []\n",
  });
  const server = await startStub((request, response, incoming) =>
    request.text.includes("domainProperties") && request.text.includes("proposal")
      ? response.writeHead(500, { "content-type": "application/json" }).end('{"message":"disk full"}')
      : incoming.passTo(site.catalog.url, response),
  );
  onTestFinished(() => server.close());
  const argv = ["apply", "--auto-approve", "--prune", "--max-deletes", "1", "--missing", "skip"];
  const options = { cwd: site.root, env: github };
  const where = ["--server", server.url, "--report", "report.json", "--report", "text=report.txt"];
  const applied = await runCli([...argv, ...where, "--report", "markdown=report.md"], options);
  expect(applied, applied.stderr).toMatchObject({ code: 7 });
  expect(reportIn(site).outcomes).toHaveLength(3);
  return site;
}

test("a plan says what mode merge would keep of removed values, and the report of what was applied does not", async () => {
  const site = await siteWith({ "t.yaml": "kind: Tag\nid: a\ndescription: A\n" });
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/t.yaml": "kind: Tag\nid: a\ndescription: none\n" });
  await site.edit(`updateDescription(input: { resourceUrn: "urn:li:tag:a", description: "B" })`);
  const hint = "1 value will be removed that was not declared before";

  expect((await site.plan()).stdout).toContain(hint);
  const reports = ["--report", "r.json", "--report", "text=r.txt", "--report", "markdown=r.md"];
  expect((await site.apply(...reports)).stdout).toContain(hint);
  for (const file of ["r.txt", "r.md"])
    expect(readFileSync(join(site.root, file), "utf8")).not.toContain(hint);
  for (const format of ["text", "markdown"]) {
    const { stdout } = await runCli(["show", "r.json", "--format", format], { cwd: site.root });
    expect(stdout).not.toContain(hint);
  }
});

test("show prints a report again, in every form, with the problems of its plan", async () => {
  const site = await siteWithReport();
  for (const [format, file] of [
    ["text", "report.txt"],
    ["json", "report.json"],
    ["markdown", "report.md"],
  ] as const) {
    const argv = ["show", "report.json", "--format", format];
    const { code, stdout, stderr } = await runCli(argv, { cwd: site.root });
    expect({ code, stdout }).toEqual({ code: 0, stdout: readFileSync(join(site.root, file), "utf8") });
    expect(stderr.includes("warning asset-missing")).toBe(format !== "json");
  }
  const text = readFileSync(join(site.root, "report.txt"), "utf8");
  expect(text).toMatch(
    /\nended {5}\S+, exit code 7\napproved {2}by bob \(GITHUB_TRIGGERING_ACTOR\), --auto-approve\n/,
  );
  expect(text).toMatch(
    /\nfailed: set description, set name of See \(urn:li:domain:c\) {2}catalog\/c\.yaml:4:1\n/,
  );
  expect(text).toMatch(/\nApplied 0 operations, 1 failed, 2 skipped\.\n$/);
});

test.each<readonly [string, (report: Record<string, unknown>) => void, RegExp]>([
  ["whose plan was edited", ({ plan }) => void Object.assign(plan as object, { target: "http://b" }), /seal/],
  ["without a summary", (report) => void delete report["summary"], /is not a valid plan or report/],
  [
    "with an outcome that its plan does not have",
    ({ outcomes }) => void Object.assign((outcomes as object[])[0] ?? {}, { urn: "urn:li:tag:other" }),
    /edited/,
  ],
  ["of another version", (report) => void (report["formatVersion"] = "2"), /version "2"/],
])("a report %s is refused, even if somebody seals it again", async (_, damage, message) => {
  const site = await siteWithReport();
  forge(join(site.root, "report.json"), damage);
  const { code, stdout, stderr } = await runCli(["show", "report.json"], { cwd: site.root });
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toMatch(message);
});

test("a report is refused if its exit code was edited", async () => {
  const site = await siteWithReport();
  const file = join(site.root, "report.json");
  writeFileSync(file, readFileSync(file, "utf8").replace('"exitCode": 7', '"exitCode": 0'));
  expect(await runCli(["show", "report.json"], { cwd: site.root })).toMatchObject({
    code: 3,
    stderr: "error: report.json was edited after it was saved: its seal does not match\n",
  });
});

test("no report holds the token", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  await runOf(site, ["--auto-approve"], { env: { ...github, DATAHUB_GMS_TOKEN: "s3cr3t-t0ken" } });
  expect(readFileSync(join(site.root, "report.json"), "utf8")).not.toContain("s3cr3t-t0ken");
});
