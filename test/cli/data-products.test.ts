import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ExplainedFacet } from "../../src/model/explanation.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Urn } from "../../src/model/urn.ts";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { type PlanJson, proposalsOf, settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
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

async function applied(site: Site, ...flags: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await site.apply(...flags);
  expect(code, stdout + stderr).toBe(0);
}

test("an asset that is put into another data product stays in its own, where the server allows several", async () => {
  const site = await siteFor({
    "all.yaml": `kind: DataProduct\nid: markets\nassets: ["${rates}", "${feature}", "${invoices}"]\n`,
  });

  expect((await site.planned()).changes).toMatchObject([
    { urn: product("markets"), facet: "assets", add: [invoices], remove: [] },
  ]);
  await applied(site);
  expect(assetsOf(site, "invoicing")).toEqual([port(invoices)]);
});

test("an asset that is put into another data product leaves its own where the server allows one, and the plan shows both", async () => {
  const site = await siteFor(
    {
      "all.yaml": dataset("invoices", "data_products: [markets]"),
      "b.yaml": dataset("payments", "tags: []"),
    },
    { settings: ["manage: { data_products: additive }"], serving: { oneProductPerAsset: true } },
  );

  const { changes } = await site.planned();
  expect(changes).toMatchObject([
    { urn: product("invoicing"), facet: "assets", add: [], remove: [invoices], source: { line: 5 } },
    { urn: product("markets"), facet: "assets", add: [invoices], remove: [], source: { line: 5 } },
  ]);
  expect((await site.planned("--target", invoices)).changes).toEqual(changes);
  await applied(site);
  expect([assetsOf(site, "invoicing"), assetsOf(site, "markets")]).toEqual([
    [],
    [port(rates), { destinationUrn: feature }, { destinationUrn: invoices }],
  ]);
  expect((await site.planned()).changes).toEqual([]);
});

test("the plan of a part shows what an asset leaves that joins a data product of the part", async () => {
  const site = await siteFor(
    { "all.yaml": `kind: DataProduct\nid: treasury\nassets: ["${invoices}"]\n---\nkind: Tag\nid: x\n` },
    { serving: { oneProductPerAsset: true } },
  );

  expect((await site.planned("--target", product("treasury"))).changes).toMatchObject([
    { urn: product("invoicing"), facet: "assets", remove: [invoices] },
    { urn: product("treasury"), facet: "assets", add: [invoices] },
    { urn: product("treasury"), facet: "name" },
  ]);
  await applied(site, "--target", product("treasury"));
  expect([assetsOf(site, "invoicing"), assetsOf(site, "treasury")]).toEqual([
    [],
    [{ destinationUrn: invoices }],
  ]);
});

test("two data products that list one asset are a problem with both places where the server allows one", async () => {
  const files = {
    "a.yaml": `kind: DataProduct\nid: invoicing\nassets: ["${payments}"]\n`,
    "b.yaml": `kind: DataProduct\nid: treasury\nassets: ["${payments}"]\n`,
  };
  const site = await siteFor(files, { serving: { oneProductPerAsset: true } });

  const { code, stderr } = await site.plan();
  expect(code).toBe(3);
  expect(stderr).toContain("exclusive-membership");
  expect(stderr).toMatch(/a\.yaml:3:1[\s\S]*b\.yaml:3:1|b\.yaml:3:1[\s\S]*a\.yaml:3:1/);
  expect((await site.apply()).code).toBe(3);
  expect(writesIn(site.catalog)).toEqual([]);
});

test("a snapshot knows how many data products an asset can be in", async () => {
  const site = await siteFor(
    { "all.yaml": dataset("invoices", "data_products: [markets]") },
    { settings: ["manage: { data_products: additive }"], serving: { oneProductPerAsset: true } },
  );
  await site.run(["export", "--snapshot", "live.json"]);

  const { changes } = await site.planned();
  const { stdout } = await runCli(["plan", "--snapshot", "live.json", "--format", "json"], {
    cwd: site.root,
  });
  expect((JSON.parse(stdout) as PlanJson).changes).toEqual(changes);
  expect(changes).toHaveLength(2);
});

test.each(["graphql", "conditional"])(
  "with `writes: %s` what others keep beside an asset stays, in a data product without a domain, too",
  async (writes) => {
    const site = await siteFor(
      {
        "all.yaml": dataset("payments", "data_products: [invoicing]") + dataset("rates", "data_products: []"),
      },
      { settings: [`writes: ${writes}`] },
    );

    await applied(site);
    expect([assetsOf(site, "invoicing"), assetsOf(site, "markets")]).toEqual([
      [port(invoices), { destinationUrn: payments }],
      [{ destinationUrn: feature }],
    ]);
    expect(new Set(writesIn(site.catalog))).toEqual(new Set(["dataProductProperties"]));
  },
);

test("a conditional write of one asset is a patch of that asset", async () => {
  const site = await siteFor(
    { "all.yaml": dataset("payments", "data_products: [invoicing]") },
    { settings: ["writes: conditional"] },
  );

  await applied(site);
  const sent = site.catalog.requests.flatMap(({ body }) => proposalsOf(body));
  expect(sent.map(({ changeType, aspect }) => [changeType, JSON.parse(aspect.value)])).toEqual([
    ["PATCH", [{ op: "add", path: `/assets/${payments}`, value: { destinationUrn: payments } }]],
  ]);
});

test("what the index does not know yet is found by the aspects of data products", async () => {
  const site = await siteWith(
    { "all.yaml": dataset("rates", "data_products: [invoicing]") },
    settingsWith(),
    { lag: 1 },
  );
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  // Since the load the index has not caught up with what is in a data product that the manifest names.
  const { changes } = await site.planned();
  expect(changes).toContainEqual(expect.objectContaining({ urn: product("invoicing"), add: [rates] }));
  await applied(site);
  expect(assetsOf(site, "invoicing")).toEqual([port(invoices), { destinationUrn: rates }]);
});

const listing = (...assets: readonly string[]): string =>
  `kind: DataProduct\nid: invoicing\nassets: [${assets.map((urn) => `"${urn}"`).join(", ")}]\n`;
const ruling = (...products: readonly string[]): string =>
  `kind: Rule\nid: all\nmatch: { kind: Dataset, name: payments }\ndeclare: { data_products: [${products.join(", ")}] }\n`;

const contradictions: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] = [
  [
    "names a data product whose list omits it",
    { "asset.yaml": dataset("payments", "data_products: [invoicing]"), "product.yaml": listing(invoices) },
    ["asset.yaml:5:1", "product.yaml:3:1"],
  ],
  [
    "omits a data product whose list names it",
    { "asset.yaml": dataset("payments", "data_products: []"), "product.yaml": listing(payments) },
    ["asset.yaml:5:1", "product.yaml:3:1"],
  ],
  [
    "omits in two documents a data product whose list names it",
    {
      "asset.yaml":
        dataset("payments", "data_products: [markets]") + dataset("payments", "data_products: []"),
      "product.yaml": listing(payments),
    },
    ["asset.yaml:5:1", "product.yaml:3:1"],
  ],
  [
    "is put by a rule into a data product whose list omits it",
    { "rule.yaml": ruling("invoicing"), "product.yaml": listing(invoices) },
    ["rule.yaml:4:12", "product.yaml:3:1"],
  ],
  [
    "is put by a rule into others than the data product whose list names it",
    { "rule.yaml": ruling("markets"), "product.yaml": listing(payments) },
    ["rule.yaml:4:12", "product.yaml:3:1"],
  ],
];

test.each(contradictions)(
  "an asset that %s is one problem with both places, in a part as well",
  async (_, files, places) => {
    const site = await siteFor({ ...files, "other.yaml": dataset("rates", "data_products: [markets]") });
    for (const part of [[], ["--target", payments], ["--target", product("invoicing")]]) {
      const { code, stderr, stdout } = await site.plan(...part);
      expect(code, part.join() + stdout + stderr).toBe(3);
      expect(stderr.match(/contradicting-membership/g)).toHaveLength(1);
      for (const place of places) expect(stderr).toContain(`catalog/${place}`);
      expect((await site.apply(...part)).code).toBe(3);
    }
    expect(writesIn(site.catalog)).toEqual([]);
  },
);

test("a document that adds a data product to those of another document of the same asset contradicts nothing", async () => {
  const site = await siteFor({
    "asset.yaml":
      dataset("payments", "data_products: [invoicing]") + dataset("payments", "data_products: []"),
    "product.yaml": listing(payments),
  });
  await applied(site);
  expect(assetsOf(site, "invoicing")).toEqual([{ destinationUrn: payments }]);
});

test("a rule puts assets into a data product, and takes them out when it is gone", async () => {
  const rule = (...products: readonly string[]): string =>
    `kind: Rule\nid: all\nmatch: { kind: Dataset, name: [invoices, payments] }\ndeclare: { data_products: [${products.join(", ")}] }\n`;
  const site = await siteFor({ "rule.yaml": rule("invoicing") });

  await applied(site);
  expect(assetsOf(site, "invoicing")).toEqual([port(invoices), { destinationUrn: payments }]);
  expect((await site.planned()).changes).toEqual([]);
  site.commit({ "catalog/rule.yaml": rule() });
  await applied(site, "--max-removals", "100%", "--report", "json=report.json");
  expect(assetsOf(site, "invoicing")).toEqual([]);
  expect(await runCli(["show", "report.json"], { cwd: site.root })).toMatchObject({ code: 0 });
});

test("each asset that a rule puts into a data product is one that the rule changes", async () => {
  const rule = (...products: readonly string[]): string =>
    `kind: Rule\nid: all\nmatch: { kind: Dataset, name: [invoices, payments, rates] }\ndeclare: { data_products: [${products.join(", ")}] }\n`;
  const files = { "rule.yaml": rule("invoicing") };
  const site = await siteFor(files, {
    settings: ["manage: additive", "guards: { spread: { max_count: 1 } }"],
  });

  const { rules, findings } = await site.planned();
  expect(rules).toMatchObject([{ id: "all", matched: 3, changed: 2, values: [{ on: 3, new: 2 }] }]);
  expect(findings).toMatchObject([{ guard: "spread", numbers: { assets: 2 } }]);
  site.commit({
    "catalog/datahub-gitops.yaml": settingsWith("manage: authoritative"),
    "catalog/rule.yaml": rule(),
  });
  // What none of its products has any more, it takes away.
  expect((await site.planned()).rules).toMatchObject([{ changed: 2, values: [{ on: 3, new: 2 }] }]);
});

test("an export declares each membership once, and the next plan is empty", async () => {
  const site = await siteFor({});
  const ran = await site.run(["export", "exported"]);
  expect(ran.code, ran.stderr).toBe(0);
  const { code, stdout, stderr } = await site.run(["plan", "exported", "--detailed-exitcode"]);
  expect(code, stdout + stderr).toBe(0);
});

test("what somebody put into a data product is pulled into its list, or into that of the asset", async () => {
  const site = await siteFor({
    "product.yaml": `kind: DataProduct\nid: markets\nassets: ["${rates}"]\n`,
    "dataset.yaml": dataset("payments", "data_products: [invoicing]"),
  });
  const ran = await site.run(["pull"]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(textOf(site, "product.yaml")).toContain(feature);
  expect(textOf(site, "dataset.yaml")).toContain("data_products: []");
  expect((await site.planned()).changes).toEqual([]);
});

test("memberships are explained from either end", async () => {
  const site = await siteFor({ "dataset.yaml": dataset("payments", "data_products: [invoicing]") });
  for (const urn of [payments, product("invoicing")]) {
    const { code, stdout } = await site.run(["explain", urn]);
    expect(code, stdout).toBe(0);
    expect(stdout).toContain(urn === payments ? product("invoicing") : payments);
    expect(stdout).toContain("catalog/dataset.yaml:5:1");
  }
});

test("a data product is explained with what rules put into it, from either end", async () => {
  const site = await siteFor({
    "rule.yaml":
      "kind: Rule\nid: all\nmatch: { kind: Dataset, name: [invoices, payments] }\ndeclare: { data_products: [invoicing] }\n",
    "dataset.yaml": dataset("rates", "data_products: [invoicing]"),
  });
  const { code, stdout } = await site.run(["explain", product("invoicing"), "--format", "json"]);
  expect(code, stdout).toBe(0);
  const { facets } = JSON.parse(stdout) as { readonly facets: readonly ExplainedFacet[] };
  const explained = facets.find(({ facet }) => facet === "assets");
  expect(explained?.desired).toEqual([
    { value: invoices, declaredBy: [{ rule: "all", source: expect.objectContaining({ line: 4 }) }] },
    { value: payments, declaredBy: [{ rule: "all", source: expect.objectContaining({ line: 4 }) }] },
    { value: rates, declaredBy: [{ source: expect.objectContaining({ line: 5 }) }] },
  ]);
  expect(explained?.change).toEqual({ add: [payments, rates], remove: [] });
});

test("with conditional writes nothing is lost where others write the assets of the same data products at once", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `t${index}`);
  const site = await siteFor(
    { "all.yaml": names.map((name) => dataset(name, "data_products: [invoicing, markets]")).join("") },
    { settings: ["writes: conditional", "manage: { data_products: merge }"] },
  );
  const made = [...names, ...names.map((name) => `other-${name}`)].map((name): MadeAspect => [
    datasetNamed(name),
    "datasetProperties",
    { name },
  ]);
  await site.catalog.load(metadataFile(temporaryDirectory(), made));
  const others = names.map((name) => datasetNamed(`other-${name}`));
  const [{ code, stdout }] = await Promise.all([
    site.apply(),
    ...others.map((urn) => patch(site, product("invoicing"), urn)),
    ...others.map((urn) => patch(site, product("markets"), urn)),
  ]);

  expect(code, stdout).toBe(0);
  for (const id of ["invoicing", "markets"])
    expect(assetsOf(site, id)).toEqual(
      expect.arrayContaining(
        [...names.map(datasetNamed), ...others].map((destinationUrn) => ({ destinationUrn })),
      ),
    );
});

async function patch({ catalog }: Site, entityUrn: string, destinationUrn: string): Promise<void> {
  const value = JSON.stringify([{ op: "add", path: `/assets/${destinationUrn}`, value: { destinationUrn } }]);
  const proposal = {
    entityType: "dataProduct",
    entityUrn,
    changeType: "PATCH",
    aspectName: "dataProductProperties",
    aspect: { value, contentType: "application/json-patch+json" },
  };
  const response = await fetch(`${catalog.url}/aspects?action=ingestProposal`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ proposal, async: "false" }),
  });
  expect(response.status).toBe(200);
}
