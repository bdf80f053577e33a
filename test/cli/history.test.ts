import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { gitIn } from "../support/git-repository.ts";
import { tag } from "../support/history.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { appliedRef, type PlanJson, settingsWith, type Site, siteWith } from "../support/site.ts";

// When the ref moves is in `test/workflow/scope/record-applied.test.ts`, what a base declares in `test/workflow/scope/history.test.ts`.

const merging = settingsWith("manage: { description: merge }");
const was = (description: string) => ["urn:li:tag:a", "tagProperties", { name: "a", description }] as const;

/** A site whose first commit is said to be applied, and whose second one changes a description that is `live`. */
async function siteAhead(live = "one"): Promise<Site & { readonly first: string; readonly head: string }> {
  const site = await siteWith({ "a.yaml": tag("a", "one") }, merging);
  await site.catalog.load(metadataFile(temporaryDirectory(), [was(live)]));
  const first = site.at("HEAD") ?? "";
  site.git("update-ref", appliedRef, first);
  return { ...site, first, head: site.commit({ "catalog/a.yaml": tag("a", "two") }) };
}

test("a complete apply makes the ref and moves it, also when nothing was to be done, and says so", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const first = site.at("HEAD") ?? "";
  expect(await site.apply()).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`The base (${appliedRef}) is now ${first.slice(0, 12)}\n`),
  });
  expect(site.at()).toBe(first);

  const next = site.commit({ "README.md": "words" });
  expect(await site.apply()).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 1 entity in sync\.\n$/),
    stderr: `The base (${appliedRef}) is now ${next.slice(0, 12)}\n`,
  });
  expect(site.at()).toBe(next);
  expect((await site.apply()).stderr).toBe("");
});

test("the ref stays after a dry run and an apply of a part, and when the question is answered with no", async () => {
  const site = await siteAhead();
  await site.run(["apply", "--dry-run"]);
  expect(await site.run(["apply"], { answers: ["no"] })).toMatchObject({ code: 1 });
  expect(site.at()).toBe(site.first);

  const { stderr } = await site.apply("--target", "*");
  expect(stderr).toContain(`, because only part of the catalog was applied\n`);
  expect(site.at()).toBe(site.first);
  expect(await site.run(["apply"], { answers: ["yes"] })).toMatchObject({ code: 0 });
  expect(site.at()).toBe(site.head);
});

test("the ref stays as long as somebody else's value stands against a declared one", async () => {
  const site = await siteAhead("theirs");

  const { code, stderr } = await site.apply("--skip-conflicts");

  expect(code).toBe(0);
  expect(stderr).toContain(`, because 1 conflict is unresolved\n`);
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

test("a base in the settings that is not one of our refs is not made, and the apply says how to get it", async () => {
  const ref = "refs/heads/applied";
  const site = await siteWith({ "a.yaml": tag("a") }, settingsWith().replace(appliedRef, ref));

  const { stderr } = await site.apply();

  expect(stderr).toContain(
    "correct its name, or fetch it; `apply` does not create it, because it is not under `refs/datahub-gitops/`",
  );
  const refs = site.git("for-each-ref", "--format=%(refname)").split("\n");
  expect(refs).toEqual(["refs/datahub-gitops/runs", "refs/heads/main"]);
});

test.each([
  ["nope", "correct its name, or fetch it"],
  [
    "refs/datahub-gitops/other",
    "the first complete apply creates it; to fetch it into this clone, run `git fetch origin '+refs/datahub-gitops/*:refs/datahub-gitops/*'`",
  ],
])("--base %j, which names no commit, ends with 1 before anything is asked", async (ref, advice) => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const message = `the base \`${ref}\` is not a commit in this repository: ${advice}`;

  const { code, stdout, stderr } = await site.run(["plan", "--format", "json", `--base=${ref}`]);

  expect({ code, stderr }).toEqual({ code: 1, stderr: `error: ${message}\n` });
  expect(JSON.parse(stdout)).toEqual({ formatVersion: "1", error: { code: "unknown-base", message } });
  expect(site.catalog.requests).toEqual([]);
});

test("without a known base a value that is declared no longer stays, and a warning says why", async () => {
  const site = await siteWith({ "a.yaml": tag("a", "one") }, settingsWith("prune: { kinds: [Tag] }"));
  await site.catalog.load(metadataFile(temporaryDirectory(), [was("one")]));
  site.git("update-ref", appliedRef, "HEAD");
  site.commit({ "catalog/a.yaml": undefined, "catalog/b.yaml": tag("b") });
  const left = { urn: "urn:li:tag:a", reason: "no-longer-declared" };
  expect(await site.planned()).toMatchObject({ unmanaged: [expect.objectContaining(left)] });

  site.git("update-ref", "-d", appliedRef);
  const { problems, unmanaged }: PlanJson = await site.planned();
  expect(unmanaged).toEqual([]);
  expect(problems).toMatchObject([
    { code: "base-missing", severity: "warning", file: "catalog/datahub-gitops.yaml", line: 2 },
  ]);
});

test("without a repository --base is an error, and without a commit an apply tells that no ref moves", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const cwd = temporaryDirectory();
  cpSync(join(site.root, "catalog"), join(cwd, "catalog"), { recursive: true });
  expect(await site.run(["plan", "--base", "HEAD"], { cwd })).toEqual({
    code: 1,
    stdout: "",
    stderr: "error: cannot read the base `HEAD`: the catalog directory is not in a Git repository\n",
  });

  gitIn(cwd, "init", "--quiet");
  const { code, stderr } = await site.run(["apply", "--auto-approve"], { cwd });
  expect(code).toBe(0);
  expect(stderr).toContain(`, because the repository has no commit\n`);
});
