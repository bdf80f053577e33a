import { describe, expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { appliedRef, inCatalog, settingsWith, type Site, siteOnce, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const [other, beside] = [datasetNamed("other"), datasetNamed("beside")];
const merging = "manage: { tags: merge, columns.tags: merge, domain: merge }";
const pruning = "prune: { assignments: true }";
const tags = ["a", "n", "theirs"].map((id): MadeAspect => [
  `urn:li:tag:${id}`,
  "tagProperties",
  { name: id },
]);

const schemaOf = (urn: string, ...columns: readonly string[]): MadeAspect => [
  urn,
  "schemaMetadata",
  schemaWith(...columns),
];

const document = (facets: string): string => `kind: Dataset\nplatform: snowflake\nname: other\n${facets}\n`;
const rule = (facets: string): string =>
  `kind: Rule\nid: r\nmatch: { kind: Dataset, name: other }\ndeclare:\n${facets.replaceAll(/^/gm, "  ")}\n`;

async function load(site: Site, ...aspects: readonly MadeAspect[]): Promise<void> {
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
}

async function makeSiteAfter(
  before: string,
  after: string | undefined,
  ...settings: readonly string[]
): Promise<Site> {
  const keep = "kind: Dataset\nplatform: snowflake\nname: beside\ntags: [n]\n";
  const site = await siteWith({ "it.yaml": before, "keep.yaml": keep }, settingsWith(merging, ...settings));
  await load(site, ...tags, schemaOf(other, "email", "id"), schemaOf(beside, "id"));
  const applied = await site.apply();
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  site.commit(inCatalog({ "it.yaml": after }));
  return site;
}

/** A site where this file has been applied, and then is another one, committed. */
const siteAfter = siteOnce(makeSiteAfter);

const gone = (removed: boolean): MadeAspect => [other, "status", { removed }];

function tagsOf(site: Site, column?: string): readonly string[] {
  type Tags = { readonly tags?: readonly { readonly tag: string }[] } | undefined;
  type Edited =
    | { readonly editableSchemaFieldInfo: readonly { fieldPath: string; globalTags?: Tags }[] }
    | undefined;
  const edited = site.aspect(other, "editableSchemaMetadata") as Edited;
  const found =
    column === undefined
      ? (site.aspect(other, "globalTags") as Tags)
      : edited?.editableSchemaFieldInfo.find(({ fieldPath }) => fieldPath === column)?.globalTags;
  return (found?.tags ?? []).map(({ tag }) => tag.replace("urn:li:tag:", ""));
}

const away: MadeAspect[] = [gone(true)];
const back: MadeAspect[] = [gone(false)];
const columnAway: MadeAspect[] = [schemaOf(other, "id")];
const columnBack: MadeAspect[] = [schemaOf(other, "email", "id")];
const ofEmail = (...ids: readonly string[]): string => `columns: { email: { tags: [${ids.join(", ")}] } }`;

describe("the ref stays where a value that is no longer declared comes back with", () => {
  test.each<
    readonly [
      string,
      {
        readonly before: string;
        readonly after?: string;
        readonly settings?: readonly string[];
        readonly flags?: readonly string[];
        readonly column?: string;
        readonly left: readonly string[];
      },
    ]
  >([
    [
      "a soft-deleted asset that is skipped",
      {
        before: document("tags: [a]"),
        after: document("tags: [n]"),
        settings: ["missing: skip"],
        left: ["n"],
      },
    ],
    [
      "a column that is skipped",
      {
        before: document(ofEmail("a")),
        after: document(ofEmail("n")),
        settings: ["missing: skip"],
        column: "email",
        left: ["n"],
      },
    ],
    [
      "a soft-deleted asset whose document is gone",
      { before: document("tags: [a]"), settings: [pruning], flags: ["--prune"], left: [] },
    ],
    [
      "a column whose document is gone",
      { before: document(ofEmail("a")), settings: [pruning], flags: ["--prune"], column: "email", left: [] },
    ],
    [
      "a soft-deleted asset that a rule matches",
      { before: rule("tags: [a]"), after: rule("tags: [n]"), left: ["n"] },
    ],
    [
      "a soft-deleted asset that a rule matched that is gone",
      { before: rule("tags: [a]"), settings: [pruning], flags: ["--prune"], left: [] },
    ],
    [
      "a column that a rule matches",
      {
        before: rule('columns: { "e*": { tags: [a] } }'),
        after: rule('columns: { "e*": { tags: [n] } }'),
        column: "email",
        left: ["n"],
      },
    ],
    [
      "a column that a rule matches by its type",
      {
        before: rule('columns: { "e*": { tags: [a], native_type: "x*" } }'),
        after: rule('columns: { "e*": { tags: [n], native_type: "x*" } }'),
        column: "email",
        left: ["n"],
      },
    ],
  ])("%s", async (_, { before, after, settings = [], flags = [], column, left }) => {
    const site = await siteAfter(before, after, ...settings);
    const start = site.at();
    expect(tagsOf(site, column)).toEqual(["a"]);
    await load(site, ...(column === undefined ? away : columnAway));

    const { code, stderr } = await site.apply(...flags);

    expect(code).toBe(0);
    const place = column === undefined ? other : `column ${column} of ${other}`;
    expect(stderr).toContain(
      `${appliedRef} was not moved: what is soft-deleted or not in the schema has values that are no longer declared, and comes back with them (${place}); apply again when it is back, delete the asset for good, or add an ignore rule`,
    );
    expect(site.at()).toBe(start);
    expect(await site.planned(...flags)).toMatchObject({
      scope: { left: { entities: [], values: 0, away: [{ urn: other, value: "urn:li:tag:a" }] } },
    });
    await load(site, ...(column === undefined ? back : columnBack));
    expect(await site.apply(...flags)).toMatchObject({ code: 0 });
    expect(tagsOf(site, column)).toEqual(left);
    expect(site.at()).toBe(site.git("rev-parse", "HEAD"));
  });
});

/** A site that keeps its ref because of a soft-deleted asset. */
async function siteThatWaits(): Promise<Site> {
  const site = await siteAfter(document("tags: [a]"), undefined, pruning);
  await load(site, ...away);
  await site.apply("--prune");
  expect(site.at()).not.toBe(site.git("rev-parse", "HEAD"));
  return site;
}

describe("an asset that is gone for good lets the ref go", () => {
  test("when it is deleted", async () => {
    const site = await siteThatWaits();
    const body = JSON.stringify({ urn: other });
    const headers = { "content-type": "application/json" };
    await fetch(`${site.catalog.url}/entities?action=delete`, { method: "POST", headers, body });

    expect(await site.apply("--prune")).toMatchObject({ code: 0 });
    expect(site.at()).toBe(site.git("rev-parse", "HEAD"));
  });

  test("when an ignore rule names it", async () => {
    const site = await siteThatWaits();
    const ignoring = `ignore: [{ urn: "${other}", reason: gone for good }]`;
    const head = site.commit(inCatalog({ "datahub-gitops.yaml": settingsWith(merging, pruning, ignoring) }));

    expect(await site.apply("--prune")).toMatchObject({ code: 0 });
    expect(site.at()).toBe(head);
  });
});

describe("the ref moves past a soft-deleted asset", () => {
  test.each<readonly [string, string, string | undefined, readonly string[]]>([
    ["that still declares what it holds", document("tags: [a]"), document("tags: [a, n]"), ["missing: skip"]],
    ["whose values no prune takes away", document("tags: [a]"), undefined, []],
    ["that a rule matches as before", rule("tags: [a]"), rule("tags: [n, a]"), [pruning]],
    [
      "whose column has what a rule declares of its type, as before",
      rule('columns: { "e*": { tags: [a], native_type: "x*" } }'),
      rule('columns: { "e*": { tags: [a, n], native_type: "x*" } }'),
      [pruning],
    ],
  ])("%s", async (_, before, after, settings) => {
    const site = await siteAfter(before, after, ...settings);
    await load(site, ...away, ...columnAway);

    expect(await site.apply("--prune")).toMatchObject({ code: 0 });
    expect(site.at()).toBe(site.git("rev-parse", "HEAD"));
  });
});
