import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formats } from "../../src/report/format.ts";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { planErrors } from "../support/published-schemas.ts";
import { appliedRef, settingsWith, type Site, siteOnce, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";
import { denying } from "../support/denying.ts";

const files = { "a.yaml": tag("a", "one"), "b.yaml": tag("b", "two"), "c.yaml": tag("c", "three") };

async function makeSiteAhead(): Promise<Site> {
  const site = await siteWith(files);
  const live = Object.entries({ a: "one", b: "two", c: "three" }).map(
    ([id, description]) => [`urn:li:tag:${id}`, "tagProperties", { name: id, description }] as const,
  );
  await site.catalog.load(metadataFile(temporaryDirectory(), live));
  site.git("update-ref", appliedRef, "HEAD");
  site.commit({ "catalog/c.yaml": tag("c", "four") });
  return site;
}

/** A site in sync, whose manifests then change `c`. */
const siteAhead = siteOnce(makeSiteAhead);

const configure = (site: Site, settings: string): void =>
  site.write({ "catalog/datahub-gitops.yaml": settings });

const describe = (site: Site, id: string, text: string): Promise<void> =>
  site.edit(`updateDescription(input: { resourceUrn: "urn:li:tag:${id}", description: "${text}" })`);

interface Drift {
  readonly changes: readonly { readonly urn: string; readonly class: string }[];
  readonly digest: string;
  readonly findings: readonly { readonly severity: string }[];
}

const classesIn = ({ changes }: Drift): readonly string[] =>
  changes.map((change) => `${change.urn.split(":").at(-1)} ${change.class}`);

test("drift tells what Git changed from what others changed, ends with 2 for the latter, and saves a report that is shown as it was printed", async () => {
  const site = await siteAhead();
  const pending = await site.run(["drift"]);
  expect(pending).toMatchObject({ code: 0, stderr: "" });
  expect(pending.stdout).toMatch(/\nNo drift: 0 changed, 0 missing, 1 pending; 0 unmanaged\.\n$/);
  await describe(site, "a", "theirs");
  await site.edit('deleteTag(urn: "urn:li:tag:b")');

  const drift = await site.run(["drift", "--report", "drift.json"]);

  expect(drift).toMatchObject({ code: 2, stderr: "" });
  expect(drift.stdout).toMatch(
    /^Server: .*\n\n`\+` is in the catalog but not declared[^\n]+\n\nChanged: [^\n]+\n\n~ Tag urn:li:tag:a\n.*: one → theirs/,
  );
  expect(drift.stdout).toMatch(/\nDrift: 1 changed, 2 missing, 1 pending; 0 unmanaged\.\n$/);
  const report = JSON.parse(readFileSync(join(site.root, "drift.json"), "utf8")) as Drift;
  expect(planErrors(report)).toBeNull();
  expect(classesIn(report)).toEqual(["a changed", "b missing", "b missing", "c pending"]);
  expect(await runCli(["show", "drift.json"], { cwd: site.root })).toEqual({
    code: 0,
    stdout: drift.stdout,
    stderr: "",
  });
});

test("without a base nothing is pending, and drift says so", async () => {
  const site = await siteAhead();
  configure(site, "version: 1\n");
  const { code, stdout } = await site.run(["drift"]);
  expect(code).toBe(2);
  expect(stdout).toMatch(
    /\nWithout a base \(the last applied commit\), it is unknown what was applied, so nothing counts as pending\.\nDrift: 1 changed, 0 missing, 0 pending; 0 unmanaged\.\n$/,
  );
});

const policy = `kind: Policy
id: not-four
match: { kind: Tag }
check: asset.description != "four"
`;

test("what an apply would make worse is in each format of drift, and has no say in its exit code, and neither has a guard", async () => {
  const site = await siteAhead();
  configure(site, settingsWith("guards: { vanished: { max_percent: 0, min_existing: 0 } }"));
  site.commit({ "catalog/policies.yaml": policy, "catalog/b.yaml": undefined });
  const reports = formats.flatMap((format) => ["--report", `${format}=drift.${format}`]);

  const { code, stdout, stderr } = await site.run(["drift", ...reports], {
    env: { GITHUB_ACTIONS: "true" },
  });

  expect(code).toBe(0);
  for (const format of formats)
    expect(readFileSync(join(site.root, `drift.${format}`), "utf8"), format).toContain("not-four");
  expect(stdout).toContain("Policies: 1 introduced, 0 fixed, 0 existing, 0 waived.\n");
  expect(stdout).not.toContain("Blocked");
  expect(stderr).toMatch(/^::error file=catalog\/c.yaml,line=3,col=1,title=policy not-four::.*\n$/);
  const report = JSON.parse(readFileSync(join(site.root, "drift.json"), "utf8")) as Drift;
  expect(report.findings).toContainEqual(expect.objectContaining({ guard: "vanished", severity: "error" }));
});

test("with `conflicts: skip` a conflict is a change of others", async () => {
  const site = await siteAhead();
  configure(site, settingsWith("manage: { description: merge }", "conflicts: skip"));
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
  expect(await site.run(["drift", "--changed-since", "HEAD~1"])).toMatchObject({ code: 0 });
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

test("what is declared but not in the catalog is a problem of drift, too: 3", async () => {
  const site = await siteAhead();
  site.write({ "catalog/d.yaml": "kind: Dataset\nplatform: snowflake\nname: orders\ntags: []\n" });
  const { code, stdout, stderr } = await site.run(["drift"]);
  expect(code).toBe(3);
  expect(stderr).toContain("error asset-missing");
  expect(stdout).toMatch(/\nIncomplete: 0 changed, 0 missing, 1 pending; 0 unmanaged; 1 problem\.\n$/);
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
  const site = await siteWith({ "rules.yaml": `${rule}---\n${columns}` });
  site.git("update-ref", appliedRef, "HEAD");
  const dataset = datasetNamed("fin.a");
  const tags = ["a", "b"].map((id) => [`urn:li:tag:${id}`, "tagProperties", { name: id }] as const);
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [...tags, [dataset, "schemaMetadata", schemaWith("email")]]),
  );

  const { stdout } = await site.run(["drift", "--report", "drift.json", "--report", "markdown=drift.md"]);

  expect(stdout).toContain("    tags  catalog/rules.yaml:4:12 (rule all-pii)\n      - urn:li:tag:a\n");
  expect(stdout).toContain("    columns.tags email  catalog/rules.yaml:9:23 (rule mail)\n");
  const [json, markdown] = ["json", "md"].map((name) =>
    readFileSync(join(site.root, `drift.${name}`), "utf8"),
  );
  expect((JSON.parse(json ?? "") as Drift).changes).toMatchObject([
    { facet: "columns.tags", class: "missing", rules: ["mail"] },
    { facet: "tags", class: "missing", rules: ["all-pii"] },
  ]);
  for (const place of ["4:12 (rule all-pii)", "9:23 (rule mail)"])
    expect(markdown).toContain(`@@ Dataset ${dataset} @@ catalog/rules.yaml:${place}\n`);
});
