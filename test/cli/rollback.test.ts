import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { planErrors } from "../support/published-schemas.ts";
import { refusing } from "../support/refusing.ts";
import { type PlanJson, settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";
import { liveAspects } from "../support/stories/live.ts";

const invoices = datasetNamed("invoices");

const live = `
tag: [pii, old, gold]
domain: { finance: Finance, sales: Sales }
corpuser: [alice, bob, carol]
corpGroup: { team: Team }
dataset:
  snowflake,invoices:
    schemaMetadata: [id, email]
    editableSchemaMetadata: [{ email: [old] }]
    globalTags: [old]
    domains: [sales]
    ownership: [bob DATA_STEWARD]
    editableDatasetProperties: { description: As people wrote it., created: { time: 0, actor: "urn:li:corpuser:bob" }, lastModified: { time: 0, actor: "urn:li:corpuser:bob" } }
    structuredProperties: { properties: [{ propertyUrn: "urn:li:structuredProperty:days", values: [{ double: 90 }] }] }
structuredProperty:
  days: { propertyDefinition: { qualifiedName: days, valueType: "urn:li:dataType:datahub.number", entityTypes: ["urn:li:entityType:datahub.dataset"] } }
dataProduct:
  markets: { dataProductProperties: { name: Markets, assets: [{ destinationUrn: "${invoices}" }] } }
  invoicing: { dataProductProperties: { name: Invoicing, assets: [] } }
`;

const manifest = (...lines: readonly string[]): string =>
  ["kind: Dataset", "platform: snowflake", "name: invoices", ...lines, ""].join("\n");

/** A site with this world, whose manifests have been applied. */
async function siteAfter(files: Readonly<Record<string, string>>, settings = settingsWith()): Promise<Site> {
  const site = await siteWith(files, settings);
  await site.catalog.load(metadataFile(temporaryDirectory(), liveAspects(live)));
  const { code, stdout, stderr } = await site.apply("--report", ".git/report.json");
  expect(code, stdout + stderr).toBe(0);
  return site;
}

/** The name of the newest run. */
const runOf = ({ git }: Site): string => git("rev-parse", "--short", "refs/datahub-gitops/runs");

const rollBack = (site: Site, ...flags: readonly string[]) =>
  site.run(["rollback", runOf(site), "--auto-approve", ...flags]);

async function planned(site: Site, ...flags: readonly string[]): Promise<PlanJson> {
  const { stdout } = await site.run(["rollback", runOf(site), "--dry-run", "--format", "json", ...flags]);
  return JSON.parse(stdout) as PlanJson;
}

const owners = "owners: [{ user: alice, type: DATA_STEWARD }]";

test("an owner that a run removed is back, and what others have put there since stays", async () => {
  const site = await siteAfter({ "a.yaml": manifest(owners) });
  await site.edit(
    `addOwner(input: { resourceUrn: "${invoices}", ownerUrn: "urn:li:corpuser:carol", ownerEntityType: CORP_USER, ownershipTypeUrn: "urn:li:ownershipType:__system__none", type: NONE })`,
  );

  const { code, stdout, stderr } = await rollBack(site);

  expect(code, stdout + stderr).toBe(0);
  const { owners: found } = site.aspect(invoices, "ownership") as { owners: readonly { owner: string }[] };
  expect(found.map(({ owner }) => owner).toSorted()).toEqual([
    "urn:li:corpuser:bob",
    "urn:li:corpuser:carol",
  ]);
});

test("a rollback is a plan whose source is the run, and a run itself; the second one is empty", async () => {
  const site = await siteAfter({ "a.yaml": manifest("tags: [pii]") });
  const run = runOf(site);

  const plan = await planned(site);
  expect(planErrors(plan)).toBeNull();
  expect(plan.changes).toMatchObject([
    {
      urn: invoices,
      facet: "tags",
      add: ["urn:li:tag:old"],
      remove: ["urn:li:tag:pii"],
      source: { file: run },
    },
  ]);
  const { code, stderr } = await rollBack(site);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("The run is kept as ") });
  expect(runOf(site)).not.toBe(run);

  const again = await site.run(["rollback", run, "--auto-approve"]);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes.") });
});

test("a rollback of a rollback puts back what the run wrote", async () => {
  const site = await siteAfter({ "a.yaml": manifest("tags: [pii]", "domain: finance") });
  const before = [site.aspect(invoices, "globalTags"), site.aspect(invoices, "domains")];
  await rollBack(site);
  expect(site.aspect(invoices, "domains")).toMatchObject({ domains: ["urn:li:domain:sales"] });

  expect(await rollBack(site)).toMatchObject({ code: 0 });

  expect([site.aspect(invoices, "globalTags"), site.aspect(invoices, "domains")]).toEqual(before);
});

test("each facet is put back by its shape", async () => {
  const before = await siteWith({}, settingsWith());
  await before.catalog.load(metadataFile(temporaryDirectory(), liveAspects(live)));
  const site = await siteAfter({
    "a.yaml": manifest(
      "description: From Git.",
      "domain: finance",
      "tags: [pii]",
      "structured_properties: { days: 365 }",
      "data_products: [invoicing]",
      "columns: { email: { tags: [pii] }, id: { tags: [gold], description: The key. } }",
      owners,
    ),
    "t.yaml": "kind: Group\nid: team\nmembers: [alice]\n---\nkind: Tag\nid: gold\ndescription: Gold.\n",
  });

  const { code, stdout, stderr } = await rollBack(site);

  expect(code, stdout + stderr).toBe(0);
  const aspects: readonly (readonly [string, string])[] = [
    [invoices, "domains"],
    [invoices, "globalTags"],
    [invoices, "structuredProperties"],
    [invoices, "ownership"],
    [invoices, "editableDatasetProperties"],
    [invoices, "editableSchemaMetadata"],
    ["urn:li:dataProduct:markets", "dataProductProperties"],
    ["urn:li:dataProduct:invoicing", "dataProductProperties"],
    ["urn:li:corpuser:alice", "nativeGroupMembership"],
    ["urn:li:tag:gold", "tagProperties"],
  ];
  for (const [urn, name] of aspects)
    expect(brief(site.aspect(urn, name)), `${urn} ${name}`).toEqual(brief(before.aspect(urn, name)));
});

/** An aspect without when and by whom it was written, and without what is empty. */
function brief(value: unknown): unknown {
  if (Array.isArray(value)) {
    const rest = value.map(brief).filter((each) => each !== undefined);
    return rest.length === 0 ? undefined : rest;
  }
  if (typeof value !== "object" || value === null) return value ?? undefined;
  const left = Object.entries(value).flatMap(([key, each]) => {
    const rest =
      /^(?:created|lastModified|attribution|source|ownerTypes|outputPort|auditStamp|domainAssociations)$/.test(
        key,
      )
        ? undefined
        : brief(each);
    return rest === undefined ? [] : [[key, rest] as const];
  });
  const isIdle = left.length === 0 || (left.length === 1 && left[0]?.[0] === "fieldPath");
  return isIdle ? undefined : Object.fromEntries(left);
}

test("a single value that somebody changed after the run is held back and named, and the rest is put back", async () => {
  const site = await siteAfter({ "a.yaml": manifest("tags: [pii]", "domain: finance") });
  const run = runOf(site);
  await site.edit(`unsetDomain(entityUrn: "${invoices}")`);

  const { code, stdout } = await rollBack(site);

  expect(code).toBe(6);
  expect(stdout).toContain("somebody changed it after the run");
  expect(stdout).toContain("1 held back.");
  expect(site.aspect(invoices, "domains")).toMatchObject({ domains: [] });
  expect(site.aspect(invoices, "globalTags")).toMatchObject({ tags: [{ tag: "urn:li:tag:old" }] });
  const again = await site.run(["rollback", run, "--auto-approve", "--format", "json"]);
  expect(again.code).toBe(6);
  expect(JSON.parse(again.stdout)).toMatchObject({
    plan: {
      changes: [{ facet: "domain", conflict: { base: "urn:li:domain:finance", live: null, moved: true } }],
      summary: { update: 0, heldBack: 1 },
    },
    outcomes: [{ status: "skipped" }],
  });
});

test("what a run created stays without --prune, and goes with it", async () => {
  const site = await siteAfter({ "a.yaml": manifest("tags: [new]"), "t.yaml": tag("new", "New.") });
  const run = runOf(site);

  const kept = await rollBack(site);
  expect(kept).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("the run created `urn:li:tag:new`"),
  });
  expect(site.aspect("urn:li:tag:new", "tagProperties")).toMatchObject({ description: "New." });

  const pruned = await site.run(["rollback", run, "--auto-approve", "--prune"]);
  expect(pruned).toMatchObject({ code: 0, stdout: expect.stringContaining("- Tag urn:li:tag:new") });
  expect(pruned.stderr).toContain("the next apply makes it again: remove its manifest");
  expect(site.aspect("urn:li:tag:new", "tagProperties")).toBeUndefined();
});

test("from a directory of the repository the manifests and settings are those of the run", async () => {
  const site = await siteAfter({ "a.yaml": manifest("tags: [new]"), "t.yaml": tag("new", "New.") });
  const server = ["--server", site.catalog.url];
  const argv = ["rollback", runOf(site), "--prune", "--auto-approve", ...server];
  const { code, stdout, stderr } = await runCli(argv, { cwd: join(site.root, "catalog") });
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("- Tag urn:li:tag:new"),
  });
  expect(stderr).toContain("warning rollback-overruled");
  expect(stderr).toContain("The run is kept as");
});

test("without the catalog directory nothing is deleted, and a note says what is not known", async () => {
  const site = await siteAfter({ "a.yaml": manifest("tags: [new]"), "t.yaml": tag("new", "New.") });
  const cwd = temporaryDirectory();
  const report = ["rollback", join(site.root, ".git/report.json"), "--server", site.catalog.url];
  const shown = await runCli([...report, "--dry-run"], { cwd });
  expect(shown).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("There is no catalog directory here"),
  });
  for (const flags of [
    ["--prune", "--dry-run"],
    ["none", "--dry-run"],
  ]) {
    const refused = await runCli([...report, ...flags], { cwd });
    expect(refused).toMatchObject({ code: 64, stderr: expect.stringContaining("does not exist") });
  }
});

test("a group that a run created with its members goes with --prune, unless others have joined it", async () => {
  const site = await siteAfter({ "g.yaml": "kind: Group\nid: new\nmembers: [alice]\n" });
  const run = runOf(site);
  const joining = `groupUrn: "urn:li:corpGroup:new", userUrns: ["urn:li:corpuser:bob"]`;
  await site.edit(`addGroupMembers(input: { ${joining} })`);
  expect(await rollBack(site, "--prune")).toMatchObject({
    code: 6,
    stderr: expect.stringContaining("others refer to it since"),
  });

  await site.edit(`removeGroupMembers(input: { ${joining} })`);
  const { code, stdout } = await site.run(["rollback", run, "--auto-approve", "--prune"]);

  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("- Group urn:li:corpGroup:new"),
  });
});

test("what a run created and others use or changed since is not deleted", async () => {
  const site = await siteAfter({
    "t.yaml": `${tag("new")}---\n${tag("other", "Ours.")}---\n${tag("third", "Ours.")}`,
  });
  await site.edit(`addTag(input: { tagUrn: "urn:li:tag:new", resourceUrn: "${invoices}" })`);
  await site.edit('updateDescription(input: { resourceUrn: "urn:li:tag:other", description: "Theirs." })');
  await site.edit('updateDescription(input: { resourceUrn: "urn:li:tag:third", description: "" })');

  const { code, stderr } = await rollBack(site, "--prune");

  expect(code).toBe(6);
  expect(stderr).toContain("the run created tag `urn:li:tag:new`, and others refer to it since");
  expect(stderr).toContain("the run created tag `urn:li:tag:other`, and somebody has changed it since");
  expect(stderr).toContain("the run created tag `urn:li:tag:third`, and somebody has changed it since");
  expect(site.aspect("urn:li:tag:new", "tagProperties")).toBeDefined();
});

test("a tag that a run deleted is made again with what it had, and is where it was", async () => {
  const site = await siteAfter({
    "old.yaml": 'kind: Tag\nid: old\nname: Old\ncolor_hex: "#C0392B"\nowners: [{ user: bob }]\n',
    "a.yaml": tag("pii"),
  });
  await site.edit('updateDescription(input: { resourceUrn: "urn:li:tag:old", description: "Theirs." })');
  const before = site.aspect("urn:li:tag:old", "tagProperties");
  site.commit({ "catalog/old.yaml": undefined });
  const pruned = await site.apply("--prune", "--max-deletes", "1");
  expect(pruned.code, pruned.stderr).toBe(0);
  expect(site.aspect(invoices, "globalTags")).toMatchObject({ tags: [] });

  const { code, stdout, stderr } = await rollBack(site);

  expect(code, stdout + stderr).toBe(0);
  expect(site.aspect("urn:li:tag:old", "tagProperties")).toEqual(before);
  expect(site.aspect("urn:li:tag:old", "ownership")).toMatchObject({
    owners: [{ owner: "urn:li:corpuser:bob" }],
  });
  expect(site.aspect(invoices, "globalTags")).toMatchObject({ tags: [{ tag: "urn:li:tag:old" }] });
});

test("the server of another run is refused before anything is sent", async () => {
  const site = await siteAfter({ "a.yaml": tag("new") });
  const other = await startTestCatalog();

  const ran = await runCli(["rollback", runOf(site), "--auto-approve", "--server", other.url], {
    cwd: site.root,
  });

  expect(ran).toMatchObject({ code: 64, stderr: expect.stringContaining("nothing was sent") });
  expect(other.requests).toEqual([]);
});

test("an unknown run, a plan, and a missing terminal are refused", async () => {
  const site = await siteAfter({ "a.yaml": tag("new") });
  await site.plan("--out", ".git/plan.json");

  expect(await site.run(["rollback", "0000000", "--auto-approve"])).toMatchObject({ code: 3 });
  expect(await site.run(["rollback", ".git/plan.json", "--auto-approve"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("is a plan, not a report"),
  });
  expect(await site.run(["rollback", runOf(site)])).toMatchObject({
    code: 64,
    stderr: expect.stringContaining("use --auto-approve"),
  });
});

test("only yes at the terminal goes on, and a dry run writes nothing", async () => {
  const site = await siteAfter({ "a.yaml": manifest("tags: [pii]") });
  const before = writesIn(site.catalog).length;

  expect(await site.run(["rollback", runOf(site)], { answers: ["no"] })).toMatchObject({ code: 1 });
  expect(await site.run(["rollback", runOf(site), "--dry-run"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Plan: 0 to create, 1 to update"),
  });
  expect(writesIn(site.catalog)).toHaveLength(before);

  expect(await site.run(["rollback", runOf(site)], { answers: ["yes"] })).toMatchObject({ code: 0 });
});

test("a saved plan of a rollback is applied as any other, is a run, and moves no base", async () => {
  const site = await siteAfter({ "a.yaml": manifest("tags: [pii]") });
  const [run, base] = [runOf(site), site.at()];
  await site.run(["rollback", run, "--out", ".git/plan.json"]);
  expect(site.aspect(invoices, "globalTags")).toMatchObject({ tags: [{ tag: "urn:li:tag:pii" }] });

  const { code, stdout, stderr } = await site.run(["apply", ".git/plan.json"]);

  expect(code, stdout + stderr).toBe(0);
  expect(site.aspect(invoices, "globalTags")).toMatchObject({ tags: [{ tag: "urn:li:tag:old" }] });
  expect(site.at()).toBe(base);
  expect(runOf(site)).not.toBe(run);
});

test("the report of an apply is rolled back as its run", async () => {
  const site = await siteAfter({ "a.yaml": manifest("tags: [pii]") });
  expect(existsSync(join(site.root, ".git/report.json"))).toBe(true);

  const { code } = await site.run(["rollback", ".git/report.json", "--auto-approve"]);

  expect(code).toBe(0);
  expect(site.aspect(invoices, "globalTags")).toMatchObject({ tags: [{ tag: "urn:li:tag:old" }] });
});

test("of a run that failed in part only what was applied is taken back", async () => {
  const site = await siteWith({ "a.yaml": manifest("tags: [pii]", "domain: finance") });
  await site.catalog.load(metadataFile(temporaryDirectory(), liveAspects(live)));
  const server = await refusing(site.catalog.url, (write) => write.includes("removeTag"));
  const argv = ["apply", "--auto-approve", "--server", server, "--report", ".git/report.json"];
  expect(await runCli(argv, { cwd: site.root })).toMatchObject({ code: 7 });
  const report = readFileSync(join(site.root, ".git/report.json"), "utf8");
  expect(JSON.parse(report)).toMatchObject({ summary: { failed: 1 } });

  const dryRun = ["rollback", ".git/report.json", "--dry-run", "--format", "json", "--server", server];
  const { stdout } = await runCli(dryRun, { cwd: site.root });

  expect((JSON.parse(stdout) as PlanJson).changes).toMatchObject([
    { facet: "domain", before: "urn:li:domain:finance", after: "urn:li:domain:sales" },
    { facet: "tags", add: [], remove: ["urn:li:tag:pii"] },
  ]);
});

test("of an interrupted run only what was written is taken back", async () => {
  const site = await siteWith({ "a.yaml": manifest("tags: [new]"), "t.yaml": tag("new") });
  await site.catalog.load(metadataFile(temporaryDirectory(), liveAspects(live)));
  const controller = new AbortController();
  const server = await inFrontOf(site.catalog.url, (_request, _response, { url }) => {
    if (url.startsWith("/aspects?")) controller.abort();
    return undefined;
  });
  const { root: cwd } = site;
  const apply = ["apply", "--auto-approve", "--server", server];
  expect(await runCli(apply, { cwd, interrupted: controller.signal })).toMatchObject({ code: 130 });

  const rollback = ["rollback", runOf(site), "--dry-run", "--prune", "--format", "json", "--server", server];
  const { stdout } = await runCli(rollback, { cwd });

  expect((JSON.parse(stdout) as PlanJson).changes).toMatchObject([
    { action: "delete", urn: "urn:li:tag:new" },
  ]);
});

test("a group without any value that a run deleted is made again", async () => {
  const site = await siteAfter({ "b.yaml": "kind: Group\nid: bare\n", "a.yaml": tag("pii") });
  site.commit({ "catalog/b.yaml": undefined });
  expect(await site.apply("--prune", "--max-deletes", "1")).toMatchObject({ code: 0 });

  expect(await rollBack(site)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Plan: 1 to create"),
  });
});

test("what a run deleted and somebody has made again since stays as it is", async () => {
  const site = await siteAfter({ "old.yaml": tag("old", "Ours."), "a.yaml": tag("pii") });
  site.commit({ "catalog/old.yaml": undefined });
  expect(await site.apply("--prune", "--max-deletes", "1")).toMatchObject({ code: 0 });
  await site.edit('createTag(input: { id: "old", name: "Old", description: "Theirs." })');

  const { code, stderr } = await rollBack(site);

  expect(code).toBe(6);
  expect(stderr).toContain("the run deleted tag Old (`urn:li:tag:old`), and somebody has made it again");
  expect(site.aspect("urn:li:tag:old", "tagProperties")).toMatchObject({ description: "Theirs." });
});

test("what the manifests take back at the next apply is said with its place, and pull is offered", async () => {
  const site = await siteAfter({ "a.yaml": manifest("tags: [pii]", "domain: finance") });
  site.commit({ "catalog/a.yaml": manifest("tags: [pii]") });

  const { code, stderr } = await site.run(["rollback", runOf(site), "--dry-run"]);

  expect(code).toBe(0);
  expect(stderr).toContain("catalog/a.yaml:4:1");
  expect(stderr).toContain(`pull --target ${invoices}`);
  const { problems = [] } = await planned(site);
  expect(problems.map(({ code: each }) => each)).toEqual(["rollback-overruled"]);
});

test("entities and columns that others removed since are named, and not made again", async () => {
  const site = await siteAfter({
    "a.yaml": manifest("tags: [pii]", "columns: { email: { tags: [pii] } }"),
    "t.yaml": tag("gold", "Gold."),
  });
  const aspects = liveAspects('dataset: { "snowflake,invoices": { schemaMetadata: [id] } }');
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  await site.edit('deleteTag(urn: "urn:li:tag:gold")');
  await site.edit('deleteTag(urn: "urn:li:tag:old")');

  const { code, stderr } = await rollBack(site);

  expect(code).toBe(6);
  expect(stderr).toContain("tag `urn:li:tag:gold` was deleted after the run");
  expect(stderr).toContain("the column is no longer in the schema");
  expect(stderr).toContain("it refers to `urn:li:tag:old`, which does not exist any more");
  expect(site.aspect(invoices, "globalTags")).toMatchObject({ tags: [] });
});
