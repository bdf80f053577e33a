import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../../support/catalog.ts";
import { runCli } from "../../support/command-line.ts";
import { gitIn, testRepository, type TestRepository } from "../../support/git-repository.ts";
import { tag } from "../../support/history.ts";
import { appliedRef, type Site, siteOnce, siteWith } from "../../support/site.ts";
import { startWatch } from "../../support/watching.ts";

const runsRef = "refs/datahub-gitops/runs";

const siteInSync = siteOnce(async () => {
  const site = await siteWith({ "a.yaml": tag("a", "one") });
  const live = [["urn:li:tag:a", "tagProperties", { name: "a", description: "one" }]] as const;
  await site.catalog.load(metadataFile(temporaryDirectory(), live));
  site.git("update-ref", appliedRef, "HEAD");
  return site;
});

/** A site, and a clone of it that fetches the refs of applies, too. */
async function siteAndClone(): Promise<{
  readonly site: Site;
  readonly clone: TestRepository & Pick<Site, "catalog">;
}> {
  const site = await siteInSync();
  const root = join(temporaryDirectory(), "clone");
  const others = "remote.origin.fetch=+refs/datahub-gitops/*:refs/datahub-gitops/*";
  gitIn(site.root, "clone", "--quiet", "--config", others, ".", root);
  return { site, clone: { ...testRepository(root), catalog: site.catalog } };
}

test("each round follows the upstream without its hooks, and a round that only looks has the base of the remote", async () => {
  const { site, clone } = await siteAndClone();
  clone.write({ ".git/hooks/post-merge": "#!/bin/sh\ntouch ran\n" });
  chmodSync(join(clone.root, ".git/hooks/post-merge"), 0o755);
  const { round } = await startWatch(clone, ["--pull"]);

  const commit = site.commit({ "catalog/a.yaml": tag("a", "two") });
  expect(await round()).toMatchObject({ exitCode: 0, differs: 0 });
  expect(clone.git("rev-parse", "HEAD")).toBe(commit);
  expect(existsSync(join(clone.root, "ran"))).toBe(false);
  // Somebody has applied it, and the catalog has "one" nevertheless.
  site.git("update-ref", appliedRef, commit);

  expect(await round()).toMatchObject({ exitCode: 2, differs: 1 });
  expect(clone.git("rev-parse", appliedRef)).toBe(commit);
});

test("a round that corrects applies what it follows, and keeps its own refs", async () => {
  const { site, clone } = await siteAndClone();
  const commit = site.commit({ "catalog/a.yaml": tag("a", "two") });
  const { round } = await startWatch(clone, ["--pull", "--mode", "correct"]);
  const first = await round();
  expect(first).toMatchObject({ exitCode: 0, applied: 1 });

  expect(await round()).toMatchObject({ exitCode: 0, applied: 0 });
  expect(clone.git("rev-parse", appliedRef)).toBe(commit);
  expect(clone.git("rev-parse", "--short", runsRef)).toBe(first.run);
  expect(site.at()).not.toBe(commit);
});

test("an upstream that has diverged is an error of each round, which goes on with the last state", async () => {
  const { site, clone } = await siteAndClone();
  const { round, stop } = await startWatch(clone, ["--pull", "--mode", "correct"]);
  const before = clone.git("rev-parse", "HEAD");

  // Somebody rewrites the branch.
  site.write({ "catalog/a.yaml": tag("a", "rewritten") });
  site.git("commit", "--quiet", "--all", "--amend", "--message", "rewritten");
  await site.edit('updateDescription(input: { resourceUrn: "urn:li:tag:a", description: "theirs" })');

  const message = "cannot pull: origin/main and the current branch have diverged; the work tree is unchanged";
  expect(await round()).toMatchObject({ exitCode: 1, applied: 1, error: { code: "pull", message } });
  expect(site.aspect("urn:li:tag:a", "tagProperties")).toMatchObject({ description: "one" });
  expect(clone.git("rev-parse", "HEAD")).toBe(before);
  clone.git("reset", "--quiet", "--hard", "origin/main");
  const healed = await round();
  expect(healed).toMatchObject({ exitCode: 0, applied: 1 });
  expect(healed).not.toHaveProperty("error");
  expect((await stop()).stderr).toContain(`error: ${message}\n`);
});

test("an upstream that cannot be fetched, and edits in its way, are errors that leave the work tree alone", async () => {
  const { site, clone } = await siteAndClone();
  const { round } = await startWatch(clone, ["--pull"]);
  site.move(".git", "gone");
  expect(await round()).toMatchObject({ exitCode: 1, differs: 0, error: { code: "pull" } });
  site.move("gone", ".git");
  clone.write({ "catalog/a.yaml": tag("a", "edited") });
  site.commit({ "catalog/a.yaml": tag("a", "two") });

  expect(await round()).toMatchObject({ exitCode: 1, error: { code: "pull" } });
  expect(clone.git("status", "--short")).toBe("M catalog/a.yaml");
});

test.each([
  ["a branch without an upstream", (_: TestRepository): unknown => undefined, /has no upstream/],
  [
    "no branch",
    ({ git }: TestRepository): unknown => git("checkout", "--quiet", "--detach"),
    /has no upstream/,
  ],
])("with %s --pull is refused at the start", async (_, change, message) => {
  const site = await siteInSync();
  change(site);

  const { code, stdout, stderr } = await site.run(["watch", "--pull"]);

  expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  expect(stderr).toMatch(message);
});

test("outside of a repository --pull is refused at the start", async () => {
  const cwd = temporaryDirectory();
  const { code, stderr } = await runCli(["watch", ".", "--pull", "--server", "http://127.0.0.1:1"], { cwd });

  expect({ code, stderr }).toEqual({
    code: 64,
    stderr: "error: --pull: the catalog directory is not in a Git repository\n",
  });
});
