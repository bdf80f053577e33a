import { expect, test } from "vitest";
import { schemaFieldUrn } from "../../src/model/urn.ts";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { defined, property } from "../support/properties.ts";
import { schemaWith } from "../support/schema.ts";
import { settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const dataset = datasetNamed("invoices");

/** A site on a catalog with the settings of DataHub's quickstart. */
async function siteOf(
  manifests: string,
  settings: readonly string[],
  ...aspects: readonly MadeAspect[]
): Promise<Site> {
  const site = await siteWith({ "assets.yaml": manifests }, settingsWith(...settings), {
    alternateValidation: true,
  });
  const schema: MadeAspect = [dataset, "schemaMetadata", schemaWith("email", "id")];
  await site.catalog.load(metadataFile(temporaryDirectory(), [schema, ...aspects]));
  return site;
}

const ofDataset = (...lines: readonly string[]): string =>
  ["kind: Dataset", "platform: snowflake", "name: invoices", ...lines, ""].join("\n");

/** The values that are stored of an entity, by the ids of the properties. */
function valuesIn(site: Site, entity: string): Readonly<Record<string, unknown>> {
  const { properties = [] } = (site.aspect(entity, "structuredProperties") ?? {}) as {
    readonly properties?: readonly {
      readonly propertyUrn: string;
      readonly values: readonly Readonly<Record<string, string | number>>[];
    }[];
  };
  return Object.fromEntries(
    properties.map(({ propertyUrn, values }) => [
      propertyUrn.slice(property("").length),
      values
        .flatMap((each) => Object.values(each))
        .toSorted((one, other) => `${one}`.localeCompare(`${other}`)),
    ]),
  );
}

const numbers = {
  allowedValues: [{ value: { double: 90 } }, { value: { double: 365 } }, { value: { double: 1e21 } }],
};

test.each([["writes: graphql"], ["writes: conditional"]])(
  "a whole number among allowed values is written as the double that it is, with %s",
  async (writes) => {
    const site = await siteOf(
      ofDataset("structured_properties: { days: 90, all: [365, 1e21] }"),
      [writes],
      defined("days", "number", numbers),
      defined("all", "number", { ...numbers, cardinality: "MULTIPLE" }),
    );

    expect(await site.apply()).toMatchObject({ code: 0 });

    expect(valuesIn(site, dataset)).toEqual({ days: [90], all: [1e21, 365] });
  },
);

test.each([["writes: graphql"], ["writes: conditional"]])(
  "all lists of one column are written in one apply, and removed in one, with %s",
  async (writes) => {
    const column = schemaFieldUrn(dataset, "email");
    const lists = { cardinality: "MULTIPLE" };
    const site = await siteOf(
      ofDataset(
        "columns: { email: { structured_properties: { ratio: [0.5, 3], words: [a, b], rest: [c] } } }",
      ),
      [writes],
      ...["words", "rest"].map((id) => defined(id, "string", lists)),
      defined("ratio", "number", lists),
    );

    expect(await site.apply()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Applied 3 operations"),
    });
    expect(valuesIn(site, column)).toEqual({ ratio: [0.5, 3], words: ["a", "b"], rest: ["c"] });

    const none = ofDataset(
      "columns: { email: { structured_properties: { ratio: [], words: [], rest: [] } } }",
    );
    site.commit({ "catalog/assets.yaml": none });
    expect(await site.apply()).toMatchObject({ code: 0 });
    expect(valuesIn(site, column)).toEqual({});
  },
);

test("a number that a mutation would narrow is written with all its digits, next to one that a mutation keeps", async () => {
  const site = await siteWith(
    { "assets.yaml": ofDataset("structured_properties: { share: 0.1, days: 90, large: 123456789 }") },
    settingsWith(),
    { float32: true },
  );
  const definitions = ["share", "days", "large"].map((id) => defined(id, "number"));
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [...definitions, [dataset, "status", { removed: false }]]),
  );

  expect(await site.apply()).toMatchObject({ code: 0 });

  expect(valuesIn(site, dataset)).toEqual({ share: [0.1], days: [90], large: [123_456_789] });
  const written = site.catalog.requests.map(({ body }) => JSON.stringify(body ?? null));
  expect(written.filter((body) => body.includes("upsertStructuredProperties"))).toHaveLength(1);
});

test("a refused change fails with its reason alone: what comes before it in the request and after it is written", async () => {
  const ids = ["a", "b", "c", "d", "e"];
  const other = datasetNamed("refunds");
  const site = await siteOf(
    [
      ofDataset(`structured_properties: { ${ids.map((id) => `${id}: x`).join(", ")} }`),
      [
        "kind: Dataset",
        "platform: snowflake",
        "name: refunds",
        "description: Money back",
        "structured_properties: { e: x }",
        "",
      ].join("\n"),
    ].join("---\n"),
    [],
    ...ids.map((id) => defined(id, "string", { immutable: id === "c" })),
    [other, "status", { removed: false }],
    // The tool does not know that its value may not change.
    [
      dataset,
      "structuredProperties",
      { properties: [{ propertyUrn: property("c"), values: [{ string: "y" }] }] },
    ],
  );

  const { code, stdout } = await site.apply();

  expect(code).toBe(7);
  expect(stdout).toContain("Cannot mutate an immutable property");
  expect(stdout).not.toContain("did not confirm");
  expect(stdout).toContain("Applied 6 operations, 1 failed");
  expect(site.aspect(other, "structuredProperties")).toMatchObject({
    properties: [{ propertyUrn: property("e") }],
  });
});

test("texts of any script are written whole by proposals, and those of others in the same aspect stay as they are", async () => {
  const tag = "urn:li:tag:zoll";
  const site = await siteOf(
    `kind: Tag\nid: zoll\ncolor_hex: "#112233"\n---\nkind: Tag\nid: maut\nname: 関税 😀\ndescription: e\u0301tat\n`,
    [],
    [tag, "tagProperties", { name: "Zürich", description: "fait à la main — 手" }],
  );

  expect(await site.apply()).toMatchObject({ code: 0 });

  expect(site.aspect(tag, "tagProperties")).toEqual({
    name: "Zürich",
    description: "fait à la main — 手",
    colorHex: "#112233",
  });
  expect(site.aspect("urn:li:tag:maut", "tagProperties")).toEqual({
    name: "関税 😀",
    description: "e\u0301tat",
  });
});
