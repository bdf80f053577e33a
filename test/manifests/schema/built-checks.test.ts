import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { expect, test } from "vitest";
import { kinds } from "../../../src/kinds/index.ts";
import {
  checkedSchemas,
  checkOptions,
  checkReferences,
} from "../../../src/manifests/schema/checked-schemas.ts";
import { schemaErrors } from "../../../src/manifests/schema/schema-check.ts";
import { schemaProblems } from "../../../src/manifests/schema/schema-problems.ts";
import { yamlDocuments } from "../../../src/manifests/yaml/documents.ts";
import { sourceOf } from "../../../src/manifests/yaml/source.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import { temporaryDirectory } from "../../support/catalog.ts";
import { runCli } from "../../support/command-line.ts";
import { runInShell } from "../../support/command-process.ts";

const values: readonly Json[] = [null, true, 5, 0.3, "", "x", [], [null], {}, { x: 1 }];

/** The schemas as they are, compiled at run time. */
const ajv = new Ajv({ ...checkOptions, code: { optimize: false } });
for (const [name, { $schema: _, $id: _id, ...body }] of Object.entries(checkedSchemas))
  ajv.addSchema(body, name);

function checkOf(name: string): ValidateFunction & { readonly schema: JsonObject } {
  const check = ajv.getSchema(checkReferences[name] ?? "");
  if (!check || !isJsonObject(check.schema)) throw new Error(`there is no schema for ${name}`);
  return Object.assign(check, { schema: check.schema });
}

function partOf(schema: JsonObject, ...path: readonly string[]): JsonObject | undefined {
  const part = path.reduce<Json | undefined>(
    (parent, key) => (isJsonObject(parent) ? parent[key] : undefined),
    schema,
  );
  return isJsonObject(part) ? part : undefined;
}

/** What a schema describes, down to a depth, with the value in the place of all that is deeper. */
function filled(schema: JsonObject, value: Json, depth: number): Json {
  const { properties } = schema;
  const [item, entry] = [partOf(schema, "items"), partOf(schema, "additionalProperties")];
  if (depth === 0) return value;
  if (isJsonObject(properties)) {
    const parts = Object.keys(properties).map((name) => [name, partOf(properties, name) ?? {}] as const);
    return Object.fromEntries(parts.map(([name, part]) => [name, filled(part, value, depth - 1)]));
  }
  if (item) return [filled(item, value, depth - 1), value];
  return entry ? { x: filled(entry, value, depth - 1), y: value } : value;
}

// Problems have the place of what is wrong; only in a document is there one.
const [document] = yamlDocuments(sourceOf("a.yaml", "{}\n")).documents;

function problemsOf(errors: readonly ErrorObject[]): string {
  if (!document) throw new Error("there is no document");
  const checked = { document, value: {}, start: 0, what: "x", kind: kinds[0] };
  return JSON.stringify(schemaProblems(checked, errors), null, 1);
}

const depths = [1, 3];

test.each(Object.keys(checkReferences))(
  "the check %s that is compiled for the build finds the same",
  (name) => {
    const check = checkOf(name);
    const all = values.flatMap((value) => depths.map((depth) => filled(check.schema, value, depth)));

    for (const value of [...values, { unknown: 1 }, ...all]) {
      check(value);
      expect(problemsOf(schemaErrors(name, value))).toBe(problemsOf(check.errors ?? []));
    }
  },
);

test("the built command finds in manifests what the sources find", async () => {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "catalog"));
  const documents = kinds.flatMap(({ name }) =>
    [null, 5, ["x"]].map((value) => ({
      ...(filled(checkOf(name).schema, value, 1) as JsonObject),
      kind: name,
    })),
  );
  writeFileSync(join(cwd, "catalog/a.yaml"), JSON.stringify(documents));

  const sources = await runCli(["validate", "--format", "json"], { cwd });
  const built = await runInShell("datahub-gitops validate --format json", { cwd });

  expect(JSON.parse(sources.stdout).problems.length).toBeGreaterThan(500);
  expect(built).toEqual(sources);
});
