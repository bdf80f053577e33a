import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, type MadeAspect, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { appliedRef, inCatalog, settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

// Which declaration is the cause of a change: test/plan/notes/cause.test.ts.

const a = datasetNamed("a");
const team = "urn:li:corpGroup:g";

/** A rule, with what it declares from line 5 on. */
const rule = (id: string, ...declare: readonly string[]): string =>
  `kind: Rule\nid: ${id}\nmatch: { kind: Dataset, platform: snowflake }\ndeclare:\n  ${declare.join("\n  ")}\n`;

/** A document of the dataset, with what it declares from line 4 on. */
const document = (...lines: readonly string[]): string =>
  ["kind: Dataset", "platform: snowflake", "name: a", ...lines, ""].join("\n");

const group = (...lines: readonly string[]): string => ["kind: Group", "id: g", ...lines, ""].join("\n");
const user = (...lines: readonly string[]): string => ["kind: User", "id: v", ...lines, ""].join("\n");

interface Changed {
  readonly urn: string;
  readonly facet?: string;
  readonly source?: { readonly file: string; readonly line: number; readonly base?: true };
  readonly rules?: readonly string[];
}

const tagged = (...ids: readonly string[]) => ({ tags: ids.map((id) => ({ tag: `urn:li:tag:${id}` })) });

const definitions: readonly MadeAspect[] = [
  [a, "schemaMetadata", schemaWith("id", "email")],
  ...["pii", "gold", "old"].map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]),
  ...["finance", "sales"].map((id): MadeAspect => [`urn:li:domain:${id}`, "domainProperties", { name: id }]),
  ...["u", "v"].map((id): MadeAspect => [`urn:li:corpuser:${id}`, "corpUserInfo", { active: true }]),
  [team, "corpGroupInfo", { admins: [], members: [], groups: [] }],
  [team, "origin", { type: "NATIVE" }],
];

async function siteOf(
  files: Readonly<Record<string, string>>,
  live: readonly MadeAspect[] = [],
): Promise<Site> {
  const site = await siteWith(files, settingsWith("prune: { assignments: true }"));
  await site.catalog.load(metadataFile(temporaryDirectory(), [...definitions, ...live]));
  return site;
}

/** What changes, and where each change comes from: "tags a.yaml:4 in the base by r". */
async function sourcesIn(site: Site, ...flags: readonly string[]): Promise<readonly string[]> {
  const changes = (await site.planned(...flags)).changes as unknown as readonly Changed[];
  return changes.map(({ facet, source, rules = [] }) => {
    const at = `${source?.file.replace("catalog/", "")}:${source?.line}${source?.base ? " in the base" : ""}`;
    return `${facet} ${at}${rules.length > 0 ? ` by ${rules.join(" ")}` : ""}`;
  });
}

test("what is added comes from the document, the rules or the other end that declare it", async () => {
  const site = await siteOf({
    "a.yaml": document("tags: [pii]", "columns: { email: { tags: [gold] } }"),
    "q.yaml": rule("q", "domain: finance", "owners: [{ user: v }]"),
    "r.yaml": rule("r", "tags: [pii]", "owners: [{ user: u }]", 'columns: { "*mail": { tags: [pii] } }'),
    "g.yaml": group("email: g@acme.com"),
    "v.yaml": user("groups: [g]"),
  });

  expect(await sourcesIn(site)).toEqual([
    "email g.yaml:3",
    "members v.yaml:3",
    "columns.tags a.yaml:5 by r",
    "domain q.yaml:5 by q",
    "owners r.yaml:6 by q r",
    "tags a.yaml:4",
  ]);
});

test("what goes comes from what no longer declares it, also where that is gone, and text and Markdown say so", async () => {
  const live: readonly MadeAspect[] = [
    [a, "globalTags", tagged("pii", "old")],
    [a, "domains", { domains: ["urn:li:domain:sales"] }],
    [
      a,
      "editableSchemaMetadata",
      { editableSchemaFieldInfo: [{ fieldPath: "email", globalTags: tagged("gold", "old") }] },
    ],
    ["urn:li:corpuser:v", "nativeGroupMembership", { nativeGroups: [team] }],
  ];
  const site = await siteOf(
    {
      "a.yaml": document("tags: [pii]", "columns: { email: { tags: [gold, old] } }"),
      "r.yaml": rule("r", "tags: [old]", "domain: sales"),
      "g.yaml": group(),
      "v.yaml": user("groups: [g]"),
    },
    live,
  );
  site.git("update-ref", appliedRef, "HEAD");
  site.commit(
    inCatalog({
      "a.yaml": document("env: PROD", "tags: [pii]", "columns: { email: { tags: [gold] } }"),
      "r.yaml": undefined,
      "v.yaml": user("title: T", "groups: []"),
    }),
  );

  const flags = ["--prune", "--max-removals", "999", "--max-removals", "100%"];
  const reports = ["text", "markdown"].flatMap((format) => ["--report", `${format}=${format}`]);
  expect(await sourcesIn(site, ...flags, ...reports)).toEqual([
    "title v.yaml:3",
    "members v.yaml:4",
    "columns.tags a.yaml:6",
    "domain r.yaml:6 in the base by r",
    "tags r.yaml:5 in the base by r",
  ]);
  for (const format of ["text", "markdown"])
    expect(readFileSync(join(site.root, format), "utf8")).toContain(
      "catalog/r.yaml:6:3 in the base (rule r)",
    );
});
