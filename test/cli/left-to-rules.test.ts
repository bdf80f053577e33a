import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, type MadeAspect } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import type { Ran } from "../support/command-line.ts";
import { inCatalog, settingsWith, type Site, siteOnce, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const [a, b, other] = [datasetNamed("fin.a"), datasetNamed("fin.b"), datasetNamed("crm.a")];

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

async function makeSiteInSync(more: Readonly<Record<string, string>> = {}, all = files): Promise<Site> {
  const site = await siteWith({ ...all, ...more }, settingsWith());
  const aspects = [a, b, other].map((urn): MadeAspect => [urn, "schemaMetadata", schemaWith("id", "email")]);
  await site.catalog.load(metadataFile(site.root, aspects));
  expect(await site.apply()).toMatchObject({ code: 0 });
  return site;
}

/** A site whose manifests are applied to three datasets. */
const siteInSync = siteOnce(makeSiteInSync);

const tagged = (urn: string, tag: string, column?: string): string => {
  const at = column === undefined ? "" : `, subResource: "${column}", subResourceType: DATASET_FIELD`;
  return `addTag(input: { tagUrn: "urn:li:tag:${tag}", resourceUrn: "${urn}"${at} })`;
};

const untagged = (urn: string, tag: string): string => tagged(urn, tag).replace("addTag", "removeTag");

const moved = (urn: string, domain: string): string =>
  `setDomain(entityUrn: "${urn}", domainUrn: "urn:li:domain:${domain}")`;

const exported = async (site: Site): Promise<Ran> => await site.run(["export"]);

const fileOf = (name: string): string => `datasets/snowflake/${name.replace(".", "/")}.yaml`;

function textOf(site: Site, name: string): string {
  return readFileSync(join(site.root, "catalog", name), "utf8");
}

test("an export leaves to rules what they declare, and writes what goes beyond it", async () => {
  const site = await siteInSync();
  for (const edit of [tagged(a, "old"), tagged(a, "gold", "id"), moved(b, "sales"), tagged(other, "gold")])
    await site.edit(edit);

  const { code, stdout, stderr } = await exported(site);
  expect(code).toBe(0);
  expect(stdout).toBe("Exported to catalog: 3 files created, 0 updated, 6 unchanged.\n");
  expect(stderr).toContain("Left out: 3 facets, because each is declared by rules; --verbose names them");
  expect(textOf(site, fileOf("fin.a"))).toBe(`kind: Dataset
platform: snowflake
name: fin.a
tags: [old]
columns:
  id: { tags: [gold] }
`);
  expect(textOf(site, fileOf("fin.b"))).toContain("domain: sales\n");
  expect(textOf(site, fileOf("crm.a"))).toContain("tags: [gold]\n");
  expect((await site.plan("--detailed-exitcode")).code).toBe(0);
  expect((await exported(site)).stdout).toContain(": 0 files created, 0 updated, 9 unchanged.");
});

test("an export takes out of its files what rules declare by now, and a file with nothing else goes", async () => {
  const site = await siteInSync({}, { "definitions.yaml": definitions });
  await site.edit(tagged(a, "gold"));
  await site.edit(tagged(a, "old"));
  await site.edit(tagged(b, "gold"));
  await site.edit(moved(b, "finance"));
  await site.edit(tagged(other, "gold"));
  expect((await exported(site)).stdout).toContain(": 3 files created");
  const noted = `${textOf(site, fileOf("crm.a"))}# Ask Ada.\n`;
  site.commit({ [`catalog/${fileOf("crm.a")}`]: noted });
  site.commit(
    inCatalog({ "rules.yaml": rules.replace('"fin.*"', '"*"').replace(/^ *(columns|domain).*\n/gm, "") }),
  );
  await site.edit(tagged(a, "silver"));
  expect((await site.plan("--detailed-exitcode")).code).toBe(0);

  expect((await exported(site)).stdout).toContain(": 0 files created, 3 updated, ");
  expect(textOf(site, fileOf("fin.a"))).toContain("tags: [old]\n");
  expect(textOf(site, fileOf("fin.b"))).not.toContain("tags");
  expect(textOf(site, fileOf("crm.a"))).toBe(noted.replace("tags: [gold]\n", ""));
  site.commit(inCatalog({ "rules.yaml": rules.replace(/^ *columns.*\n/gm, "") }));
  expect(await site.apply()).toMatchObject({ code: 0 });
  await site.edit(moved(a, "finance"));
  expect((await exported(site)).stdout).toContain(": 0 files created, 1 updated, 1 removed, ");
  expect(existsSync(join(site.root, "catalog", fileOf("fin.b")))).toBe(false);
  expect((await site.plan("--detailed-exitcode")).code).toBe(0);
});

test("a pull leaves to rules what they declare, names them, and takes over the rest", async () => {
  const document = "kind: Dataset\nplatform: snowflake\nname: fin.a\ntags: [old]\n";
  const site = await siteInSync({ "a.yaml": document });
  for (const edit of [untagged(a, "gold"), untagged(a, "old"), tagged(a, "pii"), moved(b, "sales")])
    await site.edit(edit);

  const { code, stdout, stderr } = await site.run(["pull"]);
  expect({ code, stdout }).toEqual({ code: 6, stdout: "catalog/a.yaml\n" });
  const ways = (id: string): string =>
    `declared by rule \`${id}\`; edit the rule, or write \`exempt: [${id}]\` into a document of the asset\n`;
  expect(stderr).toContain(`catalog/rules.yaml:6:3: not pulled: Dataset ${a}: tags: ${ways("finance")}`);
  expect(stderr).toContain(`catalog/rules.yaml:5:3: not pulled: Dataset ${b}: domain: ${ways("finance")}`);
  expect(stderr).toContain("1 change pulled into 1 file. 2 changes not pulled.");
  expect(textOf(site, "a.yaml")).toBe(document.replace("old", "pii"));
  expect((await site.planned()).changes).toMatchObject([
    { urn: a, facet: "tags", add: ["urn:li:tag:gold"], remove: [], rules: ["finance"] },
    { urn: b, facet: "domain", rules: ["finance"] },
  ]);
});

test.each([
  [
    "takes over a single value that a document declares beside a rule, because the document's wins",
    "domain: finance\n",
    0,
  ],
  ["leaves a single value to the rule where the document does not declare one", "tags: [gold]\n", 6],
])("a pull %s", async (_, declared, code) => {
  const document = `kind: Dataset\nplatform: snowflake\nname: fin.a\n${declared}`;
  const site = await siteInSync({ "a.yaml": document });
  await site.edit(moved(a, "sales"));

  expect((await site.run(["pull"])).code).toBe(code);
  expect(textOf(site, "a.yaml")).toBe(document.replace("domain: finance", "domain: sales"));
  expect((await site.planned()).changes.map(({ urn, facet }) => [urn, facet])).toEqual(
    code === 0 ? [] : [[a, "domain"]],
  );
});

test("a pull changes no document for what only rules declare, of columns neither", async () => {
  const site = await siteInSync({
    "a.yaml": "kind: Dataset\nplatform: snowflake\nname: fin.a\ncolumns: { id: { tags: [pii] } }\n",
  });
  await site.edit(tagged(a, "old", "email"));
  await site.edit(tagged(b, "old"));

  const { code, stdout, stderr } = await site.run(["pull"]);
  expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
  expect(stderr).toContain("columns.tags of column email: declared by rule `finance`; edit the rule");
  expect(stderr).toContain(`Dataset ${b}: tags: declared by rule \`finance\``);
  expect((await site.run(["pull", "--target", b, "--facet", "domain"])).code).toBe(0);
});

test("what a rule declares of many assets a pull names once", async () => {
  const site = await siteWith({ ...files }, settingsWith());
  const urns = Array.from({ length: 7 }, (_, index) => datasetNamed(`fin.many.${index}`));
  await site.catalog.load(
    metadataFile(
      site.root,
      urns.map((urn): MadeAspect => [urn, "status", { removed: false }]),
    ),
  );

  const { code, stderr } = await site.run(["pull", "--facet", "domain"]);
  expect(code).toBe(6);
  expect(stderr.match(/not pulled: Dataset.*/g)).toEqual([
    `not pulled: Dataset ${urns[0]}: domain, and 6 more like it: declared by rule \`finance\`; edit the rule, or write \`exempt: [finance]\` into a document of the asset`,
  ]);
  expect(stderr).toContain("7 changes not pulled.");
});

test("a pull names the rules whose values are missing, and none that only says that there are no others", async () => {
  const none = "kind: Rule\nid: none\nmatch: { kind: Dataset, platform: snowflake }\ndeclare: { tags: [] }\n";
  const site = await siteInSync({ "none.yaml": none });
  await site.edit(untagged(b, "gold"));

  const { stderr } = await site.run(["pull", "--facet", "tags"]);
  expect(stderr).toContain(`Dataset ${b}: tags: declared by rule \`finance\`; edit the rule`);
});
