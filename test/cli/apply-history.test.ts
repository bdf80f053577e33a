import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Io } from "../../src/cli/io.ts";
import { approvalOf } from "../../src/cli/run/approval.ts";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { reportErrors } from "../support/published-schemas.ts";
import { appliedRef, type Site, siteWith } from "../support/site.ts";

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

/** A clock that goes on by a second each time somebody looks. */
function clock(): () => Date {
  let seconds = 0;
  return () => new Date(1000 * (seconds += 1));
}

const github = { GITHUB_ACTIONS: "true", GITHUB_ACTOR: "alice", GITHUB_TRIGGERING_ACTOR: "bob" };

test("a report tells when the apply began and ended, which commit it applied, who approved, and how it ended", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const env = { ...github, DATAHUB_GMS_TOKEN: "s3cr3t-t0ken" };
  const argv = ["apply", "--report", "report.json", "--auto-approve", "--approved-by", " carol "];

  await site.run(argv, { now: clock(), env });

  const { run, plan } = reportIn(site);
  expect(run).toEqual({
    startedAt: "1970-01-01T00:00:01.000Z",
    endedAt: "1970-01-01T00:00:02.000Z",
    exitCode: 0,
    approval: "auto-approve",
    approvedBy: { name: "carol", source: "--approved-by" },
  });
  expect(plan.git).toEqual({ commit: site.at("HEAD"), dirty: false, base: null });
  expect(readFileSync(join(site.root, "report.json"), "utf8")).not.toContain("s3cr3t-t0ken");
});

test.each<readonly [string, Io["env"], unknown]>([
  ["who started a run of GitHub again", github, { name: "bob", source: "GITHUB_TRIGGERING_ACTOR" }],
  [
    "who started a run of GitHub",
    { ...github, GITHUB_TRIGGERING_ACTOR: "" },
    { name: "alice", source: "GITHUB_ACTOR" },
  ],
  [
    "who started a run of GitLab",
    { GITLAB_CI: "true", GITLAB_USER_LOGIN: " dave " },
    { name: "dave", source: "GITLAB_USER_LOGIN" },
  ],
  ["nobody where no CI system runs", { GITHUB_ACTOR: "alice", GITLAB_USER_LOGIN: "dave" }, undefined],
])("the approver of a report is %s", (_, env, approvedBy) => {
  const io = { env } as Io;
  expect(approvalOf("answer", {}, io)).toEqual({ approval: "answer", ...(approvedBy ? { approvedBy } : {}) });
});

test("an answer on the terminal is an approval, and what needs none has none", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const argv = ["apply", "--report", "report.json"];
  await site.run(argv, { answers: ["yes"] });
  expect(reportIn(site).run).toMatchObject({ approval: "answer" });

  await site.run([...argv, "--auto-approve", "--approved-by", "carol"]);
  expect(reportIn(site).run).toEqual({
    startedAt: expect.any(String),
    endedAt: expect.any(String),
    exitCode: 0,
  });
});

test("an empty name is a wrong usage", async () => {
  const argv = ["apply", "--auto-approve", "--approved-by", " "];
  const { code, stderr } = await runCli(argv, { cwd: temporaryDirectory() });
  expect(code).toBe(64);
  expect(stderr).toContain("Use a name");
});

test("a report tells how an apply ended that the server stopped", async () => {
  const site = await siteWith({ "a.yaml": tag("a"), "b.yaml": tag("b") });
  const server = await inFrontOf(site.catalog.url, ({ text }, response) =>
    text.includes("proposal") ? response.writeHead(401).end() : undefined,
  );
  const argv = ["apply", "--auto-approve", "--report", "report.json", "--server", server];
  expect(await runCli(argv, { cwd: site.root })).toMatchObject({ code: 1 });
  expect(reportIn(site).run).toMatchObject({ exitCode: 1, stopped: expect.stringContaining("401") });
});

test("a plan says what mode merge would keep of removed values, and the report of what was applied does not", async () => {
  const site = await siteWith({ "t.yaml": "kind: Tag\nid: a\ndescription: none\n" });
  const live = { name: "a", description: "B" };
  await site.catalog.load(metadataFile(temporaryDirectory(), [["urn:li:tag:a", "tagProperties", live]]));
  site.git("update-ref", appliedRef, "HEAD");
  const hint = "1 value that was not declared before will be removed";

  const reports = ["--report", "r.json", "--report", "text=r.txt", "--report", "markdown=r.md"];
  expect((await site.apply(...reports)).stdout).toContain(hint);

  for (const file of ["r.txt", "r.md"])
    expect(readFileSync(join(site.root, file), "utf8")).not.toContain(hint);
  const { stdout } = await runCli(["show", "r.json"], { cwd: site.root });
  expect(stdout).not.toContain(hint);
});

test("show prints a report again, in every form, with the problems of its plan", async () => {
  const site = await siteWith({
    "c.yaml": "kind: Domain\nid: c\nname: See\ndescription: a\n",
    "d.yaml": "kind: Dataset\nplatform: snowflake\nname: d\ntags: []\n",
  });
  const server = await inFrontOf(site.catalog.url, ({ text }, response) =>
    text.includes("domainProperties") && text.includes("proposal")
      ? response.writeHead(500, { "content-type": "application/json" }).end('{"message":"disk full"}')
      : undefined,
  );
  const argv = ["apply", "--auto-approve", "--missing", "skip", "--server", server];
  const reports = ["report.json", "text=report.txt", "markdown=report.md"].flatMap((to) => ["--report", to]);
  const applied = await runCli([...argv, ...reports], { cwd: site.root, env: github });
  expect(applied, applied.stderr).toMatchObject({ code: 7 });

  for (const [format, file] of [
    ["text", "report.txt"],
    ["json", "report.json"],
    ["markdown", "report.md"],
  ] as const) {
    const { code, stdout, stderr } = await runCli(["show", "report.json", "--format", format], {
      cwd: site.root,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: readFileSync(join(site.root, file), "utf8") });
    expect(stderr.includes("warning asset-missing")).toBe(format !== "json");
  }
  const text = readFileSync(join(site.root, "report.txt"), "utf8");
  expect(text).toMatch(
    /\nEnded {5}[^\n]+, exit code 7\nApproved {2}by bob \(GITHUB_TRIGGERING_ACTOR\), --auto-approve\n/,
  );
  expect(text).toMatch(
    /\nfailed: set description, set name of See \(urn:li:domain:c\) {2}catalog\/c\.yaml:4:1\n/,
  );
  expect(text).toMatch(/\nApplied 0 operations, 1 failed, 0 skipped\.\n$/);
});
