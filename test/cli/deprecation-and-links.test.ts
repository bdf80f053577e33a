import { describe, expect, test } from "vitest";
import { metadataFile, temporaryDirectory, type MadeAspect } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
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

const leavingOthers = "manage: { links: merge }";

describe("deprecation", () => {
  test("loses the fields that a document omits, and the plan shows which", async () => {
    const stored = { deprecated: true, note: "Old.", decommissionTime: 1_814_313_600_000, actor };
    const site = await siteOf(ofDataset("deprecation: { note: Old. }"), [[dataset, "deprecation", stored]]);
    expect((await site.plan()).stdout).toContain(
      "~ deprecation: { decommission_time: 2027-06-30 } → {}  catalog/assets.yaml:4:1  (unchanged: note)",
    );
    expect((await site.apply()).code).toBe(0);
    expect(site.aspect(dataset, "deprecation")).toMatchObject({ deprecated: true, note: "Old." });
    expect(site.aspect(dataset, "deprecation")).not.toHaveProperty("decommissionTime");
    expect((await site.plan()).stdout).toContain("No changes.");
  });

  test("is that of an asset: no write names a column, which would deprecate the dataset", async () => {
    const site = await siteOf(ofDataset("deprecation: {}"));
    expect((await site.apply()).code).toBe(0);
    expect(JSON.stringify(site.catalog.requests)).not.toContain("subResource");
  });

  test("is none where a note is left without it", async () => {
    const stored = { deprecated: false, note: "Once.", actor };
    const site = await siteOf(ofDataset("deprecation: none"), [[dataset, "deprecation", stored]]);
    expect((await site.plan()).stdout).toContain("No changes.");
    const exported = await site.run(["export", "exported"]);
    expect(exported.stdout + exported.stderr).not.toContain("deprecation");
  });

  test("ends with its note and all else of it", async () => {
    const stored = {
      deprecated: true,
      note: "Old.",
      decommissionTime: 5,
      actor,
      replacement: datasetNamed("new"),
    };
    const site = await siteOf(ofDataset("deprecation: none"), [[dataset, "deprecation", stored]]);
    expect((await site.apply()).code).toBe(0);
    expect(site.aspect(dataset, "deprecation")).toEqual({
      deprecated: false,
      note: "",
      actor: "urn:li:corpuser:datahub",
    });
  });

  test.each([
    [
      "replacement",
      ofDataset(`deprecation: { replacement: "${datasetNamed("new")}" }`),
      "`replacement` of a deprecation",
    ],
    [
      "a container",
      `kind: Container\nurn: ${container}\ndeprecation: {}\n`,
      "the deprecation of a container",
    ],
  ])("with %s is a problem on a server before 1.0, and nothing is sent", async (_, declared, what) => {
    const site = await siteOf(declared);
    const url = await olderThan(site);
    const plan = await runAt(url, site, "plan");
    expect(plan.code).toBe(3);
    expect(plan.stderr + plan.stdout).toContain(`${what} requires DataHub 1.0 or later`);
    expect((await runAt(url, site, "apply", "--auto-approve")).code).toBe(3);
    expect(writesIn(site.catalog)).toEqual([]);
  });

  test.each([
    ["require: { deprecation: false }", 1],
    ['check: asset.deprecated || asset.name == ""', 1],
    ["require: { domain: false }", 0],
  ])("a policy with %s on containers has %i problems on a server before 1.0", async (required, count) => {
    const site = await siteOf(
      `${ofDataset("tags: []")}---\nkind: Policy\nid: kept\nmatch: { kind: Container }\n${required}\n`,
    );
    const url = await olderThan(site);
    const asked = [
      ["plan"],
      ["check", "--live"],
      ["check"],
      ["drift"],
      ["list"],
      ["coverage"],
      ["explain", container],
    ];
    for (const argv of asked) {
      const { code, stdout, stderr } = await runAt(url, site, ...argv);
      const found = /assets\.yaml:6:1 .*the deprecation of a container requires DataHub 1\.0/.test(
        (stdout + stderr).replaceAll(/\s+/g, " "),
      );
      // An explanation shows problems, and is none.
      const isInvalid = code === 3 || (argv[0] === "explain" && found);
      expect({ argv, isInvalid, found }).toEqual({
        argv,
        isInvalid: count > 0,
        found: count > 0,
      });
    }
  });

  test("of any other asset needs no newer server", async () => {
    const site = await siteOf(ofDataset("deprecation: { note: Old. }"));
    expect((await runAt(await olderThan(site), site, "apply", "--auto-approve")).code).toBe(0);
    expect(site.aspect(dataset, "deprecation")).toMatchObject({ deprecated: true, note: "Old." });
  });
});

describe("links", () => {
  test("that are there are not added again, which the server refuses", async () => {
    const site = await siteOf(ofDataset(`links: [{ url: ${wiki}, label: Runbook }]`), [
      [dataset, "institutionalMemory", { elements: [runbook] }],
    ]);
    expect((await site.plan()).stdout).toContain("No changes.");
    expect((await site.apply()).code).toBe(0);
    expect(writesIn(site.catalog)).toEqual([]);
  });

  test("that somebody adds after the plan was made are not added again", async () => {
    const site = await siteOf(ofDataset(`links: [{ url: ${wiki}, label: Runbook }]`), [], leavingOthers);
    await site.plan("--out", "plan.json");
    await site.catalog.load(
      metadataFile(temporaryDirectory(), [[dataset, "institutionalMemory", { elements: [runbook] }]]),
    );
    expect((await site.run(["apply", "plan.json"])).code).toBe(0);
    expect(writesIn(site.catalog)).toEqual([]);
  });

  test("of one URL differ by their label: another label is added, and the other link stays", async () => {
    const site = await siteOf(
      ofDataset(`links: [{ url: ${wiki}, label: Model }]`),
      [[dataset, "institutionalMemory", { elements: [runbook] }]],
      leavingOthers,
    );
    expect((await site.apply()).code).toBe(0);
    expect(site.aspect(dataset, "institutionalMemory")).toMatchObject({
      elements: [runbook, { description: "Model" }],
    });
  });

  test("of one URL are one on a server before 1.4: another label is no change", async () => {
    const site = await siteOf(ofDataset(`links: [{ url: ${wiki}, label: Model }]`), [
      [dataset, "institutionalMemory", { elements: [runbook] }],
    ]);
    const url = await olderThan(site);
    expect((await runAt(url, site, "plan")).stdout).toContain("No changes.");
    expect((await runAt(url, site, "apply", "--auto-approve")).code).toBe(0);
    expect(writesIn(site.catalog)).toEqual([]);
    expect((await site.plan()).stdout).toContain("+ Model (https://wiki.acme.com/invoices)");
  });

  test("with two labels of one URL are a problem on a server before 1.4", async () => {
    const site = await siteOf(ofDataset(`links: [{ url: ${wiki}, label: Model }, ${wiki}]`));
    const plan = await runAt(await olderThan(site), site, "plan");
    expect(plan.code).toBe(3);
    expect(plan.stderr + plan.stdout).toContain(
      "a second label of the same URL requires DataHub 1.4 or later",
    );
  });

  test("are removed by URL and label, and others of the URL keep all that they have", async () => {
    const shown = { ...runbook, settings: { showInAssetPreview: true } };
    const site = await siteOf(ofDataset(`links: [{ url: ${wiki}, label: Runbook }]`), [
      [dataset, "institutionalMemory", { elements: [shown, model] }],
    ]);
    expect((await site.plan()).stdout).toContain(
      `- Model (${wiki})  (set by urn:li:corpuser:alice on 2023-11-14)`,
    );
    expect((await site.apply()).code).toBe(0);
    expect(site.aspect(dataset, "institutionalMemory")).toEqual({ elements: [shown] });
  });

  test.each(["javascript:alert(1)", "/wiki/invoices", "wiki.acme.com", "https:// acme.com"])(
    "to %j are problems before anything is sent",
    async (url) => {
      const site = await siteOf(ofDataset(`links: [${JSON.stringify(url)}]`));
      const { code, stderr, stdout } = await runCli(["validate"], { cwd: site.root });
      expect(code).toBe(3);
      expect(stderr + stdout).toContain(`\`${url}\` is not an absolute URL`);
    },
  );

  test("twice in a document are a problem, by URL and label", async () => {
    const site = await siteOf(
      ofDataset(`links: [${wiki}, { url: ${wiki}, label: ${wiki} }, { url: ${wiki}, label: x }]`),
    );
    const { code, stderr, stdout } = await runCli(["validate"], { cwd: site.root });
    expect(code).toBe(3);
    expect(stderr + stdout).toContain(`lists \`${wiki}\` twice`);
    expect((stderr + stdout).match(/ error /g)).toHaveLength(1);
  });

  test("of ML model groups are a problem on a server before 1.4", async () => {
    const site = await siteOf(`kind: MLModelGroup\nplatform: mlflow\nname: churn\nlinks: [${wiki}]\n`);
    const plan = await runAt(await olderThan(site), site, "plan");
    expect(plan.code).toBe(3);
    expect(plan.stderr + plan.stdout).toContain("a link of an ML model group requires DataHub 1.4 or later");
  });
});

test.each(["2027-02-30", "30.6.2027", "June", "2027-06-30T12:00"])("%j is no date", async (text) => {
  const site = await siteOf(ofDataset(`deprecation: { decommission_time: "${text}" }`));
  const { code, stderr, stdout } = await runCli(["validate"], { cwd: site.root });
  expect(code).toBe(3);
  expect(stderr + stdout).toContain(`\`${text}\` is not a date`);
});
