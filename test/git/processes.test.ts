import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { commitOf } from "../../src/git/commit.ts";
import { git } from "../../src/git/git.ts";
import { temporaryDirectory } from "../support/catalog.ts";
import { testRepository } from "../support/git-repository.ts";
import { type Site, siteWith } from "../support/site.ts";
import { runSync } from "../support/spawner.ts";

/** Has all that follows run git through a script that notes each start. Answers with what is noted. */
function countedGit(): () => readonly string[] {
  const dir = temporaryDirectory();
  const noted = join(dir, "noted");
  const real = runSync("sh", dir, "-c", "command -v git").trim();
  writeFileSync(join(dir, "git"), `#!/bin/sh\necho "$*" >>'${noted}'\nexec '${real}' "$@"\n`);
  chmodSync(join(dir, "git"), 0o755);
  vi.stubEnv("PATH", `${dir}:${process.env["PATH"]}`);
  return () => {
    const lines = readFileSync(noted, "utf8").trimEnd().split("\n");
    rmSync(noted);
    const options = /-C \S+|-c \S+|--no-replace-objects/g;
    return lines.map((line) => line.replaceAll(options, "").trim().split(" ")[0] ?? "");
  };
}

const tag = (name: string): Record<string, string> => ({
  "tags.yaml": `kind: Tag\nid: pii\nname: ${name}\n`,
});

/** A site that is applied, and has one more commit, which changes a name. */
async function siteToApply(): Promise<Site> {
  const site = await siteWith(tag("PII"));
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/tags.yaml": tag("Personal")["tags.yaml"] });
  return site;
}

/** Without the process that answers questions about objects: a machine that is busy for seconds may start it twice. */
const besideObjects = (started: readonly string[]): readonly string[] =>
  started.filter((name) => name !== "cat-file");

test("a plan starts git three times, and an apply eight times", async () => {
  const site = await siteToApply();
  const started = countedGit();

  await site.plan();
  const plan = started();
  expect(plan).toContain("cat-file");
  expect(besideObjects(plan)).toEqual(["status", "log"]);

  expect(await site.apply()).toMatchObject({ code: 0 });
  const [reading, keeping] = [
    ["status", "log"],
    ["log", "fast-import", "update-ref"],
  ];
  expect(besideObjects(started())).toEqual([...reading, ...keeping, "ls-files", "update-ref"]);
});

test("where nothing differs a plan, drift and a round of watch ask for the state and for objects alone", async () => {
  const site = await siteToApply();
  await site.apply();
  const started = countedGit();

  for (const argv of [["plan"], ["drift"], ["watch", "--rounds", "1", "--no-listen"]]) {
    expect(await site.run(argv)).toMatchObject({ code: 0 });
    expect(besideObjects(started())).toEqual(["status"]);
  }
});

test("without git nothing is left that keeps the process alive", async () => {
  const { root } = testRepository();
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  vi.stubEnv("PATH", "/nonexistent");

  expect(await git(root, ["status"])).toMatchObject({ failure: { status: "ENOENT" } });
  await expect(commitOf(root, "main")).rejects.toMatchObject({ fault: { fault: "no-git" } });

  expect(timers()).toBe(before);
});

test("a hook of the repository is not run", async () => {
  const { root, commit } = testRepository();
  const head = commit({ "a.yaml": "a" });
  const [hook, ran] = [join(root, ".git/hooks/reference-transaction"), join(root, "ran")];
  runSync("mkdir", root, "-p", ".git/hooks");
  writeFileSync(hook, `#!/bin/sh\ntouch '${ran}'\n`);
  chmodSync(hook, 0o755);

  expect(await git(root, ["update-ref", "refs/ours/applied", head])).toHaveProperty("output");

  expect(() => readFileSync(ran)).toThrow("ENOENT");
});
