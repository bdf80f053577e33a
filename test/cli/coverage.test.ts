import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { capture, runCli } from "../support/command-line.ts";
import { settingsWith, type Site, siteOnce, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const alice = "urn:li:corpuser:alice";
const team = "urn:li:corpGroup:team";
const owned = (...owners: readonly string[]): object => ({
  owners: owners.map((owner) => ({ owner, type: "NONE" })),
});

const world: readonly MadeAspect[] = [
  ["urn:li:domain:finance", "domainProperties", { name: "Finance" }],
  ["urn:li:container:schema", "containerProperties", { name: "FINANCE" }],
  [alice, "corpUserInfo", { active: true, displayName: "Alice Doe" }],
  [datasetNamed("a"), "domains", { domains: ["urn:li:domain:finance"] }],
  [datasetNamed("a"), "ownership", owned(alice, team)],
  [datasetNamed("a"), "container", { container: "urn:li:container:schema" }],
  [datasetNamed("b"), "ownership", owned(alice)],
  [datasetNamed("b"), "datasetProperties", { description: "As ingested." }],
  [datasetNamed("c"), "globalTags", { tags: [{ tag: "urn:li:tag:pii" }] }],
  [datasetNamed("gone"), "status", { removed: true }],
];

const makeSite = siteOnce(async (): Promise<Site> => {
  const files = {
    "catalog.yaml": `kind: Domain
id: finance
---
kind: Dataset
platform: snowflake
name: a
tags: [pii]
---
kind: Rule
id: letters
match: { kind: Dataset, name: [a, b] }
declare: { tags: [pii] }
`,
  };
  const site = await siteWith(files, settingsWith());
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  return site;
});

interface Coverage {
  readonly groups: readonly Readonly<Record<string, unknown>>[];
  readonly total: Readonly<Record<string, number>>;
}

async function coverageOf(site: Site, ...flags: readonly string[]): Promise<Coverage> {
  const { code, stdout, stderr } = await site.run(["coverage", "--format", "json", ...flags]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Coverage;
}

test("coverage counts of the assets of each kind what they have, and what declares them", async () => {
  const site = await makeSite();
  const none = { declared: 0, documents: 0, rules: 0, domain: 0, owners: 0, tags: 0 };
  const counts = { ...none, glossary_terms: 0, description: 0 };
  const datasets = {
    ...counts,
    assets: 3,
    declared: 2,
    documents: 1,
    rules: 2,
    domain: 1,
    owners: 2,
    tags: 1,
    description: 1,
  };
  expect(await coverageOf(site)).toEqual({
    formatVersion: "1",
    target: site.catalog.url,
    createdAt: expect.stringMatching(/^\d{4}-/) as string,
    by: "kind",
    groups: [
      { key: "Dataset", ...datasets },
      { key: "Container", ...counts, assets: 1 },
    ],
    total: { ...datasets, assets: 4 },
    policies: [],
  });
});

test.each([
  ["platform", { "urn:li:dataPlatform:snowflake": 3, "": 1 }],
  ["domain", { "": 3, "urn:li:domain:finance": 1 }],
  ["owner", { "": 2, [alice]: 2, [team]: 1 }],
  ["container", { "": 3, "urn:li:container:schema": 1 }],
])("coverage --by %s has these groups", async (by, groups) => {
  const coverage = await coverageOf(await makeSite(), "--by", by);
  expect(Object.fromEntries(coverage.groups.map(({ key, assets }) => [key, assets]))).toEqual(groups);
  expect(coverage.total["assets"]).toBe(4);
});

test("coverage is printed as text, CSV and Markdown", async () => {
  const site = await makeSite();
  const text = await site.run(["coverage", "--by", "domain"]);
  expect(text.stdout).toMatchInlineSnapshot(`
    "no domain  3 assets
      domain 0%, owners 33%, tags 33%, glossary_terms 0%, description 33%, declared 33% (rules 1)
    Finance  1 asset
      domain 100%, owners 100%, tags 0%, glossary_terms 0%, description 0%, declared 100% (documents 1, rules 1, both 1)

    4 assets: domain 25%, owners 50%, tags 25%, glossary_terms 0%, description 25%, declared 50% (documents 1, rules 2, both 1).
    "
  `);
  const csv = await site.run(["coverage", "--by", "owner", "--format", "csv"]);
  expect(csv.stdout.split("\r\n")).toMatchInlineSnapshot(`
    [
      "key,assets,declared,documents,rules,domain,owners,tags,glossary_terms,description",
      ",2,0,0,0,0,0,1,0,0",
      "urn:li:corpuser:alice,2,2,1,2,1,2,0,0,1",
      "urn:li:corpGroup:team,1,1,1,1,1,1,0,0,0",
      "total,4,2,1,2,1,2,1,0,1",
      "",
    ]
  `);
  const markdown = await site.run(["coverage", "--format", "markdown"]);
  expect(markdown.stdout).toMatchInlineSnapshot(`
    "| key | assets | declared | documents | rules | domain | owners | tags | glossary\\_terms | description |
    | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
    | Dataset | 3 | 2 | 1 | 2 | 1 | 2 | 1 | 0 | 1 |
    | Container | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |

    4 assets: domain 25%, owners 50%, tags 25%, glossary_terms 0%, description 25%, declared 50% (documents 1, rules 2, both 1).
    "
  `);
  const narrow = { ...capture(60), isTTY: true };
  await site.run(["coverage"], { stdout: narrow });
  expect(
    narrow
      .text()
      .split("\n")
      .filter((line) => line.length > 60),
  ).toEqual([]);
});

test("a snapshot is counted with what it has, and a catalog without assets has none", async () => {
  const site = await makeSite();
  expect(await site.run(["export", "--snapshot", "live.json"])).toMatchObject({ code: 0 });
  const flags = ["coverage", "--snapshot", "live.json"];
  const saved = await runCli(flags, { cwd: site.root });
  expect(saved.stderr).toContain("Reading a snapshot of");
  expect(saved.stdout).toContain("\n2 assets: ");
  const empty = await siteWith({ "a.yaml": "kind: Tag\nid: a\n" });
  expect(await empty.run(["coverage"])).toMatchObject({ code: 0, stdout: "No assets found.\n" });
});

test("numbers of which something could not be read are not printed", async () => {
  const site = await makeSite();
  const broken: MadeAspect = [datasetNamed("c"), "domains", { domains: "broken" }];
  await site.catalog.load(metadataFile(temporaryDirectory(), [broken]));
  const { code, stdout, stderr } = await site.run(["coverage", "--format", "csv"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("1 entity could not be read; the coverage is not complete");
});

test("coverage shows the difference to an earlier one in each format", async () => {
  const site = await siteWith({
    "a.yaml": "kind: Tag\nid: pii\n",
    "policies.yaml": "kind: Policy\nid: owned\nmatch: { kind: Dataset }\nrequire: { owners: true }\n",
  });
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  const run = async (...flags: readonly string[]): Promise<string> => {
    const argv = ["coverage", "--by", "domain", ...flags];
    const { code, stdout, stderr } = await site.run(argv, { env: { SOURCE_DATE_EPOCH: "0" } });
    expect(code, stderr).toBe(0);
    return stdout;
  };
  site.write({ "before.json": await run("--format", "json") });
  const since = "Compared with the numbers of 1970-01-01T00:00:00.000Z.\n";
  expect((await run("--base", "before.json")).replace(since, "")).toBe(await run());

  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      [datasetNamed("a"), "domains", { domains: [] }],
      [datasetNamed("c"), "ownership", owned(alice)],
      [datasetNamed("d"), "ownership", owned(alice)],
    ]),
  );
  expect(await run("--base", "before.json")).toMatchInlineSnapshot(`
    "no domain  5 assets (+2)
      domain 0%, owners 80% (+3 assets), tags 20%, glossary_terms 0%, description 20%, declared 0%
    Finance  0 assets (-1)
      domain 0% (-1 asset), owners 0% (-1 asset), tags 0%, glossary_terms 0%, description 0%, declared 0%

    policy owned: 4 (+2) of 4 (+1) pass (100%)

    Compared with the numbers of 1970-01-01T00:00:00.000Z.
    5 assets (+1): domain 0% (-1 asset), owners 80% (+2 assets), tags 20%, glossary_terms 0%, description 20%, declared 0%.
    "
  `);
  expect((await run("--base", "before.json", "--format", "csv")).split("\r\n")).toMatchInlineSnapshot(`
    [
      "key,assets,declared,documents,rules,domain,owners,tags,glossary_terms,description,assets_difference,declared_difference,documents_difference,rules_difference,domain_difference,owners_difference,tags_difference,glossary_terms_difference,description_difference",
      ",5,0,0,0,0,4,1,0,1,2,0,0,0,0,3,0,0,0",
      "urn:li:domain:finance,0,0,0,0,0,0,0,0,0,-1,0,0,0,-1,-1,0,0,0",
      "total,5,0,0,0,0,4,1,0,1,1,0,0,0,-1,2,0,0,0",
      "",
    ]
  `);
  expect(await run("--base", "before.json", "--format", "markdown")).toMatchInlineSnapshot(`
    "| key | assets | declared | documents | rules | domain | owners | tags | glossary\\_terms | description |
    | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
    |  | 5 (+2) | 0 | 0 | 0 | 0 | 4 (+3) | 1 | 0 | 1 |
    | urn:li:domain:finance | 0 (-1) | 0 | 0 | 0 | 0 (-1) | 0 (-1) | 0 | 0 | 0 |

    - policy owned: 4 (+2) of 4 (+1) pass (100%)

    Compared with the numbers of 1970-01-01T00:00:00.000Z.

    5 assets (+1): domain 0% (-1 asset), owners 80% (+2 assets), tags 20%, glossary_terms 0%, description 20%, declared 0%.
    "
  `);
  const { difference } = JSON.parse(await run("--base", "before.json", "--format", "json")) as Coverage & {
    readonly difference: Coverage;
  };
  expect(difference).toMatchObject({
    groups: [
      { key: "", assets: 2, owners: 3 },
      { key: "urn:li:domain:finance", assets: -1, owners: -1 },
    ],
    total: { assets: 1, domain: -1, owners: 2, tags: 0 },
    policies: [{ id: "owned", matched: 1, passes: 2 }],
  });
  const page = await run("--base", "before.json", "--format", "html");
  expect(page).toContain("4 (+2)");
  expect(page).toContain("In brackets: how many more or fewer than on ");
});

test.each([
  ["is not a coverage as JSON", '{ "formatVersion": "1" }'],
  ["is not a valid coverage", '{ "formatVersion": "1", "by": "kind", "total": {} }'],
  ["is grouped by owner, not by kind: use --by owner", undefined],
  ["was made for http://other.example, not for http://", "http://other.example"],
])("a base that %s is refused", async (words, given) => {
  const site = await makeSite();
  const text = (await site.run(["coverage", "--format", "json", "--by", given ? "kind" : "owner"])).stdout;
  const file =
    given?.startsWith("{") === true ? given : text.replace(site.catalog.url, given ?? site.catalog.url);
  site.write({ "base.json": file });
  const { code, stdout, stderr } = await site.run(["coverage", "--base", "base.json"]);
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toContain(`base.json ${words}`);
});

test("an unknown group is a usage error", async () => {
  const { code, stderr } = await runCli(["coverage", "--by", "tag"], { cwd: temporaryDirectory() });
  expect(code).toBe(64);
  expect(stderr).toContain("Allowed choices are kind, platform, domain, owner, container");
});
