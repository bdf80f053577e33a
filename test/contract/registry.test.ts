import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

interface Generator {
  readonly recordLines: (schemas: readonly object[]) => readonly string[];
  readonly registryJson: (registry: object, schemas: readonly object[]) => string;
}

const script = new URL("registry.mjs", import.meta.url).href;
const { recordLines, registryJson }: Generator = await import(script);

const namespace = "com.linkedin.pegasus2avro.common";

function record(name: string, ...fields: readonly object[]): object {
  return { type: "record", name, namespace, fields };
}

test.each([
  ["required", { name: "a", type: "string" }, "a!:s"],
  ["optional", { name: "a", type: ["null", "long"], default: null }, "a:i"],
  ["with a default", { name: "a", type: "boolean", default: false }, "a:b"],
  ["a list", { name: "a", type: { type: "array", items: "double" } }, "a!:[f]"],
  ["a map", { name: "a", type: { type: "map", values: "string" } }, "a!:{s}"],
  ["a union", { name: "a", type: ["string", "int"] }, "a!:(s|i)"],
  ["a union of one", { name: "a", type: ["string"] }, "a!:(s)"],
  ["a record", { name: "a", type: `${namespace}.Edge` }, "a!:common.Edge"],
  ["that Avro alone needs", { name: "fieldDiscriminator", type: "string" }, "fieldDiscriminator:s"],
  ["with a relationship", { name: "a", type: "string", Relationship: { name: "Has" } }, "a!:s>Has"],
  [
    "with a relationship further inside",
    { name: "a", type: "Edge", Relationship: { "/*/destinationUrn": { name: "Consumes" } } },
    "a!:common.Edge>*/destinationUrn=Consumes",
  ],
])("a field %s", (_title, field, text) => {
  expect(recordLines([record("Sample", field)])).toEqual([`common.Sample ${text}`]);
});

test("a record comes before those inside it, and each comes once", () => {
  const level = { type: "enum", name: "Level", symbols: ["LOW", "HIGH"] };
  const inner = record("Inner", { name: "level", type: level });
  const outer = record("Outer", { name: "inner", type: { type: "array", items: inner } });
  expect(recordLines([outer, inner])).toEqual([
    "common.Outer inner!:[common.Inner]",
    "common.Inner level!:common.Level",
    "common.Level = LOW HIGH",
  ]);
});

test("the registry is the one that the local catalog reads", async () => {
  const file = new URL("../../schemas/datahub-registry.json", import.meta.url);
  const text = await readFile(file, "utf8");
  const { comment, records, ...registry } = JSON.parse(text);
  const [, source] = /Source: (.*)\.$/.exec(comment) ?? [];
  const made = registryJson({ ...registry, source }, []);
  expect(JSON.parse(made)).toEqual({ comment, ...registry, records: [] });
  expect(records.length).toBeGreaterThan(400);
});
