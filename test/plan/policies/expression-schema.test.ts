import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { kinds } from "../../../src/kinds/index.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { expressionSchema } from "../../../src/plan/policies/expression-schema.ts";
import { entityTypesOf } from "../../../src/plan/policies/expression-types.ts";
import { counted, runsOf } from "../../support/runs.ts";
import { liveStates } from "../../support/states.ts";

const fits = new Ajv({ code: { optimize: false } }).compile(expressionSchema());

test("what expressions see of entities is as the schema says", counted, () => {
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
    { numRuns: runsOf(160) },
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

test("it says what an asset of each kind has, and which functions there are", () => {
  const { oneOf, definitions, ...head } = expressionSchema();
  expect(head).toMatchInlineSnapshot(`
    {
      "$id": "urn:datahub-gitops:policy",
      "$schema": "http://json-schema.org/draft-07/schema#",
      "description": "The fields of \`asset\`, for use in a \`check\`. Ids are taken from URNs. A field that is not set is an empty string or list. Available functions: all, exists, exists_one, filter, map, has, size, startsWith, endsWith, contains, lowerAscii, upperAscii, trim, int, double, string, like.",
      "title": "The \`asset\` variable in a policy's \`check\`, for each kind of entity",
    }
  `);
  expect(oneOf).toEqual(kinds.map(({ name }) => ({ $ref: `#/definitions/${name}` })));
  const { Domain, Column, ...others } = definitions as JsonObject;
  expect(Object.keys(others).toSorted()).toEqual(
    [...kinds.map(({ name }) => name), "Owner"].filter((name) => name !== "Domain").toSorted(),
  );
  expect({ Domain, Column }).toMatchInlineSnapshot(`
    {
      "Column": {
        "additionalProperties": false,
        "properties": {
          "description": {
            "type": "string",
          },
          "glossary_terms": {
            "items": {
              "type": "string",
            },
            "type": "array",
          },
          "name": {
            "type": "string",
          },
          "path": {
            "type": "string",
          },
          "structured_properties": {
            "additionalProperties": {
              "items": {
                "type": "string",
              },
              "type": "array",
            },
            "type": "object",
          },
          "tags": {
            "items": {
              "type": "string",
            },
            "type": "array",
          },
          "type": {
            "type": "string",
          },
        },
        "required": [
          "name",
          "path",
          "type",
          "tags",
          "glossary_terms",
          "description",
          "structured_properties",
        ],
        "type": "object",
      },
      "Domain": {
        "additionalProperties": false,
        "properties": {
          "declared": {
            "type": "boolean",
          },
          "description": {
            "type": "string",
          },
          "env": {
            "type": "string",
          },
          "kind": {
            "const": "Domain",
          },
          "name": {
            "type": "string",
          },
          "owners": {
            "items": {
              "$ref": "#/definitions/Owner",
            },
            "type": "array",
          },
          "parent_domain": {
            "type": "string",
          },
          "platform": {
            "type": "string",
          },
          "urn": {
            "type": "string",
          },
        },
        "required": [
          "urn",
          "kind",
          "name",
          "platform",
          "env",
          "declared",
          "owners",
          "description",
          "parent_domain",
        ],
        "type": "object",
      },
    }
  `);
});
