import { expect, test } from "vitest";
import { metadataFile, type MadeAspect, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const a = datasetNamed("a");

const tags = ["pii", "gold", "old", "mine"];

const definitions = [
  ...tags.map((id) => `- { kind: Tag, id: ${id} }\n`),
  ...["finance", "sales"].map((id) => `- { kind: Domain, id: ${id} }\n`),
  ...["u", "v", "w"].map((id) => `- { kind: User, id: ${id} }\n`),
].join("");

/** A rule, with what it declares from line 5 on. */
const rule = (id: string, ...declare: readonly string[]): string =>
  `kind: Rule\nid: ${id}\nmatch: { kind: Dataset, platform: snowflake }\ndeclare:\n  ${declare.join("\n  ")}\n`;

/** A document of the dataset, with what it declares from line 4 on. */
const document = (...lines: readonly string[]): string =>
  ["kind: Dataset", "platform: snowflake", "name: a", ...lines, ""].join("\n");

const group = (...lines: readonly string[]): string => ["kind: Group", "id: g", ...lines, ""].join("\n");
const user = (...lines: readonly string[]): string => ["kind: User", "id: v", ...lines, ""].join("\n");

type Files = Readonly<Record<string, string | undefined>>;

interface Changed {
  readonly urn: string;
  readonly facet?: string;
  readonly source?: { readonly file: string; readonly line: number; readonly base?: true };
  readonly rules?: readonly string[];
}

const aspects: readonly MadeAspect[] = [[a, "schemaMetadata", schemaWith("id", "email")]];

async function siteOf(files: Files, ...settings: readonly string[]): Promise<Site> {
  const site = await siteWith({ "definitions.yaml": definitions, ...files }, settingsWith(...settings));
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  return site;
}

/** What changes, and where each change comes from: "tags a.yaml:4 in the base by r". */
async function sourcesIn(site: Site, ...flags: readonly string[]): Promise<readonly string[]> {
  const changes = (await site.planned(...flags)).changes as unknown as readonly Changed[];
  const shown = changes.filter(({ urn }) => urn === a || urn === "urn:li:corpGroup:g");
  return shown.map(({ facet, source, rules = [] }) => {
    const at = `${source?.file.replace("catalog/", "")}:${source?.line}${source?.base ? " in the base" : ""}`;
    return `${facet} ${at}${rules.length > 0 ? ` by ${rules.join(" ")}` : ""}`;
  });
}

test.each<readonly [string, Files, readonly string[]]>([
  [
    "a list of a rule beside one of a document",
    { "a.yaml": document("tags: []"), "r.yaml": rule("r", "tags: [pii]") },
    ["tags r.yaml:5 by r"],
  ],
  [
    "what a document and a rule both declare",
    { "a.yaml": document("tags: [pii]"), "r.yaml": rule("r", "tags: [pii]") },
    ["tags a.yaml:4"],
  ],
  [
    "a value of each, of which the first counts",
    { "a.yaml": document("tags: [pii]"), "r.yaml": rule("r", "tags: [gold]") },
    ["tags r.yaml:5 by r"],
  ],
  [
    "a tag of a column that a document names, too",
    {
      "a.yaml": document("columns: { email: { tags: [gold] } }"),
      "r.yaml": rule("r", 'columns: { "*mail": { tags: [aa] } }') + "---\nkind: Tag\nid: aa\n",
    },
    ["columns.tags r.yaml:5 by r"],
  ],
  [
    "a domain of a rule",
    { "a.yaml": document("tags: []"), "r.yaml": rule("r", "domain: finance") },
    ["domain r.yaml:5 by r"],
  ],
  [
    "a domain of a document, which overrules that of a rule",
    { "a.yaml": document("domain: sales"), "r.yaml": rule("r", "domain: finance") },
    ["domain a.yaml:4"],
  ],
  [
    "owners of two rules",
    {
      "q.yaml": rule("q", "tags: []", "owners: [{ user: v }]"),
      "r.yaml": rule("r", "owners: [{ user: u }]"),
    },
    ["owners r.yaml:5 by q r"],
  ],
  [
    "a member of a group that lists it",
    { "g.yaml": group("members: [u, v]"), "v.yaml": user("groups: [g]") },
    ["members g.yaml:3"],
  ],
  [
    "a member of a group that lists none",
    { "g.yaml": group("email: g@acme.com"), "v.yaml": user("groups: [g]") },
    ["email g.yaml:3", "members v.yaml:3"],
  ],
])("what is added comes from who declares it: %s", async (_, files, sources) => {
  const site = await siteOf(files);
  expect(await sourcesIn(site)).toEqual(sources);
});

const apply = ["--max-removals", "999", "--max-removals", "100%"];

test.each<readonly [string, Files, Files, readonly string[]]>([
  [
    "a document that lists less",
    { "a.yaml": document("tags: [pii, old]") },
    { "a.yaml": document("env: PROD", "tags: [pii]") },
    ["tags a.yaml:5"],
  ],
  [
    "a document that lists nothing",
    { "a.yaml": document("tags: [old]") },
    { "a.yaml": document("tags: []") },
    ["tags a.yaml:4"],
  ],
  [
    "a document that lists less beside a rule",
    { "a.yaml": document("tags: [old]"), "r.yaml": rule("r", "tags: [pii]") },
    { "a.yaml": document("tags: []") },
    ["tags a.yaml:4"],
  ],
  [
    "a document that no longer has the list, beside a rule",
    { "a.yaml": document("tags: [old]"), "r.yaml": rule("r", "tags: [pii]") },
    { "a.yaml": document("domain: finance") },
    ["domain a.yaml:4", "tags a.yaml:4 in the base"],
  ],
  [
    "a document that is gone, beside a rule",
    { "a.yaml": document("tags: [old]"), "r.yaml": rule("r", "tags: [pii]") },
    { "a.yaml": undefined },
    ["tags a.yaml:4 in the base"],
  ],
  [
    "a document that moved to another file and lists less",
    { "a.yaml": document("tags: [pii, old]") },
    { "a.yaml": undefined, "b.yaml": document("tags: [pii]") },
    ["tags b.yaml:4"],
  ],
  [
    "the second of two documents",
    { "a.yaml": document("tags: [pii]"), "b.yaml": document("tags: [old]") },
    { "b.yaml": document("env: PROD", "tags: []") },
    ["tags b.yaml:5"],
  ],
  [
    "a rule that lists less",
    { "r.yaml": rule("r", "tags: [pii, old]") },
    { "r.yaml": `# Less.\n${rule("r", "tags: [pii]")}` },
    ["tags r.yaml:6 by r"],
  ],
  [
    "a rule that is gone, beside a document",
    { "a.yaml": document("tags: [pii]"), "r.yaml": rule("r", "tags: [old]") },
    { "r.yaml": undefined },
    ["tags r.yaml:5 in the base by r"],
  ],
  [
    "a rule that is gone, beside another rule",
    { "q.yaml": rule("q", "tags: [pii]"), "r.yaml": rule("r", "tags: [old]") },
    { "r.yaml": undefined },
    ["tags r.yaml:5 in the base by r"],
  ],
  [
    "a rule of a column that is gone, beside a document",
    {
      "a.yaml": document("columns: { email: { tags: [pii] } }"),
      "r.yaml": rule("r", 'columns: { "*mail": { tags: [old] } }'),
    },
    { "r.yaml": undefined },
    ["columns.tags r.yaml:5 in the base by r"],
  ],
  [
    "a rule whose domain another one replaces",
    { "r.yaml": rule("r", "domain: sales") },
    { "r.yaml": undefined, "q.yaml": rule("q", "domain: finance") },
    ["domain q.yaml:5 by q"],
  ],
  [
    "a document that unsets",
    { "a.yaml": document("domain: sales") },
    { "a.yaml": document("env: PROD", "domain: none") },
    ["domain a.yaml:5"],
  ],
  [
    "a group that lists less",
    { "g.yaml": group("members: [u, w]") },
    { "g.yaml": group("display_name: G", "members: [u]") },
    ["display_name g.yaml:3", "members g.yaml:4"],
  ],
  [
    "a user that left a group, which no longer lists it",
    { "g.yaml": group("members: [u, v]"), "v.yaml": user("groups: [g]") },
    { "g.yaml": group("members: [u]"), "v.yaml": user("groups: []") },
    ["members g.yaml:3"],
  ],
  [
    "a user that left a group",
    { "g.yaml": group(), "v.yaml": user("groups: [g]") },
    { "v.yaml": user("title: T", "groups: []") },
    ["members v.yaml:4"],
  ],
])("what goes comes from what no longer declares it: %s", async (_, before, after, sources) => {
  const site = await siteOf(before);
  const applied = await site.apply();
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  site.commit(Object.fromEntries(Object.entries(after).map(([name, text]) => [`catalog/${name}`, text])));
  expect(await sourcesIn(site, ...apply)).toEqual(sources);
});

test("what others put there comes from what manages it", async () => {
  const site = await siteOf({ "a.yaml": document("owners: []"), "r.yaml": rule("r", "tags: [pii]") });
  expect(await site.apply()).toMatchObject({ code: 0 });
  await site.edit(`addTag(input: { resourceUrn: "${a}", tagUrn: "urn:li:tag:mine" })`);
  expect(await sourcesIn(site, ...apply)).toEqual(["tags r.yaml:5 by r"]);
});

test("what goes under mode merge, and was declared after the base, comes from the commit that declared it", async () => {
  const site = await siteOf({ "a.yaml": document("tags: [pii]") }, "manage: merge");
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/r.yaml": rule("r", "tags: [old]") });
  await site.edit(`addTag(input: { resourceUrn: "${a}", tagUrn: "urn:li:tag:old" })`);
  site.commit({ "catalog/r.yaml": undefined });
  expect(await sourcesIn(site, ...apply)).toEqual(["tags r.yaml:5 in the base by r"]);
});

test("what a prune takes away of a rule names the rule, and text and Markdown say that it is of the base", async () => {
  const site = await siteOf(
    { "a.yaml": document("owners: []"), "r.yaml": rule("r", "tags: [pii]", "domain: finance") },
    "prune: { assignments: true }",
  );
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/r.yaml": undefined });
  const flags = [...apply, "--prune"];
  expect(await sourcesIn(site, ...flags)).toEqual([
    "domain r.yaml:6 in the base by r",
    "tags r.yaml:5 in the base by r",
  ]);
  for (const format of ["text", "markdown"])
    expect((await site.plan("--format", format, ...flags)).stdout).toContain(
      "catalog/r.yaml:6:3 in the base (rule r)",
    );
});

test("Markdown names the place of each cause of an entity's changes", async () => {
  const site = await siteOf({ "a.yaml": document("domain: sales"), "r.yaml": rule("r", "tags: [pii]") });
  const { stdout } = await site.plan("--format", "markdown");
  expect(stdout).toContain(
    `@@ update ${a} @@ catalog/a.yaml:4:1\n+ domain: sales`.replace("sales", "urn:li:domain:sales"),
  );
  expect(stdout).toContain(`@@ update ${a} @@ catalog/r.yaml:5:3 (rule r)\n+ tags: urn:li:tag:pii`);
});
