import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownershipTypeNames } from "../../src/facets/ownership-types.ts";
import { compareText, type JsonObject } from "../../src/model/json.ts";
import { type MadeAspect, metadataFile, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { sealed } from "../../src/plan/base/hash.ts";
import { planOf } from "../report/plans.ts";
import { planFile } from "../support/plan-file.ts";
import { runCli } from "../support/command-line.ts";
import { testRepository } from "../support/git-repository.ts";
import { tag } from "../support/history.ts";
import { defined, property } from "../support/properties.ts";
import { forge } from "../support/sealed.ts";
import { planErrors } from "../support/published-schemas.ts";
import { settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
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

async function loadedSite(files: Readonly<Record<string, string>>): Promise<Site> {
  const site = await siteWith(files);
  await site.catalog.load(metadataFile(temporaryDirectory(), liveAspects(live)));
  return site;
}

/** A site with this world, whose manifests have been applied. */
async function siteAfter(files: Readonly<Record<string, string>>): Promise<Site> {
  const site = await loadedSite(files);
  const { code, stdout, stderr } = await site.apply("--report", ".git/report.json");
  expect(code, stdout + stderr).toBe(0);
  return site;
}

/** The name of the newest run. */
const runOf = ({ git }: Site): string => git("rev-parse", "--short", "refs/datahub-gitops/runs");

const rollBack = (site: Site, ...flags: readonly string[]) =>
  site.run(["rollback", runOf(site), "--auto-approve", ...flags]);

test("each facet is put back by its shape, what others put there stays, and a rollback of the rollback puts back what the run wrote", async () => {
  const aspects: readonly (readonly [string, string])[] = [
    [invoices, "domains"],
    [invoices, "globalTags"],
    [invoices, "structuredProperties"],
    [invoices, "editableDatasetProperties"],
    [invoices, "editableSchemaMetadata"],
    ["urn:li:dataProduct:markets", "dataProductProperties"],
    ["urn:li:dataProduct:invoicing", "dataProductProperties"],
    ["urn:li:corpuser:alice", "nativeGroupMembership"],
    ["urn:li:tag:gold", "tagProperties"],
  ];
  const found = (site: Site): readonly unknown[] =>
    aspects.map(([urn, name]) => [urn, name, brief(site.aspect(urn, name))]);
  const site = await loadedSite({
    "a.yaml": manifest(
      "description: From Git.",
      "domain: finance",
      "tags: [pii]",
      "structured_properties: { days: 365 }",
      "data_products: [invoicing]",
      "columns: { email: { tags: [pii] }, id: { tags: [gold], description: The key. } }",
      "owners: [{ user: alice, type: DATA_STEWARD }]",
    ),
    "t.yaml": "kind: Group\nid: team\nmembers: [alice]\n---\nkind: Tag\nid: gold\ndescription: Gold.\n",
  });
  const before = found(site);
  expect(await site.apply()).toMatchObject({ code: 0 });
  const after = found(site);
  await site.edit(
    `addOwner(input: { resourceUrn: "${invoices}", ownerUrn: "urn:li:corpuser:carol", ownerEntityType: CORP_USER, ownershipTypeUrn: "urn:li:ownershipType:__system__none", type: NONE })`,
  );

  const { code, stdout, stderr } = await rollBack(site);

  expect(code, stdout + stderr).toBe(0);
  expect(stderr).toContain("Recorded as run ");
  expect(found(site)).toEqual(before);
  const { owners } = site.aspect(invoices, "ownership") as { owners: readonly { owner: string }[] };
  expect(owners.map(({ owner }) => owner).toSorted()).toEqual([
    "urn:li:corpuser:bob",
    "urn:li:corpuser:carol",
  ]);
  expect(await rollBack(site)).toMatchObject({ code: 0 });
  expect(found(site)).toEqual(after);
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

test("a value that somebody changed after the run is held back and named, and what the run created stays without --prune", async () => {
  const site = await siteAfter({
    "a.yaml": manifest("tags: [pii, new]", "domain: finance", "columns: { email: { tags: [pii] } }"),
    "t.yaml": `${tag("new", "New.")}---\n${tag("other", "Ours.")}---\n${tag("gold", "Gold.")}---\nkind: Group\nid: fresh\nmembers: [alice]\n`,
  });
  const run = runOf(site);
  await site.edit(`unsetDomain(entityUrn: "${invoices}")`);
  await site.edit('updateDescription(input: { resourceUrn: "urn:li:tag:other", description: "Theirs." })');
  await site.edit('deleteTag(urn: "urn:li:tag:gold")');
  const withoutEmail = liveAspects('dataset: { "snowflake,invoices": { schemaMetadata: [id] } }');
  await site.catalog.load(metadataFile(temporaryDirectory(), withoutEmail));

  const kept = await rollBack(site);

  expect(kept.code).toBe(6);
  expect(kept.stdout).toContain("someone changed it after the run");
  expect(kept.stdout).toContain("1 held back.");
  expect(kept.stderr).toContain(
    "the run created `urn:li:tag:new`, `urn:li:tag:other` and `urn:li:corpGroup:fresh`, which are kept",
  );
  expect(kept.stderr).toContain("tag `urn:li:tag:gold` was deleted after the run");
  expect(kept.stderr).toContain("the column is no longer in the schema");
  expect(site.aspect(invoices, "domains")).toMatchObject({ domains: [] });
  expect(site.aspect(invoices, "globalTags")).toMatchObject({ tags: [{ tag: "urn:li:tag:old" }] });
  // From a directory of the repository the manifests and settings are those of the run, too.
  const argv = ["rollback", run, "--auto-approve", "--prune", "--server", site.catalog.url];
  const pruned = await runCli(argv, { cwd: join(site.root, "catalog") });
  expect(pruned.stdout).toContain("- Tag urn:li:tag:new");
  expect(pruned.stdout).toContain("- Group urn:li:corpGroup:fresh");
  expect(pruned.stderr).toContain(
    "and 1 more entity, so the next apply will create them again: remove their manifests",
  );
  expect(pruned.stderr).toContain("the run created tag `urn:li:tag:other`, but someone has changed it since");
  expect(pruned.stderr).toContain("Recorded as run");
  expect(site.aspect("urn:li:tag:new", "tagProperties")).toBeUndefined();
});

test("what a run deleted is made again with what it had, and is where it was, unless somebody has made it again", async () => {
  const site = await siteAfter({
    "old.yaml": 'kind: Tag\nid: old\nname: Old\ncolor_hex: "#C0392B"\nowners: [{ user: bob }]\n',
    "gone.yaml": `${tag("again", "Ours.")}---\nkind: Group\nid: bare\n`,
    "a.yaml": tag("pii"),
  });
  await site.edit('updateDescription(input: { resourceUrn: "urn:li:tag:old", description: "Theirs." })');
  await site.edit(`addTag(input: { tagUrn: "urn:li:tag:again", resourceUrn: "${invoices}" })`);
  const before = site.aspect("urn:li:tag:old", "tagProperties");
  site.commit({ "catalog/old.yaml": undefined, "catalog/gone.yaml": undefined });
  const pruned = await site.apply("--prune", "--max-deletes", "3");
  expect(pruned.code, pruned.stderr).toBe(0);
  expect(site.aspect(invoices, "globalTags")).toMatchObject({ tags: [] });
  await site.edit('createTag(input: { id: "again", name: "again", description: "Theirs." })');

  const { code, stdout, stderr } = await rollBack(site);

  expect(code, stdout + stderr).toBe(6);
  expect(stdout).toContain("Plan: 2 to create");
  expect(stderr).toContain("the run deleted tag `urn:li:tag:again`, but someone has recreated it");
  expect(site.aspect("urn:li:tag:again", "tagProperties")).toMatchObject({ description: "Theirs." });
  expect(site.aspect("urn:li:tag:old", "tagProperties")).toEqual(before);
  expect(site.aspect("urn:li:tag:old", "ownership")).toMatchObject({
    owners: [{ owner: "urn:li:corpuser:bob" }],
  });
  const { tags } = site.aspect(invoices, "globalTags") as { readonly tags: readonly { tag: string }[] };
  expect(tags.map((each) => each.tag).toSorted()).toEqual(["urn:li:tag:again", "urn:li:tag:old"]);
});

test.each(["graphql", "conditional"])(
  "owners of each type of DataHub's older enum are put back, also of those without an entity (%s)",
  async (writes) => {
    const types = [...ownershipTypeNames, "CUSTOM"];
    const owners = types.map((type) => ({ owner: "urn:li:corpuser:bob", type }));
    const stored = (all: readonly Readonly<Record<string, unknown>>[]): readonly unknown[] =>
      all
        .map(({ owner, type }) => ({ owner, type }))
        .toSorted((a, b) => compareText(String(a.type), String(b.type)));
    const site = await siteWith({ "a.yaml": manifest("owners: []") }, settingsWith(`writes: ${writes}`));
    const made = metadataFile(temporaryDirectory(), [
      ...liveAspects(live),
      [invoices, "ownership", { owners, lastModified: { time: 0, actor: "urn:li:corpuser:bob" } }],
    ]);
    await site.catalog.load(made);
    const flags = ["--max-removals", "100%"];
    expect(await site.apply("--report", ".git/report.json", ...flags)).toMatchObject({ code: 0 });
    expect(site.aspect(invoices, "ownership")).toMatchObject({ owners: [] });

    const { code, stdout, stderr } = await rollBack(site);

    expect(code, stdout + stderr).toBe(0);
    const after = site.aspect(invoices, "ownership") as {
      owners: readonly Readonly<Record<string, unknown>>[];
    };
    expect(stored(after.owners)).toEqual(stored(owners));
  },
);

const definition = (...lines: readonly string[]): string =>
  [
    "kind: StructuredProperty",
    "id: hours",
    "value_type: number",
    "entity_types: [dataset]",
    ...lines,
    "",
  ].join("\n");

test("what cannot be put back is held back by itself, and the rest of the run is put back", async () => {
  const site = await siteAfter({
    "days.yaml": definition("allowed_values: [{ value: 90 }]"),
    "a.yaml": manifest("tags: [old]", "structured_properties: { hours: 90 }"),
  });
  site.commit({
    "catalog/days.yaml": definition(
      "allowed_values: [{ value: 90 }, { value: 365 }]",
      "cardinality: MULTIPLE",
    ),
    "catalog/a.yaml": manifest("tags: [pii]", "structured_properties: { hours: [365] }"),
  });
  expect(await site.apply("--max-removals", "100%")).toMatchObject({ code: 0 });

  const { code, stdout, stderr } = await rollBack(site);

  expect(code, stdout + stderr).toBe(6);
  expect(stderr.match(/rollback-held: .*$/gm)).toEqual([
    expect.stringMatching(
      /^rollback-held: `allowed_values` of structured property `\S+hours` is not restored: /,
    ),
    expect.stringMatching(
      /^rollback-held: `cardinality` of structured property `\S+hours` is not restored: /,
    ),
  ]);
  expect(site.aspect(invoices, "globalTags")).toMatchObject({ tags: [{ tag: "urn:li:tag:old" }] });
  expect(site.aspect(invoices, "structuredProperties")).toMatchObject({
    properties: expect.arrayContaining([
      expect.objectContaining({ propertyUrn: property("hours"), values: [{ double: 90 }] }),
    ]) as unknown,
  });
});

test.each(["SINGLE", "MULTIPLE"])(
  "several values in the place of one are put back, or held back: never a text of them (%s since)",
  async (cardinality) => {
    const site = await siteWith({ "a.yaml": manifest("structured_properties: { note: x }") });
    const values = [{ string: "x" }, { string: "y" }];
    const note = property("note");
    await site.catalog.load(
      metadataFile(temporaryDirectory(), [
        ...liveAspects(live),
        defined("note", "string"),
        [invoices, "structuredProperties", { properties: [{ propertyUrn: note, values }] }],
      ]),
    );
    expect(await site.planned()).toMatchObject({
      changes: [{ before: "x, y", several: ["x", "y"], after: "x" }],
    });
    expect(await site.run(["pull"])).toMatchObject({ code: 6 });
    expect(await site.apply()).toMatchObject({ code: 0 });
    await site.catalog.load(metadataFile(temporaryDirectory(), [defined("note", "string", { cardinality })]));

    const { code, stdout, stderr } = await rollBack(site);

    expect(code, stdout + stderr).toBe(cardinality === "SINGLE" ? 6 : 0);
    expect(site.aspect(invoices, "structuredProperties")).toMatchObject({
      properties: [{ values: cardinality === "SINGLE" ? [{ string: "x" }] : values }],
    });
  },
);

test("an asset that others have moved on since stays in its data product", async () => {
  const site = await siteWith(
    { "a.yaml": manifest("data_products: [invoicing]", "tags: [pii]") },
    settingsWith(),
    { oneProductPerAsset: true },
  );
  await site.catalog.load(metadataFile(temporaryDirectory(), liveAspects(live)));
  expect(await site.apply("--max-removals", "100%")).toMatchObject({ code: 0 });
  const assets = [{ destinationUrn: invoices }];
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:dataProduct:invoicing", "dataProductProperties", { name: "Invoicing", assets: [] }],
      ["urn:li:dataProduct:other", "dataProductProperties", { name: "Other", assets }],
    ]),
  );

  const { code, stdout, stderr } = await rollBack(site);

  expect(code, stdout + stderr).toBe(6);
  expect(stderr).toContain("someone changed it after the run");
  expect(site.aspect("urn:li:dataProduct:other", "dataProductProperties")).toMatchObject({ assets });
  expect(site.aspect(invoices, "globalTags")).toMatchObject({ tags: [{ tag: "urn:li:tag:old" }] });
});

test("a rollback puts back what --target and --exclude select, and a selection without anything of the run is refused", async () => {
  const site = await siteAfter({
    "a.yaml": manifest("tags: [pii]", "domain: finance"),
    "old.yaml": "kind: Tag\nid: old\ndescription: Ours.\n",
    "gold.yaml": "kind: Tag\nid: gold\ndescription: Ours.\n",
  });
  const described = (): readonly unknown[] =>
    ["old", "gold"].map(
      (id) => (site.aspect(`urn:li:tag:${id}`, "tagProperties") as JsonObject)["description"] ?? null,
    );

  const none = await rollBack(site, "--target", "urn:li:tag:*", "--exclude", "*");
  const run = await site.run([
    "rollback",
    runOf(site),
    "--auto-approve",
    "--target",
    "urn:li:tag:*",
    "--exclude",
    "gold",
  ]);

  expect(none).toMatchObject({ code: 64 });
  expect(none.stderr).toContain("did not change any entity selected by --target urn:li:tag:* --exclude *");
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(described()).toEqual([null, "Ours."]);
  expect(site.aspect(invoices, "globalTags")).toMatchObject({ tags: [{ tag: "urn:li:tag:pii" }] });
});

test("what rules and manifests take back again is one warning for each rule and each file, with the way that ends it", async () => {
  const others = ["b", "c", "d"].map(datasetNamed);
  const named = (name: string): string =>
    `kind: Dataset\nplatform: snowflake\nname: ${name}\ndomain: finance\n`;
  const site = await siteWith({
    "rule.yaml": "kind: Rule\nid: all\nmatch: { kind: Dataset }\ndeclare: { tags: [pii] }\n",
    "bc.yaml": [named("b"), named("c")].join("---\n"),
    "d.yaml": named("d"),
  });
  const there = others.map((each): MadeAspect => [each, "datasetProperties", {}]);
  await site.catalog.load(metadataFile(temporaryDirectory(), [...liveAspects(live), ...there]));
  expect(await site.apply("--max-removals", "100%")).toMatchObject({ code: 0 });
  const commit = site.git("rev-parse", "HEAD").trim().slice(0, 12);

  const { stderr } = await site.run(["rollback", runOf(site), "--dry-run"]);

  expect(stderr.match(/warning rollback-overruled: .*$/gm)).toEqual([
    expect.stringMatching(
      new RegExp(
        `: the manifests declare different values in 2 places, .* or revert the commit with .git revert ${commit}`,
      ),
    ),
    expect.stringMatching(/: the manifests declare a different value for `domain` of `\S+`, .*pull --target/),
    expect.stringMatching(
      /: rule `all` declares different values in 4 places, including `tags` of `\S+`, .*: change the rule, or revert /,
    ),
  ]);
});

test("a rollback is planned with its run as source, saved, and applied as any other plan; it is a run, and moves no base", async () => {
  const site = await siteAfter({ "a.yaml": manifest("tags: [pii]") });
  const [run, base] = [runOf(site), site.at()];
  const writes = writesIn(site.catalog).length;

  // A report of the run takes its place.
  const saved = await site.run(["rollback", ".git/report.json", "--out", ".git/plan.json"]);

  expect(saved.code, saved.stderr).toBe(0);
  expect(saved.stderr).toContain("catalog/a.yaml:4:1 warning rollback-overruled");
  expect(saved.stderr).toContain(`pull --target ${invoices}`);
  const plan = JSON.parse(readFileSync(join(site.root, ".git/plan.json"), "utf8")) as unknown;
  expect(planErrors(plan)).toBeNull();
  const source = { file: ".git/report.json" };
  expect(plan).toMatchObject({
    changes: [{ urn: invoices, facet: "tags", add: ["urn:li:tag:old"], remove: ["urn:li:tag:pii"], source }],
  });
  expect(writesIn(site.catalog)).toHaveLength(writes);
  const { code, stdout, stderr } = await site.run(["apply", ".git/plan.json"]);
  expect(code, stdout + stderr).toBe(0);
  expect(site.aspect(invoices, "globalTags")).toMatchObject({ tags: [{ tag: "urn:li:tag:old" }] });
  expect(site.at()).toBe(base);
  expect(runOf(site)).not.toBe(run);
});

test("another server, an unknown run, a plan, a missing directory or terminal, and a no are refused, and yes goes on", async () => {
  const site = await siteAfter({ "a.yaml": manifest("tags: [pii]") });
  const run = runOf(site);
  const other = await startTestCatalog();
  planFile(planOf(), ".git/plan.json", site.root);
  const writes = writesIn(site.catalog).length;

  const elsewhere = ["rollback", run, "--auto-approve", "--server", other.url];
  expect(await runCli(elsewhere, { cwd: site.root })).toMatchObject({
    code: 64,
    stderr: expect.stringContaining("nothing was sent"),
  });
  expect(other.requests).toEqual([]);
  expect(await site.run(["rollback", "0000000", "--auto-approve"])).toMatchObject({ code: 3 });
  expect(await site.run(["rollback", ".git/plan.json", "--auto-approve"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("is a plan, not a report"),
  });
  expect(await site.run(["rollback", run])).toMatchObject({
    code: 64,
    stderr: expect.stringContaining("use --auto-approve"),
  });
  const cwd = temporaryDirectory();
  const report = ["rollback", join(site.root, ".git/report.json"), "--server", site.catalog.url, "--dry-run"];
  expect(await runCli(report, { cwd })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("There is no catalog directory here"),
  });
  for (const flag of ["--prune", "none"]) {
    const refused = await runCli([...report, flag], { cwd });
    expect(refused).toMatchObject({ code: 64, stderr: expect.stringContaining("does not exist") });
  }
  expect(await site.run(["rollback", run], { answers: ["no"] })).toMatchObject({ code: 1 });
  expect(writesIn(site.catalog)).toHaveLength(writes);
  expect(await site.run(["rollback", run], { answers: ["yes"] })).toMatchObject({ code: 0 });
});

test("guards judge a rollback of a run that another clone kept, and a flag allows it", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `t${index}`);
  const site = await siteWith({
    "tags.yaml": names.map((id) => `kind: Tag\nid: ${id}\n`).join("---\n"),
    "a.yaml": manifest(`tags: [${names.join(", ")}]`),
  });
  await site.catalog.load(metadataFile(temporaryDirectory(), liveAspects(live)));
  await site.apply("--report", ".git/report.json");
  const other = testRepository();
  other.git("pull", "--quiet", site.root, "main");
  other.git("fetch", "--quiet", site.root, "refs/datahub-gitops/*:refs/datahub-gitops/*");
  const there = (...flags: readonly string[]) =>
    site.run(["rollback", runOf(site), ...flags], { cwd: other.root });

  expect((await site.run(["rollback", runOf(site), "--dry-run"])).code).toBe(0);
  expect((await site.run(["rollback", ".git/report.json", "--dry-run"])).code).toBe(0);
  const blocked = await there("--auto-approve");
  expect(blocked.code).toBe(5);
  expect(blocked.stdout).toContain("--max-removals");
  expect((await there("--auto-approve", "--max-removals", "100%")).code).toBe(0);
});

test("neither a rollback nor an apply takes the settings of a directory in another repository, and a rollback says that a run is behind what it removes", async () => {
  const site = await siteAfter({ "a.yaml": manifest("tags: [pii]") });
  const other = testRepository();
  other.commit({ "evil/datahub-gitops.yaml": "version: 1\n", "evil/a.yaml": tag("a") });
  await site.plan("--out", ".git/plan.json");
  type Scoped = Record<string, unknown> & { scope: { directory: string } };
  const elsewhere = ({ seal: _, ...plan }: Scoped): Scoped => ({
    ...plan,
    scope: { ...plan.scope, directory: join(other.root, "evil") },
  });
  forge(join(site.root, ".git/plan.json"), (plan) => void Object.assign(plan, elsewhere(plan as Scoped)));
  forge(join(site.root, ".git/report.json"), (report) => {
    report["plan"] = sealed(elsewhere(report["plan"] as Scoped));
  });
  const refused = {
    code: 64,
    stderr: expect.stringContaining("which is outside the repository of the working directory") as string,
  };

  expect(await site.run(["rollback", ".git/report.json", "--dry-run"])).toMatchObject(refused);
  expect(await site.apply(".git/plan.json")).toMatchObject(refused);

  const rolled = await site.run(["rollback", runOf(site), "--dry-run"]);
  expect(rolled.stdout).toContain(`(run ${runOf(site)})`);
  expect(rolled.stdout).not.toContain("Without a base");
});
