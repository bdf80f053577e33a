import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const dataset = (name: string, ...lines: readonly string[]): string =>
  ["- kind: Dataset", "platform: snowflake", `name: ${name}`, ...lines].join("\n  ") + "\n";

const orders = datasetNamed("orders");
const removed = datasetNamed("removed");
const field = (fieldPath: string): object => ({
  fieldPath,
  nullable: true,
  type: { type: { "com.linkedin.schema.StringType": {} } },
  nativeDataType: "text",
  recursive: false,
});
const by = { time: 0, actor: "urn:li:corpuser:datahub" };
const world: readonly MadeAspect[] = [
  [orders, "datasetProperties", { customProperties: {}, tags: [] }],
  [
    orders,
    "schemaMetadata",
    {
      schemaName: "s",
      platform: "urn:li:dataPlatform:snowflake",
      version: 0,
      created: by,
      lastModified: by,
      hash: "",
      platformSchema: { "com.linkedin.schema.OtherSchema": { rawSchema: "" } },
      fields: [
        field("email"),
        field("[version=2.0].[type=struct].[type=string].twice"),
        field("[version=2.0].[type=union].[type=string].twice"),
      ],
    },
  ],
  [removed, "datasetProperties", { customProperties: {}, tags: [] }],
  [removed, "status", { removed: true }],
];

/** A site whose catalog has two datasets, one of them soft-deleted, and none of what they refer to. */
async function siteOf(text: string, ...settings: readonly string[]): Promise<Site> {
  const site = await siteWith({ "datasets.yaml": text }, ["version: 1", ...settings, ""].join("\n"));
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  return site;
}

/** Which problems a plan has, each by its code and line. */
async function problemsOf(site: Site, ...flags: readonly string[]): Promise<readonly string[]> {
  return ((await site.planned(...flags)).problems ?? []).map(
    ({ code, line }) => `${String(line)}: ${String(code)}`,
  );
}

const declared = [
  dataset("gone", "domain: d", "tags: [a]"),
  dataset("removed", "owners: [{ user: u, type: custom }]"),
  dataset("orders", "columns:", "  emial: { tags: [b] }", "  twice: { tags: [c] }"),
].join("");

test("what is declared of assets and columns that are not there is checked with them: all problems at once", async () => {
  const site = await siteOf(declared);

  const { code } = await site.plan();

  expect(code).toBe(3);
  expect(await problemsOf(site)).toEqual([
    "3: asset-missing",
    "4: reference-missing",
    "5: reference-missing",
    "8: asset-removed",
    "9: reference-missing",
    "9: reference-missing",
    "14: column-unknown",
    "14: reference-missing",
    "15: column-ambiguous",
    "15: reference-missing",
  ]);
});

test("where missing assets and columns are skipped, what is declared of them need not exist", async () => {
  const site = await siteOf(declared.replace(/\n[^\n]*twice[^\n]*/, ""));

  const { code } = await site.plan("--missing", "skip");

  expect(code).toBe(0);
  expect(await problemsOf(site, "--missing", "skip")).toEqual([
    "3: asset-missing",
    "8: asset-removed",
    "14: column-unknown",
  ]);
});

test("a reference that an ignore rule covers is not checked on an asset that is not there either", async () => {
  const site = await siteOf(
    dataset("gone", "tags: [a, b]"),
    "ignore: [{ facet: tags, value: 'urn:li:tag:a', reason: dbt }]",
  );

  expect(await problemsOf(site)).toEqual(["3: asset-missing", "4: ignored-value", "4: reference-missing"]);
});

test("of an asset that is not there and not selected nothing is checked", async () => {
  const site = await siteOf(dataset("gone", "tags: [a]") + dataset("orders", "tags: []"));

  expect(await problemsOf(site, "--target", orders)).toEqual([]);
  expect(await problemsOf(site, "--target", datasetNamed("gone"))).toEqual([
    "3: asset-missing",
    "4: reference-missing",
  ]);
});

test("what the manifests declare themselves is there for assets that are not", async () => {
  const site = await siteOf(`${dataset("gone", "tags: [a]")}- { kind: Tag, id: a }\n`);

  for (const flags of [[], ["--target", datasetNamed("gone")]])
    expect(await problemsOf(site, ...flags)).toEqual(["3: asset-missing"]);
});
