import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, type MadeAspect, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

// What of a change is left to rules: test/workflow/pull/split-rule-values.test.ts and test/laws/left-to-rules.test.ts.

const [a, b, goneToRules, other] = [
  datasetNamed("fin.a"),
  datasetNamed("fin.b"),
  datasetNamed("fin.c"),
  datasetNamed("crm.a"),
];

const rules = `kind: Rule
id: finance
match: { kind: Dataset, name: "fin.*" }
declare:
  domain: finance
  tags: [gold]
  columns: { "*mail": { tags: [pii] } }
---
kind: Rule
id: silver
match: { kind: Dataset, name: "fin.a" }
declare:
  tags: [silver]
`;

const definitions = ["finance", "sales"]
  .map((id) => `kind: Domain\nid: ${id}\nname: ${id}\n`)
  .concat(["gold", "silver", "pii", "old"].map((id) => `kind: Tag\nid: ${id}\nname: ${id}\n`))
  .join("---\n");

const files: Readonly<Record<string, string>> = { "rules.yaml": rules, "definitions.yaml": definitions };

const tagged = (...ids: readonly string[]) => ({ tags: ids.map((id) => ({ tag: `urn:li:tag:${id}` })) });

/** What is in the catalog of an asset: its columns, and its tags, its domain and the tags of its columns. */
function asset(
  urn: string,
  tags: readonly string[] = [],
  domain?: string,
  columns: Readonly<Record<string, readonly string[]>> = {},
): readonly MadeAspect[] {
  const fields = Object.entries(columns).map(([fieldPath, ids]) => ({
    fieldPath,
    globalTags: tagged(...ids),
  }));
  return [
    [urn, "schemaMetadata", schemaWith("id", "email")],
    [urn, "globalTags", tagged(...tags)],
    ...(domain === undefined ? [] : [[urn, "domains", { domains: [`urn:li:domain:${domain}`] }] as const]),
    [urn, "editableSchemaMetadata", { editableSchemaFieldInfo: fields }],
  ];
}

/** A site with the rules and these files, and these assets beside the definitions. */
async function siteOf(
  live: readonly MadeAspect[],
  more: Readonly<Record<string, string>> = {},
): Promise<Site> {
  const site = await siteWith({ ...files, ...more });
  const defined: readonly MadeAspect[] = [
    ...["finance", "sales"].map((id): MadeAspect => [
      `urn:li:domain:${id}`,
      "domainProperties",
      { name: id },
    ]),
    ...["gold", "silver", "pii", "old"].map((id): MadeAspect => [
      `urn:li:tag:${id}`,
      "tagProperties",
      { name: id },
    ]),
  ];
  await site.catalog.load(metadataFile(temporaryDirectory(), [...defined, ...live]));
  return site;
}

const documentOf = (name: string, ...lines: readonly string[]): string =>
  ["kind: Dataset", "platform: snowflake", `name: ${name}`, ...lines, ""].join("\n");

const fileOf = (name: string): string => `datasets/snowflake/${name.replace(".", "/")}.yaml`;

function textOf(site: Site, name: string): string {
  return readFileSync(join(site.root, "catalog", name), "utf8");
}

const email = { email: ["pii"] };

test("an export leaves to rules what they declare, and writes what goes beyond it", async () => {
  const site = await siteOf([
    ...asset(a, ["gold", "silver", "old"], "finance", { ...email, id: ["gold"] }),
    ...asset(b, ["gold"], "sales", email),
    ...asset(other, ["gold"]),
  ]);

  const { code, stdout, stderr } = await site.run(["export"]);
  expect(code).toBe(0);
  expect(stdout).toBe("Exported to catalog: 3 files created, 0 updated, 6 unchanged.\n");
  expect(stderr).toContain("Skipped 3 fields declared by rules; export --verbose lists them");
  expect(textOf(site, fileOf("fin.a"))).toBe(`# yaml-language-server: $schema=../../../.schema.json
kind: Dataset
platform: snowflake
name: fin.a
tags: [old]
columns:
  id: { tags: [gold] }
`);
  expect(textOf(site, fileOf("fin.b"))).toContain("domain: sales\n");
  expect(textOf(site, fileOf("crm.a"))).toContain("tags: [gold]\n");
});

test("an export takes out of its files what rules declare by now, and a file with nothing else goes", async () => {
  const noted = `${documentOf("fin.b", "domain: sales", "tags: [gold]")}# Ask Ada.\n`;
  const site = await siteOf(
    [
      ...asset(a, ["gold", "silver", "old"], "finance", email),
      ...asset(b, ["gold"], "sales", email),
      ...asset(goneToRules, ["gold"], "finance", email),
    ],
    {
      [fileOf("fin.a")]: documentOf("fin.a", "tags: [gold, old]"),
      [fileOf("fin.b")]: noted,
      [fileOf("fin.c")]: documentOf("fin.c", "tags: [gold]"),
    },
  );

  expect((await site.run(["export"])).stdout).toContain(": 0 files created, 2 updated, 1 removed, ");
  expect(textOf(site, fileOf("fin.a"))).toContain("tags: [old]\n");
  expect(textOf(site, fileOf("fin.b"))).toBe(noted.replace("tags: [gold]\n", ""));
  expect(existsSync(join(site.root, "catalog", fileOf("fin.c")))).toBe(false);
});

test("a pull leaves to rules what they declare, of columns too, names them, and takes over the rest", async () => {
  const site = await siteOf(
    [
      ...asset(a, ["silver", "pii"], "finance", { email: ["pii", "old"], id: ["pii"] }),
      ...asset(b, ["gold"], "sales", email),
    ],
    { "a.yaml": documentOf("fin.a", "tags: [old]", "columns: { id: { tags: [pii] } }") },
  );

  const { code, stdout, stderr } = await site.run(["pull"]);
  expect({ code, stdout }).toEqual({ code: 6, stdout: "catalog/a.yaml\n" });
  const ways = (id: string): string =>
    `declared by rule \`${id}\`; edit the rule, or add \`exempt: [${id}]\` to a manifest for the asset\n`;
  expect(stderr).toContain(`catalog/rules.yaml:6:3: not pulled: Dataset ${a}: tags: ${ways("finance")}`);
  expect(stderr).toContain("columns.tags of column email: declared by rule `finance`; edit the rule");
  expect(stderr).toContain(`catalog/rules.yaml:5:3: not pulled: Dataset ${b}: domain: ${ways("finance")}`);
  expect(stderr).toContain("1 change pulled into 1 file. 3 changes not pulled.");
  expect(textOf(site, "a.yaml")).toBe(documentOf("fin.a", "tags: [pii]", "columns: { id: { tags: [pii] } }"));
});

test("what a rule declares of many assets a pull names once", async () => {
  const urns = Array.from({ length: 7 }, (_, index) => datasetNamed(`fin.many.${index}`));
  const site = await siteOf(urns.map((urn): MadeAspect => [urn, "status", { removed: false }]));

  const { code, stderr } = await site.run(["pull", "--facet", "domain"]);
  expect(code).toBe(6);
  expect(stderr.match(/not pulled: Dataset.*/g)).toEqual([
    `not pulled: Dataset ${urns[0]}: domain, and 6 more like it: declared by rule \`finance\`; edit the rule, or add \`exempt: [finance]\` to a manifest for the asset`,
  ]);
  expect(stderr).toContain("7 changes not pulled.");
});
