import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { schemaFieldUrn } from "../../src/model/urn.ts";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

// A manifest names a column by its path or its plain name, and a plain name can be the path of another column.

const dataset = datasetNamed("a");
const path = "[version=2.0].[type=string].email";

const document = (column: string, declared: string): string =>
  `kind: Dataset\nplatform: snowflake\nname: a\ncolumns:\n  "${column}": ${declared}\n`;

const textOf = (site: Site, name: string): string => readFileSync(join(site.root, "catalog", name), "utf8");

const tagged = (fieldPath: string, ...ids: readonly string[]): JsonObject => ({
  fieldPath,
  globalTags: { tags: ids.map((id) => ({ tag: `urn:li:tag:${id}` })) },
});

/** A site with these files, on which columns have tags. */
async function siteOf(
  files: Readonly<Record<string, string>>,
  columns: readonly string[],
  ...edited: readonly JsonObject[]
): Promise<Site> {
  const site = await siteWith(files, settingsWith());
  const tags = ["pii", "gold", "raw"].map(
    (id) => [`urn:li:tag:${id}`, "tagProperties", { name: id }] as const,
  );
  const aspects = [
    ...tags,
    [dataset, "schemaMetadata", schemaWith(...columns)],
    [dataset, "editableSchemaMetadata", { editableSchemaFieldInfo: edited }],
  ] as const;
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  return site;
}

test("a column whose plain name is the path of another one is pulled into what names it by its own path", async () => {
  const files = {
    "a.yaml": document("email", "{ tags: [pii] }"),
    "b.yaml": document(path, "{ tags: [gold] }"),
  };
  const site = await siteOf(files, ["email", path], tagged("email", "pii"), tagged(path, "raw"));

  expect(await site.run(["pull"])).toMatchObject({ code: 0 });
  expect(textOf(site, "a.yaml")).toBe(files["a.yaml"]);
  expect(textOf(site, "b.yaml")).toBe(document(path, "{ tags: [raw] }"));
  expect((await site.planned()).changes).toEqual([]);
});

test("what two files say of one column, by its path and its plain name, is pulled into both", async () => {
  const files = {
    "a.yaml": document("email", "{ tags: [pii] }"),
    "b.yaml": document(path, "{ tags: [gold] }"),
  };
  const site = await siteOf(files, [path], tagged(path, "raw"));

  expect(await site.run(["pull"])).toMatchObject({ code: 0 });
  expect([textOf(site, "a.yaml"), textOf(site, "b.yaml")].join("")).not.toMatch(/pii|gold/);
  expect((await site.planned()).changes).toEqual([]);
});

test("a value of a property by its id is pulled where the column is named by its path", async () => {
  const files = { "a.yaml": document(path, "{ structured_properties: { masking: hash } }") };
  const site = await siteOf(files, [path]);
  const [property, urn] = ["urn:li:structuredProperty:masking", schemaFieldUrn(dataset, path)];
  const definition = {
    qualifiedName: "masking",
    valueType: "urn:li:dataType:datahub.string",
    entityTypes: ["urn:li:entityType:datahub.schemaField"],
  };
  const values = { properties: [{ propertyUrn: property, values: [{ string: "none at all" }] }] };
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      [property, "propertyDefinition", definition],
      [urn, "structuredProperties", values],
    ]),
  );

  expect(await site.run(["pull"])).toMatchObject({ code: 0 });
  expect(textOf(site, "a.yaml")).toBe(document(path, "{ structured_properties: { masking: none at all } }"));
  expect((await site.planned()).changes).toEqual([]);
});
