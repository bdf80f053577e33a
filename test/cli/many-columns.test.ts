import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { inFrontOf, withoutBatches } from "../support/in-front-of.ts";
import { schemaWith } from "../support/schema.ts";
import { appliedRef, settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const wide = datasetNamed("wide");
const pii = "urn:li:tag:pii";
const columnsTo = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `c${index}`);

function manifest(count: number, value: string): string {
  const columns = columnsTo(count).map((column) => `  ${column}: ${value}`);
  return ["kind: Dataset", "platform: snowflake", "name: wide", "columns:", ...columns, ""].join("\n");
}

/** A site that declares something of so many columns of a dataset, one of which has a tag of somebody else. */
async function siteOf(
  count: number,
  value = "{ tags: [pii] }",
  ...settings: readonly string[]
): Promise<Site> {
  const site = await siteWith({ "wide.yaml": manifest(count, value) }, settingsWith(...settings));
  const live: readonly MadeAspect[] = [
    [pii, "tagProperties", { name: "pii" }],
    ["urn:li:tag:theirs", "tagProperties", { name: "theirs" }],
    [wide, "schemaMetadata", schemaWith(...columnsTo(count))],
    [
      wide,
      "editableSchemaMetadata",
      {
        editableSchemaFieldInfo: [
          { fieldPath: "c0", description: "theirs", globalTags: { tags: [{ tag: "urn:li:tag:theirs" }] } },
        ],
      },
    ],
  ];
  await site.catalog.load(metadataFile(temporaryDirectory(), live));
  return site;
}

function mutationsIn(site: Site): number {
  return writesIn(site.catalog).flatMap((text) => [...text.matchAll(/o\d+: \w+/g)]).length;
}

const proposals = (site: Site): readonly string[] =>
  writesIn(site.catalog).filter((text) => !text.startsWith("mutation"));

test("more than 100 changes of the columns of a dataset are one conditional proposal, attributed to the tool", async () => {
  const site = await siteOf(101, "{ tags: [pii] }", "manage: { columns.tags: merge }");

  const { code, stdout } = await site.apply();

  expect(code, stdout).toBe(0);
  expect([mutationsIn(site), proposals(site)]).toEqual([0, ["editableSchemaMetadata"]]);
  const { editableSchemaFieldInfo: infos } = site.aspect(wide, "editableSchemaMetadata") as {
    readonly editableSchemaFieldInfo: readonly object[];
  };
  const attribution = { source: "urn:li:dataHubAction:datahub-gitops" };
  expect(infos).toHaveLength(101);
  expect(infos[0]).toMatchObject({
    description: "theirs",
    globalTags: { tags: [{ tag: "urn:li:tag:theirs" }, { tag: pii, attribution }] },
  });
  expect(infos[100]).toMatchObject({ globalTags: { tags: [{ tag: pii, attribution }] } });
  expect(await site.plan()).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes.") });
});

test("changes of tags and descriptions count together, those of 100 places are mutations", async () => {
  const both = await siteOf(51, "{ tags: [pii], description: new }");
  const few = await siteOf(50, "{ tags: [pii], description: new }");

  expect(await both.apply()).toMatchObject({ code: 0 });
  expect(await few.apply()).toMatchObject({ code: 0 });

  expect([mutationsIn(both), proposals(both)]).toEqual([0, ["editableSchemaMetadata"]]);
  // One more, for the tag of somebody else.
  expect([mutationsIn(few), proposals(few)]).toEqual([101, []]);
});

test("what somebody changes of one of many columns in between is stale, and the rest is written", async () => {
  const site = await siteOf(102);
  const edit = `addTag(input: { tagUrn: "urn:li:tag:theirs", resourceUrn: "${wide}", subResource: "c7", subResourceType: DATASET_FIELD })`;

  const { code, stdout } = await site.run(["apply", "--format", "json"], {
    answers: ["yes"],
    meanwhile: async () => site.edit(edit),
  });

  expect(code).toBe(6);
  expect(JSON.parse(stdout)).toMatchObject({
    outcomes: [{ status: "applied" }, { status: "stale", column: "c7" }],
  });
  expect(JSON.stringify(site.aspect(wide, "editableSchemaMetadata")).match(/"urn:li:tag:pii"/g)).toHaveLength(
    101,
  );
});

test("a server without conditional writes gets mutations", async () => {
  const site = await siteOf(101);
  const url = await inFrontOf(site.catalog.url, withoutBatches);

  const argv = ["apply", "--auto-approve", "--server", url];
  const { code, stdout } = await runCli(argv, { cwd: site.root });

  expect(code, stdout).toBe(0);
  expect([mutationsIn(site), proposals(site)]).toEqual([102, []]);
});

test("a token that may not write aspects writes mutations", async () => {
  const site = await siteOf(101);
  const url = await inFrontOf(site.catalog.url, ({ query }) =>
    query.startsWith("query ReadPrivileges")
      ? { data: { platform: { privileges: [] }, p0: { privileges: ["EDIT_DATASET_COL_TAGS"] } } }
      : undefined,
  );

  const argv = ["apply", "--auto-approve", "--server", url];
  const { code, stdout } = await runCli(argv, { cwd: site.root });

  expect(code, stdout).toBe(0);
  expect([mutationsIn(site), proposals(site)]).toEqual([102, []]);
});

test("a prune takes a tag off more than 100 columns of a dataset with one proposal", async () => {
  const files = { "pii.yaml": tag("pii"), "keep.yaml": tag("keep") };
  const site = await siteWith(files, settingsWith("prune: { kinds: [Tag] }"));
  const tagged = columnsTo(101).map((fieldPath) => ({ fieldPath, globalTags: { tags: [{ tag: pii }] } }));
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      [pii, "tagProperties", { name: "pii" }],
      ["urn:li:tag:keep", "tagProperties", { name: "keep" }],
      [wide, "schemaMetadata", schemaWith(...columnsTo(101))],
      [wide, "editableSchemaMetadata", { editableSchemaFieldInfo: tagged }],
    ]),
  );
  site.git("update-ref", appliedRef, "HEAD");
  site.commit({ "catalog/pii.yaml": undefined });

  const { code, stdout } = await site.apply("--prune", "--max-deletes", "1");

  expect(code, stdout).toBe(0);
  expect([mutationsIn(site), proposals(site)]).toEqual([1, ["editableSchemaMetadata"]]);
  expect(JSON.stringify(site.aspect(wide, "editableSchemaMetadata"))).not.toContain(pii);
});
