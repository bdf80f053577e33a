import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory, type MadeAspect } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

// Each test is about one way in which DataHub's deprecations and links surprise (DataHub docs/how/updating-datahub.md, LinkUtils.java,
// UpdateDeprecationResolver.java).

const dataset = datasetNamed("invoices");
const container = "urn:li:container:c";
const group = "urn:li:mlModelGroup:(urn:li:dataPlatform:mlflow,churn,PROD)";
const actor = "urn:li:corpuser:alice";
const createStamp = { time: 1_700_000_000_000, actor };
const wiki = "https://wiki.acme.com/invoices";
const runbook = { url: wiki, description: "Runbook", createStamp };
const model = { url: wiki, description: "Model", createStamp };

const there: readonly MadeAspect[] = [
  [datasetNamed("new"), "status", { removed: false }],
  [dataset, "status", { removed: false }],
  [container, "containerProperties", { name: "finance" }],
  [group, "mlModelGroupProperties", { name: "churn" }],
];

async function siteOf(declared: string, aspects: readonly MadeAspect[] = [], settings = ""): Promise<Site> {
  const site = await siteWith(
    { "assets.yaml": declared },
    settingsWith(...(settings === "" ? [] : [settings])),
  );
  await site.catalog.load(metadataFile(temporaryDirectory(), [...there, ...aspects]));
  return site;
}

const ofDataset = (field: string): string => `kind: Dataset\nplatform: snowflake\nname: invoices\n${field}\n`;

/** A server that has only these fields of the types that it is asked for. */
async function olderThan(site: Site): Promise<string> {
  return await inFrontOf(site.catalog.url, async ({ query, variables }) => {
    if (!query.includes("__type(")) return undefined;
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ query, variables });
    const response = await fetch(`${site.catalog.url}/api/graphql`, { method: "POST", headers, body });
    const { data } = (await response.json()) as { readonly data: object };
    return { data: { ...data, __type: { fields: [{ name: "urn" }] } } };
  });
}

async function runAt(url: string, site: Site, ...argv: readonly string[]) {
  return await runCli([...argv, "--server", url], { cwd: site.root });
}

test("a deprecation loses the fields that a document omits, which the plan shows, and links go by URL and label: others of the URL keep all that they have", async () => {
  const stored = { deprecated: true, note: "Old.", decommissionTime: 1_814_313_600_000, actor };
  const shown = { ...runbook, settings: { showInAssetPreview: true } };
  const site = await siteOf(
    ofDataset(`deprecation: { note: Old. }\nlinks: [{ url: ${wiki}, label: Runbook }]`),
    [
      [dataset, "deprecation", stored],
      [dataset, "institutionalMemory", { elements: [shown, model] }],
    ],
  );

  const { code, stdout } = await site.apply();

  expect(code, stdout).toBe(0);
  expect(stdout).toContain(
    "~ deprecation: { decommission_time: 2027-06-30 } → {}  catalog/assets.yaml:4:1  (unchanged: note)",
  );
  expect(stdout).toContain(`- Model (${wiki})  (set by urn:li:corpuser:alice on 2023-11-14)`);
  expect(site.aspect(dataset, "deprecation")).toMatchObject({ deprecated: true, note: "Old." });
  expect(site.aspect(dataset, "deprecation")).not.toHaveProperty("decommissionTime");
  expect(site.aspect(dataset, "institutionalMemory")).toEqual({ elements: [shown] });
  // A write that names a column would deprecate the dataset.
  expect(JSON.stringify(site.catalog.requests)).not.toContain("subResource");
});

test("a note that is left without a deprecation is none, and links that are there are not added again, which the server refuses", async () => {
  const stored = { deprecated: false, note: "Once.", actor };
  const site = await siteOf(ofDataset(`deprecation: none\nlinks: [{ url: ${wiki}, label: Runbook }]`), [
    [dataset, "deprecation", stored],
    [dataset, "institutionalMemory", { elements: [runbook] }],
  ]);
  expect((await site.plan()).stdout).toContain("No changes.");
  const exported = await site.run(["export", "exported"]);
  expect(exported.stdout + exported.stderr).not.toContain("deprecation");
});

test("a link that somebody adds after the plan was made is not added again, and another label of its URL is another link", async () => {
  const site = await siteOf(
    ofDataset(`links: [{ url: ${wiki}, label: Runbook }, { url: ${wiki}, label: Model }]`),
    [],
    "manage: { links: merge }",
  );
  await site.plan("--out", "plan.json");
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [[dataset, "institutionalMemory", { elements: [runbook] }]]),
  );
  expect((await site.run(["apply", "plan.json"])).code).toBe(0);
  expect(site.aspect(dataset, "institutionalMemory")).toMatchObject({
    elements: [runbook, { description: "Model" }],
  });
});

test("what an older server does not have is a problem at its place, and of any other asset a deprecation needs no newer server", async () => {
  const site = await siteOf(
    [
      ofDataset(
        `deprecation: { replacement: "${datasetNamed("new")}" }\nlinks: [{ url: ${wiki}, label: Model }, ${wiki}]`,
      ),
      ofDataset("deprecation: { note: Old. }").replace("invoices", "new"),
      `kind: Container\nurn: ${container}\ndeprecation: {}\n`,
      `kind: MLModelGroup\nplatform: mlflow\nname: churn\nlinks: [${wiki}]\n`,
    ].join("---\n"),
  );

  const { code, stderr } = await runAt(await olderThan(site), site, "plan");

  expect(code).toBe(3);
  expect(stderr.match(/^\S+ error .*$/gm)).toMatchInlineSnapshot(`
    [
      "catalog/assets.yaml:4:1 error not-in-release: \`replacement\` in a deprecation requires DataHub 1.0 or later, but this server is older: remove it from dataset \`urn:li:dataset:(urn:li:dataPlatform:snowflake,invoices,PROD)\`, or upgrade the server",
      "catalog/assets.yaml:5:1 error not-in-release: a second label for the same URL requires DataHub 1.4 or later, but this server is older: remove it from dataset \`urn:li:dataset:(urn:li:dataPlatform:snowflake,invoices,PROD)\`, or upgrade the server",
      "catalog/assets.yaml:14:1 error not-in-release: a deprecation on a container requires DataHub 1.0 or later, but this server is older: remove it from container \`urn:li:container:c\`, or upgrade the server",
      "catalog/assets.yaml:19:1 error not-in-release: a link on an ML model group requires DataHub 1.4 or later, but this server is older: remove it from ML model group \`urn:li:mlModelGroup:(urn:li:dataPlatform:mlflow,churn,PROD)\`, or upgrade the server",
    ]
  `);
});

test("links of one URL are one on a server before 1.4: another label is no change", async () => {
  const site = await siteOf(ofDataset(`links: [{ url: ${wiki}, label: Model }]`), [
    [dataset, "institutionalMemory", { elements: [runbook] }],
  ]);
  expect((await runAt(await olderThan(site), site, "plan")).stdout).toContain("No changes.");
  expect((await site.plan()).stdout).toContain("+ Model (https://wiki.acme.com/invoices)");
});

test("a policy about what an older server does not have is a problem for each command that judges by it", async () => {
  const site = await siteOf(
    [
      ofDataset("tags: []"),
      "kind: Policy\nid: kept\nmatch: { kind: Container }\nrequire: { deprecation: false }\n",
      'kind: Policy\nid: checked\nmatch: { kind: Container }\ncheck: asset.deprecated || asset.name == ""\n',
      "kind: Policy\nid: placed\nmatch: { kind: Container }\nrequire: { domain: false }\n",
    ].join("---\n"),
  );
  const url = await olderThan(site);
  const asked = [["plan"], ["check", "--live"], ["list"], ["coverage"], ["explain", container]];
  for (const argv of asked) {
    const { code, stdout, stderr } = await runAt(url, site, ...argv);
    const text = (stdout + stderr).replaceAll(/\s+/g, " ");
    const found = [...text.matchAll(/(\S+) .{0,30}a deprecation on a container requires DataHub 1\.0/g)].map(
      ([, place]) => place,
    );
    // An explanation shows problems, and is none.
    expect({ argv, code, found }).toEqual({
      argv,
      code: argv[0] === "explain" ? 0 : 3,
      found: ["catalog/assets.yaml:9:12", "catalog/assets.yaml:14:1"],
    });
  }
});
