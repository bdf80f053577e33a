import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { siteWith } from "../support/site.ts";

// What is created again is in `test/sync/write/recreations.test.ts`.

test("where it cannot be asked whether references are still removed, nothing is created, and the rest is applied", async () => {
  const site = await siteWith({ "a.yaml": tag("a", "new"), "b.yaml": tag("b") });
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [["urn:li:tag:a", "tagProperties", { name: "a" }]]),
  );
  const url = await inFrontOf(site.catalog.url, ({ query }) =>
    query.includes("searchAcrossEntities")
      ? { data: null, errors: [{ message: "no index", extensions: { code: 500 } }] }
      : undefined,
  );

  const { code, stdout } = await runCli(["apply", "--auto-approve", "--server", url], { cwd: site.root });

  expect(code).toBe(7);
  expect(stdout).toContain("not sent: the references to it could not be read: a search failed: no index\n");
  expect(stdout).toMatch(/Applied 1 operation, 1 failed, 0 skipped\.\n$/);
});
