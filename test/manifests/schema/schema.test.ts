import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { manifestSchema } from "../../../src/manifests/schema/manifest-schema.ts";
import { settingsSchema } from "../../../src/manifests/schema/schema.ts";

const text = (schema: object) => `${JSON.stringify(schema, null, 2)}\n`;

test("the schemas for editors are those of the kinds and facets", async () => {
  await expect(text(manifestSchema)).toMatchFileSnapshot("../../../schemas/manifest.schema.json");
  await expect(text(settingsSchema)).toMatchFileSnapshot("../../../schemas/settings.schema.json");
});

test.each([
  ["manifests", manifestSchema],
  ["settings", settingsSchema],
])("the schema of %s is a valid schema", (_, schema) => {
  const ajv = new Ajv({ strict: false });

  expect(ajv.validateSchema(schema)).toBe(true);
});

/** Optimized, and with a copy of each part wherever it is named, it takes five times as long. */
const isManifest = new Ajv({
  strict: false,
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false },
}).compile(manifestSchema);
const dataset = { kind: "Dataset", platform: "x", name: "a" };

test.each([
  ["a manifest", dataset, true],
  ["a list of manifests", [dataset, { kind: "Tag", id: "a" }], true],
  ["no kind", { platform: "x" }, false],
  ["an unknown kind", { kind: "Dash", id: "a" }, false],
  ["a field of another kind", { kind: "Tag", id: "a", columns: {} }, false],
  ["a bad element in a list", [dataset, { kind: "Tag" }], false],
  ["a dataset by URN and by name", { ...dataset, urn: "urn:li:dataset:x" }, false],
  ["an owner that is both", { ...dataset, owners: [{ user: "a", group: "b" }] }, false],
  [
    "a group with bare owners and inline members",
    { kind: "Group", id: "g", owners: ["a"], members: [{ id: "b" }] },
    true,
  ],
  [
    "an inline member with an unknown field",
    { kind: "Group", id: "g", members: [{ id: "b", nick: "c" }] },
    false,
  ],
  ["a null", { ...dataset, tags: null }, false],
])("%s: the one schema for editors decides as the reading does", (_, value, expected) => {
  expect(isManifest(value)).toBe(expected);
});
