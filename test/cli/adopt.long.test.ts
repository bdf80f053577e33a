import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampleFile } from "../../src/cli/demo/demo-catalog.ts";
import { startTestCatalog } from "../support/catalog.ts";
import { testRepository } from "../support/git-repository.ts";
import { shellOf } from "../support/guide.ts";
import { tag } from "../support/history.ts";

const root = join(import.meta.dirname, "../..");
const guide = readFileSync(join(root, "docs/adopt.md"), "utf8");
const blocks = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block);

test("the commands of the guide work in order on a catalog that others have filled", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(sampleFile);
  const filled = catalog.aspects();
  const site = testRepository();
  const remote = testRepository();
  site.git("remote", "add", "origin", remote.root);
  remote.git("symbolic-ref", "HEAD", "refs/heads/elsewhere");
  const env = { DATAHUB_GMS_URL: catalog.url, DATAHUB_GMS_TOKEN: "" };
  const run = await shellOf(site.root, env);
  expect(blocks).toHaveLength(9);
  const [setUp = "", check = "", commit = "", owners = "", ...more] = blocks;
  const [branch = "", change = "", merge = "", drift = "", again = ""] = more;

  await run(setUp);
  expect(await run(check)).toMatch(/^Valid: .*\nServer: .*\n\nNo changes\. /);
  await run(commit);
  expect(catalog.aspects()).toEqual(filled);
  await run(owners);
  await run(branch);
  site.write({ "catalog/tags/reviewed.yaml": tag("reviewed") });
  site.git("add", "catalog");
  expect(await run(change)).toContain("Plan: 1 to create, 0 to update, 0 to delete");
  await run(merge);
  expect(remote.git("rev-parse", "main", "refs/datahub-gitops/applied")).toBe(
    site.git("rev-parse", "HEAD", "HEAD"),
  );
  await run(drift);
  await run(again);
  expect(await run(check)).toMatch(/^Valid: .*\nServer: .*\n\nNo changes\. /);
});

test("the README's steps are commands of the guide, in its order", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const block = /## Adopt an existing catalog\n.*?```sh\n(.*?)```/s.exec(readme)?.[1] ?? "";
  const commandsIn = (text: string): readonly string[] =>
    text.split("\n").flatMap((line) => line.replace(/\s+#.*$/, "") || []);
  const steps = commandsIn(block);
  expect(steps).toHaveLength(6);
  expect(
    commandsIn(blocks.join(""))
      .filter((command) => steps.includes(command))
      .slice(0, 6),
  ).toEqual(steps);
});
