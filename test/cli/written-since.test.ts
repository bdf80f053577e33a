import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { tag } from "../support/history.ts";
import { type Site, siteOnce, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

// Which class a value has that an apply wrote: test/plan/notes/drift.test.ts.

const orders = datasetNamed("orders");

const dataset = (...lines: readonly string[]): string =>
  ["kind: Dataset", "platform: snowflake", "name: orders", ...lines, ""].join("\n");

/** A site whose base is held by a definition that is no longer declared. Its last commit is applied. */
async function heldSite(): Promise<Site> {
  const site = await siteWith({ "temp.yaml": tag("temp"), "pii.yaml": tag("pii"), "gold.yaml": tag("gold") });
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      [orders, "datasetProperties", { name: "orders" }] satisfies MadeAspect,
    ]),
  );
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({
    "catalog/temp.yaml": undefined,
    "catalog/orders.yaml": dataset("tags: [pii]"),
    "catalog/tags/new.yaml": tag("new", "ours"),
  });
  const applied = await site.apply();
  expect(applied.code).toBe(0);
  expect(applied.stderr).toMatch(/^The base .* (?:stays at|is not set)/m);
  return site;
}

const takeTag = (site: Site, id: string): Promise<void> =>
  site.edit(`removeTag(input: { tagUrn: "urn:li:tag:${id}", resourceUrn: "${orders}" })`);

async function classesOf(site: Site): Promise<unknown> {
  const { code, stdout } = await site.run(["drift", "--format", "json"]);
  const { changes } = JSON.parse(stdout) as { changes: readonly { urn: string; class: string }[] };
  return { code, classes: changes.map((change) => change.class) };
}

test("a value that an apply wrote and somebody took away is missing, also where the base is held back", async () => {
  const site = await heldSite();
  expect(await classesOf(site)).toEqual({ code: 0, classes: [] });
  await takeTag(site, "pii");

  expect(await classesOf(site)).toEqual({ code: 2, classes: ["missing"] });
  const watched = await site.run(["watch", "--rounds", "1", "--no-listen", "--format", "json"]);
  expect(JSON.parse(watched.stdout)).toMatchObject({ exitCode: 2, differs: 1 });

  // What was applied is older than what the catalog has now, so an export takes that over.
  await site.edit('updateDescription(input: { resourceUrn: "urn:li:tag:new", description: "theirs" })');
  expect(await site.run(["export", "--kind", "Tag"])).toMatchObject({ code: 0 });
  expect(readFileSync(join(site.root, "catalog/tags/new.yaml"), "utf8")).toContain("description: theirs");
  site.git("checkout", "--quiet", "--", ".");

  await site.edit('deleteTag(urn: "urn:li:tag:new")');
  expect(await classesOf(site)).toEqual({ code: 2, classes: ["missing", "missing", "missing"] });

  // Of runs whose commit HEAD does not have nothing is known.
  site.git("commit", "--quiet", "--amend", "--message", "another commit with the same manifests");
  expect(await classesOf(site)).toEqual({ code: 0, classes: ["pending", "pending", "pending"] });
});

// The catalog of a copy has another address.
const copiedSite = siteOnce(heldSite);

test("runs of another server do not tell what was applied here", async () => {
  const site = await copiedSite();
  await takeTag(site, "pii");

  expect(await classesOf(site)).toEqual({ code: 0, classes: ["pending"] });
});
