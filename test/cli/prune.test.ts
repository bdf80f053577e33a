import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { appliedRef, type Site, siteOnce, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

// What is deleted, and what keeps it: test/plan/align/prune.test.ts, test/plan/compare.test.ts and test/plan/checks.

async function makePrunedSite(): Promise<Site> {
  const site = await siteWith({ "keep.yaml": tag("keep"), "a.yaml": tag("a"), "b.yaml": tag("b") });
  const live: readonly MadeAspect[] = [
    ...["keep", "a", "b"].map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]),
    ...["one", "two", "three"].map((name): MadeAspect => [
      datasetNamed(name),
      "globalTags",
      { tags: [{ tag: "urn:li:tag:a" }] },
    ]),
  ];
  await site.catalog.load(metadataFile(temporaryDirectory(), live));
  site.git("update-ref", appliedRef, "HEAD");
  site.commit({ "catalog/a.yaml": undefined, "catalog/b.yaml": undefined });
  return site;
}

/** A site that has applied three tags, of which three datasets have one, and then dropped two of them, committed. */
const prunedSite = siteOnce(makePrunedSite);

test("without a base that is named, --prune is a wrong usage, and nothing is asked", async () => {
  const site = await siteWith({ "a.yaml": tag("a") }, "version: 1\n");

  for (const command of [["plan"], ["apply", "--dry-run"]]) {
    const { code, stdout, stderr } = await site.run([...command, "--prune"]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toBe(
      "error: --prune needs a base to determine what was declared before; use --base <ref> or set `base` in the settings\n",
    );
  }
  expect(site.catalog.requests).toEqual([]);
});

test("--prune deletes what is no longer declared of what is looked at, and says how many assets carry it", async () => {
  const site = await prunedSite();
  const target = ["--prune", "--target", "urn:li:tag:a"];

  const blocked = await site.plan(...target);
  const applied = await site.apply(...target, "--max-deletes", "1");

  expect(blocked.code).toBe(5);
  expect(blocked.stdout).toContain("    also removes its assignments on 3 entities\n      one, three, two\n");
  expect(applied).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("- Tag urn:li:tag:a  catalog/a.yaml:1:1 in the base\n"),
  });
  expect(site.aspect("urn:li:tag:a", "tagProperties")).toBeUndefined();
  expect(site.aspect("urn:li:tag:b", "tagProperties")).toBeDefined();
  expect(site.at()).toBe(site.git("rev-parse", "HEAD~1"));
});

test("nothing is deleted of which it could not be read what refers to it", async () => {
  const site = await prunedSite();
  const url = await inFrontOf(site.catalog.url, ({ query, variables }) =>
    query.includes("ReadReferring") && JSON.stringify(variables).includes("urn:li:tag:a")
      ? { data: null, errors: [{ message: "no luck" }] }
      : undefined,
  );

  const { code, stdout, stderr } = await runCli(["plan", "--prune", "--max-deletes", "2", "--server", url], {
    cwd: site.root,
  });

  expect(code).toBe(1);
  expect(stdout).not.toContain("- Tag");
  expect(stderr).toContain("error read-failed: could not read `urn:li:tag:a`: no luck\n");
  expect(stderr).toContain("warning deletion-held: `urn:li:tag:b` will not be deleted yet");
});
