import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { tag } from "../support/history.ts";
import { schemaWith } from "../support/schema.ts";
import { appliedRef, settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const it = datasetNamed("it");
const v2 = (column: string, of = "struct"): string => `[version=2.0].[type=${of}].[type=string].${column}`;
const email = v2("email");
const tags = (...ids: readonly string[]) => ({ tags: ids.map((id) => ({ tag: `urn:li:tag:${id}` })) });

/** A site that declares something of a column with a v2 path, of which an older client has edited the plain name. */
async function siteOf(
  column: string,
  edited: readonly object[],
  ...settings: readonly string[]
): Promise<Site> {
  const text = `kind: Dataset\nplatform: snowflake\nname: it\ncolumns:\n  email: ${column}\n`;
  const site = await siteWith({ "it.yaml": text }, settingsWith(...settings));
  const live: readonly MadeAspect[] = [
    ...["a", "b"].map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]),
    [it, "schemaMetadata", schemaWith(email, v2("id"))],
    [it, "editableSchemaMetadata", { editableSchemaFieldInfo: edited }],
  ];
  await site.catalog.load(metadataFile(temporaryDirectory(), live));
  return site;
}

function infosIn(site: Site): readonly object[] {
  const { editableSchemaFieldInfo } = site.aspect(it, "editableSchemaMetadata") as {
    readonly editableSchemaFieldInfo: readonly object[];
  };
  return editableSchemaFieldInfo;
}

const old = { fieldPath: "email", description: "old", globalTags: tags("a") };

test.each(["graphql", "conditional"])(
  "what is stored under the plain name of a column is in sync where it is declared (writes: %s)",
  async (writes) => {
    const site = await siteOf("{ tags: [a], description: old }", [old], `writes: ${writes}`);
    expect(await site.plan()).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes.") });
  },
);

test.each(["graphql", "conditional"])(
  "a change moves it to the path of the column, and a removal removes it where it is stored (writes: %s)",
  async (writes) => {
    const site = await siteOf("{ tags: [b], description: new }", [old], `writes: ${writes}`);

    const { code, stdout } = await site.apply();

    expect(code, stdout).toBe(0);
    expect(writesIn(site.catalog)).toEqual(["editableSchemaMetadata"]);
    expect(infosIn(site)).toMatchObject([
      { fieldPath: "email", globalTags: { tags: [] } },
      { fieldPath: email, description: "new", globalTags: tags("b") },
    ]);
    expect(infosIn(site)[0]).not.toHaveProperty("description");
    expect(await site.plan()).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes.") });
  },
);

test("of both forms the values of a list count together, and of a single value the one at the path of the column", async () => {
  const both = [old, { fieldPath: email, description: "own", globalTags: tags("b") }];
  const site = await siteOf("{ tags: [a, b], description: own }", both);
  expect(await site.plan()).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes.") });

  site.commit({
    "catalog/it.yaml":
      "kind: Dataset\nplatform: snowflake\nname: it\ncolumns:\n  email: { tags: [], description: none }\n",
  });
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(JSON.stringify(infosIn(site))).not.toMatch(/urn:li:tag|own|old/);
});

test("a tag that is only added goes to the path of the column with a mutation, which needs no right to edit the dataset", async () => {
  const site = await siteOf("{ tags: [a, b] }", [old]);

  expect(await site.apply()).toMatchObject({ code: 0 });

  expect(writesIn(site.catalog)).toEqual([expect.stringContaining(" addTags(")]);
  expect(infosIn(site)).toMatchObject([
    { fieldPath: "email", description: "old", globalTags: tags("a") },
    { fieldPath: email, globalTags: tags("b") },
  ]);
  expect(await site.plan()).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes.") });
});

test("a saved plan moves it as well", async () => {
  const site = await siteOf("{ tags: [b] }", [old]);
  expect(await site.plan("--out", "p.json")).toMatchObject({ code: 0 });

  expect(await site.run(["apply", "p.json"])).toMatchObject({ code: 0 });

  expect(infosIn(site)).toMatchObject([
    { fieldPath: "email", description: "old", globalTags: { tags: [] } },
    { fieldPath: email, globalTags: tags("b") },
  ]);
});

test("what another person changes there in between is stale", async () => {
  const site = await siteOf("{ tags: [b] }", [old]);
  const theirs = { ...old, globalTags: tags("a", "c") };

  const { code, stdout } = await site.run(["apply", "--format", "json"], {
    answers: ["yes"],
    meanwhile: async () =>
      void (await site.catalog.load(
        metadataFile(temporaryDirectory(), [
          [it, "editableSchemaMetadata", { editableSchemaFieldInfo: [theirs] }],
        ]),
      )),
  });

  expect(code, stdout).toBe(6);
  expect(infosIn(site)).toEqual([theirs]);
});

test("a prune takes a tag away where it is stored", async () => {
  const site = await siteOf("{ description: old }", [old], "prune: { kinds: [Tag] }");
  site.commit({ "catalog/a.yaml": tag("a"), "catalog/b.yaml": tag("b") });
  site.git("update-ref", appliedRef, "HEAD");
  site.commit({ "catalog/a.yaml": undefined });

  const { code, stdout } = await site.apply("--prune", "--max-deletes", "1");

  expect(code, stdout).toBe(0);
  expect(infosIn(site)).toMatchObject([{ fieldPath: "email", description: "old", globalTags: { tags: [] } }]);
});
