import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
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

/** The result of a coverage that must find nothing wrong. */
async function coverageOf({ run }: Site, ...flags: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(["coverage", ...flags], { env: { SOURCE_DATE_EPOCH: "0" } });
  expect(code, stderr).toBe(0);
  return stdout;
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
  expect(JSON.parse(await coverageOf(site, "--format", "json"))).toEqual({
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

test("coverage by another key shows the difference to an earlier one, which is of the same server and grouped alike", async () => {
  const site = await makeSite();
  site.write({
    "catalog/policies.yaml": "kind: Policy\nid: owned\nmatch: { kind: Dataset }\nrequire: { owners: true }\n",
  });
  const before = await coverageOf(site, "--by", "domain", "--format", "json");
  site.write({
    "before.json": before,
    "elsewhere.json": before.replace(site.catalog.url, "http://other.example"),
  });
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      [datasetNamed("a"), "domains", { domains: [] }],
      [datasetNamed("c"), "ownership", owned(alice)],
      [datasetNamed("d"), "ownership", owned(alice)],
    ]),
  );

  expect(await coverageOf(site, "--by", "domain", "--base", "before.json")).toMatchInlineSnapshot(`
    "no domain  5 assets (+2)
      domain 0%, owners 80% (+3 assets), tags 20%, glossary_terms 0%, description 20%, declared 40% (+1 asset) (documents 1, rules 2, both 1)
    Finance  0 assets (-1)
      domain 0% (-1 asset), owners 0% (-1 asset), tags 0%, glossary_terms 0%, description 0%, declared 0% (-1 asset)

    policy owned: 4 (+2) of 4 (+1) pass (100%)

    Compared with 1970-01-01T00:00:00.000Z.
    5 assets (+1): domain 0% (-1 asset), owners 80% (+2 assets), tags 20%, glossary_terms 0%, description 20%, declared 40% (documents 1, rules 2, both 1).
    "
  `);
  for (const [file, by, words] of [
    ["before.json", "owner", "is grouped by domain, not by owner; use --by domain"],
    ["elsewhere.json", "domain", "was made for http://other.example, not for http://"],
    ["catalog/policies.yaml", "domain", "is not"],
  ] as const)
    expect(await site.run(["coverage", "--base", file, "--by", by])).toEqual({
      code: 3,
      stdout: "",
      stderr: expect.stringContaining(`${file} ${words}`),
    });
});

test("coverage by container reads what contains the assets, of a snapshot as well", async () => {
  const site = await makeSite();
  const job = "urn:li:dataJob:(urn:li:dataFlow:(airflow,daily,prod),load)";
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [[job, "container", { container: "urn:li:container:schema" }]]),
  );
  const { groups } = JSON.parse(await coverageOf(site, "--by", "container", "--format", "json")) as {
    readonly groups: readonly { readonly key: string; readonly assets: number }[];
  };
  expect(groups.map(({ key, assets }) => [key, assets])).toEqual([
    ["", 3],
    ["urn:li:container:schema", 2],
  ]);
  const { stdout } = await runCli(
    ["list", "--container", "schema", "--kind", "DataJob", "--server", site.catalog.url],
    { cwd: site.root },
  );
  expect(stdout).toContain(job);
  expect(await site.run(["export", "--snapshot", "live.json"])).toMatchObject({ code: 0 });
  const saved = await runCli(["coverage", "--snapshot", "live.json"], { cwd: site.root });
  expect(saved.stderr).toContain("Reading a snapshot of");
  expect(saved.stdout).toContain("\n2 assets: ");
});

test("numbers of which something could not be read are not printed", async () => {
  const site = await makeSite();
  const broken: MadeAspect = [datasetNamed("c"), "domains", { domains: "broken" }];
  await site.catalog.load(metadataFile(temporaryDirectory(), [broken]));
  const { code, stdout, stderr } = await site.run(["coverage", "--format", "csv"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("1 entity could not be read; the coverage is incomplete");
});

test("an unknown group is a usage error", async () => {
  const { code, stderr } = await runCli(["coverage", "--by", "tag"], { cwd: temporaryDirectory() });
  expect(code).toBe(64);
  expect(stderr).toContain("It must be one of kind, platform, domain, owner, container");
});

test("a policy that an earlier coverage did not have is new, and no progress; platforms have their short names", async () => {
  const site = await makeSite();
  site.write({ "before.json": await coverageOf(site, "--by", "platform", "--format", "json") });
  site.write({
    "catalog/policies.yaml": "kind: Policy\nid: owned\nmatch: { kind: Dataset }\nrequire: { owners: true }\n",
  });
  const text = await coverageOf(site, "--by", "platform", "--base", "before.json");
  expect(text).toMatch(/^policy owned \(new\): \d+ of \d+ pass \(\d+%\)$/m);
  expect(text).toMatch(/^snowflake {2}/m);
  const page = await coverageOf(site, "--by", "platform", "--base", "before.json", "--format", "html");
  expect(page).toContain("owned (new)");
  expect(page).not.toContain("<bdi>urn:li:dataPlatform");
});
