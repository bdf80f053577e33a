import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const orders = datasetNamed("orders");

const manifest = "kind: Dataset\nplatform: snowflake\nname: orders\ntags: [pii]\ndescription: Orders.\n";

const world = (tag: string): readonly MadeAspect[] => [
  ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
  [`urn:li:tag:${tag}`, "tagProperties", { name: tag }],
  [orders, "globalTags", { tags: [{ tag: `urn:li:tag:${tag}` }] }],
];

/** A repository, and a catalog whose reads are as many requests late, each of which takes a second. */
async function laggingSite(seconds: number, ...settings: readonly string[]): Promise<Site> {
  let requests = 0;
  const now = (): number => 1_700_000_000_000 + 1_000 * requests;
  const site: Site = await siteWith({ "orders.yaml": manifest }, settingsWith(...settings), {
    readLag: seconds,
    now,
  });
  await site.catalog.load(metadataFile(temporaryDirectory(), world("old")));
  const server = await inFrontOf(site.catalog.url, () => {
    requests += 1;
    return undefined;
  });
  return {
    ...site,
    apply: () => runCli(["apply", "--auto-approve", "--server", server], { cwd: site.root }),
  };
}

test.each([
  ["mutations"],
  ["proposals", "writes: conditional"],
  ["proposals, and reads by OpenAPI", "writes: conditional", "reads: openapi"],
])("an apply whose reads lag sees what it has written in the end, with %s", async (_, ...settings) => {
  const site = await laggingSite(4, ...settings);
  const { code, stdout, stderr } = await site.apply();
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/\nApplied \d operations, 0 failed, 0 skipped\.\n$/),
  ]);
  expect(stderr).toContain(`Written, but not visible yet: ${orders}; rechecking (5 s at most)\n`);
});

test("what is not seen in the end has failed, and may be late", async () => {
  const site = await laggingSite(3_000);
  const { code, stdout } = await site.apply();
  expect([code, stdout]).toEqual([7, expect.stringContaining("not confirmed: the catalog does not show")]);
  expect(stdout).toContain("or reads lag");
});

/** A plan, and a server in front whose first readings of assets after that are those of an older replica. */
async function behindReplica(readings: number): Promise<{ readonly site: Site; readonly server: string }> {
  const site = await siteWith({ "orders.yaml": manifest });
  await site.catalog.load(metadataFile(temporaryDirectory(), world("old")));
  const older = await startTestCatalog();
  await older.load(metadataFile(temporaryDirectory(), world("older")));
  let left = 0;
  const server = await inFrontOf(site.catalog.url, async ({ query }, response, incoming) => {
    if (!query.startsWith("query ReadAssets") || left === 0) return;
    left -= 1;
    await incoming.passTo(older.url, response);
  });
  await runCli(["plan", "--out", "plan.json", "--server", server], { cwd: site.root });
  left = readings;
  return { site, server };
}

test("a saved plan is not stale where only an older replica differs from it", async () => {
  const { site, server } = await behindReplica(2);
  const { code, stdout, stderr } = await runCli(["apply", "plan.json", "--server", server], {
    cwd: site.root,
  });
  expect([code, stdout]).toEqual([0, expect.stringContaining("Applied 3 operations, 0 failed")]);
  expect(stderr).toContain(`Differs from the plan: ${orders}; rechecking (5 s at most)\n`);
});

test("with --allow-partial, too, what is written is read again before it is stale", async () => {
  const { site, server } = await behindReplica(2);
  const { code, stdout } = await runCli(["apply", "plan.json", "--allow-partial", "--server", server], {
    cwd: site.root,
  });
  expect([code, stdout]).toEqual([0, expect.stringContaining("Applied 3 operations, 0 failed")]);
});

test("a saved plan is stale where what differs stays so", async () => {
  const { site, server } = await behindReplica(100);
  const { code, stdout } = await runCli(["apply", "plan.json", "--server", server], { cwd: site.root });
  expect([code, stdout]).toEqual([6, expect.stringContaining("stale")]);
});
