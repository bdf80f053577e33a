import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";

import { type Ran, runCli } from "../support/command-line.ts";
import { schemaWith } from "../support/schema.ts";
import { type PlanJson, settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const [orders, invoices] = [datasetNamed("orders"), datasetNamed("invoices")];
const flow = "urn:li:dataFlow:(airflow,daily,prod)";
const folder = "urn:li:container:shop";
const [finance, node, term] = [
  "urn:li:domain:finance",
  "urn:li:glossaryNode:money",
  "urn:li:glossaryTerm:revenue",
];
const product = "urn:li:dataProduct:billing";
const email = `urn:li:schemaField:(${orders},email)`;
const days = "urn:li:structuredProperty:days";
const bob = "urn:li:corpuser:bob";

const assets = {
  Dataset: orders,
  Container: folder,
  Chart: "urn:li:chart:(looker,sales)",
  Dashboard: "urn:li:dashboard:(looker,board)",
  DataFlow: flow,
  DataJob: `urn:li:dataJob:(${flow},load)`,
  MLModel: "urn:li:mlModel:(urn:li:dataPlatform:mlflow,churn,PROD)",
  MLModelGroup: "urn:li:mlModelGroup:(urn:li:dataPlatform:mlflow,churn,PROD)",
  MLFeatureTable: "urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,users)",
};
const definitions = { Domain: finance, GlossaryNode: node, GlossaryTerm: term, DataProduct: product };

/** What somebody put on an asset, whatever its kind. */
const filled = (urn: string): readonly MadeAspect[] => [
  [urn, "ownership", { owners: [{ owner: bob, type: "NONE" }] }],
  [urn, "globalTags", { tags: [{ tag: "urn:li:tag:gold" }] }],
];

const world: readonly MadeAspect[] = [
  ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
  ["urn:li:tag:gold", "tagProperties", { name: "gold" }],
  ["urn:li:corpuser:alice", "corpUserInfo", { active: true }],
  [bob, "corpUserInfo", { active: true }],
  [finance, "domainProperties", { name: "Finance" }],
  [node, "glossaryNodeInfo", { definition: "", name: "Money" }],
  [term, "glossaryTermInfo", { definition: "", termSource: "INTERNAL", name: "Revenue" }],
  [product, "dataProductProperties", { name: "Billing" }],
  [
    days,
    "propertyDefinition",
    {
      qualifiedName: "days",
      valueType: "urn:li:dataType:datahub.number",
      entityTypes: ["urn:li:entityType:datahub.schemaField"],
    },
  ],
  [orders, "schemaMetadata", schemaWith("email", "id")],
  [email, "structuredProperties", { properties: [{ propertyUrn: days, values: [{ double: 1 }] }] }],
  ...[invoices, ...Object.values(assets)].flatMap(filled),
];

const assetManifest = ([kind, urn]: readonly [string, string]): string => `kind: ${kind}
urn: "${urn}"
tags: [pii]
owners: [{ user: alice }]
description: Declared.
`;
const manifests = [
  ...Object.entries(assets).map(assetManifest),
  assetManifest(["Dataset", invoices]),
  "kind: Domain\nid: finance\nname: Finances\n",
  "kind: GlossaryNode\nid: money\nname: Moneys\n",
  "kind: GlossaryTerm\nid: revenue\nname: Revenues\n",
  "kind: DataProduct\nid: billing\nname: Bills\n",
  "kind: Policy\nid: owned\nmatch: { kind: Dataset }\nrequire: { owners: true }\n",
].join("---\n");

interface Given {
  readonly restrict: ReadonlySet<string>;
  readonly hidesAspects?: boolean;
}

async function siteOf(
  serving: Given,
  files: string = manifests,
  ...settings: readonly string[]
): Promise<Site> {
  const site = await siteWith({ "all.yaml": files }, settingsWith(...settings), serving);
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  return site;
}

/** All that is stored of an entity. */
const storedOf = ({ catalog }: Site, urn: string): unknown =>
  catalog.aspects().filter((row) => row.urn === urn);

/** The URNs that a plan names: of its problems, and of its changes. */
async function namedIn(
  site: Site,
): Promise<{ readonly restricted: readonly string[]; readonly changed: readonly unknown[] }> {
  const { problems = [], changes } = await site.planned();
  const codes = problems.filter(({ code }) => code === "restricted");
  return {
    restricted: codes.map(({ args }) => (args as { readonly urn: string }).urn),
    changed: [...new Set(changes.map(({ urn }) => urn))],
  };
}

const restrictable = [...Object.values(assets), ...Object.values(definitions)];

test.each([
  ["GraphQL", {}, "reads: graphql"],
  ["GraphQL of a server that hides stored aspects, too", { hidesAspects: true }, "reads: graphql"],
  ["OpenAPI", {}, "reads: openapi"],
  ["OpenAPI, with conditional writes", {}, "reads: openapi\nwrites: conditional"],
])(
  "what the token may not view is a problem, and neither planned nor written, by %s",
  async (_, more, reads) => {
    const site = await siteOf({ restrict: new Set(restrictable), ...more }, manifests, reads);
    const before = restrictable.map((urn) => storedOf(site, urn));
    const { restricted, changed } = await namedIn(site);
    expect([new Set(restricted), changed]).toEqual([new Set(restrictable), [invoices]]);

    const { code, stdout } = await site.apply("--max-removals", "100%");
    expect([code, /^Applied \d operations, 0 failed, 0 skipped\.$/m.test(stdout)]).toEqual([1, true]);
    expect(restrictable.map((urn) => storedOf(site, urn))).toEqual(before);
  },
);

test.each(Object.entries({ ...assets, ...definitions }))(
  "each alone is recognized among others: %s",
  async (_, urn) => {
    const site = await siteOf({ restrict: new Set([urn]) });
    const { restricted, changed } = await namedIn(site);
    expect(restricted).toEqual([urn]);
    expect(changed).toHaveLength(restrictable.length);
    expect(changed).not.toContain(urn);
  },
);

const ofColumn = `kind: Dataset
urn: "${orders}"
columns: { email: { structured_properties: { days: 2 } } }
---
${assetManifest(["Dataset", invoices])}`;

test.each(["reads: graphql", "reads: openapi"])(
  "values of a column that the token may not view are unknown, and so is its dataset, with %s",
  async (reads) => {
    const site = await siteOf({ restrict: new Set([email]) }, ofColumn, reads);
    const before = storedOf(site, email);
    expect(await namedIn(site)).toEqual({ restricted: [orders], changed: [invoices] });
    expect((await site.apply("--max-removals", "100%")).code).toBe(1);
    expect(storedOf(site, email)).toEqual(before);
  },
);

const inFolder = `kind: Rule
id: shop
match: { kind: Dataset, container: "${folder}" }
declare: { tags: [pii] }
`;

test("whether a rule matches what is in a container that the token may not view is not known", async () => {
  const site = await siteOf({ restrict: new Set([folder]) }, inFolder);
  await site.catalog.load(metadataFile(temporaryDirectory(), [[orders, "container", { container: folder }]]));
  const { code, stderr } = await site.plan();

  expect(code).toBe(1);
  expect(stderr).toContain(`its container ${folder} could not be read: this token may not view it`);
});

const ruled = `kind: Rule
id: all
match: { kind: Dataset, platform: snowflake }
declare: { tags: [pii] }
`;

test("a rule leaves out what the token may not view, and says that it does not know it", async () => {
  const site = await siteOf({ restrict: new Set([orders]) }, ruled);
  const before = storedOf(site, orders);
  const { changes } = await site.planned();
  expect(changes.map(({ urn }) => urn)).toEqual([invoices]);
  const { code, stderr } = await site.apply("--max-removals", "100%");
  expect([code, stderr]).toEqual([1, expect.stringContaining(`could not read \`${orders}\``)]);
  expect(storedOf(site, orders)).toEqual(before);
});

test.each<readonly [string, readonly string[], RegExp]>([
  [
    "list",
    ["list", "--kind", "Dataset"],
    /^1 entity, 1 declared\. 1 entity is restricted: this token may not view it\.$/m,
  ],
  [
    "list of what has no owner",
    ["list", "--kind", "Dataset", "--missing", "owners"],
    /^No entities found\. 1 entity is restricted/m,
  ],
  ["list as JSON", ["list", "--kind", "Dataset", "--format", "json"], /"restricted": 1,?\n/],
  ["coverage", ["coverage"], /^9 assets: .* 1 entity is restricted: this token may not view it\.$/m],
  ["coverage as JSON", ["coverage", "--format", "json"], /"restricted": 1,?\n/],
  ["check", ["check", "--live"], /, 1 unknown\. 1 entity is restricted: this token may not view it\.$/m],
  ["check as JSON", ["check", "--live", "--format", "json"], /"restricted": 1,?\n/],
  ["export", ["export", "out"], /1 entity could not be read, 1 of them restricted; the export is incomplete/],
  ["explain", ["explain", orders], /could not read .*: this token may not view it/],
  ["get", ["get", "--urn", orders], /could not read .*: this token may not view it/],
  ["pull", ["pull"], /error restricted: could not read/],
  ["drift", ["drift"], /error restricted: could not read/],
  ["doctor", ["doctor"], /the token is not allowed to view 1 of \d+ declared entities: urn:li:dataset/],
])("%s counts what the token may not view, or says so, and fails", async (_, argv, text) => {
  for (const reads of ["graphql", "openapi"]) {
    const site = await siteOf({ restrict: new Set([orders]) }, manifests, `reads: ${reads}`);
    const { code, stdout, stderr } = await site.run(argv);
    expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(text)]);
  }
});

const tagged = (...names: readonly string[]): string =>
  `${names.map((id) => `kind: Tag\nid: ${id}\n---\n`).join("")}${assetManifest(["Dataset", invoices])}`;

test.each(["graphql", "openapi"])(
  "nothing is deleted that is referred to by what the token may not view, with reads: %s",
  async (reads) => {
    const restrict = new Set<string>();
    const site = await siteOf({ restrict }, tagged("gold"), `reads: ${reads}`, "prune: { kinds: [Tag] }");
    expect((await site.apply("--max-removals", "100%")).code).toBe(0);
    restrict.add(orders);
    site.commit({ "catalog/all.yaml": tagged() });
    const before = [orders, "urn:li:tag:gold"].map((urn) => storedOf(site, urn));
    const { code, stderr } = await site.apply("--prune", "--max-removals", "100%", "--max-deletes", "1");
    expect(code).toBe(1);
    expect(stderr).toContain(
      `could not read \`urn:li:tag:gold\`: ${orders} refers to it, but this token may not view it`,
    );
    expect([orders, "urn:li:tag:gold"].map((urn) => storedOf(site, urn))).toEqual(before);
  },
);

const withoutPolicy = manifests.slice(0, manifests.lastIndexOf("---"));

test("what the token may no longer view when a saved plan is applied is not written", async () => {
  const restrict = new Set<string>();
  const site = await siteOf({ restrict }, withoutPolicy);
  await site.run(["plan", "--out", "plan.json", "--max-removals", "100%"]);
  restrict.add(orders).add(finance);
  const before = [orders, finance].map((urn) => storedOf(site, urn));
  const { code, stdout } = await site.run(["apply", "plan.json", "--auto-approve"]);
  const unread = `not sent: could not reread ${orders}: this token may not view it`;
  expect([code, stdout]).toEqual([7, expect.stringContaining(unread)]);
  expect([orders, finance].map((urn) => storedOf(site, urn))).toEqual(before);
  // What was approved is one plan: none of it is written.
  expect(JSON.stringify(storedOf(site, invoices))).not.toContain("urn:li:tag:pii");
});

test("a rollback leaves what the token may not view as it is", async () => {
  const restrict = new Set<string>();
  const site = await siteOf({ restrict }, withoutPolicy);
  expect((await site.apply("--max-removals", "100%")).code).toBe(0);
  restrict.add(orders).add(finance);
  const before = [orders, finance].map((urn) => storedOf(site, urn));
  const { code, stderr } = await site.run([
    "rollback",
    site.git("rev-parse", "--short", "refs/datahub-gitops/runs"),
    "--auto-approve",
  ]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`error restricted: could not read \`${orders}\``),
  ]);
  expect([orders, finance].map((urn) => storedOf(site, urn))).toEqual(before);
  expect(JSON.stringify(storedOf(site, invoices))).toContain("urn:li:tag:gold");
});

test("a snapshot has no values of what the token may not view, and says so", async () => {
  const hidden = new Set([orders, finance, term]);
  const site = await siteOf({ restrict: hidden }, `${manifests}---\n${ruled}`);
  const taken = await site.run(["export", "--snapshot", "all.json"]);
  expect([taken.code, taken.stderr]).toEqual([
    1,
    expect.stringContaining("3 entities could not be read; the snapshot has no values for them"),
  ]);
  const offline = (...argv: readonly string[]): Promise<Ran> =>
    runCli([...argv, "--quiet", "--snapshot", "all.json"], { cwd: site.root });
  const plan = JSON.parse((await offline("plan", "--format", "json")).stdout) as PlanJson;
  const named = (plan.problems ?? []).flatMap(({ code, args }) =>
    code === "restricted" ? [(args as { readonly urn: string }).urn] : [],
  );
  expect(new Set(named)).toEqual(hidden);
  expect(plan.changes.filter(({ urn }) => hidden.has(String(urn)))).toEqual([]);
  const listed = await offline("list", "--kind", "Dataset", "--missing", "owners");
  expect([listed.code, listed.stdout]).toEqual([1, expect.stringContaining("1 entity is restricted")]);
  const { stdout } = await offline("check", "--live");
  expect(stdout).toContain("1 unknown. 1 entity is restricted");
});

test("a snapshot does not take a structured property that the token may not view for present", async () => {
  const site = await siteWith(
    {
      "days.yaml":
        "kind: StructuredProperty\nid: days\nvalue_type: number\nentity_types: [dataset]\ndisplay_name: Days\n",
    },
    undefined,
    { restrict: new Set([days]) },
  );
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      [
        days,
        "propertyDefinition",
        {
          qualifiedName: "days",
          valueType: "urn:li:dataType:datahub.number",
          entityTypes: ["urn:li:entityType:datahub.dataset"],
        },
      ],
      [days, "status", { removed: true }],
    ]),
  );
  const taken = await site.run(["export", "--snapshot", "all.json"]);
  expect([taken.code, taken.stderr]).toEqual([
    1,
    expect.stringContaining(`${days} could not be read: this token may not view it`),
  ]);
  const live = await site.plan();
  const offline = await runCli(["plan", "--snapshot", "all.json"], { cwd: site.root });
  expect([live.code, offline.code]).toEqual([1, 1]);
  for (const { stderr } of [live, offline]) expect(stderr).toContain("this token may not view it");
});

test("glossary terms that the token may not view count as values of what it may view", async () => {
  const site = await siteOf(
    { restrict: new Set([term]) },
    `kind: Dataset\nurn: "${invoices}"\nglossary_terms: [revenue]\ncolumns: { email: { glossary_terms: [revenue] } }\n`,
  );
  const auditStamp = { time: 0, actor: bob };
  const glossaryTerms = { terms: [{ urn: term }], auditStamp };
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      [invoices, "schemaMetadata", schemaWith("email")],
      [invoices, "glossaryTerms", glossaryTerms],
      [
        invoices,
        "editableSchemaMetadata",
        { editableSchemaFieldInfo: [{ fieldPath: "email", glossaryTerms }] },
      ],
    ]),
  );
  const { changes, problems = [] } = await site.planned();
  expect([changes, problems.map(({ code }) => code)]).toEqual([[], ["base-missing"]]);
});
