import { expect, test } from "vitest";
import { facetNamed } from "../../src/facets/index.ts";
import { columnFacets, hasKeys, plainFacets } from "../../src/facets/policy-facets.ts";

test("policies name what manifests can declare of an entity itself", () => {
  expect(plainFacets("Group").map(({ name }) => name)).toEqual([
    "owners",
    "description",
    "display_name",
    "email",
    "slack",
    "picture_link",
    "members",
  ]);
  expect(plainFacets("Dataset").map(({ name }) => name)).not.toContain("columns.tags");
});

test("policies name what manifests can declare of columns by its key below each column", () => {
  const names = [...columnFacets("Dataset")].map(([key, { name }]) => [key, name]);

  expect(names).toEqual([
    ["tags", "columns.tags"],
    ["glossary_terms", "columns.glossary_terms"],
    ["description", "columns.description"],
    ["structured_properties", "columns.structured_properties"],
  ]);
  expect([...columnFacets("Chart")]).toEqual([]);
});

test.each([
  ["tags", false],
  ["columns.tags", false],
  ["structured_properties", true],
  ["columns.structured_properties", true],
])("values of %s have a key each, beside that of a column: %s", (name, expected) => {
  expect(hasKeys(facetNamed(name))).toBe(expected);
});
