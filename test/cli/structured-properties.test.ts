import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { schemaFieldUrn } from "../../src/model/urn.ts";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { withFiles } from "../support/manifest-files.ts";
import { defined, property } from "../support/properties.ts";
import { schemaWith } from "../support/schema.ts";
import { appliedRef, settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
import { datasetNamed, urn } from "../support/states.ts";

const dataset = datasetNamed("invoices");
const chart = urn("urn:li:chart:(looker,1)");
const column = schemaFieldUrn(dataset, "email");

const attribution = {
  time: 1_700_000_000_000,
  actor: "urn:li:corpuser:alice",
  source: "urn:li:dataHubAction:propagation",
};

/** What an asset or a column has, as somebody else wrote it. */
function having(values: Readonly<Record<string, readonly (string | number)[]>>): JsonObject {
  return {
    properties: Object.entries(values).map(([id, own]) => ({
      propertyUrn: property(id),
      values: own.map((each) => (typeof each === "number" ? { double: each } : { string: each })),
      attribution,
    })),
  };
}

async function siteOf(declared: string, aspects: readonly MadeAspect[], ...settings: readonly string[]) {
  const site = await siteWith({ "assets.yaml": declared }, settingsWith(...settings));
  await load(site, [dataset, "schemaMetadata", schemaWith("email")], ...aspects);
  return site;
}

const load = (site: Site, ...aspects: readonly MadeAspect[]): Promise<unknown> =>
  site.catalog.load(metadataFile(temporaryDirectory(), aspects));

const ofDataset = (...lines: readonly string[]): string =>
  ["kind: Dataset", "platform: snowflake", "name: invoices", ...lines, ""].join("\n");

const definition = (id: string, ...lines: readonly string[]): string =>
  ["kind: StructuredProperty", `id: ${id}`, "entity_types: [dataset]", ...lines, ""].join("\n");

function valuesIn(site: Site, entity = dataset): Readonly<Record<string, unknown>> {
  const { properties = [] } = (site.aspect(entity, "structuredProperties") ?? {}) as {
    readonly properties?: readonly { readonly propertyUrn: string; readonly values: unknown }[];
  };
  return Object.fromEntries(
    properties.map(({ propertyUrn, values }) => [propertyUrn.slice(property("").length), values]),
  );
}

test("values that do not fit a definition in the manifests are found without a server, those of rules, too", async () => {
  const rule = "kind: Rule\nid: all\nmatch: { kind: Dataset }\ndeclare:\n";
  const files = {
    "catalog/properties.yaml": [
      definition("days", "value_type: number", "allowed_values: [{ value: 90 }]"),
      definition("any", "value_type: number", "manage: merge", "allowed_values: [{ value: 90 }]"),
      "kind: StructuredProperty\nid: elsewhere\ndisplay_name: Defined elsewhere\n",
    ].join("---\n"),
    "catalog/assets.yaml": [
      ofDataset("structured_properties: { days: 30, any: 30, elsewhere: [x] }"),
      `${rule}  structured_properties: { days: ninety }\n`,
      `${rule.replace("all", "columns")}  columns: { "*": { structured_properties: { days: 90 } } }\n`,
    ].join("---\n"),
  };
  const { code, stderr } = await withFiles(files, (cwd) => runCli(["validate"], { cwd }));
  expect(code).toBe(3);
  expect(stderr.match(/^\S+ error .*$/gm)).toEqual([
    "catalog/assets.yaml:4:26 error unfit-value: `structured_properties.days` is `30`, but must be one of 90",
    "catalog/assets.yaml:4:36 error unfit-value: `structured_properties.any` is `30`, but must be one of 90",
    "catalog/assets.yaml:10:28 error unfit-value: `structured_properties.days` is `ninety`, but must be a number",
    "catalog/assets.yaml:16:46 error unfit-entity: `urn:li:structuredProperty:days` cannot be set on this entity or column, because its `entity_types` contain only `dataset`",
  ]);
});

test("values are stored as they are written, and a plan of an export of them is empty", async () => {
  const numbers = {
    tenth: 0.1,
    whole: "90.0",
    power: "1E3",
    zero: "-0",
    digits: 0.300_000_000_000_000_04,
    large: 9_007_199_254_740_991,
    huge: 1e21,
    round: 12_345_678_901_234_567_000,
  };
  const written = Object.entries(numbers).map(([id, text]) => `  ${id}: ${text}`);
  const site = await siteOf(
    ofDataset("structured_properties:", ...written, "  note: none", "  cadence: [a, b]"),
    [
      ...Object.keys(numbers).map((id) => defined(id, "number")),
      defined("cadence", "string", { cardinality: "MULTIPLE" }),
      defined("note", "string"),
      defined("due", "date"),
      // The definition of the last one was deleted.
      [dataset, "structuredProperties", having({ note: [], gone: ["x"] })],
      [column, "structuredProperties", having({ due: ["2027-06-30"], note: ["none"], gone: ["x"] })],
    ],
  );

  expect(await site.apply()).toMatchObject({ code: 0 });

  expect(valuesIn(site)).toMatchObject({
    ...Object.fromEntries(Object.entries(numbers).map(([id, text]) => [id, [{ double: Number(text) || 0 }]])),
    cadence: [{ string: "a" }, { string: "b" }],
  });
  expect(await site.run(["export", "exported"])).toMatchObject({ code: 0 });
  const exported = manifestsBelow(join(site.root, "exported")).find((text) =>
    text.includes("\nkind: Dataset"),
  );
  expect(exported).toMatchInlineSnapshot(`
    "# yaml-language-server: $schema=../../.schema.json
    kind: Dataset
    platform: snowflake
    name: invoices
    structured_properties:
      power: 1000
      whole: 90
      zero: 0
      cadence: [a, b]
      digits: 0.30000000000000004
      huge: 1e+21
      large: 9007199254740991
      round: 12345678901234567000
      tenth: 0.1
    columns:
      email: { structured_properties: { due: "2027-06-30", note: "none", gone: [x] } }
    "
  `);
  expect(await site.run(["plan", "exported", "--detailed-exitcode"])).toMatchObject({ code: 0 });
});

/** A site whose base declares a property that no manifest declares any more, with a value of a dataset and of a column. */
async function pruningSite(): Promise<Site> {
  const declared = ofDataset("structured_properties: { days: none }");
  const site = await siteOf(
    `${definition("acme.extra", "display_name: Extra")}---\n${declared}`,
    [
      defined("acme.extra", "string", { displayName: "Extra" }),
      defined("days", "number"),
      [dataset, "structuredProperties", having({ "acme.extra": ["x"] })],
      [column, "structuredProperties", having({ "acme.extra": ["x"] })],
    ],
    "prune: { kinds: [StructuredProperty] }",
  );
  site.git("update-ref", appliedRef, "HEAD");
  site.commit({ "catalog/assets.yaml": declared });
  return site;
}

test("a definition that is pruned is soft-deleted with its values hidden, which the plan shows, and stays where it has new ones", async () => {
  const site = await pruningSite();

  const plan = await site.plan("--prune", "--max-deletes", "1", "--out", "plan.json");

  expect(plan.stdout)
    .toContain(`- StructuredProperty Extra (urn:li:structuredProperty:acme.extra)  catalog/assets.yaml:1:1 in the base
    also hides its assignments on 2 entities
      invoices, email of invoices
    the property is soft-deleted and can be declared again; its values remain stored on an asset until other structured properties of that asset are written
`);
  expect(plan.stdout).not.toContain("no longer declared");
  await load(
    site,
    [chart, "status", { removed: false }],
    [chart, "structuredProperties", having({ "acme.extra": ["x"] })],
  );
  expect(await site.run(["apply", "plan.json"])).toMatchObject({
    code: 6,
    stdout: expect.stringContaining(`${chart} began to refer to it after the plan was made`),
  });
  expect(await site.apply("--prune", "--max-deletes", "1")).toMatchObject({ code: 0 });
  expect(site.aspect(property("acme.extra"), "status")).toEqual({ removed: true });
  expect([dataset, column, chart].map((each) => valuesIn(site, each))).toEqual(
    Array.from({ length: 3 }, () => ({ "acme.extra": [{ string: "x" }] })),
  );
});

test("a pruned definition is nothing to do for the next plan, and lets the base move", async () => {
  const site = await pruningSite();
  const before = site.git("rev-parse", appliedRef);

  const applied = await site.apply("--prune", "--max-deletes", "1");

  expect(applied.code, applied.stdout).toBe(0);
  expect(site.git("rev-parse", appliedRef)).not.toBe(before);
  site.git("update-ref", appliedRef, before.trim());
  for (const flags of [[], ["--prune"]])
    expect(await site.plan("--detailed-exitcode", ...flags)).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining("no longer declared"),
    });
});

test("a pruned definition that is declared again is restored with its values", async () => {
  const site = await pruningSite();
  await site.apply("--prune", "--max-deletes", "1");
  site.commit({
    "catalog/assets.yaml": `${definition("acme.extra", "display_name: More")}---\n${ofDataset()}`,
  });

  expect((await site.plan()).stdout).toContain("~ removed: true (soft-deleted) → false (restored)");
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(site.aspect(property("acme.extra"), "propertyDefinition")).toMatchObject({ displayName: "More" });
  expect(valuesIn(site)).toEqual({ "acme.extra": [{ string: "x" }] });
});

test("a rollback of a prune restores the definition and its values", async () => {
  const site = await pruningSite();
  await site.apply("--prune", "--max-deletes", "1", "--report", "report.json");

  const rolledBack = await site.run(["rollback", "report.json", "--auto-approve"]);

  expect(rolledBack.code, rolledBack.stdout + rolledBack.stderr).toBe(0);
  expect(rolledBack.stdout).toContain("removed: true (soft-deleted) → false (restored)");
  expect(site.aspect(property("acme.extra"), "status")).toEqual({ removed: false });
  expect(valuesIn(site)).toEqual({ "acme.extra": [{ string: "x" }] });
  expect((await site.run(["rollback", "report.json", "--auto-approve"])).stdout).toContain("No changes");
});

test("what the server refuses fails with its reason, and a deleted definition comes back with a version", async () => {
  const site = await siteOf(
    [
      ofDataset("columns: { email: { structured_properties: { fixed: [b] } } }"),
      definition("acme.gone"),
      definition("acme.again", 'version: "20270101000000"'),
    ].join("---\n"),
    [
      defined("fixed", "string", { cardinality: "MULTIPLE", immutable: true }),
      [column, "structuredProperties", having({ fixed: ["a"] })],
      defined("acme.gone", "string"),
      defined("acme.again", "string"),
    ],
  );
  for (const id of ["acme.gone", "acme.again"])
    await site.edit(`deleteStructuredProperty(input: { urn: "${property(id)}" })`);

  const { code, stdout } = await site.apply();

  expect(code, stdout).toBe(7);
  for (const reason of [
    "Cannot mutate an immutable property",
    "Elasticsearch field 'acme_gone' collides with existing property mapping",
  ])
    expect(stdout).toContain(reason);
  expect(site.aspect(property("acme.gone"), "propertyDefinition")).toBeUndefined();
  expect(site.aspect(property("acme.again"), "propertyDefinition")).toMatchObject({
    version: "20270101000000",
  });
});

test.each(["graphql", "conditional"])(
  "values that no longer fit a definition of another type are written again with it, by writes: %s",
  async (writes) => {
    const texts = 'version: "20270101000000"';
    const site = await siteOf(
      [
        definition("ratio", "value_type: string", "cardinality: MULTIPLE", texts),
        definition("days", "value_type: string", texts),
        definition("note", 'allowed_values: [{ value: "a" }, { value: "b" }]'),
        ofDataset('structured_properties: { days: "90", note: b, ratio: ["3", "0.1"] }'),
      ].join("---\n"),
      [
        defined("ratio", "number", { cardinality: "MULTIPLE" }),
        defined("days", "number"),
        defined("note", "string", { allowedValues: [{ value: { string: "a" } }] }),
        [dataset, "structuredProperties", having({ days: [90], note: ["a"], ratio: [3, 0.1] })],
        [chart, "status", { removed: false }],
        [chart, "structuredProperties", having({ days: [30], note: ["a"] })],
      ],
      `writes: ${writes}`,
    );

    const { stdout, stderr } = await site.plan();

    expect(stderr.match(/warning values-outdated: .*/g)).toEqual([
      expect.stringMatching(
        /1 entity, `urn:li:chart:\(looker,1\)`, has a value for `urn:li:structuredProperty:days`/,
      ),
    ]);
    expect(stdout).toContain('      + "0.1"\n      + "3"\n      - 0.1  (set by');
    const applied = await site.apply();
    expect(applied.code, applied.stdout).toBe(0);
    expect(valuesIn(site)).toEqual({
      days: [{ string: "90" }],
      note: [{ string: "b" }],
      ratio: [{ string: "0.1" }, { string: "3" }],
    });
    expect(await site.plan("--detailed-exitcode")).toMatchObject({ code: 0 });
  },
);

const softDelete = (id: string): string =>
  `batchUpdateSoftDeleted(input: { urns: ["${property(id)}"], deleted: true })`;

test.each([90, 30])(
  "a declared property that was soft-deleted is restored before its values are written, over %s",
  async (hidden) => {
    const site = await siteOf(
      `${definition("days", "value_type: number", "description: Kept as long.")}---\n${ofDataset("structured_properties: { days: 90 }")}`,
      [
        defined("days", "number", { cardinality: "SINGLE" }),
        [dataset, "structuredProperties", having({ days: [hidden] })],
      ],
    );
    await site.edit(softDelete("days"));

    const { stdout } = await site.plan();

    expect(stdout).toContain("~ removed: true (soft-deleted) → false (restored)");
    expect(await site.apply()).toMatchObject({ code: 0 });
    expect(site.aspect(property("days"), "status")).toEqual({ removed: false });
    expect(site.aspect(property("days"), "propertyDefinition")).toMatchObject({
      description: "Kept as long.",
    });
    expect(valuesIn(site)).toEqual({ days: [{ double: 90 }] });
    expect(await site.plan("--detailed-exitcode")).toMatchObject({ code: 0 });
  },
);

test.each(["graphql", "conditional"])(
  "a property that is stored in two entries has the values of both, which are changed in both (%s)",
  async (writes) => {
    const entries = (...values: readonly (readonly [string, string])[]): JsonObject => ({
      properties: values.flatMap(([id, value]) => having({ [id]: [value] })["properties"] as JsonObject[]),
    });
    const one = datasetNamed("one");
    const site = await siteOf(
      [
        ofDataset("structured_properties: { m: [x, z], s: w }"),
        ofDataset("structured_properties: { m: [] }").replace("invoices", "one"),
      ].join("---\n"),
      [
        defined("m", "string", { cardinality: "MULTIPLE" }),
        defined("s", "string"),
        [dataset, "structuredProperties", entries(["m", "x"], ["s", "v"], ["m", "y"], ["s", "u"])],
        [one, "structuredProperties", entries(["m", "x"], ["m", "y"])],
      ],
      `writes: ${writes}`,
    );

    const { changes } = await site.planned();
    const applied = await site.apply();

    expect(changes).toMatchObject([
      { path: [property("m")], add: ["z"], remove: ["y"] },
      { path: [property("s")], after: "w" },
      { path: [property("m")], add: [], remove: ["x", "y"] },
    ]);
    expect(applied, applied.stdout).toMatchObject({ code: 0 });
    expect(valuesIn(site)).toEqual({ m: [{ string: "x" }, { string: "z" }], s: [{ string: "w" }] });
    expect(valuesIn(site, one)).toEqual({});
  },
);

test("a value of a soft-deleted property that is not declared is a problem, and nothing is written", async () => {
  const site = await siteOf(ofDataset("structured_properties: { days: 90 }"), [defined("days", "number")]);
  await site.edit(softDelete("days"));

  const { code, stderr } = await site.apply();

  expect(code).toBe(3);
  expect(stderr).toContain("error reference-removed: ");
  expect(valuesIn(site)).toEqual({});
});

test.each(["graphql", "openapi"])(
  "the values of columns whose definition was deleted count as they are stored, with reads: %s",
  async (reads) => {
    const declared = ofDataset("columns: { email: { structured_properties: { gone: x } } }");
    const site = await siteOf(
      declared,
      [[column, "structuredProperties", having({ gone: ["x"] })]],
      `reads: ${reads}`,
    );
    // GraphQL cannot answer an entry without its definition, which must not be null.
    const url = await inFrontOf(site.catalog.url, ({ query }) =>
      query.includes("ReadColumnValues")
        ? { data: { entities: [{ urn: column, sign: "email", structuredProperties: { properties: null } }] } }
        : undefined,
    );

    const { code, stdout, stderr } = await runCli(["plan", "--server", url], { cwd: site.root });

    expect(stdout + stderr).toContain("No changes");
    expect(code).toBe(0);
  },
);

test("the values of columns are read by GraphQL where OpenAPI is refused", async () => {
  const declared = ofDataset("columns: { email: { structured_properties: { days: 90 } } }");
  const site = await siteOf(declared, [
    defined("days", "number"),
    [column, "structuredProperties", having({ days: [90] })],
  ]);
  for (const statusCode of [403, 404]) {
    const url = await inFrontOf(site.catalog.url, (_, response, { url: path }) => {
      if (!path.includes("/openapi/v3/entity/schemaField/")) return undefined;
      response.statusCode = statusCode;
      return {};
    });
    const { stdout, stderr } = await runCli(["plan", "--server", url], { cwd: site.root });
    expect(stdout + stderr).toContain("No changes");
    expect(stdout + stderr).not.toContain("reads: openapi");
  }
});

test("an export leaves a soft-deleted property out, and says so", async () => {
  const site = await siteOf(ofDataset(), [defined("days", "number"), defined("note", "string")]);
  await site.edit(softDelete("days"));

  const { stderr, stdout } = await site.run(["export", "exported"]);

  expect(stdout + stderr).toContain("Skipped 1 soft-deleted entity");
  expect(
    manifestsBelow(join(site.root, "exported")).filter((text) => text.includes("StructuredProperty")),
  ).toEqual([expect.stringContaining("id: note")]);
});

test("a pull writes what others set into the manifest, each at its key", async () => {
  const site = await siteOf(
    ofDataset("structured_properties:", "  days: 90", "  cadence: [a]", "  grade: a # as agreed"),
    [
      defined("days", "number"),
      defined("cadence", "string", { cardinality: "MULTIPLE" }),
      defined("grade", "string"),
      [dataset, "structuredProperties", having({ days: [365], cadence: ["a", "b"], grade: ["a"] })],
    ],
  );

  expect(await site.run(["pull"])).toMatchObject({ code: 0 });

  expect(readFileSync(join(site.root, "catalog/assets.yaml"), "utf8")).toBe(
    ofDataset("structured_properties:", "  days: 365", "  cadence: [a, b]", "  grade: a # as agreed"),
  );
  expect(writesIn(site.catalog)).toEqual([]);
});

test("explain says what declares each value of an asset and a column, and what others put there", async () => {
  const site = await siteOf(
    ofDataset(
      "structured_properties: { days: 90 }",
      "columns: { email: { structured_properties: { days: 90 } } }",
    ),
    [
      defined("days", "number"),
      defined("note", "string"),
      [dataset, "structuredProperties", having({ days: [30], note: ["x"] })],
      [column, "structuredProperties", having({ note: ["x"] })],
    ],
  );

  const { code, stdout } = await site.run(["explain", dataset]);

  expect(code).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "Dataset urn:li:dataset:(urn:li:dataPlatform:snowflake,invoices,PROD)
      declared in catalog/assets.yaml:3:1
      platform: snowflake
      env: PROD
      name: invoices

    structured_properties urn:li:structuredProperty:days: authoritative (the default)
      + 90
          declared by catalog/assets.yaml:4:26
          apply will add it
      - 30
          in the catalog: set by urn:li:corpuser:alice on 2023-11-14
          apply will remove it

    structured_properties urn:li:structuredProperty:note: not declared, so it is left unchanged
        x
          in the catalog: set by urn:li:corpuser:alice on 2023-11-14

    columns.structured_properties email urn:li:structuredProperty:days: authoritative (the default)
      + 90
          declared by catalog/assets.yaml:5:46
          apply will add it

    columns.structured_properties email urn:li:structuredProperty:note: not declared, so it is left unchanged
        x

    The manifests have no rules.
    "
  `);
});

function manifestsBelow(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && entry.name.endsWith(".yaml")
      ? [readFileSync(join(entry.parentPath, entry.name), "utf8")]
      : [],
  );
}
