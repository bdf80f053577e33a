import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { assetKinds, kinds } from "../../../src/kinds/index.ts";
import { importFormats } from "../../../src/manifests/import/formats.ts";
import { manifestDefinitions } from "../../../src/manifests/schema/manifest-schema.ts";
import { policyKind, policySchemaName, waiverKind } from "../../../src/manifests/policies/policy-kinds.ts";
import { ruleKind, ruleSchemaName } from "../../../src/manifests/rules/rule-schema.ts";
import { settingsSchema } from "../../../src/manifests/schema/schema.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { temporaryDirectory } from "../../support/catalog.ts";
import { runCli } from "../../support/command-line.ts";
import { runInShell } from "../../support/command-process.ts";

const values = [
  null,
  true,
  5,
  0.3,
  "",
  "x",
  "none",
  [],
  ["x"],
  [null],
  [{ x: 1 }],
  {},
  { x: 1 },
  { x: null },
];

/** The properties of a schema, each with the value. */
function allAs(schema: object | undefined, value: unknown): Readonly<Record<string, unknown>> {
  const names = Object.keys((schema as { readonly properties: object }).properties);
  return Object.fromEntries(names.map((name) => [name, value]));
}

/** By the name of a schema of manifests, what a manifest must have so that it is checked by it. */
const heads: readonly (readonly [name: string, head: JsonObject])[] = [
  ...[...kinds, { name: waiverKind }].map(({ name }) => [name, { kind: name }] as const),
  ...assetKinds.map(({ name }) => [ruleSchemaName(name), { kind: ruleKind, match: { kind: name } }] as const),
  ...kinds.map(({ name }) => [policySchemaName(name), { kind: policyKind, match: { kind: name } }] as const),
];

/** For each schema a manifest in which all fields have a value, for each value; and one that has an unknown field only. */
const documents = heads.flatMap(([name, head]) => [
  { ...head, unknown: 1 },
  ...values.map((value) => ({ ...allAs(manifestDefinitions[name], value), ...head })),
]);

async function problemsOfBoth(files: Readonly<Record<string, unknown>>): Promise<readonly [string, string]> {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "catalog"));
  for (const [name, value] of Object.entries(files))
    writeFileSync(join(cwd, "catalog", name), JSON.stringify(value, null, 1));
  const [sources, built] = await Promise.all([
    runCli(["validate", "--format", "json"], { cwd }),
    runInShell("datahub-gitops validate --format json", { cwd }),
  ]);
  expect([sources.code, built.code]).toEqual([3, 3]);
  return [built.stdout, sources.stdout];
}

test("the checks that the build has compiled find in manifests what those of the sources find", async () => {
  const [built, sources] = await problemsOfBoth({ "a.yaml": documents });

  expect(JSON.parse(sources).problems.length).toBeGreaterThan(500);
  expect(built).toBe(sources);
});

test.each([null, 5, "x", [{ x: 1 }], { x: 1 }])(
  "the checks that the build has compiled find in settings of %j what those of the sources find",
  async (value) => {
    const [built, sources] = await problemsOfBoth({
      "datahub-gitops.yaml": { ...allAs(settingsSchema, value), version: 1, unknown: 1 },
      "a.yaml": { kind: "Tag", id: "a" },
    });

    expect(JSON.parse(sources).problems.length).toBeGreaterThan(3);
    expect(built).toBe(sources);
  },
);

test("the checks that the build has compiled find in files to import what those of the sources find", async () => {
  const cwd = temporaryDirectory();
  const files = importFormats.flatMap(({ schema, isList }) =>
    values.map((value) => {
      const entry = { ...allAs(schema, value), terms: [value, allAs(schema, value)], unknown: 1 };
      return isList ? [entry] : entry;
    }),
  );
  writeFileSync(join(cwd, "g.yml"), files.map((each) => JSON.stringify(each)).join("\n---\n"));

  const [sources, built] = await Promise.all([
    runCli(["import", "g.yml"], { cwd }),
    runInShell("datahub-gitops import g.yml", { cwd }),
  ]);

  expect([sources.code, built.code]).toEqual([3, 3]);
  expect(sources.stderr.split("\n").length).toBeGreaterThan(100);
  expect(built.stderr).toBe(sources.stderr);
});
