import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formats } from "../../src/report/format.ts";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { planErrors } from "../support/published-schemas.ts";
import { settingsWith, type Site, siteOnce, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";
import { denying } from "../support/denying.ts";

const files = { "a.yaml": tag("a", "one"), "b.yaml": tag("b", "two"), "c.yaml": tag("c", "three") };

async function makeSiteAhead(settings = settingsWith()): Promise<Site> {
  const site = await siteWith(files, settings);
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/c.yaml": tag("c", "four") });
  return site;
}

/** A site in sync, whose manifests then change `c`. */
const siteAhead = siteOnce(makeSiteAhead);

const describe = (site: Site, id: string, text: string): Promise<void> =>
  site.edit(`updateDescription(input: { resourceUrn: "urn:li:tag:${id}", description: "${text}" })`);

interface Drift {
  readonly changes: readonly { readonly urn: string; readonly class: string }[];
  readonly digest: string;
  readonly findings: readonly { readonly severity: string }[];
}

const classesIn = ({ changes }: Drift): readonly string[] =>
  changes.map((change) => `${change.urn.split(":").at(-1)} ${change.class}`);

test("drift tells what Git changed from what others changed, and ends with 2 for the latter", async () => {
  const site = await siteAhead();
  const pending = await site.run(["drift"]);
  expect(pending).toMatchObject({ code: 0, stderr: "" });
  expect(pending.stdout).toMatch(/\nNo drift: 0 changed, 0 missing, 1 pending; 0 unmanaged\.\n$/);

  await describe(site, "a", "theirs");
  await site.edit('deleteTag(urn: "urn:li:tag:b")');
  const drift = await site.run(["drift"]);
  expect(drift).toMatchObject({ code: 2, stderr: "" });
  expect(drift.stdout).toMatch(
    /^Server: .*\n\n`\+` is in the catalog and not declared[^\n]+\n\nChanged: [^\n]+\n\n~ Tag urn:li:tag:a\n.*: one → theirs/,
  );
  expect(drift.stdout).toMatch(/\nDrift: 1 changed, 2 missing, 1 pending; 0 unmanaged\.\n$/);

  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(await site.run(["drift"])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo drift\. 3 entities in sync\.\n$/),
    stderr: "",
  });
});

test("a saved report of drift is shown as it was printed", async () => {
  const site = await siteAhead();
  await describe(site, "a", "theirs");
  const { stdout } = await site.run(["drift", "--report", "drift.json"]);

  const shown = await runCli(["show", "drift.json"], { cwd: site.root });

  expect(shown).toEqual({ code: 0, stdout, stderr: "" });
});

test("drift as JSON is the plan with a class in each change, also as a report", async () => {
  const site = await siteAhead();
  await describe(site, "a", "theirs");
  const { code, stdout } = await site.run(["drift", "--format", "json", "--report", "drift.json"]);
  expect(code).toBe(2);
  expect(readFileSync(join(site.root, "drift.json"), "utf8")).toBe(stdout);

  const drift = JSON.parse(stdout) as Drift;
  expect(planErrors(drift)).toBeNull();
  expect(classesIn(drift)).toEqual(["a changed", "c pending"]);
  const plan = JSON.parse((await site.run(["plan", "--format", "json"])).stdout) as Drift;
  const changes = drift.changes.map(({ class: _, ...change }) => change);
  expect({ ...drift, changes, seal: "" }).toEqual({ ...plan, seal: "" });
});

test.each(["text", "markdown"])("drift as %s is written to a report as it is printed", async (format) => {
  const site = await siteAhead();
  await describe(site, "a", "theirs");
  const { stdout } = await site.run(["drift", "--format", format, "--report", `${format}=drift`]);
  expect(readFileSync(join(site.root, "drift"), "utf8")).toBe(stdout);
});

test("without a base nothing is pending, and drift says so", async () => {
  const site = await siteAhead("version: 1\n");
  const { code, stdout } = await site.run(["drift"]);
  expect(code).toBe(2);
  expect(stdout).toMatch(
    /\nWithout a base \(the last applied commit\) it is unknown what was applied, so nothing counts as pending\.\nDrift: 1 changed, 0 missing, 0 pending; 0 unmanaged\.\n$/,
  );
});

test("a guard has no say in drift, and is only in its JSON", async () => {
  const settings = settingsWith("guards: { vanished: { max_percent: 0, min_existing: 0 } }");
  const site = await siteAhead(settings);
  site.commit({ "catalog/b.yaml": undefined });
  const env = { GITHUB_ACTIONS: "true" };
  expect(await site.plan()).toMatchObject({ code: 5 });
  const text = await site.run(["drift"], { env });
  expect(text).toMatchObject({ code: 0, stderr: "", stdout: expect.not.stringContaining("Blocked") });
  const { code, stdout } = await site.run(["drift", "--format", "json"], { env });
  expect(code).toBe(0);
  expect((JSON.parse(stdout) as Drift).findings).toMatchObject([{ severity: "error" }]);
});

const policy = `kind: Policy
id: not-four
match: { kind: Tag }
check: asset.description != "four"
`;

test("what an apply would make worse is in each format of drift, and no say in its exit code", async () => {
  const site = await siteAhead();
  site.commit({ "catalog/policies.yaml": policy });
  expect(await site.plan()).toMatchObject({ code: 4 });
  for (const format of formats) {
    const { code, stdout } = await site.run(["drift", "--format", format]);
    expect({ format, code, has: stdout.includes("not-four") }).toEqual({ format, code: 0, has: true });
  }
  const { stdout, stderr } = await site.run(["drift"], { env: { GITHUB_ACTIONS: "true" } });
  expect(stdout).toContain("Policies: 1 introduced, 0 fixed, 0 existing, 0 waived.\n");
  expect(stderr).toContain("::error file=catalog/c.yaml,line=3,col=1,title=policy not-four::");
});

test.each(["hold", "skip"])("with `conflicts: %s` a conflict is a change of others", async (rule) => {
  const site = await siteAhead(settingsWith("manage: { description: merge }", `conflicts: ${rule}`));
  await describe(site, "c", "theirs");
  const { code, stdout } = await site.run(["drift", "--format", "json"]);
  expect({ code, classes: classesIn(JSON.parse(stdout) as Drift) }).toEqual({
    code: 2,
    classes: ["c changed"],
  });
});

test("drift looks at the part that it is asked for", async () => {
  const site = await siteAhead();
  await describe(site, "a", "theirs");
  expect(await site.run(["drift", "--target", "urn:li:tag:b"])).toMatchObject({ code: 0 });
  expect(await site.run(["drift", "--changed-since", "HEAD~1"])).toMatchObject({ code: 0 });
  expect(await site.run(["drift", "--target", "urn:li:tag:a"])).toMatchObject({ code: 2 });
  const since = await site.run(["drift", "--base", "HEAD", "--target", "urn:li:tag:c"]);
  expect(since.stdout).toMatch(/\nDrift: 1 changed, 0 missing, 0 pending; 0 unmanaged\.\n$/);
});

test("what an apply of a part wrote is ours, also if Git takes it back", async () => {
  const site = await siteAhead();
  expect(await site.apply("--target", "urn:li:tag:c")).toMatchObject({ code: 0 });
  expect(await site.run(["drift"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo drift\. 3 entities in sync\.\n$/),
  });
  site.commit({ "catalog/c.yaml": tag("c", "three") });
  const { code, stdout } = await site.run(["drift", "--format", "json"]);
  expect({ code, classes: classesIn(JSON.parse(stdout) as Drift) }).toEqual({
    code: 0,
    classes: ["c pending"],
  });
});

test("a deletion is pending", async () => {
  const site = await siteAhead();
  site.commit({ "catalog/b.yaml": undefined });
  const { code, stdout } = await site.run(["drift", "--prune", "--format", "json"]);
  expect(code).toBe(0);
  expect(classesIn(JSON.parse(stdout) as Drift)).toEqual(["c pending", "b pending"]);
});

test("what is declared and not in the catalog is a problem of drift, too: 3", async () => {
  const site = await siteAhead();
  site.commit({ "catalog/d.yaml": "kind: Dataset\nplatform: snowflake\nname: orders\ntags: []\n" });
  const { code, stdout, stderr } = await site.run(["drift"]);
  expect(code).toBe(3);
  expect(stderr).toContain("error asset-missing");
  expect(stdout).toMatch(/\nIncomplete: 0 changed, 0 missing, 1 pending; 0 unmanaged; 1 problem\.\n$/);
  const skipped = await site.run(["drift", "--missing", "skip"]);
  expect(skipped.code).toBe(0);
  expect(skipped.stdout).toContain("Skipped because not in the catalog: 1 asset, 0 columns.");
});

test("what cannot be read is an error, and the rest is compared", async () => {
  const dataset = (name: string): string => `kind: Dataset\nplatform: snowflake\nname: ${name}\ntags: []\n`;
  const site = await siteWith({ "a.yaml": dataset("a"), "b.yaml": dataset("b") });
  const aspects = ["a", "b"].map(
    (name) => [datasetNamed(name), "datasetProperties", { customProperties: {}, tags: [] }] as const,
  );
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  const url = await denying(site.catalog.url, datasetNamed("a"));
  const { code, stdout, stderr } = await runCli(["drift", "--server", url], { cwd: site.root });
  expect(code).toBe(1);
  expect(stderr).toContain("error read-failed");
  expect(stdout).toMatch(
    /^Server: .*\n\nIncomplete: 0 changed, 0 missing, 0 pending; 0 unmanaged; 1 problem\.\n$/,
  );
});

test("an interrupted drift ends with 130", async () => {
  const site = await siteAhead();
  const interrupted = AbortSignal.abort(new Error("interrupted"));
  expect(await site.run(["drift"], { interrupted })).toMatchObject({ code: 130, stdout: "" });
});

test("drift names the rules behind a change, in text, JSON and Markdown", async () => {
  const rule = 'kind: Rule\nid: all-pii\nmatch: { kind: Dataset, name: "fin.*" }\ndeclare: { tags: [a] }\n';
  const columns = rule.replace("all-pii", "mail").replace("tags: [a]", 'columns: { "*mail": { tags: [b] } }');
  const site = await siteWith({ ...files, "rules.yaml": `${rule}---\n${columns}` });
  const dataset = datasetNamed("fin.a");
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [[dataset, "schemaMetadata", schemaWith("email")]]),
  );
  expect(await site.apply()).toMatchObject({ code: 0 });
  await site.edit(`removeTag(input: { tagUrn: "urn:li:tag:a", resourceUrn: "${dataset}" })`);
  await site.edit(
    `removeTag(input: { tagUrn: "urn:li:tag:b", resourceUrn: "${dataset}", subResource: "email", subResourceType: DATASET_FIELD })`,
  );

  const [text, json, markdown] = await Promise.all(
    ["text", "json", "markdown"].map((format) => site.run(["drift", "--format", format])),
  );
  expect(text?.stdout).toContain("    tags  catalog/rules.yaml:4:12 (rule all-pii)\n      - urn:li:tag:a\n");
  expect(text?.stdout).toContain("    columns.tags email  catalog/rules.yaml:9:23 (rule mail)\n");
  expect((JSON.parse(json?.stdout ?? "") as Drift).changes).toMatchObject([
    { facet: "columns.tags", class: "missing", rules: ["mail"] },
    { facet: "tags", class: "missing", rules: ["all-pii"] },
  ]);
  for (const place of ["4:12 (rule all-pii)", "9:23 (rule mail)"])
    expect(markdown?.stdout).toContain(`@@ Dataset ${dataset} @@ catalog/rules.yaml:${place}\n`);
});
