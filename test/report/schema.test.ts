import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { failureSchema, planSchema, reportSchema } from "../../src/report/schema.ts";

const root = join(import.meta.dirname, "../..");
const stories = join(root, "test/scenarios");

test.each([
  ["plan", planSchema],
  ["report", reportSchema],
  ["failure", failureSchema],
])("schemas/%s.schema.json is fresh", async (name, schema) => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    join(root, "schemas", `${name}.schema.json`),
  );
});

test("every plan of a story fits the schema of plans, but for the hashes that a story leaves out", () => {
  const validate = new Ajv({ allowUnionTypes: true }).compile(planSchema);
  const files = readdirSync(stories, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith("plan.json"),
  );
  expect(files.length).toBeGreaterThan(5);
  const hash = `sha256:${"0".repeat(64)}`;
  for (const file of files) {
    const plan: unknown = JSON.parse(readFileSync(join(stories, file), "utf8"));
    validate({ ...(plan as object), digest: hash, seal: hash });
    expect({ file, errors: validate.errors }).toEqual({ file, errors: null });
  }
});
