import { expect, test } from "vitest";
import { assetKinds } from "../../../src/local-catalog/registry/asset-kinds.ts";
import { fieldsOf, recordOfAspect, symbolsOf } from "../../../src/local-catalog/registry/aspect-records.ts";
import { entityTypeNamed, entityTypeNames } from "../../../src/local-catalog/registry/entity-types.ts";
import { registryData } from "../../../src/local-catalog/registry/registry-data.ts";

const recordLines = registryData.records;

test("each record is defined once", () => {
  const names = recordLines.map((line) => line.split(" ")[0]);
  expect(new Set(names).size).toBe(names.length);
});

test("each type that a field names is defined", () => {
  const named = recordLines.flatMap((line) => line.match(/(?<=[:[{(|])[a-z][\w.]*\.[A-Z]\w*/g) ?? []);
  expect(named.length).toBeGreaterThan(500);
  expect(named.filter((name) => !fieldsOf(name) && !symbolsOf(name))).toEqual([]);
});

test("each aspect of each entity type has a record", () => {
  const aspects = new Set(entityTypeNames.flatMap((name) => [...(entityTypeNamed(name)?.aspects ?? [])]));
  expect(aspects.size).toBeGreaterThan(200);
  expect([...aspects].filter((aspect) => !fieldsOf(recordOfAspect(aspect)))).toEqual([]);
});

test.each(assetKinds)("the aspects that describe a $typename are aspects of its entity type", (kind) => {
  const aspects = entityTypeNamed(kind.type)?.aspects;
  expect([kind.ingested, kind.edited].map((aspect) => aspects?.has(aspect))).toEqual([true, true]);
  expect(fieldsOf(recordOfAspect(kind.edited))?.has("description")).toBe(true);
});
