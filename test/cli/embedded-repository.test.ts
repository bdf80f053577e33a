import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
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
