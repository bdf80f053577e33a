import { expect, test } from "vitest";
import type { Output } from "../../src/cli/io.ts";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { capture, type Ran, runCli } from "../support/command-line.ts";
import { withFiles } from "../support/manifest-files.ts";
import { schemaWith } from "../support/schema.ts";
import { settingsWith, type Site, siteOnce, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const alice = "urn:li:corpuser:alice@acme.com";
const invoices = datasetNamed("prod.finance.invoices");
const orders = datasetNamed("prod.sales.orders");
const scratch = datasetNamed("dev.scratch").replace(",PROD)", ",DEV)");
const database = "urn:li:container:database";
const schema = "urn:li:container:schema";

const owned = (...owners: readonly (readonly [owner: string, type: string])[]): object => ({
  owners: owners.map(([owner, type]) => ({
    owner,
    type: type.toUpperCase(),
    typeUrn: `urn:li:ownershipType:__system__${type}`,
  })),
});

const world: readonly MadeAspect[] = [
  ["urn:li:domain:finance", "domainProperties", { name: "Finance" }],
  ["urn:li:domain:sales", "domainProperties", { name: "Sales" }],
  ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
  [alice, "corpUserInfo", { active: true, displayName: "Alice Doe" }],
  [database, "containerProperties", { name: "ACME" }],
  [schema, "containerProperties", { name: "FINANCE" }],
  [schema, "container", { container: database }],
  [invoices, "container", { container: schema }],
  [invoices, "domains", { domains: ["urn:li:domain:finance"] }],
  [invoices, "ownership", owned([alice, "data_steward"], ["urn:li:corpGroup:team", "technical_owner"])],
  [invoices, "globalTags", { tags: [{ tag: "urn:li:tag:pii" }] }],
  [
    invoices,
    "glossaryTerms",
    { terms: [{ urn: "urn:li:glossaryTerm:revenue" }], auditStamp: { time: 0, actor: alice } },
  ],
  [orders, "ownership", owned([alice, "technical_owner"])],
  [orders, "globalTags", { tags: [{ tag: "urn:li:tag:pii" }] }],
  [orders, "schemaMetadata", schemaWith("email")],
  [orders, "datasetProperties", { description: "As ingested." }],
  [scratch, "status", { removed: false }],
  [datasetNamed("gone"), "status", { removed: true }],
];

const files = {
  "catalog.yaml": `kind: Domain
id: finance
---
kind: Dataset
platform: snowflake
name: prod.finance.invoices
tags: [pii]
`,
  "rules.yaml": `kind: Rule
id: mails
match: { kind: Dataset, platform: snowflake }
declare: { columns: { "*mail*": { tags: [pii] } } }
`,
};

const makeSite = siteOnce(async (): Promise<Site> => {
  const site = await siteWith(files, settingsWith());
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  return site;
});

interface Listed {
  readonly formatVersion: string;
  readonly target: string;
  readonly entities: readonly Readonly<Record<string, unknown>>[];
}

async function listed(site: Site, ...flags: readonly string[]): Promise<Listed> {
  const { code, stdout, stderr } = await site.run(["list", "--format", "json", ...flags]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Listed;
}

test("list shows what the catalog has of each entity, and whether manifests declare it", async () => {
  const site = await makeSite();
  expect(await listed(site, "--kind", "Dataset")).toEqual({
    formatVersion: "1",
    target: site.catalog.url,
    entities: [
      {
        urn: scratch,
        kind: "Dataset",
        name: "dev.scratch",
        platform: "snowflake",
        env: "DEV",
        domain: null,
        owners: [],
        tags: [],
        glossary_terms: [],
        declared: false,
        violates: [],
      },
      {
        urn: invoices,
        kind: "Dataset",
        name: "prod.finance.invoices",
        platform: "snowflake",
        env: "PROD",
        domain: "urn:li:domain:finance",
        owners: [
          { owner: "urn:li:corpGroup:team", type: "urn:li:ownershipType:__system__technical_owner" },
          { owner: alice, type: "urn:li:ownershipType:__system__data_steward" },
        ],
        tags: ["urn:li:tag:pii"],
        glossary_terms: ["urn:li:glossaryTerm:revenue"],
        declared: true,
        violates: [],
      },
      {
        urn: orders,
        kind: "Dataset",
        name: "prod.sales.orders",
        platform: "snowflake",
        env: "PROD",
        domain: null,
        owners: [{ owner: alice, type: "urn:li:ownershipType:__system__technical_owner" }],
        tags: ["urn:li:tag:pii"],
        glossary_terms: [],
        declared: true,
        violates: [],
      },
    ],
  });
});

const all = [invoices, orders, scratch];

test("--property finds assets and columns by a structured property, and by its value", async () => {
  const site = await makeSite();
  const retention = "urn:li:structuredProperty:retention.days";
  const withValues = (...values: readonly object[]): object => ({
    properties: [{ propertyUrn: retention, values }],
  });
  const column = `urn:li:schemaField:(${orders},email)`;
  const made: readonly MadeAspect[] = [
    [
      retention,
      "propertyDefinition",
      {
        qualifiedName: "retention.days",
        valueType: "urn:li:dataType:datahub.number",
        cardinality: "MULTIPLE",
        entityTypes: ["urn:li:entityType:datahub.dataset"],
      },
    ],
    [invoices, "structuredProperties", withValues({ double: 365 })],
    [orders, "structuredProperties", withValues({ double: 90 }, { double: 30 })],
    [column, "structuredProperties", withValues({ double: 7 })],
  ];
  await site.catalog.load(metadataFile(temporaryDirectory(), made));
  const find = async (...flags: readonly string[]): Promise<unknown> =>
    (await listed(site, "--kind", "Dataset", ...flags)).entities.map(({ urn }) => urn);
  expect(await find("--property", "retention.days")).toEqual([invoices, orders]);
  expect(await find("--property", `${retention}=365`)).toEqual([invoices]);
  expect(await find("--property", "retention.days=30")).toEqual([orders]);
  expect(await find("--property", "retention.days=3")).toEqual([]);
  expect(await find("--property", "unknown")).toEqual([]);
  expect(await find("--missing", "structured_properties")).toEqual([scratch]);
  expect(await find("--columns", "--property", "retention.days=7")).toEqual([orders]);
  expect(await find("--columns", "--property", "retention.days=90")).toEqual([]);
});

test.each<readonly [readonly string[], readonly string[]]>([
  [["--kind", "Dataset"], all],
  [["--platform", "snowflake"], all],
  [["--platform", "kafka"], []],
  [["--env", "DEV"], [scratch]],
  [
    ["--name", "prod.*"],
    [invoices, orders],
  ],
  [["--name", "prod.*", "--name", "dev.*"], all],
  [["--name", "FINANCE"], [schema]],
  [["--name", "Finance"], ["urn:li:domain:finance"]],
  [["--kind", "Dataset", "--container", "database"], [invoices]],
  [["--container", schema], [invoices]],
  [["--domain", "finance"], [invoices]],
  [["--domain", "urn:li:domain:finance"], [invoices]],
  [["--domain", "unknown"], []],
  [["--domain", "no)id"], []],
  [
    ["--owner", "alice@acme.com"],
    [invoices, orders],
  ],
  [["--owner", alice, "--type", "DATA_STEWARD"], [invoices]],
  [["--owner", "team", "--type", "DATA_STEWARD"], []],
  [
    ["--type", "TECHNICAL_OWNER"],
    [invoices, orders],
  ],
  [["--tag", "pii", "--missing", "domain"], [orders]],
  [
    ["--tag", "p*", "--tag", "none"],
    [invoices, orders],
  ],
  [["--term", "revenue"], [invoices]],
  [["--missing", "owners", "--kind", "Dataset"], [scratch]],
  [
    ["--missing", "description", "--platform", "snowflake"],
    [invoices, scratch],
  ],
  [
    ["--declared", "--kind", "Dataset", "--kind", "Domain"],
    ["urn:li:domain:finance", invoices, orders],
  ],
  [
    ["--undeclared", "--kind", "Dataset", "--kind", "Domain"],
    ["urn:li:domain:sales", scratch],
  ],
])("list %j finds %j", async (flags, urns) => {
  const { entities } = await listed(await makeSite(), ...flags);
  expect(entities.map(({ urn }) => String(urn)).toSorted()).toEqual(urns.toSorted());
});

test("--owner me is the user of the token, and nobody in a snapshot", async () => {
  const site = await makeSite();
  expect((await listed(site, "--owner", "me")).entities).toEqual([]);
  const own: MadeAspect = [scratch, "ownership", owned(["urn:li:corpuser:datahub", "none"])];
  await site.catalog.load(metadataFile(temporaryDirectory(), [own]));
  expect((await listed(site, "--owner", "me")).entities).toMatchObject([{ urn: scratch }]);
  const { code, stderr } = await runCli(["list", "--owner", "me", "--snapshot", "live.json"], {
    cwd: site.root,
  });
  expect({ code, stderr }).toMatchObject({ code: 3 });
  expect(await site.run(["export", "--snapshot", "live.json"])).toMatchObject({ code: 0 });
  const saved = await runCli(["list", "--owner", "me", "--snapshot", "live.json"], { cwd: site.root });
  expect(saved).toMatchObject({ code: 64, stdout: "" });
  expect(saved.stderr).toContain("a snapshot does not say who `me` is");
});

test("--columns lists columns, and filters them by what they have themselves", async () => {
  const site = await makeSite();
  const tagged = (fieldPath: string, ...ids: readonly string[]): object => ({
    fieldPath,
    globalTags: { tags: ids.map((id) => ({ tag: `urn:li:tag:${id}` })) },
  });
  const made: readonly MadeAspect[] = [
    [orders, "schemaMetadata", schemaWith("email", "[version=2.0].[type=long].id", "name")],
    [
      orders,
      "editableSchemaMetadata",
      { editableSchemaFieldInfo: [tagged("email", "pii"), tagged("gone", "pii")] },
    ],
  ];
  await site.catalog.load(metadataFile(temporaryDirectory(), made));
  const columnsOf = async (...flags: readonly string[]): Promise<unknown> =>
    (await listed(site, "--columns", ...flags)).entities.map(({ urn, column }) => [urn, column]);
  expect((await listed(site, "--columns", "--tag", "pii")).entities).toEqual([
    {
      urn: orders,
      column: "email",
      kind: "Dataset",
      name: "prod.sales.orders",
      platform: "snowflake",
      env: "PROD",
      domain: null,
      owners: [{ owner: alice, type: "urn:li:ownershipType:__system__technical_owner" }],
      tags: ["urn:li:tag:pii"],
      glossary_terms: [],
      declared: true,
      violates: [],
    },
  ]);
  const id = "[version=2.0].[type=long].id";
  expect(await columnsOf("--missing", "tags")).toEqual([
    [orders, id],
    [orders, "name"],
  ]);
  expect(await columnsOf("--undeclared", "--owner", "alice@acme.com")).toEqual([
    [orders, id],
    [orders, "name"],
  ]);
  const csv = await site.run(["list", "--columns", "--tag", "pii", "--format", "csv"]);
  expect(csv.stdout).toContain("urn,column,kind,name,");
  expect(csv.stdout).toContain(`"${orders}",email,Dataset,`);
  const text = await site.run(["list", "--columns", "--tag", "pii"]);
  expect(text.stdout).toContain(`Dataset ${orders} email\n`);
  expect(text.stdout).toContain("1 column, 1 declared.\n");
  const planned = await listed(site, "--columns", "--planned", "--tag", "pii");
  expect(planned.entities.map(({ column }) => column)).toEqual(["email"]);
});

test("--planned lists what the manifests make of the catalog, live and from a snapshot", async () => {
  const site = await makeSite();
  site.commit({
    "catalog/new.yaml": `kind: Domain
id: growth
owners: [{ user: alice@acme.com }]
---
kind: Dataset
platform: snowflake
name: prod.sales.orders
domain: growth
owners: []
`,
  });
  const flags = ["--planned", "--kind", "Dataset", "--kind", "Domain"];
  const find = async (...more: readonly string[]): Promise<unknown> =>
    (await listed(site, ...flags, ...more)).entities.map(({ urn }) => urn);
  expect(await find("--domain", "growth")).toEqual([orders]);
  expect(await find("--owner", "alice@acme.com")).toEqual([invoices, "urn:li:domain:growth"]);
  expect(await find("--missing", "owners", "--env", "PROD")).toEqual([orders]);
  expect((await listed(site, "--domain", "growth")).entities).toEqual([]);
  const { code } = await site.run(["apply", "--auto-approve", "--dry-run"]);
  expect(code).toBe(0);
  expect(await site.run(["export", "--snapshot", "live.json"])).toMatchObject({ code: 0 });
  const live = await site.run(["list", ...flags, "--declared"]);
  const saved = await runCli(["list", ...flags, "--declared", "--snapshot", "live.json"], { cwd: site.root });
  expect(saved.stdout).toBe(live.stdout);
  site.commit({ "catalog/new.yaml": "kind: Dataset\nplatform: snowflake\nname: absent\ntags: [pii]\n" });
  const refused = await site.run(["list", "--planned", "--format", "json"]);
  expect(refused).toMatchObject({ code: 3 });
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: "refused" } });
  expect(refused.stderr).toContain("absent");
});

test("a snapshot is listed with what it has, and says its age", async () => {
  const site = await makeSite();
  expect(await site.run(["export", "--snapshot", "live.json"])).toMatchObject({ code: 0 });
  const flags = ["--format", "csv", "--kind", "Dataset"];
  const live = await site.run(["list", ...flags]);
  const saved = await runCli(["list", ...flags, "--snapshot", "live.json"], { cwd: site.root });
  expect(saved).toMatchObject({ code: 0 });
  expect(saved.stdout).toBe(live.stdout);
  expect(saved.stderr).toBe(
    `Reading a snapshot of ${site.catalog.url} from 1970-01-01T00:00:00.000Z, 0 minutes old\n`,
  );
});

test("CSV has the columns of the contract, quoted, and no formulas", async () => {
  const site = await makeSite();
  const hostile = "urn:li:tag:=1+1";
  const made: readonly MadeAspect[] = [
    [hostile, "tagProperties", { name: '=HYPERLINK("x"),\n+1' }],
    ["urn:li:tag:plus", "tagProperties", { name: "\t+1" }],
  ];
  await site.catalog.load(metadataFile(temporaryDirectory(), made));
  const { stdout } = await site.run(["list", "--format", "csv", "--kind", "Dataset", "--kind", "Tag"]);
  const [header, ...records] = stdout.split("\r\n");
  expect(header).toBe("urn,kind,name,platform,env,domain,owners,tags,glossary_terms,declared");
  expect(records).toContain(`${hostile},Tag,"'=HYPERLINK(""x""),�+1",,,,,,,false`);
  expect(records).toContain("urn:li:tag:plus,Tag,' +1,,,,,,,false");
  expect(records).toContain(
    `"${invoices}",Dataset,prod.finance.invoices,snowflake,PROD,urn:li:domain:finance,urn:li:corpGroup:team (TECHNICAL_OWNER); ${alice} (DATA_STEWARD),urn:li:tag:pii,urn:li:glossaryTerm:revenue,true`,
  );
  expect(records.at(-1)).toBe("");
});

test("text has each entity with its URN on one line, fits a narrow terminal, and sums up", async () => {
  const site = await makeSite();
  const { stdout } = await site.run(["list", "--owner", "alice@acme.com"]);
  expect(stdout).toMatchInlineSnapshot(`
    "Dataset urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.finance.invoices,PROD)
      domain: Finance; owners: team as TECHNICAL_OWNER, Alice Doe as DATA_STEWARD; tags: pii; glossary_terms: revenue; declared
    Dataset urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.sales.orders,PROD)
      owners: Alice Doe as TECHNICAL_OWNER; tags: pii; declared

    2 entities, 2 declared.
    "
  `);
  const stdoutOf = { ...capture(60), isTTY: true };
  const { code } = await site.run(["list", "--kind", "Dataset"], { stdout: stdoutOf });
  expect(code).toBe(0);
  const lines = stdoutOf.text().split("\n");
  expect(lines.filter((line) => line.length > 60 && !line.includes("urn:li:dataset"))).toEqual([]);
  expect((await site.run(["list", "--domain", "unknown"])).stdout).toBe("No entities found.\n");
});

test("a list of several kinds says how many there are of each, and an empty one where else tags are", async () => {
  const site = await makeSite();
  const { stdout } = await site.run(["list"]);
  expect(stdout).toMatch(/\n\d+ entities \(.*\d datasets?, .*\), \d+ declared\.\n$/);
  const hint = "Values of columns were not searched: add --columns.\n";
  for (const flags of [
    ["--tag", "none"],
    ["--term", "none", "--format", "csv"],
  ])
    expect((await site.run(["list", ...flags])).stderr).toBe(hint);
  for (const flags of [
    ["--tag", "none", "--columns"],
    ["--tag", "none", "--quiet"],
    ["--tag", "pii"],
    ["--owner", "none"],
  ])
    expect((await site.run(["list", ...flags])).stderr).toBe("");
});

test("Markdown is a table in which values are text", async () => {
  const site = await makeSite();
  const { stdout } = await site.run(["list", "--format", "markdown", "--domain", "finance"]);
  expect(stdout).toMatchInlineSnapshot(`
    "| urn | kind | name | platform | env | domain | owners | tags | glossary\\_terms | declared |
    | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
    | urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.finance.invoices,PROD) | Dataset | prod.finance.invoices | snowflake | PROD | urn:li:domain:finance | urn:li:corpGroup:team (TECHNICAL\\_OWNER); urn:li:corpuser:alice@&#8203;acme.com (DATA\\_STEWARD) | urn:li:tag:pii | urn:li:glossaryTerm:revenue | true |

    1 entity, 1 declared.
    "
  `);
});

test.each([
  [["--kind", "Datasett"], "Did you mean Dataset?"],
  [["--missing", "owner"], "Did you mean owners?"],
  [["--missing", "columns.tags"], "It must be one of"],
  [["--declared", "--undeclared"], "cannot be used with option"],
  [["--format", "html"], "Allowed choices are text, csv, json, markdown"],
  [["--snapshot", "live.json", "--local"], "cannot be used with option"],
])("list %j is a usage error", async (flags, message) => {
  const { code, stderr, stdout } = await runCli(["list", ...flags], { cwd: temporaryDirectory() });
  expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  expect(stderr).toContain(message);
});

const policies = `kind: Policy
id: owned
match: { kind: Dataset, env: PROD }
require: { domain: true, owners: { min: 1 } }
---
kind: Policy
id: no-mail
match: { kind: Dataset }
columns: { match: { name: "*mail*" }, require: { tags: { none_of: [pii] } } }
---
kind: Policy
id: domains-have-owners
match: { kind: Domain }
require: { owners: true }
---
kind: Waiver
policy: domains-have-owners
match: { urn: "urn:li:domain:sales" }
reason: It is about to go.
expires: 1970-01-31
`;

test("--policy lists what violates a policy and is not waived, as it is or as it is planned", async () => {
  const site = await makeSite();
  site.commit({ "catalog/policies.yaml": policies });
  const find = async (...flags: readonly string[]): Promise<unknown> =>
    (await listed(site, ...flags)).entities.map(({ urn }) => urn);
  expect(await find("--policy", "owned")).toEqual([orders]);
  expect(await find("--policy", "domains-have-owners")).toEqual(["urn:li:domain:finance"]);
  expect(await find("--policy", "domains-have-owners", "--policy", "owned", "--kind", "Dataset")).toEqual([
    orders,
  ]);
  expect(await find("--policy", "owned", "--kind", "Tag")).toEqual([]);
  expect(await find("--policy", "no-mail")).toEqual([]);
  expect(await find("--policy", "no-mail", "--planned")).toEqual([orders]);
  expect(await find("--policy", "no-mail", "--planned", "--columns")).toEqual([orders]);
  expect(await find("--policy", "owned", "--missing", "owners")).toEqual([]);
  const { entities } = await listed(site, "--kind", "Dataset", "--name", "prod.*");
  expect(entities.map(({ violates }) => violates)).toEqual([[], ["owned"]]);
  const text = await site.run(["list", "--policy", "owned"]);
  expect(text.stdout).toContain("violates: owned");
});

test.each([
  ["--policy ownd", "--policy ownd: no manifest declares a policy of that id; did you mean owned?"],
  ["--policy ownd --planned", "did you mean owned?"],
  ["--policy ownd --snapshot absent.json", "did you mean owned?"],
])("list %s is a usage error before anything is read", async (flags, message) => {
  const server = flags.includes("--snapshot") ? [] : ["--server", "http://127.0.0.1:1"];
  const argv = ["list", ...flags.split(" "), ...server];
  const { code, stdout, stderr } = await withFiles({ "catalog/policies.yaml": policies }, (cwd) =>
    runCli(argv, { cwd }),
  );
  expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  expect(stderr).toContain(message);
});

test("coverage says of each policy how many verdicts pass", async () => {
  const site = await makeSite();
  site.commit({ "catalog/policies.yaml": policies });
  const { code, stdout } = await site.run(["coverage", "--format", "json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    total: { assets: 5 },
    policies: [
      { id: "domains-have-owners", matched: 2, passes: 0 },
      { id: "no-mail", matched: 1, passes: 1 },
      { id: "owned", matched: 2, passes: 1 },
    ],
  });
  const text = await site.run(["coverage"]);
  expect(text.stdout).toContain("policy owned: 1 of 2 pass (50%)\n");
  const markdown = await site.run(["coverage", "--format", "markdown"]);
  expect(markdown.stdout).toContain("- policy owned: 1 of 2 pass (50%)\n");
});

test("what a policy cannot be judged by is unreadable, and never passes", async () => {
  const site = await makeSite();
  site.commit({ "catalog/policies.yaml": policies.replace("domain: true, ", "links: false, ") });
  const broken: MadeAspect = [orders, "institutionalMemory", { elements: "broken" }];
  await site.catalog.load(metadataFile(temporaryDirectory(), [broken]));
  const { code, stdout } = await site.run(["list", "--format", "json", "--kind", "Dataset"]);
  expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({
    code: 1,
    unreadable: [{ urn: orders, reason: expect.stringContaining("policy owned: ") as string }],
  });
});

test("--env is the environment in URNs, and --environment that of the settings", async () => {
  const site = await siteWith(
    { "dev/a.yaml": "kind: Tag\nid: a\n", "prod/b.yaml": "kind: Tag\nid: b\n" },
    settingsWith(
      "environments:",
      "  dev: { paths: [dev/**], base: refs/datahub-gitops/dev }",
      "  prod: { paths: [prod/**], base: refs/datahub-gitops/prod }",
    ),
  );
  expect(await site.apply("--env", "dev")).toMatchObject({ code: 0 });
  expect(await site.apply("--env", "prod")).toMatchObject({ code: 0 });
  for (const name of ["list", "coverage"]) {
    const refused = await site.run([name]);
    expect(refused.code).toBe(64);
    expect(refused.stderr).toContain("use --environment <name>, one of dev, prod");
    const unknown = await site.run([name, "--environment", "prd"]);
    expect(unknown.code).toBe(64);
    expect(unknown.stderr).toContain(
      "--environment prd: the settings have no such environment; did you mean prod?",
    );
  }
  const { entities } = await listed(site, "--environment", "prod", "--kind", "Tag", "--declared");
  expect(entities.map(({ urn }) => urn)).toEqual(["urn:li:tag:b"]);
  expect((await listed(site, "--environment", "prod", "--env", "PROD")).entities).toEqual([]);
});

test("without manifests nothing is declared, and a directory that is named has to be there", async () => {
  const site = await makeSite();
  const cwd = temporaryDirectory();
  const run = (...argv: readonly string[]): Promise<Ran> =>
    runCli(["list", ...argv, "--server", site.catalog.url], { cwd });
  expect(await run("--declared")).toMatchObject({ code: 0, stdout: "No entities found.\n" });
  expect(await run("nowhere")).toMatchObject({ code: 3 });
});

test("what cannot be read is named, and the list is not taken for a complete one", async () => {
  const site = await makeSite();
  const made: readonly MadeAspect[] = [[scratch, "domains", { domains: "broken" }]];
  await site.catalog.load(metadataFile(temporaryDirectory(), made));
  const { code, stdout, stderr } = await site.run(["list", "--format", "json", "--env", "DEV"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ entities: [], unreadable: [{ urn: scratch }] });
  expect(stderr).toContain("1 entity could not be read; the list is not complete");
});

test("a server that is down is an error, and no empty list", async () => {
  const argv = ["list", "--format", "json", "--server", "http://127.0.0.1:1"];
  const { code, stdout } = await runCli(argv, { cwd: temporaryDirectory() });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: "unreachable" } });
});

/** Many datasets, more than a page. */
async function largeSite(): Promise<Site> {
  const site = await siteWith(files, settingsWith());
  const made = Array.from({ length: 2500 }, (_, index): MadeAspect => {
    return [datasetNamed(`d${index}`), "status", { removed: false }];
  });
  await site.catalog.load(metadataFile(temporaryDirectory(), made));
  return site;
}

test("a reader that is gone ends the reading, and is no error; Ctrl-C ends it with 130", async () => {
  const site = await largeSite();
  const before = site.catalog.requests.length;
  const whole = await site.run(["list", "--kind", "Dataset", "--format", "csv"]);
  const needed = site.catalog.requests.length - before;
  expect(whole.stdout.split("\r\n")).toHaveLength(2502);

  const kept = capture(80);
  const closing: Output = {
    ...kept,
    loss: () => (kept.text().length > 100 ? { reason: "EPIPE", isClosed: true } : undefined),
  };
  const from = site.catalog.requests.length;
  const closed = await site.run(["list", "--kind", "Dataset", "--format", "csv"], { stdout: closing });
  expect(closed.code).toBe(0);
  expect(site.catalog.requests.length - from).toBeLessThan(needed);

  const interruption = new AbortController();
  const stopping = capture(80);
  const stdout: Output = {
    ...stopping,
    write: (text) => {
      stopping.write(text);
      if (stopping.text().length > 100) interruption.abort(new Error("interrupted"));
    },
  };
  const options = { stdout, interrupted: interruption.signal };
  const stopped = await site.run(["list", "--kind", "Dataset", "--format", "json"], options);
  expect(stopped).toMatchObject({ code: 130, stderr: "Interrupted.\n" });
  expect(() => JSON.parse(stopping.text()) as unknown).toThrow(SyntaxError);
});
