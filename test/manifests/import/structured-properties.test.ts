import { expect, test } from "vitest";
import { briefly } from "../../support/manifest-files.ts";
import { declaredOf, imported, leftOutOf } from "./imported.ts";

const urn = (id: string): string => `urn:li:structuredProperty:${id}`;
const days = `- id: retention_days
  type: number
  display_name: Retention, days
  description: How long rows are kept.
  cardinality: SINGLE
  version: 20260101000000
  entity_types: [dataset, urn:li:entityType:datahub.schemaField]
  allowed_values: [{ value: 90 }, { value: 365, description: A year }]
`;

test("a property becomes a definition with the same id", async () => {
  const text = `${days}- { urn: "${urn("io.acryl.team")}", qualified_name: io.acryl.team, type: STRING, entity_types: [datahub.chart] }\n`;
  expect(await declaredOf(urn("retention_days"), text)).toMatchObject({
    display_name: "Retention, days",
    description: "How long rows are kept.",
    value_type: "number",
    cardinality: "SINGLE",
    version: "20260101000000",
  });
  expect(await declaredOf(urn("io.acryl.team"), text)).toMatchObject({ value_type: "string" });
});

// `type` of a property, and the value type.
test.each([
  ["number", "number"],
  ["RICH_TEXT", "rich_text"],
  ["datahub.date", "date"],
  ["urn:li:dataType:datahub.urn", "urn"],
])("the type %s is %s", async (type, expected) => {
  const text = `- { id: a, type: "${type}", entity_types: [dataset] }\n`;
  expect(await declaredOf(urn("a"), text)).toMatchObject({ value_type: expected });
});

test("what no manifest can declare is left out with its line", async () => {
  const text = `- id: a
  type: urn
  entity_types: [dataset]
  immutable: true
  type_qualifier: { allowed_types: [corpuser] }
  structured_property_settings: { is_hidden: true }
  value_entity_types: [dataset]
- id: b
  version: "1.0.0"
  type: string
  entity_types: [dataset]
  immutable: false
  allowed_values: []
  type_qualifier:
`;
  expect(await leftOutOf(text)).toEqual([
    "4:3 immutable of a",
    "5:3 type_qualifier of a",
    "6:3 structured_property_settings of a",
    "7:3 value_entity_types of a",
    '9:3 version "1.0.0", which does not have 14 digits',
  ]);
});

const inProperty = (fields: string): string =>
  `- { id: a, type: string, entity_types: [dataset], ${fields} }\n`;

// A name, the file, its problems.
test.each<readonly [string, string, readonly string[]]>([
  ["an element that is a text", `${days}- retention\n`, ["g.yml:9:3 not-a-record"]],
  ["a property without an id", "- { type: string, entity_types: [dataset] }\n", ["g.yml:1:3 missing-field"]],
  ["an empty id", '- { id: "", type: string }\n', ["g.yml:1:9 empty-text"]],
  ["a property without a type", "- { id: a, entity_types: [dataset] }\n", ["g.yml:1:3 missing-field"]],
  ["an unknown type", "- { id: a, type: bool, entity_types: [dataset] }\n", ["g.yml:1:18 unknown-value"]],
  ["an unknown field", inProperty("immutible: true"), ["g.yml:1:51 unknown-field (immutable)"]],
  ["a name that is not the id", inProperty("qualified_name: b"), ["g.yml:1:67 invalid-value"]],
  [
    "an allowed value that is a list",
    inProperty("allowed_values: [{ value: [1] }]"),
    ["g.yml:1:77 wrong-type"],
  ],
  ["an unknown cardinality", inProperty("cardinality: MANY"), ["g.yml:1:64 unknown-value"]],
  [
    "the URN of something else",
    '- { urn: "urn:li:tag:a", type: string, entity_types: [dataset] }\n',
    ["g.yml:1:10 wrong-reference"],
  ],
  [
    "two properties of one id",
    `${days}- { id: retention_days, type: number, entity_types: [dataset] }\n`,
    ["g.yml:9:3 duplicate-entity & g.yml:1:3"],
  ],
])("%s has its problems", async (_, text, expected) => {
  const { problems } = await imported(text);
  expect(briefly(problems)).toEqual(expected);
});
