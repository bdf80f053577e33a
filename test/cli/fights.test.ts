import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { appliedRef, settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

// Which values are held back, and until when: test/plan/held-values.test.ts and test/plan/notes/fights.test.ts.

const orders = datasetNamed("orders");
const hour = 3600;
const manifest = "kind: Dataset\nplatform: snowflake\nname: orders\ntags: [pii, gold]\n";
const fights = "fights: { times: 1, within: 3h }";

async function applyAt(site: Site, hours: number, ...argv: readonly string[]): Promise<Ran> {
  return await site.run(["apply", ...argv], { env: { SOURCE_DATE_EPOCH: `${hours * hour}` } });
}

/** The pipeline takes the tag away. */
async function ingest({ catalog }: Site): Promise<void> {
  const proposal = {
    entityUrn: orders,
    entityType: "dataset",
    aspectName: "globalTags",
    changeType: "UPSERT",
    aspect: {
      value: JSON.stringify({ tags: [{ tag: "urn:li:tag:gold" }] }),
      contentType: "application/json",
    },
    systemMetadata: { runId: "dbt-2026_11_27", pipelineName: "nightly-dbt" },
  };
  const response = await fetch(`${catalog.url}/aspects?action=ingestProposal`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ proposal }),
  });
  expect(response.status).toBe(200);
}

/** A site whose pipeline takes a tag away after each apply. Applies at these hours. */
async function foughtSite(...hours: readonly number[]): Promise<Site> {
  const site = await siteWith({ "orders.yaml": manifest }, settingsWith(fights));
  const live: readonly MadeAspect[] = [
    [orders, "datasetProperties", { name: "orders" }],
    ...["pii", "gold"].map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]),
  ];
  await site.catalog.load(metadataFile(temporaryDirectory(), live));
  for (const at of hours) await applyAndIngest(site, at);
  return site;
}

async function applyAndIngest(site: Site, hours: number): Promise<void> {
  expect(await applyAt(site, hours, "--auto-approve")).toMatchObject({ code: 0 });
  await ingest(site);
}

function tagsIn(site: Site): readonly string[] {
  const { tags } = site.aspect(orders, "globalTags") as { tags: readonly { tag: string }[] };
  return tags.map(({ tag }) => tag.replace("urn:li:tag:", ""));
}

test("what an opponent sets back within the time of the settings is held back, and the opponent is named", async () => {
  // The last run was earlier than the one before it, as when another clone pushes its run late: times decide.
  const site = await foughtSite(0, 2, 1);
  const head = site.commit({ "catalog/more.yaml": "kind: Tag\nid: more\n" });
  const env = { SOURCE_DATE_EPOCH: `${4.5 * hour}` };

  const planned = await site.run(["plan", "--format", "json"], { env });
  const drift = await site.run(["drift"], { env });
  const explained = await site.run(["explain", orders], { env });
  const { code, stdout } = await applyAt(site, 4.5, "--auto-approve");

  expect([planned.code, code]).toEqual([6, 6]);
  expect(explained.stdout).toContain("held back, so apply does not write it: someone keeps reverting it");
  expect(explained.stdout).not.toContain("apply will add it");
  expect(JSON.parse(planned.stdout)).toMatchObject({
    findings: [
      { guard: "fight", numbers: { values: 1, times: 2 }, changes: [{ urn: orders, facet: "tags" }] },
    ],
    summary: { create: 1, update: 0, heldBack: 1 },
    changes: expect.arrayContaining([
      expect.objectContaining({ fights: [expect.objectContaining({ until: "1970-01-01T05:00:00.000Z" })] }),
    ]),
  });
  const held =
    "Held back for now: 1 value (tags of orders), written 2 times and reverted each time by urn:li:corpuser:datahub (pipeline nightly-dbt, ingestion run dbt-2026_11_27).";
  expect(drift.stdout).toContain(held);
  expect(stdout).toContain(held);
  expect(stdout).toContain("skipped: add urn:li:tag:pii to tags");
  expect(stdout).toContain("Applied 1 operation, 0 failed, 1 skipped.");
  expect(tagsIn(site)).toEqual(["gold"]);
  expect(site.at()).toBe(head);
});

test("neither a plan that was saved before nor --force-conflicts writes what is held back, but `runs: false` does", async () => {
  const site = await foughtSite(0);
  await site.plan("--out", "plan.json");
  await applyAndIngest(site, 1);

  expect(await applyAt(site, 2, "plan.json")).toMatchObject({ code: 6 });
  expect(await applyAt(site, 2, "--auto-approve", "--force-conflicts")).toMatchObject({ code: 6 });
  expect(tagsIn(site)).toEqual(["gold"]);
  site.commit({ "catalog/datahub-gitops.yaml": settingsWith(fights, "runs: false") });
  expect(await applyAt(site, 2, "--auto-approve")).toMatchObject({ code: 0 });
  expect(tagsIn(site)).toEqual(["gold", "pii"]);
});

test("runs of another server, or of a commit that HEAD does not have in its history, do not count", async () => {
  const site = await foughtSite(0);
  site.git("checkout", "--quiet", "-b", "side");
  site.commit();
  // An apply of a part leaves the base where it is.
  expect(await applyAt(site, 1, "--auto-approve", "--target", orders)).toMatchObject({ code: 0 });
  await ingest(site);
  expect(await applyAt(site, 2, "--auto-approve")).toMatchObject({ code: 6 });

  const other = await startTestCatalog();
  await other.load(
    metadataFile(temporaryDirectory(), [
      [orders, "datasetProperties", { name: "orders" }],
      [orders, "globalTags", { tags: [{ tag: "urn:li:tag:gold" }] }],
      ...["pii", "gold"].map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]),
    ]),
  );
  const env = { SOURCE_DATE_EPOCH: `${2 * hour}` };
  const there = await runCli(["plan", "--server", other.url], { cwd: site.root, env });
  expect(there).toMatchObject({ code: 0 });

  site.git("checkout", "--quiet", "main");
  site.git("update-ref", appliedRef, "main");
  expect(await applyAt(site, 2, "--auto-approve")).toMatchObject({ code: 0 });
  expect(tagsIn(site)).toEqual(["gold", "pii"]);
});

test("a rollback of the last write does not have it written again", async () => {
  const site = await foughtSite(0);
  expect(await applyAt(site, 1, "--auto-approve")).toMatchObject({ code: 0 });
  const run = site.git("rev-parse", "--short", "refs/datahub-gitops/runs");
  const env = { SOURCE_DATE_EPOCH: `${2 * hour}` };
  expect(await site.run(["rollback", run, "--auto-approve"], { env })).toMatchObject({ code: 0 });
  expect(tagsIn(site)).toEqual(["gold"]);

  expect(await applyAt(site, 3, "--auto-approve")).toMatchObject({ code: 6 });
});

test("where a run cannot be read nothing is planned that would be written", async () => {
  const site = await foughtSite(0);
  const blob = site.git("rev-parse", "refs/datahub-gitops/runs:report.json");
  rmSync(join(site.root, ".git/objects", blob.slice(0, 2), blob.slice(2)));

  const { code, stdout, stderr } = await applyAt(site, 1, "--auto-approve");

  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(
    /^error: cannot read runs: the object [0-9a-f]{40}:report.json of run [0-9a-f]+ is missing/,
  );
  expect(tagsIn(site)).toEqual(["gold"]);
});

test("a run whose report cannot be read as one keeps nobody from applying, and is named", async () => {
  const site = await foughtSite(0);
  const ref = "refs/datahub-gitops/runs";
  // Another tree: that of the manifests, whose `report.json` is no report.
  site.commit({ "report.json": '{ "formatVersion": "2" }' });
  const message = site.git("show", "--no-patch", "--format=%B", ref);
  const broken = site.git("commit-tree", "HEAD^{tree}", "-p", ref, "-m", message);
  site.git("update-ref", ref, broken);

  const { code, stderr } = await applyAt(site, 1, "--auto-approve");

  expect(code).toBe(0);
  expect(stderr).toContain(
    `warning: ignored a run while looking for repeatedly reverted values: run ${site.git("rev-parse", "--short", broken)} has format version`,
  );
});
