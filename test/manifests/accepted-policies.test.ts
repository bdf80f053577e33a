import fc from "fast-check";
import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/index.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../src/model/json.ts";
import { policySchemaOf } from "../../src/manifests/schema/policy-schema.ts";
import { waiverSchema } from "../../src/manifests/schema/waiver-schema.ts";
import { desiredFrom } from "../support/manifest-files.ts";
import { counted, runsOf } from "../support/runs.ts";

const texts = fc.constantFrom(
  "a",
  "*",
  "u?n:*",
  "urn:li:tag:a",
  "1",
  "true",
  "2027-01-31",
  "{name}",
  "asset.name == ''",
);

/** Values that a schema accepts, as far as its keywords say it. */
function accepted(schema: JsonObject): fc.Arbitrary<Json> {
  const { const: only, enum: values, then, else: single, type, properties, items } = schema;
  if (only !== undefined) return fc.constant(only);
  if (isJsonList(values)) return fc.constantFrom(...values);
  if (isJsonObject(then) && isJsonObject(single))
    return fc.oneof(accepted(withArray(then)), accepted(single));
  if (isJsonList(type)) return fc.oneof(...type.map((each) => accepted({ ...schema, type: each })));
  if (type === "boolean") return fc.boolean();
  if (type === "integer") return fc.nat(3);
  if (type === "number") return fc.constantFrom(0, 1.5, 90, 100);
  if (type === "array" || items !== undefined)
    return fc.array(accepted(isJsonObject(items) ? items : {}), { minLength: 1, maxLength: 3 });
  if (type !== "object" && properties === undefined) return texts;
  return mappings(schema);
}

function withArray(schema: JsonObject): JsonObject {
  return schema["items"] === undefined ? schema : { ...schema, type: "array" };
}

function mappings({ properties, required, additionalProperties }: JsonObject): fc.Arbitrary<Json> {
  if (isJsonObject(additionalProperties))
    return fc.dictionary(
      fc.constantFrom("tier", "urn:li:structuredProperty:x"),
      accepted(additionalProperties),
      {
        minKeys: 1,
        maxKeys: 2,
      },
    );
  const fields = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([key, each]) =>
    isJsonObject(each) ? [[key, accepted(each)] as const] : [],
  );
  const requiredKeys = isJsonList(required) ? required.map(String) : [];
  return fc
    .subarray(fields, { minLength: Math.min(1, fields.length), maxLength: Math.min(3, fields.length) })
    .chain((chosen) =>
      fc.record(Object.fromEntries([...fields.filter(([key]) => requiredKeys.includes(key)), ...chosen])),
    );
}

function withKind(policy: Json, kind: string): Json {
  if (!isJsonObject(policy)) return policy;
  const { match } = policy;
  return { ...policy, match: { ...(isJsonObject(match) ? match : {}), kind } };
}

test("whatever the schemas of policies and waivers accept is read, or is a problem", counted, async () => {
  const policies = fc
    .constantFrom(...kinds)
    .chain((kind) => accepted(policySchemaOf(kind)).map((policy) => withKind(policy, kind.name)));
  const documents = fc.oneof(accepted(waiverSchema), policies);
  let read = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(documents, { minLength: 1, maxLength: 4 }), async (all) => {
      const {
        policies: found,
        waivers,
        problems,
      } = await desiredFrom({ "catalog/a.yaml": JSON.stringify(all) });
      read += found.length + waivers.length;
      expect(found.length + waivers.length + problems.length).toBeGreaterThan(0);
    }),
    { numRuns: runsOf(400) },
  );
  // Otherwise it would show nothing.
  expect(read).toBeGreaterThan(runsOf(400) / 5);
});
