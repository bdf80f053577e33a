import { join } from "node:path";
import { expect, test } from "vitest";
import { expressionSchema } from "../../src/plan/policies/expression-schema.ts";
import { planSchema } from "../../src/report/saved/plan-schema.ts";
import { failureSchema, reportSchema } from "../../src/report/saved/report-schema.ts";
import { roundSchema } from "../../src/report/saved/round-schema.ts";

const root = join(import.meta.dirname, "../..");

test.each([
  ["plan", planSchema],
  ["report", reportSchema],
  ["failure", failureSchema],
  ["policy", expressionSchema()],
  ["round", roundSchema],
])("schemas/%s.schema.json is fresh", async (name, schema) => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    join(root, "schemas", `${name}.schema.json`),
  );
});
