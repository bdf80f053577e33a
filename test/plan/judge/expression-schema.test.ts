import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { kinds } from "../../../src/kinds/index.ts";
import { expressionSchema } from "../../../src/plan/judge/expression-schema.ts";
import { entityTypesOf } from "../../../src/plan/judge/expression-types.ts";
import { liveStates } from "../../support/states.ts";

const fits = new Ajv().compile(expressionSchema());

test("what expressions see of entities is as the schema says", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(liveStates, (state) => {
      for (const { urn, kind, facets } of state.values()) {
        const columns = [...facets.values()].flatMap((value) =>
          value.shape === "map" ? [...value.entries.keys()] : [],
        );
        const asset = {
          urn,
          kind,
          name: "a",
          containers: [],
          subtypes: [],
          columns: columns.map((path) => ({ path, name: path, nativeType: "INT" })),
        };
        const object = entityTypesOf(kind).objectOf({ asset, facets, isDeclared: true }, new Map());
        const json: unknown = JSON.parse(
          JSON.stringify(object, (_key, value: unknown) =>
            value instanceof Map ? Object.fromEntries(value) : value,
          ),
        );
        expect(fits(json) ? [] : [json, fits.errors]).toEqual([]);
        seen.add(kind);
      }
    }),
    { numRuns: 200 },
  );
  expect(seen.size).toBeGreaterThan(kinds.length / 2);
});

test("types of one name are the same for all kinds", () => {
  const byName = new Map<string, unknown>();
  for (const { name } of kinds)
    for (const { name: type, fields } of entityTypesOf(name).below) {
      expect(fields).toEqual(byName.get(type) ?? fields);
      byName.set(type, fields);
    }
  expect([...byName.keys()].toSorted()).toEqual(["Column", "Owner"]);
});
