import { expect, test } from "vitest";
import type { ExplainedFacet, Explanation } from "../../src/model/explanation.ts";
import { compareText } from "../../src/model/json.ts";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { capture, type Ran, runCli } from "../support/command-line.ts";
import { settingsWith, siteOnce, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const invoices = datasetNamed("prod.finance.invoices");
const alice = "urn:li:corpuser:alice@acme.com";
const stamp = { time: 1_700_000_000_000, actor: alice };
const path = "[version=2.0].[type=struct].[type=string].email";

const world: readonly MadeAspect[] = [
  ["urn:li:domain:finance", "domainProperties", { name: "Finance" }],
  ["urn:li:domain:sales", "domainProperties", { name: "Sales" }],
  ...["pii", "old", "tier-1", "finance"].map((id): MadeAspect => [
    `urn:li:tag:${id}`,
    "tagProperties",
    { name: id },
  ]),
  [alice, "corpUserInfo", { active: true, displayName: "Alice Doe" }],
  [invoices, "status", { removed: false }],
  [invoices, "subTypes", { typeNames: ["Table"] }],
  [invoices, "container", { container: "urn:li:container:schema" }],
  [invoices, "schemaMetadata", schemaWith(path, "id")],
  [invoices, "domains", { domains: ["urn:li:domain:sales"] }],
  [
    invoices,
    "globalTags",
    {
      tags: [
        { tag: "urn:li:tag:finance" },
        { tag: "urn:li:tag:old", attribution: { ...stamp, sourceDetail: {} } },
      ],
    },
  ],
  ["urn:li:container:schema", "containerProperties", { name: "FINANCE" }],
  ["urn:li:container:schema", "container", { container: "urn:li:container:database" }],
  [datasetNamed("gone"), "status", { removed: true }],
  [
    datasetNamed("twins"),
    "schemaMetadata",
    schemaWith("[version=2.0].[type=int].a", "[version=2.0].[type=long].a"),
  ],
  [datasetNamed("plain"), "status", { removed: false }],
];

const files = {
  "rules.yaml": `kind: Rule
id: finance
match: { kind: Dataset, platform: snowflake, container: database, not: { name: "*_tmp" } }
declare:
  domain: finance
  tags: [finance, tier-1]
  columns:
    "*mail*": { tags: [pii] }
manage: { tags: merge }
---
kind: Rule
id: sales
match: { kind: Dataset, platform: snowflake, name: prod.sales.* }
declare:
  tags: [old]
---
kind: Rule
id: topics
match: { kind: Dataset, platform: kafka, subtype: Topic }
declare:
  tags: [old]
---
kind: Rule
id: left-out
match: { kind: Dataset, env: PROD }
declare:
  tags: [old]
---
kind: Rule
id: folders
match: { kind: Container, name: FINANCE }
declare:
  tags: [tier-1]
`,
  "invoices.yaml": `kind: Dataset
platform: snowflake
name: prod.finance.invoices
exempt: [left-out]
domain: sales
`,
  "definitions.yaml": `kind: Tag
id: fresh
description: New
---
kind: User
id: alice@acme.com
groups: [team]
---
kind: Group
id: team
`,
};

const site = siteOnce(async () => {
  const made = await siteWith(files, settingsWith());
  await made.catalog.load(metadataFile(temporaryDirectory(), world));
  return made;
});

const today = new Date().toISOString().slice(0, 10);

/** An explanation as JSON: there a place has the name of its column. */
interface ExplanationJson extends Omit<Explanation, "facets"> {
  readonly facets: readonly (ExplainedFacet & { readonly column?: string })[];
}

function explanationIn({ code, stdout, stderr }: Ran): ExplanationJson {
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as ExplanationJson;
}

test("an explanation names every value with who declares it and who put it there, and why rules match or do not", async () => {
  const { run } = await site();
  const { code, stdout, stderr } = await run(["explain", invoices]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  await expect(stdout.replaceAll(today, "TODAY")).toMatchFileSnapshot("expected/explain.txt");
});

test("on a terminal an explanation is wrapped to its width", async () => {
  const { run } = await site();
  const stdout = { ...capture(60), isTTY: true };
  await run(["explain", invoices], { stdout, env: { NO_COLOR: "1" } });
  await expect(stdout.text().replaceAll(today, "TODAY")).toMatchFileSnapshot("expected/explain-terminal.txt");
});

test("as JSON it says what an apply would do as the plan does, and why rules do not match by each key", async () => {
  const { run, planned } = await site();
  const explanation = explanationIn(await run(["explain", invoices, "--format", "json"]));
  const changes = (await planned()).changes.filter(({ urn }) => urn === invoices);
  const told = explanation.facets.filter(({ change }) => change);
  // A plan sorts them by name.
  const inOrder = told.toSorted((a, b) => compareText(a.facet, b.facet));
  expect(inOrder.map(({ facet, column, change }) => ({ facet, column, ...change }))).toEqual(
    changes.map(({ facet, column, add, remove }) => ({ facet, column, add, remove })),
  );
  expect(explanation).toMatchObject({ formatVersion: "1", exists: true, kind: "Dataset", problems: [] });
  expect(
    explanation.rules.map(({ id, verdict, missed }) => [id, verdict, missed.map(({ key }) => key)]),
  ).toEqual([
    ["finance", "matches", []],
    ["left-out", "exempt", []],
    ["sales", "differs", ["name"]],
    ["topics", "differs", ["platform", "subtype"]],
    ["folders", "differs", ["kind"]],
  ]);
  expect(explanation.rules[2]?.missed[0]).toEqual({
    key: "name",
    wanted: ["prod.sales.*"],
    found: ["prod.finance.invoices"],
    source: expect.objectContaining({ file: "catalog/rules.yaml", line: 13 }),
  });
});

test("a column is named by its plain name or its path, and only what concerns it is told", async () => {
  const { run } = await site();
  const asked = async (column: string): Promise<ExplanationJson> =>
    explanationIn(await run(["explain", invoices, "--column", column, "--format", "json"]));
  const explanation = await asked("email");
  expect(await asked(path)).toEqual(explanation);
  expect(explanation.asset?.column).toEqual({ name: "email", path, nativeType: "x" });
  expect(new Set(explanation.facets.map(({ column }) => column))).toEqual(new Set([path]));
  expect(explanation.facets.filter(({ facet }) => facet === "columns.tags")).toMatchObject([
    { desired: [{ value: "urn:li:tag:pii" }], live: [] },
  ]);
});

test("what is not there, or has no such column, ends with 3, and what is no URN of a known kind with 64", async () => {
  const { run } = await site();
  const refused: readonly (readonly [argv: readonly string[], code: number, says: string])[] = [
    [[datasetNamed("gone")], 3, "is soft-deleted in the catalog"],
    [["urn:li:tag:none"], 3, "urn:li:tag:none is not in the catalog"],
    [[invoices, "--column", "emial"], 3, "has no column emial; did you mean email?"],
    [[datasetNamed("twins"), "--column", "a"], 3, "has several columns named a; use one of their full paths"],
    [[alice, "--column", "a"], 3, "has no column a; the catalog has no columns for this entity"],
    [["urn:li:dataHubSecret:1"], 64, "explain accepts urn:li:domain:…"],
    [["urn:li:dataset:orders"], 64, "is not a valid URN"],
  ];
  for (const [argv, code, says] of refused)
    expect(await run(["explain", ...argv])).toEqual({
      code,
      stdout: "",
      stderr: expect.stringContaining(says),
    });
  const json = await run(["explain", datasetNamed("none"), "--format", "json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({ formatVersion: "1", error: { code: "not-found" } });
});

test("definitions are explained as well, also those that are only declared, or only there", async () => {
  const { run } = await site();
  const of = async (urn: string): Promise<ExplanationJson> =>
    explanationIn(await run(["explain", urn, "--format", "json"]));
  const facetsIn = ({ facets }: ExplanationJson): unknown =>
    facets.map(({ facet, desired, live }) => [
      facet,
      desired?.map(({ value }) => value),
      live.map(({ value }) => value),
    ]);
  const fresh = await of("urn:li:tag:fresh");
  expect([fresh.exists, facetsIn(fresh)]).toEqual([
    false,
    [
      ["name", ["fresh"], []],
      ["description", ["New"], []],
    ],
  ]);
  const member = await of(alice);
  expect(facetsIn(member)).toEqual([
    ["display_name", undefined, ["Alice Doe"]],
    ["groups", ["urn:li:corpGroup:team"], []],
  ]);
  expect(member.facets.at(-1)?.change).toEqual({ add: ["urn:li:corpGroup:team"], remove: [] });
});

test("an explanation by a snapshot is that by the server, and asks no server", async () => {
  const { run, root: cwd, catalog } = await site();
  expect(await run(["export", "--snapshot", "live.json"])).toMatchObject({ code: 0 });
  const argv = ["explain", invoices, "--format", "json"];
  const online = explanationIn(await run(argv));
  const before = catalog.requests.length;
  const offline = await runCli([...argv, "--snapshot", "live.json", "--quiet"], { cwd });
  expect(catalog.requests.length).toBe(before);
  expect(explanationIn(offline)).toEqual(online);
  const plain = await runCli(["explain", datasetNamed("plain"), "--snapshot", "live.json"], { cwd });
  expect(plain).toMatchObject({ code: 3, stdout: "" });
  expect(plain.stderr).toContain("is not in the snapshot");
});

test("of a rule that matches, it names the patterns that match no column, and rules that contradict each other are problems", async () => {
  const rule = (id: string, pattern: string): string => `kind: Rule
id: ${id}
match: { kind: Dataset, name: a }
declare:
  domain: ${id}
  columns: { "${pattern}": { tags: [pii] } }
`;
  const { run, catalog } = await siteWith({
    "a.yaml": rule("one", "*mail"),
    "b.yaml": rule("two", "*emial"),
  });
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
      ["urn:li:domain:one", "domainProperties", { name: "One" }],
      ["urn:li:domain:two", "domainProperties", { name: "Two" }],
      [datasetNamed("a"), "schemaMetadata", schemaWith("id", "email")],
    ]),
  );

  const { stdout, stderr } = await run(["explain", datasetNamed("a")]);

  expect(stdout).toContain("columns: *emial matches no column of the asset (catalog/b.yaml:6:14)\n");
  expect(stdout).not.toContain("*mail matches");
  expect(stderr).toContain("`domain`");
  const json = await run(["explain", datasetNamed("a"), "--format", "json"]);
  const { problems, facets, rules } = JSON.parse(json.stdout) as ExplanationJson;
  expect(problems).toMatchObject([{ code: "rule-conflict" }]);
  expect(facets[0]).toMatchObject({
    facet: "domain",
    overruled: [{ value: "urn:li:domain:one" }, { value: "urn:li:domain:two" }],
  });
  expect(rules[1]).toMatchObject({
    id: "two",
    verdict: "matches",
    idlePatterns: [{ pattern: "*emial", source: { line: 6, column: 14 } }],
  });
});
