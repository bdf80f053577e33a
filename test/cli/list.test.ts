import { expect, test } from "vitest";
import type { Output } from "../../src/cli/io.ts";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { capture, type Ran, runCli } from "../support/command-line.ts";
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

const load = (site: Site, ...aspects: readonly MadeAspect[]): Promise<unknown> =>
  site.catalog.load(metadataFile(temporaryDirectory(), aspects));

const makeSite = siteOnce(async (): Promise<Site> => {
  const site = await siteWith(files, settingsWith());
  await load(site, ...world);
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

/** The URNs of what is listed. */
async function urnsOf(site: Site, ...flags: readonly string[]): Promise<readonly unknown[]> {
  return (await listed(site, ...flags)).entities.map(({ urn }) => urn);
}

test("filters of assets and of definitions find what they name", async () => {
  const site = await makeSite();
  const days = "urn:li:structuredProperty:days";
  await load(
    site,
    [
      days,
      "propertyDefinition",
      {
        qualifiedName: "days",
        valueType: "urn:li:dataType:datahub.number",
        entityTypes: ["urn:li:entityType:datahub.dataset"],
      },
    ],
    [orders, "structuredProperties", { properties: [{ propertyUrn: days, values: [{ double: 90 }] }] }],
  );
  const asset = [
    "--platform",
    "snowflake",
    "--container",
    "database",
    "--domain",
    "finance",
    "--owner",
    "alice*",
  ];

  expect(await urnsOf(site, ...asset, "--tag", "pii", "--term", "revenue")).toEqual([invoices]);
  expect(await urnsOf(site, "--property", "days=90", "--missing", "domain")).toEqual([orders]);
  expect(await urnsOf(site, "--name", "Finance", "--declared")).toEqual(["urn:li:domain:finance"]);
});

test("--columns lists columns with what they have themselves, and says so where they are left out", async () => {
  const site = await makeSite();
  const tagged = { fieldPath: "email", globalTags: { tags: [{ tag: "urn:li:tag:mail" }] } };
  await load(site, [orders, "editableSchemaMetadata", { editableSchemaFieldInfo: [tagged] }]);

  const columns = await site.run(["list", "--columns", "--tag", "mail"]);

  expect(columns).toMatchObject({ code: 0, stderr: "" });
  expect(columns.stdout).toMatchInlineSnapshot(`
    "Dataset urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.sales.orders,PROD) email
      owners: Alice Doe as TECHNICAL_OWNER; tags: mail; declared

    1 column, 1 declared.
    "
  `);
  expect(await site.run(["list", "--tag", "mail"])).toEqual({
    code: 0,
    stdout: "No entities found.\n",
    stderr: "Columns were not searched; add --columns to search them.\n",
  });
  expect(await site.run(["list", "--tag", "mail", "--quiet"])).toMatchObject({ stderr: "" });
});

test("--owner me is the user of the token, and nobody in a snapshot, which is listed with what it has and its age", async () => {
  const site = await makeSite();
  await load(site, [scratch, "ownership", owned(["urn:li:corpuser:datahub", "none"])]);
  expect(await urnsOf(site, "--owner", "me")).toEqual([scratch]);
  expect(await site.run(["export", "--snapshot", "live.json"])).toMatchObject({ code: 0 });
  const fromFile = (...flags: readonly string[]): Promise<Ran> =>
    runCli(["list", ...flags, "--snapshot", "live.json"], { cwd: site.root });
  const flags = ["--format", "csv", "--kind", "Dataset"];

  expect(await fromFile(...flags)).toEqual({
    code: 0,
    stdout: (await site.run(["list", ...flags])).stdout,
    stderr: `Reading a snapshot of ${site.catalog.url} from 1970-01-01T00:00:00.000Z, 0 minutes old\n`,
  });
  expect(await fromFile("--owner", "me")).toMatchObject({
    code: 64,
    stdout: "",
    stderr: expect.stringContaining("a snapshot does not record who `me` is"),
  });
});

test("--planned lists what the manifests make of the catalog, live and from a snapshot, and nothing where they are refused", async () => {
  const site = await makeSite();
  const growth = ["--planned", "--domain", "growth", "--format", "json"];
  site.write({
    "catalog/new.yaml":
      "kind: Domain\nid: growth\n---\nkind: Dataset\nplatform: snowflake\nname: prod.sales.orders\ndomain: growth\n",
  });
  expect(await site.run(["export", "--snapshot", "live.json"])).toMatchObject({ code: 0 });

  const live = await site.run(["list", ...growth]);

  expect((JSON.parse(live.stdout) as Listed).entities.map(({ urn }) => urn)).toEqual([orders]);
  const saved = await runCli(["list", ...growth, "--snapshot", "live.json"], { cwd: site.root });
  expect(saved.stdout).toBe(live.stdout);
  site.write({ "catalog/new.yaml": "kind: Dataset\nplatform: snowflake\nname: absent\ntags: [pii]\n" });
  const refused = await site.run(["list", "--planned", "--format", "json"]);
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("absent") });
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: "refused" } });
});

test.each([
  [["--format", "html"], "It must be one of text, csv, json, markdown"],
  [["--snapshot", "live.json", "--local"], "cannot be used with option"],
  [["--policy", "ownd"], "no manifest declares a policy with this id"],
  [["--policy", "ownd", "--snapshot", "absent.json"], "no manifest declares a policy with this id"],
])("list %j is a usage error before anything is read", async (flags, message) => {
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

test("--policy lists what violates a policy and is not waived, as it is or as it is planned, and coverage counts it", async () => {
  const site = await makeSite();
  site.write({ "catalog/policies.yaml": policies });

  expect(await listed(site, "--policy", "owned")).toMatchObject({
    entities: [{ urn: orders, violates: ["owned"] }],
  });
  expect(await urnsOf(site, "--policy", "domains-have-owners")).toEqual(["urn:li:domain:finance"]);
  expect(await urnsOf(site, "--policy", "no-mail", "--planned", "--columns")).toEqual([orders]);
  const { stdout } = await site.run(["coverage", "--format", "json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    total: { assets: 5 },
    policies: [
      { id: "domains-have-owners", matched: 2, passes: 0 },
      { id: "no-mail", matched: 1, passes: 1 },
      { id: "owned", matched: 2, passes: 1 },
    ],
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
  await load(
    site,
    ...["a", "b"].map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]),
  );
  expect(await site.run(["list"])).toMatchObject({
    code: 64,
    stderr: expect.stringContaining("use --environment with one of dev, prod"),
  });
  expect(await site.run(["coverage"])).toMatchObject({
    code: 64,
    stderr: expect.stringContaining("use --env with one of dev, prod"),
  });
  for (const flag of ["--env", "--environment"])
    expect(await site.run(["coverage", flag, "prd"])).toMatchObject({
      code: 64,
      stderr: expect.stringContaining("--env prd: the settings have no such environment; did you mean prod?"),
    });
  expect(await urnsOf(site, "--environment", "prod", "--declared")).toEqual(["urn:li:tag:b"]);
  expect(await urnsOf(site, "--environment", "prod", "--env", "PROD")).toEqual([]);
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
  await load(site, [scratch, "domains", { domains: "broken" }]);
  const { code, stdout, stderr } = await site.run(["list", "--format", "json", "--env", "DEV"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ entities: [], unreadable: [{ urn: scratch }] });
  expect(stderr).toContain("1 entity could not be read; the list is incomplete");
});

test("a server that is down is an error, and no empty list", async () => {
  const argv = ["list", "--format", "json", "--server", "http://127.0.0.1:1"];
  const { code, stdout } = await runCli(argv, { cwd: temporaryDirectory() });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: "unreachable" } });
});

test("a reader that is gone ends the reading, and is no error; Ctrl-C ends it with 130", async () => {
  const site = await makeSite();
  const requestsOf = async (stdout: Output, interrupted?: AbortSignal): Promise<readonly [Ran, number]> => {
    const before = site.catalog.requests.length;
    const ran = await site.run(["list"], { stdout, ...(interrupted && { interrupted }) });
    return [ran, site.catalog.requests.length - before];
  };
  // A terminal, which shows progress, gets the list at the end.
  const terminal = { ...capture(60), isTTY: true };
  const [, needed] = await requestsOf(terminal);
  expect(terminal.text()).toMatch(/\n\d+ entities \(.*\d datasets?, [\s\S]*\), \d+ declared\.\n$/);
  const tooLong = terminal
    .text()
    .split("\n")
    .filter((line) => line.length > 60);
  expect(tooLong.filter((line) => !line.includes("urn:li:"))).toEqual([]);
  const kept = capture(80);
  const closing: Output = {
    ...kept,
    loss: () => (kept.text() === "" ? undefined : { reason: "EPIPE", isClosed: true }),
  };

  const [closed, sent] = await requestsOf(closing);

  expect(closed.code).toBe(0);
  expect(sent).toBeLessThan(needed);
  const interruption = new AbortController();
  const stopping = capture(80);
  const aborting: Output = {
    ...stopping,
    write: (text) => {
      stopping.write(text);
      if (text !== "") interruption.abort(new Error("interrupted"));
    },
  };
  const [stopped] = await requestsOf(aborting, interruption.signal);
  expect(stopped).toMatchObject({ code: 130, stderr: "Interrupted.\n" });
  expect(stopping.text()).not.toContain("declared.");
});

test("filters take display names, ids and URNs, in another case as well, and the names that only values have", async () => {
  const site = await makeSite();
  await load(site, [
    orders,
    "globalTags",
    { tags: [{ tag: "urn:li:tag:pii" }, { tag: "urn:li:tag:Undefined" }] },
  ]);
  for (const [flags, expected] of [
    [["--domain", "Finance"], [invoices]],
    [["--owner", "Alice Doe", "--missing", "domain"], [orders]],
    [["--owner", "ALICE@acme.com", "--missing", "domain"], [orders]],
    [["--owner", "TEAM"], [invoices]],
    [["--type", "data_steward"], [invoices]],
    [["--tag", "PII", "--missing", "domain"], [orders]],
    [["--tag", "undefined"], [orders]],
    [["--term", "Revenue"], [invoices]],
    [["--env", "dev"], [scratch]],
    [
      ["--platform", "Snowflake", "--tag", "pii"],
      [invoices, orders],
    ],
    [
      ["--container", "acme"],
      [schema, invoices],
    ],
  ] as const)
    expect([flags, new Set(await urnsOf(site, ...flags))]).toEqual([flags, new Set(expected)]);
});

test.each([
  ["--domain", "Finanec", "domain", "; did you mean Finance?"],
  ["--owner", "jdo", "user or group", ""],
  ["--tag", "PIII", "tag", "; did you mean pii?"],
  ["--type", "STEWARD", "ownership type", "; did you mean DATA_STEWARD?"],
  ["--platform", "snowflak", "platform", "; did you mean snowflake?"],
  ["--env", "PORD", "environment", "; did you mean PROD?"],
  ["--property", "dayz=9", "structured property", ""],
  ["--container", "nope", "container", ""],
])("%s %s is a wrong usage, also of a snapshot, and no empty list", async (option, text, noun, hint) => {
  const site = await makeSite();
  const message = `${option} ${text}: no ${noun} in the catalog or the manifests has this id or name${hint}\n`;
  const wrong = { code: 64, stdout: "", stderr: expect.stringContaining(message) };
  expect(await site.run(["list", option, text])).toMatchObject(wrong);
  expect(await site.run(["list", option, text, "--planned"])).toMatchObject(wrong);
  await site.run(["export", "--snapshot", "live.json"]);
  expect(await runCli(["list", option, text, "--snapshot", "live.json"], { cwd: site.root })).toMatchObject(
    wrong,
  );
});

test("a name that two things have, but for case, has to be written exactly, and what exists and matches nothing is an empty list", async () => {
  const site = await makeSite();
  await load(site, ["urn:li:tag:Pii", "tagProperties", { name: "Pii" }]);
  expect(await site.run(["list", "--tag", "PII"])).toMatchObject({
    code: 64,
    stderr: expect.stringContaining(
      "more than one tag has this name; use one of urn:li:tag:Pii, urn:li:tag:pii",
    ),
  });
  expect(await urnsOf(site, "--tag", "Pii")).toEqual([]);
  expect(await urnsOf(site, "--domain", "sales", "--platform", "bigquery")).toEqual([]);
});

test("--missing given twice finds what lacks either", async () => {
  const site = await makeSite();
  expect(await urnsOf(site, "--kind", "Dataset", "--missing", "tags", "--missing", "domain")).toEqual([
    scratch,
    orders,
  ]);
  expect(await urnsOf(site, "--kind", "Dataset", "--missing", "tags")).toEqual([scratch]);
});

test("a snapshot says that users and groups are not in it, and never that there are none", async () => {
  const site = await makeSite();
  await load(site, ["urn:li:corpuser:bob", "corpUserInfo", { active: true, displayName: "Bob" }]);
  await site.run(["export", "--snapshot", "live.json"]);
  const listedOf = (...flags: readonly string[]): Promise<Ran> =>
    runCli(["list", "--snapshot", "live.json", ...flags], { cwd: site.root });
  const users = await listedOf("--kind", "User");
  expect(users).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("1 entity is not in the snapshot; the list is incomplete"),
  });
  expect(users.stdout).not.toContain("No entities found");
  expect(await listedOf("--kind", "Domain")).toMatchObject({
    code: 3,
    stdout: expect.stringContaining("finance"),
  });
});
