import { expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import type { Urn } from "../../src/model/urn.ts";
import { planOf, usualChanges } from "../report/plans.ts";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { type FakeGithub, startGithub } from "../support/github.ts";
import { planFile } from "../support/plan-file.ts";
import { settingsWith, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const reviewers = [
  "reviewers:",
  "  groups: { finance-data: finance, urn:li:corpGroup:privacy: privacy }",
  "  users: { alice: alice-gh, bob: Bob-gh, urn:li:corpuser:carol: carol-gh }",
];

/** A plan that changes what these own. */
function ownedBy(...owners: readonly string[]): Plan {
  const urns = owners.map((id) => `urn:li:corp${/^[a-c]/.test(id) ? "user" : "Group"}:${id}` as Urn);
  const scope = { directory: "catalog" };
  return {
    ...planOf({ changes: usualChanges, summary: { create: 1, update: 2, additions: 4 } }),
    scope,
    owners: urns,
  };
}

async function comment(
  github: FakeGithub,
  plan: Plan,
  settings: readonly string[],
  ...flags: readonly string[]
): Promise<Ran> {
  const cwd = planFile(plan);
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, "catalog/datahub-gitops.yaml"), settingsWith(...settings));
  const argv = ["github", "comment", "plan.json", "--pull-request", "12", ...flags];
  return await runCli(argv, { cwd, env: github.env });
}

test("owners are asked for a review as users and teams of GitHub, each once, and never the author", async () => {
  const github = await startGithub();
  github.reviews.author = "bob-GH";
  github.reviews.reviews.push({ author: "Carol-gh", state: "CHANGES_REQUESTED" });
  const plan = ownedBy("alice", "bob", "carol", "finance-data", "privacy", "unknown");

  const { code, stderr } = await comment(github, plan, reviewers, "--request-reviews");

  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: "Comment created\nRequested reviews from alice-gh, team finance, team privacy\n",
  });
  expect(github.reviews.asked).toEqual(["alice-gh", "team finance", "team privacy"]);
  await comment(github, plan, reviewers, "--request-reviews");
  expect(github.writes().filter((write) => write.includes("requested_reviewers"))).toHaveLength(1);
  expect(github.statuses).toEqual([]);
});

test("without the flag, without owners and without names nobody is asked", async () => {
  const github = await startGithub();

  await comment(github, ownedBy("alice"), reviewers);
  await comment(github, ownedBy(), reviewers, "--request-reviews");
  await comment(github, ownedBy("alice"), [], "--request-reviews");

  expect(github.reviews.asked).toEqual([]);
});

test("more than 15 are asked in several requests, and who cannot be asked does not keep others from it", async () => {
  const github = await startGithub();
  const ids = Array.from({ length: 20 }, (_, index) => `a${String(index).padStart(2, "0")}`);
  github.reviews.refused.push("a03", "team finance");
  const names = ids.map((id) => `${id}: ${id}`).join(", ");
  const settings = [`reviewers: { groups: { finance-data: finance }, users: { ${names} } }`];

  const { code, stderr } = await comment(
    github,
    ownedBy(...ids, "finance-data"),
    settings,
    "--request-reviews",
  );

  expect(code).toBe(0);
  expect(github.reviews.asked.toSorted()).toEqual(ids.filter((id) => id !== "a03"));
  expect(stderr).toMatch(
    /^warning: cannot request a review from a03: .*collaborators.*; the reviewer must be a collaborator/m,
  );
  expect(stderr).toMatch(/^warning: cannot request a review from team finance: .*; a workflow token cannot/m);
});

test("where the settings require reviews of owners a status fails until all have approved", async () => {
  const github = await startGithub();
  const settings = [...reviewers, "require: { review: owners }"];
  const run = (): Promise<Ran> =>
    comment(github, ownedBy("alice", "finance-data"), settings, "--request-reviews");

  await run();
  github.reviews.reviews.push({ author: "Alice-GH", state: "APPROVED" });
  await run();
  github.reviews.reviews.push({ author: "dora", state: "APPROVED", teams: ["finance"] });
  await run();

  const about = { sha: "abc123", context: "datahub-gitops/plan-owners" };
  expect(github.statuses).toMatchObject([
    { ...about, state: "failure", description: "Missing: alice-gh, team finance" },
    { ...about, state: "failure", description: "Missing: team finance" },
    { ...about, state: "success", description: "All owners approved" },
  ]);
  await comment(github, ownedBy(), settings);
  expect(github.statuses.at(-1)).toMatchObject({
    state: "success",
    description: "No owner needs to approve",
  });
});

test("a token that may not write is an error that names the permission", async () => {
  const github = await startGithub();
  github.failures.push({ method: "POST", path: /requested_reviewers/, status: 403, message: "denied" });

  const { code, stderr } = await comment(github, ownedBy("alice"), reviewers, "--request-reviews");

  expect(code).toBe(1);
  expect(stderr).toContain("the token needs the permission `pull-requests: write`");
});

test("a plan names the owners by document and in the catalog for reviewers, too", async () => {
  const files = {
    "a.yaml": "kind: Domain\nid: d\nowners: [{ group: finance-data, type: DATA_STEWARD }]\n",
    "g.yaml": "kind: Group\nid: finance-data\n",
  };
  const site = await siteWith(files, settingsWith(...reviewers));

  const { stdout } = await site.plan("--format", "json");

  expect(JSON.parse(stdout)).toMatchObject({ owners: ["urn:li:corpGroup:finance-data"] });
});

test("an owner that could not be read is a warning of the plan, and fails the status", async () => {
  const dataset = datasetNamed("a");
  const files = {
    "a.yaml": `- { kind: Tag, id: pii }\n- { kind: Dataset, urn: "${dataset}", tags: [pii] }\n`,
  };
  const site = await siteWith(files, settingsWith(...reviewers, "require: { review: owners }"));
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      [dataset, "datasetProperties", { name: "a" }],
      [dataset, "ownership", { owners: [{ owner: dataset, type: "NONE" }] }],
    ]),
  );
  const github = await startGithub();

  expect(await site.plan("--report", "plan.json")).toMatchObject({ code: 0 });
  const argv = ["github", "comment", "plan.json", "--pull-request", "12"];
  const { code, stderr } = await runCli(argv, { cwd: site.root, env: github.env });

  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: "Comment created\nCannot check owner reviews: Owners could not be read\n",
  });
  expect(github.comments[0]?.body).toContain("`ownership-unread`: could not read the owners of a (");
  expect(github.statuses).toMatchObject([{ state: "failure", description: "Owners could not be read" }]);
});

test("no status of reviews succeeds where a result has no plan, errors or unknown settings", async () => {
  const require = [...reviewers, "require: { review: owners }"];
  const { scope: _, ...unscoped } = ownedBy();
  const problem = { code: "read-failed", args: {}, message: "could not read it", source: "" };
  const error = { error: { code: "unreachable", message: "no answer" } };
  const cases: readonly (readonly [object, string])[] = [
    [error, "A saved result contains no plan"],
    [{ problems: [{ ...problem, severity: "error" }] }, "A saved result contains no plan"],
    [{ ...ownedBy(), problems: [{ ...problem, severity: "error" }] }, "A plan has errors"],
    [unscoped, "The settings of a plan could not be read"],
    [{ ...ownedBy(), scope: { directory: "elsewhere" } }, "The settings of a plan could not be read"],
  ];
  for (const [bad, description] of cases) {
    const github = await startGithub();
    const cwd = planFile(ownedBy(), "none.json");
    planFile(bad, "bad.json", cwd);
    for (const [directory, settings] of [
      ["catalog", settingsWith(...require)],
      ["elsewhere", "version: 2\n"],
    ] as const) {
      mkdirSync(join(cwd, directory));
      writeFileSync(join(cwd, directory, "datahub-gitops.yaml"), settings);
    }
    const argv = ["github", "comment", "none.json", "bad.json", "--pull-request", "12"];

    const { code, stderr } = await runCli(argv, { cwd, env: github.env });

    expect({ code, statuses: github.statuses }).toMatchObject({
      code: 0,
      statuses: [{ state: "failure", description }],
    });
    expect(stderr).toContain(`Cannot check owner reviews: ${description}\n`);
  }
});

test("the status is of the commit of the event, though others were pushed since, and a dismissed approval does not count", async () => {
  const github = await startGithub();
  github.reviews.reviews.push({ author: "alice-gh", state: "APPROVED" });
  const cwd = planFile(ownedBy("alice"));
  mkdirSync(join(cwd, "catalog"));
  const settings = settingsWith(...reviewers, "require: { review: owners }");
  writeFileSync(join(cwd, "catalog/datahub-gitops.yaml"), settings);
  const event = { pull_request: { number: 12, head: { sha: "0ddba11" } } };
  writeFileSync(join(cwd, "event.json"), JSON.stringify(event));
  const env = { ...github.env, GITHUB_EVENT_PATH: "event.json", GITHUB_SHA: "c0ffee" };
  const run = (...flags: readonly string[]): Promise<Ran> =>
    runCli(["github", "comment", "plan.json", ...flags], { cwd, env });

  await run();
  github.reviews.reviews.splice(0, 1, { author: "alice-gh", state: "DISMISSED" });
  await run("--pull-request", "12");
  writeFileSync(
    join(cwd, "event.json"),
    JSON.stringify({ pull_request: { ...event.pull_request, number: 7 } }),
  );
  await run("--pull-request", "12");

  expect(github.statuses).toMatchObject([
    { sha: "0ddba11", state: "success" },
    { sha: "0ddba11", state: "failure" },
    { sha: "abc123", state: "failure" },
  ]);
});

test("a plan against a redacted snapshot names the owners whom the settings name", async () => {
  const dataset = datasetNamed("a");
  const files = {
    "a.yaml": `- { kind: Tag, id: pii }\n- { kind: Dataset, urn: "${dataset}", tags: [pii] }\n`,
  };
  const settings = settingsWith('reviewers: { users: { "alice@acme.com": alice-gh } }');
  const site = await siteWith(files, settings);
  const alice = "urn:li:corpuser:alice@acme.com";
  const aspects = [
    [dataset, "datasetProperties", { name: "a" }],
    [dataset, "ownership", { owners: [{ owner: alice, type: "NONE" }] }],
  ] as const;
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  await site.run(["export", "--snapshot", "live.json", "--redact"]);

  const argv = ["plan", "--snapshot", "live.json", "--format", "json"];
  const { stdout } = await runCli(argv, { cwd: site.root });

  expect(JSON.parse(stdout)).toMatchObject({ owners: [alice] });
});

test("who has to review by the settings of the merge base has to, whatever a pull request makes of them", async () => {
  const github = await startGithub();
  github.reviews.author = "mallory";
  const plan = {
    ...ownedBy("alice", "finance-data"),
    settingsChanges: [
      { key: "require.review", before: "owners", after: null },
      { key: "reviewers.groups finance-data", before: "finance", after: null },
      { key: "reviewers.users alice", before: "alice-gh", after: "mallory" },
    ],
  };
  const settings = ["reviewers: { users: { alice: mallory } }"];

  await comment(github, plan, settings, "--request-reviews");

  expect(github.reviews.asked).toEqual(["alice-gh", "team finance"]);
  expect(github.statuses).toMatchObject([
    { state: "failure", description: "Missing: alice-gh, team finance" },
  ]);
});
