import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { facets } from "../../../src/facets/index.ts";
import { assetKinds, kinds } from "../../../src/kinds/index.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import { ruleSchemaOf } from "../../../src/manifests/schema/rule-schema.ts";
import { manifestSchema } from "../../../src/manifests/schema/manifest-schema.ts";
import { policySchemaOf } from "../../../src/manifests/schema/policy-schema.ts";
import { schemaOf, settingsSchema } from "../../../src/manifests/schema/schema.ts";
import { waiverSchema } from "../../../src/manifests/schema/waiver-schema.ts";
import { planSchema } from "../../../src/report/saved/plan-schema.ts";
import { failureSchema, reportSchema } from "../../../src/report/saved/report-schema.ts";
import { briefly, desiredFrom } from "../../support/manifest-files.ts";

type Field = readonly [path: string, schema: JsonObject];

/** The fields that a schema describes, at any depth, each with the way to it. */
function fieldsIn(schema: Json | undefined, path: string): readonly Field[] {
  if (!isJsonObject(schema)) return [];
  const { properties, items, additionalProperties, then, else: otherwise } = schema;
  const own = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, field]) =>
    isJsonObject(field) ? [[`${path}.${name}`, field] as const, ...fieldsIn(field, `${path}.${name}`)] : [],
  );
  return [...own, ...[items, additionalProperties, then, otherwise].flatMap((part) => fieldsIn(part, path))];
}

const fields: readonly Field[] = [
  ...kinds.flatMap((kind) => fieldsIn(schemaOf(kind), kind.name)),
  ...assetKinds.flatMap((kind) => fieldsIn(ruleSchemaOf(kind), `${kind.name} rule`)),
  ...kinds.flatMap((kind) => fieldsIn(policySchemaOf(kind), `${kind.name} policy`)),
  ...fieldsIn(waiverSchema, "waiver"),
  ...fieldsIn(settingsSchema, "settings"),
];

const examplesOf = ({ examples }: JsonObject): readonly Json[] => (isJsonList(examples) ? examples : []);

test("each field of manifests and settings has a description and an example", () => {
  expect(fields.length).toBeGreaterThan(100);
  const silent = fields.filter(
    ([, field]) => typeof field["description"] !== "string" || examplesOf(field).length === 0,
  );
  expect(silent.map(([path]) => path)).toEqual([]);
});

test("each example of a field fits the schema of the field", () => {
  const ajv = new Ajv({ strict: false, validateSchema: false, code: { optimize: false } });
  // Many kinds have the same fields.
  const distinct = new Map(fields.map(([path, field]) => [JSON.stringify(field), { path, field }]));
  const wrong = [...distinct.values()].flatMap(({ path, field }) =>
    examplesOf(field)
      .filter((example) => !ajv.validate(field, example))
      .map((example) => ({ path, example })),
  );
  expect(wrong).toEqual([]);
});

const declarable = facets.flatMap((facet) =>
  [facet.schema, ...Object.values(facet.schemaFor ?? {})].flatMap((schema) =>
    schema ? [{ facet, name: facet.name, examples: examplesOf(schema) }] : [],
  ),
);

test.each(declarable)("$name takes its examples", ({ facet, examples }) => {
  const written =
    facet.shape === "scalar" ? examples.filter((example) => example !== "none") : examples.flat();
  expect(written.length).toBeGreaterThan(0);
  for (const each of written) expect(facet.parse(each)).not.toHaveProperty("refusal");
});

test.each([
  ...assetKinds.map((kind) => [`rule for ${kind.name}`, "Rule", ruleSchemaOf(kind)] as const),
  ...kinds.map((kind) => [`policy for ${kind.name}`, "Policy", policySchemaOf(kind)] as const),
])("the examples of a %s make a valid one", async (_, name, { properties }: JsonObject) => {
  const entries = Object.entries(isJsonObject(properties) ? properties : {}).filter(
    ([key]) => key !== "columns",
  );
  const written = entries.map(([key, field]) => [key, isJsonObject(field) ? examplesOf(field)[0] : null]);
  const text = stringify({ ...Object.fromEntries(written), kind: name });
  const { problems } = await desiredFrom({ "catalog/a.yaml": text });
  expect(briefly(problems.filter(({ severity }) => severity === "error"))).toEqual([]);
});

test("each published schema has an identifier of its own, which no editor can load from elsewhere, and a title", () => {
  const schemas = { manifest: manifestSchema, settings: settingsSchema, plan: planSchema };
  for (const [name, schema] of Object.entries({ ...schemas, report: reportSchema, failure: failureSchema })) {
    expect(schema["$id"]).toBe(`urn:datahub-gitops:${name}`);
    expect(schema["title"]).toBeTypeOf("string");
  }
});
