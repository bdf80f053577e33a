import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ExplainedFacet } from "../../src/model/explanation.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Urn } from "../../src/model/urn.ts";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { type PlanJson, settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

// What DataHub does with data products that a client must know (docs/decisions.md), and what plans make of it.

const [invoices, payments, rates] = ["invoices", "payments", "rates"].map(datasetNamed) as [Urn, Urn, Urn];
const product = (id: string): string => `urn:li:dataProduct:${id}`;
const feature = "urn:li:mlFeature:(users,age)";

const containing = (name: string, ...assets: readonly JsonObject[]): JsonObject => ({ name, assets });
const port = (destinationUrn: string): JsonObject => ({ destinationUrn, outputPort: true });

const world: readonly MadeAspect[] = [
  ...[invoices, payments, rates].map((urn): MadeAspect => [urn, "datasetProperties", { name: "x" }]),
  [product("invoicing"), "dataProductProperties", containing("Invoicing", port(invoices))],
  [
    product("markets"),
    "dataProductProperties",
    containing("Markets", port(rates), { destinationUrn: feature }),
  ],
];

interface Serving {
  readonly settings?: readonly string[];
  readonly serving?: Parameters<typeof siteWith>[2];
}

async function siteFor(
  files: Readonly<Record<string, string>>,
  { settings = [], serving }: Serving = {},
): Promise<Site> {
  const site = await siteWith(files, settingsWith(...settings), serving);
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  return site;
}

const dataset = (name: string, ...lines: readonly string[]): string =>
  ["---", "kind: Dataset", "platform: snowflake", `name: ${name}`, ...lines, ""].join("\n");

const textOf = ({ root }: Site, name: string): string => readFileSync(join(root, "catalog", name), "utf8");

const assetsOf = (site: Site, id: string): unknown =>
  (site.aspect(product(id), "dataProductProperties") as JsonObject)["assets"];

test("an asset that is put into another data product leaves its own where the server allows one: in the plan, in that of a part, and in that of a snapshot", async () => {
  const site = await siteFor(
    {
      "all.yaml": dataset("invoices", "data_products: [markets]"),
      "b.yaml": dataset("payments", "tags: []"),
    },
    { settings: ["manage: { data_products: additive }"], serving: { oneProductPerAsset: true } },
  );
  expect(await site.run(["export", "--snapshot", "live.json"])).toMatchObject({ code: 0 });

  const { changes } = await site.planned();

  expect(changes).toMatchObject([
    { urn: product("invoicing"), facet: "assets", add: [], remove: [invoices], source: { line: 5 } },
    { urn: product("markets"), facet: "assets", add: [invoices], remove: [], source: { line: 5 } },
  ]);
  expect((await site.planned("--target", invoices)).changes).toEqual(changes);
  const { stdout } = await runCli(["plan", "--snapshot", "live.json", "--format", "json"], {
    cwd: site.root,
  });
  expect((JSON.parse(stdout) as PlanJson).changes).toEqual(changes);
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect([assetsOf(site, "invoicing"), assetsOf(site, "markets")]).toEqual([
    [],
    [port(rates), { destinationUrn: feature }, { destinationUrn: invoices }],
  ]);
});

const invoicing = (...lines: readonly string[]): string =>
  ["kind: DataProduct", "id: invoicing", "assets: []", ...lines, ""].join("\n");

test.each(["merge", "additive"])(
  "an asset that leaves its data product because it joins another is shown and counted under mode %s, and put back by a rollback",
  async (mode) => {
    const site = await siteFor(
      {
        "all.yaml": dataset("invoices", "data_products: [markets]"),
        "p.yaml": invoicing(`manage: { assets: ${mode} }`),
      },
      { serving: { oneProductPerAsset: true } },
    );

    const { changes, summary } = await site.planned();

    expect(changes).toMatchObject([
      {
        urn: product("invoicing"),
        remove: [invoices],
        removed: [{ value: invoices, movesTo: product("markets") }],
      },
      { urn: product("markets"), add: [invoices] },
    ]);
    expect(summary).toMatchObject({ additions: 1, removals: 1, unmanaged: 0, blocked: 0 });
    const { stdout } = await site.plan();
    expect(stdout).toContain(`- ${invoices}  (because it joins Markets (${product("markets")}))`);
    expect(await site.apply("--report", "report.json")).toMatchObject({ code: 0 });
    expect(await site.run(["rollback", "report.json", "--auto-approve"])).toMatchObject({ code: 0 });
    expect([assetsOf(site, "invoicing"), assetsOf(site, "markets")]).toEqual([
      [port(invoices)],
      [port(rates), { destinationUrn: feature }],
    ]);
  },
);

test("an asset that an ignore rule keeps in its data product does not join another: that is held back, and all else applied", async () => {
  const site = await siteFor(
    {
      "all.yaml":
        dataset("invoices", "data_products: [markets]") + dataset("payments", "data_products: [markets]"),
    },
    {
      settings: ['ignore: [{ urn: "urn:li:dataProduct:invoicing", reason: theirs }]'],
      serving: { oneProductPerAsset: true },
    },
  );

  const { code, stdout } = await site.plan();

  expect(code).toBe(6);
  expect(stdout).toContain(
    `held back: an ignore rule keeps it in ${product("invoicing")} (theirs), but the server would remove it from there`,
  );
  expect(stdout).toMatch(/Plan: .* 1 value added, 0 replaced, 0 removed; 1 held back\.\n$/);
  expect((await site.planned()).changes).toMatchObject([
    {
      urn: product("markets"),
      add: [invoices, payments],
      holds: [{ value: invoices, urn: product("invoicing"), reason: "theirs" }],
    },
  ]);
  const explained = await site.run(["explain", invoices]);
  expect(explained.stdout).toContain(
    `held back, so apply does not write it: an ignore rule keeps it in ${product("invoicing")}`,
  );
  expect(await site.apply()).toMatchObject({ code: 6 });
  expect([assetsOf(site, "invoicing"), assetsOf(site, "markets")]).toEqual([
    [port(invoices)],
    [port(rates), { destinationUrn: feature }, { destinationUrn: payments }],
  ]);
});

test("what the index does not know yet is found by the aspects of data products", async () => {
  const site = await siteFor(
    { "all.yaml": dataset("rates", "data_products: [invoicing]") },
    { serving: { lag: 1 } },
  );
  expect((await site.planned()).changes).toContainEqual(
    expect.objectContaining({ urn: product("invoicing"), add: [rates] }),
  );
});

const ruling = (...products: readonly string[]): string =>
  `kind: Rule\nid: all\nmatch: { kind: Dataset, name: [invoices, payments] }\ndeclare: { data_products: [${products.join(", ")}] }\n`;

test("an asset that a rule puts into others than the data product whose list names it is one problem with both places, in a part as well", async () => {
  const site = await siteFor({
    "rule.yaml": ruling("markets"),
    "product.yaml": `kind: DataProduct\nid: invoicing\nassets: ["${payments}"]\n`,
  });

  const { code, stderr } = await site.plan("--target", payments);

  expect(code).toBe(3);
  expect(stderr.match(/contradicting-membership/g)).toHaveLength(1);
  for (const place of ["rule.yaml:4:12", "product.yaml:3:1"]) expect(stderr).toContain(`catalog/${place}`);
});

test("a rule puts assets into a data product, which is explained from either end with what declares each", async () => {
  const site = await siteFor({
    "rule.yaml": ruling("invoicing"),
    "dataset.yaml": dataset("rates", "data_products: [invoicing]"),
  });

  const { changes, rules } = await site.planned();

  expect(changes).toContainEqual(
    expect.objectContaining({ urn: product("invoicing"), add: [payments, rates], remove: [] }),
  );
  expect(rules).toMatchObject([{ id: "all", matched: 2, changed: 1, values: [{ on: 2, new: 1 }] }]);
  const explained = await site.run(["explain", product("invoicing"), "--format", "json"]);
  expect(explained.code, explained.stdout).toBe(0);
  const { facets } = JSON.parse(explained.stdout) as { readonly facets: readonly ExplainedFacet[] };
  const assets = facets.find(({ facet }) => facet === "assets");
  expect(assets?.desired).toEqual([
    { value: invoices, declaredBy: [{ rule: "all", source: expect.objectContaining({ line: 4 }) }] },
    { value: payments, declaredBy: [{ rule: "all", source: expect.objectContaining({ line: 4 }) }] },
    { value: rates, declaredBy: [{ source: expect.objectContaining({ line: 5 }) }] },
  ]);
  expect(assets?.change).toEqual({ add: [payments, rates], remove: [] });
  const { code, stdout } = await site.run(["explain", rates]);
  expect(code, stdout).toBe(0);
  expect(stdout).toContain(product("invoicing"));
  expect(stdout).toContain("catalog/dataset.yaml:5:1");
});

test("what somebody put into a data product is pulled into its list, or into that of the asset, and exported once", async () => {
  const site = await siteFor({
    "product.yaml": `kind: DataProduct\nid: markets\nassets: ["${rates}"]\n`,
    "dataset.yaml": dataset("payments", "data_products: [invoicing]"),
  });

  const pulled = await site.run(["pull"]);

  expect(pulled.code, pulled.stderr).toBe(0);
  expect(textOf(site, "product.yaml")).toContain(feature);
  expect(textOf(site, "dataset.yaml")).toContain("data_products: []");
  expect(await site.run(["export", "exported"])).toMatchObject({ code: 0 });
  const { code, stdout, stderr } = await site.run(["plan", "exported", "--detailed-exitcode"]);
  expect(code, stdout + stderr).toBe(0);
});
