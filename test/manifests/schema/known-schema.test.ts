import { expect, test } from "vitest";
import { kinds } from "../../../src/kinds/index.ts";
import { manifestSchemaWith } from "../../../src/manifests/schema/known-schema.ts";
import { schemaOf } from "../../../src/manifests/schema/schema.ts";
import { isJsonList, isJsonObject, type Json } from "../../../src/model/json.ts";

/** All texts in examples of a schema. */
function examplesIn(value: Json | undefined): readonly string[] {
  if (isJsonList(value)) return value.flatMap(examplesIn);
  if (!isJsonObject(value)) return [];
  const { examples, ...rest } = value;
  return [...textsIn(examples), ...Object.values(rest).flatMap(examplesIn)];
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (isJsonList(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, each]) => [key, ...textsIn(each)]) : [];
}

test.each([
  ["no entity is known", new Map()],
  ["entities are known", new Map([["domain", new Map([["sales", "Sales"]])]])],
])("editors do not offer examples as if they were ids, where %s", (_, known) => {
  const offered = new Set(examplesIn(manifestSchemaWith(known)));

  for (const id of ["finance", "finance-data", "prod-governed", "prod.finance.invoices", "pii"])
    expect([...offered]).not.toContain(id);
  expect([...offered]).toEqual(expect.arrayContaining(["none", "TECHNICAL_OWNER", "snowflake"]));
});

test("each kind says in a sentence of its own what it declares", () => {
  const sentences = kinds.map((kind) => {
    const { properties } = schemaOf(kind);
    const field = isJsonObject(properties) ? properties["kind"] : undefined;
    return isJsonObject(field) ? field["description"] : undefined;
  });

  expect(new Set(sentences).size).toBe(kinds.length);
});
