import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
import { gitIn, testRepository } from "../support/git-repository.ts";
import { tag } from "../support/history.ts";
import { siteWith } from "../support/site.ts";

test("a catalog directory that looks like a repository of its own runs no program of whoever committed it", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const trace = join(temporaryDirectory(), "trace");
  site.commit({
    "catalog/HEAD": "ref: refs/heads/main\n",
    "catalog/objects/keep": "",
    "catalog/refs/keep": "",
    "catalog/config": `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ${trace}; false"\n`,
  });
  const { code } = await site.plan();
  expect(existsSync(trace)).toBe(false);
  expect(code).toBe(0);
  expect((await site.apply()).code).toBe(0);
  expect(existsSync(trace)).toBe(false);
  expect(site.at()).toBeUndefined();
});

test("what Git is told in a submodule runs no program", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const marks = temporaryDirectory();
  const folder = join(site.root, "catalog/sub");
  mkdirSync(folder);
  gitIn(folder, "init", "--quiet");
  const submodule = testRepository(folder);
  submodule.commit({ "b.yaml": tag("b"), ".gitattributes": "* filter=x\n" });
  site.git(
    "update-index",
    "--add",
    "--cacheinfo",
    `160000,${submodule.git("rev-parse", "HEAD")},catalog/sub`,
  );
  site.git("commit", "--quiet", "--message", "a submodule");
  submodule.git("config", "filter.x.clean", `touch ${join(marks, "clean")}; cat`);
  submodule.git("config", "core.fsmonitor", `touch ${join(marks, "fsmonitor")}; false`);
  submodule.write({ "b.yaml": tag("b", "other") });

  const ran = [await site.plan(), await site.plan("--changed-since", "HEAD"), await site.apply()];

  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(readdirSync(marks)).toEqual([]);
});
