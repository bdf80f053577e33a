import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { appliedRef, inCatalog, settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

// Which values come back is in `test/plan/notes/dormant.test.ts` and `test/laws/comeback.test.ts`.

const other = datasetNamed("other");
const tags = ["a", "n"].map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]);
const tagsOf = (...ids: readonly string[]) => ({ tags: ids.map((id) => ({ tag: `urn:li:tag:${id}` })) });

async function load(site: Site, ...aspects: readonly MadeAspect[]): Promise<void> {
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
}

/** A site whose first commit is said to be applied, and whose second one declares something else in the same file. */
async function siteAfter(
  [before, after]: readonly [string, string | undefined],
  live: readonly MadeAspect[],
): Promise<Site> {
  const settings = settingsWith(
    "manage: { tags: merge, columns.tags: merge }",
    "prune: { assignments: true }",
  );
  const site = await siteWith({ "it.yaml": before, "keep.yaml": "kind: Tag\nid: n\n" }, settings);
  await load(site, ...tags, ...live);
  site.git("update-ref", appliedRef, "HEAD");
  site.commit(inCatalog({ "it.yaml": after }));
  return site;
}

const awayText = (place: string): string =>
  `, because ${place} has values that are no longer declared and would reappear when it is restored. Apply again at that time, delete it permanently, or add an ignore rule`;

test("the ref stays as long as a soft-deleted asset may come back with a value that is no longer declared", async () => {
  const document = "kind: Dataset\nplatform: snowflake\nname: other\ntags: [a]\n";
  const site = await siteAfter(
    [document, undefined],
    [
      [other, "globalTags", tagsOf("a")],
      [other, "status", { removed: true }],
    ],
  );
  const start = site.at();

  const { code, stderr } = await site.apply("--prune");

  expect(code).toBe(0);
  expect(stderr).toContain(awayText(other));
  expect(site.at()).toBe(start);
  expect(await site.planned("--prune")).toMatchObject({
    scope: { left: { entities: [], values: 0, away: [{ urn: other, value: "urn:li:tag:a" }] } },
  });
  await load(site, [other, "status", { removed: false }]);
  expect(await site.apply("--prune")).toMatchObject({ code: 0 });
  expect(site.aspect(other, "globalTags")).toEqual({ tags: [] });
  expect(site.at()).toBe(site.at("HEAD"));
});

test("the ref stays as long as a column that a rule matched may come back to the schema", async () => {
  const rule = (tag: string): string =>
    `kind: Rule\nid: r\nmatch: { kind: Dataset }\ndeclare: { columns: { "e*": { tags: [${tag}] } } }\n`;
  const site = await siteAfter(
    [rule("a"), rule("n")],
    [
      [other, "schemaMetadata", schemaWith("id")],
      [
        other,
        "editableSchemaMetadata",
        { editableSchemaFieldInfo: [{ fieldPath: "email", globalTags: tagsOf("a") }] },
      ],
    ],
  );

  const { code, stderr } = await site.apply();

  expect(code).toBe(0);
  expect(stderr).toContain(awayText(`column email of ${other}`));
});
