import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { driftIssueText } from "../../src/report/github/drift-issue.ts";
import { reviewMarkdown } from "../../src/report/github/review.ts";
import { parseResult } from "../../src/report/saved/saved-result.ts";
import { parseSaved } from "../../src/report/saved/saved-report.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { settingsWith, type Site, siteWith } from "../support/site.ts";

const orders = "urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.orders,PROD)";
const hour = 3600;

function dataset(...fields: readonly string[]): string {
  return ["kind: Dataset", "platform: snowflake", "name: prod.orders", ...fields, ""].join("\n");
}

const tagged = { "orders.yaml": dataset("tags: [urn:li:tag:pii, urn:li:tag:gold]") };

/** A site whose catalog has the dataset and its tags. */
async function siteOf(files = tagged, ...settings: readonly string[]): Promise<Site> {
  const site = await siteWith(files, settingsWith(...settings));
  await propose(site, orders, "datasetProperties", { name: "orders" });
  for (const tag of ["pii", "gold"]) await propose(site, `urn:li:tag:${tag}`, "tagProperties", { name: tag });
  return site;
}

/** Writes an aspect as an ingestion does. */
async function propose(site: Site, entityUrn: string, aspectName: string, value: object): Promise<void> {
  const proposal = {
    entityUrn,
    entityType: entityUrn.split(":")[2],
    aspectName,
    changeType: "UPSERT",
    aspect: { value: JSON.stringify(value), contentType: "application/json" },
    systemMetadata: { runId: "dbt-2026_11_27", pipelineName: "nightly-dbt" },
  };
  const response = await fetch(`${site.catalog.url}/aspects?action=ingestProposal`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ proposal }),
  });
  expect(response.status).toBe(200);
}

/** The pipeline takes the tags away. */
async function ingest(site: Site): Promise<void> {
  await propose(site, orders, "globalTags", { tags: [{ tag: "urn:li:tag:gold" }] });
}

function tagsIn(site: Site): readonly string[] {
  const { tags } = site.aspect(orders, "globalTags") as { tags: readonly { tag: string }[] };
  return tags.map(({ tag }) => tag.replace("urn:li:tag:", ""));
}

async function applyAt(site: Site, seconds: number, ...flags: readonly string[]): Promise<Ran> {
  return await site.run(["apply", "--auto-approve", ...flags], { env: { SOURCE_DATE_EPOCH: `${seconds}` } });
}

/** Applies once, and then as often after the pipeline has taken a tag away. Returns the time of the last apply. */
async function revert(site: Site, times: number, from = 0): Promise<number> {
  const first = await applyAt(site, from);
  expect(first).toMatchObject({ code: 0 });
  for (let round = 1; round <= times; round += 1) {
    await ingest(site);
    const { code, stdout, stderr } = await applyAt(site, from + round * hour);
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
  }
  return from + times * hour;
}

test("what an opponent sets back three times within a day is no longer written, and the opponent is named", async () => {
  const site = await siteOf();
  const last = await revert(site, 3);
  await ingest(site);

  const { code, stdout } = await applyAt(site, last + hour);

  expect(code).toBe(6);
  expect(stdout).toContain(
    "Held back for now: 1 value (tags of prod.orders), written 3 times and set back each time by urn:li:corpuser:datahub (pipeline nightly-dbt, ingestion run dbt-2026_11_27).",
  );
  expect(stdout).toContain("skipped: add urn:li:tag:pii to tags");
  expect(stdout).toContain("Applied 0 operations, 0 failed, 1 skipped.");
  expect(tagsIn(site)).toEqual(["gold"]);
  expect(site.at()).toBe(site.git("rev-parse", "HEAD"));
});

test("neither a plan that was saved before nor --force-conflicts writes it", async () => {
  const site = await siteOf();
  const last = await revert(site, 2);
  await ingest(site);
  await site.plan("--out", "plan.json");
  expect((await applyAt(site, last + hour)).code).toBe(0);
  await ingest(site);
  const env = { SOURCE_DATE_EPOCH: `${last + 2 * hour}` };

  const saved = await site.run(["apply", "plan.json"], { env });
  const forced = await applyAt(site, last + 2 * hour, "--force-conflicts");

  expect([saved.code, forced.code]).toEqual([6, 6]);
  expect(tagsIn(site)).toEqual(["gold"]);
});

test("a commit that changes what is declared writes it again, also one that goes back", async () => {
  const site = await siteOf();
  const last = await revert(site, 3);
  await ingest(site);
  expect((await applyAt(site, last + hour)).code).toBe(6);
  site.commit({ "catalog/orders.yaml": dataset("tags: [urn:li:tag:gold]") });
  expect((await applyAt(site, last + hour)).code).toBe(0);
  site.commit({ "catalog/orders.yaml": tagged["orders.yaml"] });

  expect((await applyAt(site, last + 2 * hour)).code).toBe(0);
  expect(tagsIn(site)).toEqual(["gold", "pii"]);

  // The first write after the commit does not count.
  for (const [round, code] of [0, 0, 0, 6].entries()) {
    await ingest(site);
    expect((await applyAt(site, last + (3 + round) * hour)).code).toBe(code);
  }
});

test("after a day without a write it is written again, as often as before", async () => {
  const site = await siteOf();
  const last = await revert(site, 3);
  await ingest(site);
  expect((await applyAt(site, last + 24 * hour - 1)).code).toBe(6);

  const codes = [];
  for (let round = 0; round < 4; round += 1) {
    codes.push((await applyAt(site, last + (24 + round) * hour)).code);
    await ingest(site);
  }

  expect(codes).toEqual([0, 0, 0, 6]);
});

test("what is not fought over is written beside what is held back, until it is, too", async () => {
  const site = await siteOf();
  const last = await revert(site, 3);
  const applied = [];
  for (let round = 1; round <= 4; round += 1) {
    await propose(site, orders, "globalTags", { tags: [] });
    const { code, stdout } = await applyAt(site, last + round * hour);
    expect({ code, stdout }).toMatchObject({ code: 6 });
    applied.push(/Applied .*/.exec(stdout)?.[0]);
    expect(tagsIn(site)).toEqual(round < 4 ? ["gold"] : []);
  }

  const beside = "Applied 1 operation, 0 failed, 1 skipped.";
  expect(applied).toEqual([beside, beside, beside, "Applied 0 operations, 0 failed, 1 skipped."]);
});

test("what others put in the place of a value that is held back stays, so that a list does not lose its last element", async () => {
  const owned = { "orders.yaml": dataset("owners: [{ user: a, type: TECHNICAL_OWNER }]") };
  const site = await siteOf(owned, "guards: { removals: { min_existing: 100 } }");
  for (const user of ["a", "b1", "b2", "b3", "b4"])
    await propose(site, `urn:li:corpuser:${user}`, "corpUserInfo", { active: true });
  const ownersIn = (): readonly string[] =>
    (site.aspect(orders, "ownership") as { owners: readonly { owner: string }[] }).owners.map(
      ({ owner }) => owner,
    );
  const codes = [];
  for (let round = 0; round < 5; round += 1) {
    codes.push((await applyAt(site, round * hour)).code);
    if (round === 4) break;
    expect(ownersIn()).toEqual(["urn:li:corpuser:a"]);
    await propose(site, orders, "ownership", {
      owners: [{ owner: `urn:li:corpuser:b${round + 1}`, type: "TECHNICAL_OWNER" }],
    });
  }
  expect(codes).toEqual([0, 0, 0, 0, 6]);
  expect(ownersIn()).toEqual(["urn:li:corpuser:b4"]);
  const { stdout } = await site.run(["plan"], { env: { SOURCE_DATE_EPOCH: `${5 * hour}` } });
  expect(stdout).toMatch(/- urn:li:corpuser:b4 .*held back/);
});

test("a removal of what others put there, and a single value, are held back, too", async () => {
  const files = { "orders.yaml": dataset("tags: []", "description: Ours.") };
  const site = await siteOf(files, "fights: { times: 2, within: 3h }");
  await propose(site, "urn:li:tag:a", "tagProperties", { name: "a" });
  const set = async (): Promise<void> => {
    await propose(site, orders, "globalTags", { tags: [{ tag: "urn:li:tag:a" }] });
    await propose(site, orders, "editableDatasetProperties", { description: "Theirs." });
  };
  const codes = [];
  for (let round = 0; round < 5; round += 1) {
    codes.push((await applyAt(site, round * hour)).code);
    await set();
  }

  expect(codes).toEqual([0, 0, 0, 6, 6]);
  expect((await applyAt(site, 5 * hour)).code).toBe(0);
});

test("the times of runs decide, as runs of another clone come after later ones", async () => {
  const site = await siteOf();
  for (const time of [0, 3, 1, 2]) {
    expect((await applyAt(site, time * hour)).code).toBe(0);
    await ingest(site);
  }

  expect((await applyAt(site, 26.5 * hour)).code).toBe(6);
});

test("a rollback of the last reversal does not have it written again", async () => {
  const site = await siteOf();
  const last = await revert(site, 3);
  const run = site.git("rev-parse", "--short", "refs/datahub-gitops/runs");
  const env = { SOURCE_DATE_EPOCH: `${last + hour}` };
  expect((await site.run(["rollback", run, "--auto-approve"], { env })).code).toBe(0);
  expect(tagsIn(site)).toEqual(["gold"]);

  expect((await applyAt(site, last + 2 * hour)).code).toBe(6);
});

test("without a base the writes alone decide", async () => {
  const site = await siteOf();
  site.commit({ "catalog/datahub-gitops.yaml": "version: 1\n" });
  const last = await revert(site, 3);
  await ingest(site);

  expect((await applyAt(site, last + hour)).code).toBe(6);
  expect(site.at()).toBeUndefined();
});

test("the tags of one column are held back, and those of another are written", async () => {
  const files = {
    "orders.yaml": dataset("columns: { a: { tags: [urn:li:tag:pii] }, b: { tags: [urn:li:tag:gold] } }"),
  };
  const site = await siteOf(files, "fights: { times: 2, within: 6h }");
  const fields = ["a", "b"].map((fieldPath) => ({
    fieldPath,
    nativeDataType: "text",
    type: { type: { "com.linkedin.schema.StringType": {} } },
  }));
  const schema = {
    schemaName: "s",
    platform: "urn:li:dataPlatform:snowflake",
    version: 0,
    hash: "",
    platformSchema: { "com.linkedin.schema.OtherSchema": { rawSchema: "" } },
    fields,
  };
  await propose(site, orders, "schemaMetadata", schema);
  const left = (...names: readonly string[]): Promise<void> =>
    propose(site, orders, "editableSchemaMetadata", {
      editableSchemaFieldInfo: names.map((fieldPath) => {
        return {
          fieldPath,
          globalTags: { tags: [{ tag: `urn:li:tag:${fieldPath === "a" ? "pii" : "gold"}` }] },
        };
      }),
    });
  for (const round of [0, 1, 2]) {
    expect((await applyAt(site, round * hour)).code).toBe(0);
    await left("b");
  }
  await left();

  const { code, stdout } = await applyAt(site, 3 * hour);

  expect({ code, stdout }).toMatchObject({
    code: 6,
    stdout: expect.stringContaining("Applied 1 operation, "),
  });
  expect(JSON.stringify(site.aspect(orders, "editableSchemaMetadata"))).not.toContain("pii");
});

test("with `runs: false` everything is written each time", async () => {
  const site = await siteOf(tagged, "runs: false");
  const last = await revert(site, 4);
  await ingest(site);

  expect((await applyAt(site, last + hour)).code).toBe(0);
});

test("plan, drift and a saved plan show what is held back, in every format", async () => {
  const site = await siteOf();
  const last = await revert(site, 3);
  await ingest(site);
  const env = { SOURCE_DATE_EPOCH: `${last + hour}` };
  const shown = async (...argv: readonly string[]): Promise<string> => (await site.run(argv, { env })).stdout;

  expect(await site.run(["plan", "--out", "plan.json"], { env })).toMatchObject({ code: 6 });
  for (const format of ["text", "markdown", "html", "sarif", "junit", "gitlab"]) {
    for (const command of [["plan"], ["drift"]])
      expect(await shown(...command, "--format", format)).toContain("1 value (tags of prod.orders)");
    const { stdout } = await runCli(["show", "plan.json", "--format", format], { cwd: site.root });
    expect(stdout).toContain("1 value (tags of prod.orders)");
  }
  const drift = parseSaved(await shown("drift", "--format", "json"));
  const issue = "plan" in drift ? driftIssueText(drift.plan, {})?.text : "";
  expect(issue).toContain("It does not write what others set back again and again: see below.");
  expect(issue).toContain("1 value (tags of prod.orders)");
  const saved = parseResult(readFileSync(join(site.root, "plan.json"), "utf8"));
  const comment = "fault" in saved ? "" : reviewMarkdown([saved], {});
  expect(comment).toMatch(/All changes are held back\.[^]*1 value \(tags of prod\.orders\)/);
  const plan = JSON.parse(await shown("plan", "--format", "json")) as object;
  expect(plan).toMatchObject({
    findings: [
      {
        guard: "fight",
        severity: "warning",
        numbers: { values: 1, times: 3 },
        opponent: { ingestionRun: "dbt-2026_11_27", pipeline: "nightly-dbt" },
        changes: [{ urn: orders, facet: "tags" }],
      },
    ],
    summary: { update: 0, additions: 0, heldBack: 1, conflicts: 0 },
    changes: [{ fights: [{ value: "urn:li:tag:pii", times: 3, until: "1970-01-02T03:00:00.000Z" }] }],
  });
});

test("the agent that puts a value there is named by its attribution", async () => {
  const site = await siteOf({ "orders.yaml": dataset("tags: []") }, "fights: { times: 1, within: 3h }");
  const attribution = {
    time: 1_700_000_000_000,
    actor: "urn:li:corpuser:alice",
    source: "urn:li:dataHubAction:pii",
  };
  const put = (): Promise<void> =>
    propose(site, orders, "globalTags", { tags: [{ tag: "urn:li:tag:gold", attribution }] });
  await put();
  expect((await applyAt(site, 0)).code).toBe(0);
  await put();
  expect((await applyAt(site, hour)).code).toBe(0);
  await put();

  const { code, stdout } = await applyAt(site, 2 * hour);

  expect({ code, stdout }).toMatchObject({ code: 6 });
  expect(stdout).toContain("set back each time by urn:li:corpuser:alice (urn:li:dataHubAction:pii, ");
});

test("where a run cannot be read nothing is planned that would be written", async () => {
  const site = await siteOf();
  await revert(site, 1);
  await ingest(site);
  const blob = site.git("rev-parse", "refs/datahub-gitops/runs:report.json");
  rmSync(join(site.root, ".git/objects", blob.slice(0, 2), blob.slice(2)));

  const { code, stdout, stderr } = await applyAt(site, 2 * hour);

  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(
    /^error: cannot read runs: the object [0-9a-f]{40}:report.json of run [0-9a-f]+ is missing/,
  );
  expect(tagsIn(site)).toEqual(["gold"]);
});

test("a run whose report cannot be read as one keeps nobody from applying, and is named", async () => {
  const site = await siteOf();
  const last = await revert(site, 3);
  const ref = "refs/datahub-gitops/runs";
  // Another tree: that of the manifests, whose `report.json` is no report.
  site.commit({ "report.json": '{ "formatVersion": "2" }' });
  const message = site.git("show", "--no-patch", "--format=%B", ref);
  const broken = site.git("commit-tree", "HEAD^{tree}", "-p", `${ref}~`, "-m", message);
  site.git("update-ref", ref, broken);
  await ingest(site);
  const { code, stderr } = await applyAt(site, last + hour);
  expect(code).toBe(0);
  expect(stderr).toContain(
    `warning: what a run wrote does not count for fights: run ${site.git("rev-parse", "--short", broken)} has format version`,
  );
  expect(tagsIn(site)).toEqual(["gold", "pii"]);
});
