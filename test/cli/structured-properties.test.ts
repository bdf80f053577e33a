import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { schemaFieldUrn } from "../../src/model/urn.ts";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { proposalsOf, settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

// Each test is about one way in which DataHub's structured properties surprise (docs/datahub.md): PropertyDefinitionValidator.java,
// StructuredPropertiesValidator.java, UpsertStructuredPropertiesResolver.java, PropertyDefinitionDeleteSideEffect.java.

const dataset = datasetNamed("invoices");
const column = schemaFieldUrn(dataset, "email");
const property = (id: string): string => `urn:li:structuredProperty:${id}`;

const defined = (id: string, type: string, more: JsonObject = {}): MadeAspect => [
  property(id),
  "propertyDefinition",
  {
    qualifiedName: id,
    valueType: `urn:li:dataType:datahub.${type}`,
    entityTypes: ["dataset", "schemaField"].map((each) => `urn:li:entityType:datahub.${each}`),
    ...more,
  },
];

const field = (fieldPath: string): JsonObject => ({
  fieldPath,
  nativeDataType: "text",
  type: { type: { "com.linkedin.schema.StringType": {} } },
});

const there: readonly MadeAspect[] = [
  [dataset, "status", { removed: false }],
  [
    dataset,
    "schemaMetadata",
    {
      schemaName: "invoices",
      platform: "urn:li:dataPlatform:snowflake",
      version: 0,
      hash: "",
      platformSchema: { "com.linkedin.schema.OtherSchema": { rawSchema: "" } },
      fields: [field("email")],
    },
  ],
  defined("days", "number"),
  defined("note", "string"),
  defined("cadence", "string", { cardinality: "MULTIPLE" }),
  defined("due", "date"),
  defined("steward", "urn"),
  defined("grade", "string", { allowedValues: [{ value: { string: "a" } }, { value: { string: "b" } }] }),
  defined("chart_only", "string", { entityTypes: ["urn:li:entityType:datahub.chart"] }),
];

interface Given {
  readonly aspects?: readonly MadeAspect[];
  readonly settings?: readonly string[];
}

async function siteOf(declared: string, { aspects = [], settings = [] }: Given = {}): Promise<Site> {
  const site = await siteWith({ "assets.yaml": declared }, settingsWith(...settings));
  await site.catalog.load(metadataFile(temporaryDirectory(), [...there, ...aspects]));
  return site;
}

const ofDataset = (...lines: readonly string[]): string =>
  ["kind: Dataset", "platform: snowflake", "name: invoices", ...lines, ""].join("\n");

const definition = (id: string, ...lines: readonly string[]): string =>
  ["kind: StructuredProperty", `id: ${id}`, "entity_types: [dataset]", ...lines, ""].join("\n");

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

/** What is stored at last, by the ids of the properties. */
function storedIn(site: Site, urn = dataset): Readonly<Record<string, JsonObject>> {
  const { properties = [] } = (site.aspect(urn, "structuredProperties") ?? {}) as {
    readonly properties?: readonly (JsonObject & { readonly propertyUrn: string })[];
  };
  return Object.fromEntries(
    properties.map((each) => [each.propertyUrn.slice("urn:li:structuredProperty:".length), each]),
  );
}

function valuesIn(site: Site, urn = dataset): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(storedIn(site, urn)).map(([id, { values }]) => [id, values]));
}

const allOf = ({ stdout, stderr }: Ran): string => stdout + stderr;

/** Runs an apply that must find nothing wrong. */
async function applied(site: Site, ...flags: readonly string[]): Promise<string> {
  const ran = await site.apply(...flags);
  expect(ran.code, allOf(ran)).toBe(0);
  return ran.stdout;
}

/** Runs an apply that must be refused before it sends anything. */
async function refused(site: Site): Promise<string> {
  const plan = await site.plan();
  expect(plan.code).toBe(3);
  expect((await site.apply()).code).toBe(3);
  expect(writesIn(site.catalog)).toEqual([]);
  return allOf(plan);
}

describe("values", () => {
  test("of other properties keep their values and sources, and the plan shows whose value is replaced", async () => {
    const aspect = having({ days: [90], note: ["x"], cadence: ["daily"] });
    const site = await siteOf(ofDataset("structured_properties: { days: 365 }"), {
      aspects: [[dataset, "structuredProperties", aspect]],
    });
    expect(await applied(site)).toContain(
      "~ structured_properties urn:li:structuredProperty:days: 90 → 365  catalog/assets.yaml:4:26  (set by urn:li:corpuser:alice on 2023-11-14)",
    );
    const { days, ...others } = storedIn(site);
    expect(days).toMatchObject({ values: [{ double: 365 }] });
    // The mutation takes the source away, and would name the wrong one else.
    expect(days).not.toHaveProperty("attribution");
    expect(Object.values(others)).toMatchObject([{ attribution }, { attribution }]);
  });

  test("of a list are added to those of others, which the mutation would replace", async () => {
    const site = await siteOf(ofDataset("structured_properties: { cadence: [monthly] }"), {
      aspects: [[dataset, "structuredProperties", having({ cadence: ["daily"] })]],
      settings: ["manage: merge"],
    });
    await applied(site);
    expect(valuesIn(site)).toEqual({ cadence: [{ string: "daily" }, { string: "monthly" }] });
    expect(writesIn(site.catalog)).toEqual(["structuredProperties"]);
  });

  test("with conditional writes are patches of their properties, with our source", async () => {
    const site = await siteOf(ofDataset("structured_properties: { days: 365, cadence: [monthly] }"), {
      aspects: [[dataset, "structuredProperties", having({ note: ["x"], cadence: ["daily"] })]],
      settings: ["writes: conditional", "manage: merge"],
    });
    await applied(site);
    const sent = site.catalog.requests.flatMap(({ body }) => proposalsOf(body));
    expect(sent.map(({ changeType }) => changeType)).toEqual(["PATCH"]);
    const ours = { attribution: { source: "urn:li:dataHubAction:datahub-gitops" } };
    expect(storedIn(site)).toMatchObject({ note: { attribution }, days: ours, cadence: ours });
    expect(valuesIn(site)["cadence"]).toEqual([{ string: "daily" }, { string: "monthly" }]);
  });

  test("that are there are not written again, which would raise the version and take the source away", async () => {
    const site = await siteOf(ofDataset("structured_properties: { days: 90.0, cadence: [daily] }"), {
      aspects: [[dataset, "structuredProperties", having({ days: [90], cadence: ["daily"] })]],
    });
    expect(await applied(site)).toContain("No changes.");
    expect(writesIn(site.catalog)).toEqual([]);
    expect(storedIn(site)).toMatchObject({ days: { attribution }, cadence: { attribution } });
  });

  test("of an empty list are no values", async () => {
    const site = await siteOf(ofDataset("structured_properties: { days: none, cadence: [] }"), {
      aspects: [[dataset, "structuredProperties", having({ days: [], cadence: [] })]],
    });
    expect(allOf(await site.plan())).toContain("No changes.");
  });

  test.each([
    ["days", "ninety", "`ninety`, but must be a number"],
    ["days", '"90"', "`90`, but must be a number"],
    ["days", "[90]", "`[90]`, but must be a single value: the property holds one"],
    ["note", "90", "`90`, but must be a text in quotes"],
    ["cadence", "weekly", "`weekly`, but must be a list: the property holds several values"],
    ["cadence", "none", "`none`, but must be `[]`: the property holds several values"],
    ["due", "30.6.2027", "`30.6.2027`, but must be a date, such as 2027-06-30"],
    ["due", "2027-02-30", "`2027-02-30`, but must be a date, such as 2027-06-30"],
    ["due", '"2027-06-30T00:00:00Z"', "`2027-06-30T00:00:00Z`, but must be a date, such as 2027-06-30"],
    ["steward", "alice", "`alice`, but must be a URN"],
    ["grade", "c", "`c`, but must be one of a, b"],
  ])("of %s must not be %s: DataHub gives no reason, or takes it", async (id, value, message) => {
    const site = await siteOf(ofDataset(`structured_properties: { ${id}: ${value} }`), {
      aspects: [[dataset, "structuredProperties", having({ cadence: ["daily"] })]],
    });
    expect(await refused(site)).toContain(`unfit-value: \`structured_properties.${id}\` is ${message}`);
  });

  test("of more than 32,766 bytes are a problem, also of fewer characters", async () => {
    const site = await siteOf(ofDataset(`structured_properties: { note: ${"é".repeat(16_384)} }`));
    expect(await refused(site)).toContain("must be at most 32,766 bytes long");
    site.commit({
      "catalog/assets.yaml": ofDataset(`structured_properties: { note: ${"é".repeat(16_383)} }`),
    });
    await applied(site);
  });

  test("that do not fit a definition in the manifests are found without a server, those of rules, too", async () => {
    const rule = "kind: Rule\nid: all\nmatch: { kind: Dataset }\ndeclare:\n";
    const files = {
      "properties.yaml": [
        definition("days", "value_type: number", "allowed_values: [{ value: 90 }]"),
        definition("any", "value_type: number", "manage: merge", "allowed_values: [{ value: 90 }]"),
        "kind: StructuredProperty\nid: elsewhere\ndisplay_name: Defined elsewhere\n",
      ].join("---\n"),
      "assets.yaml": [
        ofDataset("structured_properties: { days: 30, any: 30, elsewhere: [x] }"),
        `${rule}  structured_properties: { days: ninety }\n`,
        `${rule.replace("all", "columns")}  columns: { "*": { structured_properties: { days: 90 } } }\n`,
      ].join("---\n"),
    };
    const site = await siteWith(files);
    const { code, stderr } = await runCli(["validate"], { cwd: site.root });
    expect(code).toBe(3);
    expect(stderr.match(/^\S+ error .*$/gm)).toEqual([
      "catalog/assets.yaml:4:26 error unfit-value: `structured_properties.days` is `30`, but must be one of 90",
      "catalog/assets.yaml:10:28 error unfit-value: `structured_properties.days` is `ninety`, but must be a number",
      "catalog/assets.yaml:16:46 error unfit-entity: `urn:li:structuredProperty:days` is not for what it is declared of here, a dataset or a part of it: its `entity_types` are `dataset`",
    ]);
    expect(site.catalog.requests).toEqual([]);
  });

  test("of a list twice are a problem, as DataHub keeps both", async () => {
    const site = await siteOf(ofDataset("structured_properties: { cadence: [daily, daily] }"));
    expect(await refused(site)).toContain("`structured_properties.cadence` lists `daily` twice");
  });

  test("of a property that does not exist are a problem: the server drops them while others stay", async () => {
    const site = await siteOf(ofDataset("structured_properties: { day: 90 }"), {
      aspects: [[dataset, "structuredProperties", having({ note: ["x"] })]],
    });
    expect(await refused(site)).toMatch(
      /reference-missing: .*structuredProperty:day`.* did you mean `days`\?/,
    );
  });

  test("of a property for other types of entities are a problem, which DataHub does not enforce", async () => {
    const site = await siteOf(
      ofDataset(
        "structured_properties: { chart_only: x }",
        "columns: { email: { structured_properties: { chart_only: x } } }",
      ),
    );
    expect((await refused(site)).match(/unfit-entity/g)).toHaveLength(2);
  });

  test("of a column that does not exist are a problem, as DataHub would make an entity for it", async () => {
    const site = await siteOf(ofDataset("columns: { mail: { structured_properties: { note: x } } }"));
    expect(await refused(site)).toContain("column-unknown");
    expect(site.catalog.aspects().map(({ urn }) => urn)).not.toContain(schemaFieldUrn(dataset, "mail"));
  });

  test("of a property that was soft-deleted are refused by the server, and the report says so", async () => {
    const site = await siteOf(ofDataset("structured_properties: { days: 90 }"), {
      aspects: [[property("days"), "status", { removed: true }]],
    });
    const ran = await site.apply();
    expect(ran.code).toBe(7);
    expect(ran.stdout).toContain("Cannot apply a soft deleted Structured Property value");
  });

  test("of an immutable property are refused by the server, and the report says so", async () => {
    const site = await siteOf(ofDataset("structured_properties: { fixed: b }"), {
      aspects: [
        defined("fixed", "string", { immutable: true }),
        [dataset, "structuredProperties", having({ fixed: ["a"] })],
      ],
    });
    const ran = await site.apply();
    expect(ran.code).toBe(7);
    expect(ran.stdout).toContain("Cannot mutate an immutable property");
  });

  test("of a definition that was deleted are read, and go with the next write of others", async () => {
    const site = await siteOf(
      ofDataset(
        "structured_properties: { days: 90 }",
        "columns: { email: { structured_properties: { days: 90 } } }",
      ),
      { aspects: [defined("gone", "string")] },
    );
    const aspects: readonly MadeAspect[] = [dataset, column].map((urn) => [
      urn,
      "structuredProperties",
      having({ gone: ["x"], days: [30] }),
    ]);
    await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
    const plan = await site.plan();
    expect(plan.code, allOf(plan)).toBe(0);
    await applied(site);
    expect(valuesIn(site)).toMatchObject({ days: [{ double: 90 }] });
  });
});

describe("numbers", () => {
  test.each([
    ["0.1", 0.1],
    ["90.0", 90],
    ["1E3", 1000],
    ["-0", 0],
    ["0.30000000000000004", 0.300_000_000_000_000_04],
    ["9007199254740991", 9_007_199_254_740_991],
    ["1e21", 1e21],
    ["12345678901234567000", 12_345_678_901_234_567_000],
  ])(
    "such as %s are stored as they are, and exported so that the next plan is empty",
    async (text, double) => {
      const site = await siteOf(ofDataset(`structured_properties: { days: ${text} }`));
      await applied(site);
      expect(valuesIn(site)).toEqual({ days: [{ double }] });
      expect(allOf(await site.plan())).toContain("No changes.");
      const ran = await site.run(["export", "exported"]);
      expect(ran.code, allOf(ran)).toBe(0);
      const { code, stdout, stderr } = await site.run(["plan", "exported", "--detailed-exitcode"]);
      expect(code, stdout + stderr).toBe(0);
    },
  );

  test.each(["9007199254740993", "1e400", "123456789.123456789123"])(
    "such as %s are a problem: DataHub's numbers would lose digits",
    async (text) => {
      const site = await siteOf(ofDataset(`structured_properties: { days: ${text} }`));
      expect(await refused(site)).toContain(text);
    },
  );
});

describe("definitions", () => {
  test("keep what a document omits, which DataHub would take as its default", async () => {
    const stored = {
      cardinality: "MULTIPLE",
      allowedValues: [{ value: { string: "a" } }],
      immutable: true,
      typeQualifier: { allowedTypes: ["urn:li:entityType:datahub.corpuser"] },
    };
    const site = await siteOf("kind: StructuredProperty\nid: kept\ndisplay_name: Kept\n", {
      aspects: [defined("kept", "string", stored)],
    });
    await applied(site);
    expect(site.aspect(property("kept"), "propertyDefinition")).toMatchObject({
      ...stored,
      displayName: "Kept",
    });
  });

  test.each([
    ["value_type: number", "cannot change"],
    ["cardinality: SINGLE", "can only change from SINGLE to MULTIPLE"],
    ["allowed_values: [{ value: a }]", "can only gain values, or allow all"],
  ])("cannot change to %s without a later version, and the problem says so", async (line, message) => {
    const stored = {
      cardinality: "MULTIPLE",
      allowedValues: [{ value: { string: "a" } }, { value: { string: "b" } }],
    };
    const site = await siteOf(definition("kept", line), { aspects: [defined("kept", "string", stored)] });
    const text = await refused(site);
    const changed = line.slice(0, line.indexOf(":"));
    expect(text).toContain(
      `\`${changed}\` of \`${property("kept")}\` ${message}: give it a later \`version\``,
    );
    const later = line.startsWith("value_type") ? ["allowed_values: []"] : [];
    site.commit({
      "catalog/assets.yaml": definition("kept", line, 'version: "20270101000000"', ...later),
    });
    await applied(site);
  });

  test.each(["allowed_values: [{ value: a }, { value: b }]", "allowed_values: []", "cardinality: MULTIPLE"])(
    "can change to %s",
    async (line) => {
      const site = await siteOf(definition("open", line), {
        aspects: [defined("open", "string", { allowedValues: [{ value: { string: "a" } }] })],
      });
      await applied(site);
      expect(allOf(await site.plan())).toContain("No changes.");
    },
  );

  test("are not deleted by a prune, unless the settings name the kind", async () => {
    const site = await siteOf(`${definition("extra")}---\n${ofDataset("tags: []")}`);
    await applied(site);
    site.commit({ "catalog/assets.yaml": ofDataset("tags: []") });
    expect((await site.planned("--prune")).summary).toMatchObject({ delete: 0 });
    site.commit({ "catalog/datahub-gitops.yaml": settingsWith("prune: { kinds: [StructuredProperty] }") });
    expect((await site.planned("--prune")).summary).toMatchObject({ delete: 1 });
  });

  test("that are deleted take their values along, also of columns, and the plan says where and what that means", async () => {
    const site = await siteWithPrune();
    const text = allOf(await site.plan("--prune", "--max-deletes", "1"));
    expect(text)
      .toContain(`- StructuredProperty urn:li:structuredProperty:acme.extra  catalog/assets.yaml:1:1 in the base
    also removes 2 live assignments
      from invoices, email of invoices
    its id can be defined again only with a \`version\` that it never had
`);
    expect(text).not.toContain("no longer declared");
    await applied(site, "--prune", "--max-deletes", "1");
    expect([valuesIn(site), valuesIn(site, column)]).toEqual([{}, {}]);
  });

  test("that get a value after the plan was made are not deleted", async () => {
    const site = await siteWithPrune();
    await site.plan("--prune", "--max-deletes", "1", "--out", "plan.json");
    const chart = "urn:li:chart:(looker,1)";
    await site.catalog.load(
      metadataFile(temporaryDirectory(), [
        [chart, "status", { removed: false }],
        [chart, "structuredProperties", having({ "acme.extra": ["x"] })],
      ]),
    );
    const ran = await site.run(["apply", "plan.json"]);
    expect(ran.code, allOf(ran)).toBe(6);
    expect(allOf(ran)).toContain(`${chart} refers to it since the plan was made`);
  });

  test("that are deleted cannot be declared again, but with a version", async () => {
    const site = await siteWithPrune();
    await applied(site, "--prune", "--max-deletes", "1");
    site.commit({ "catalog/assets.yaml": definition("acme.extra") });
    const ran = await site.apply();
    expect(ran.code).toBe(7);
    expect(ran.stdout).toContain("Elasticsearch field 'acme_extra' collides with existing property mapping");
    site.commit({ "catalog/assets.yaml": definition("acme.extra", 'version: "20270101000000"') });
    await applied(site);
  });

  test("that manifests still use are not deleted, nor those whose values the mode keeps", async () => {
    const site = await siteWithPrune();
    site.commit({ "catalog/assets.yaml": ofDataset("structured_properties: { acme.extra: x }") });
    const used = await site.plan("--prune", "--max-deletes", "1");
    expect(used.code).toBe(3);
    expect(used.stderr).toContain("deleted-reference");
  });

  test("whose ids differ only by dots and underscores are a problem: they have one field in the index", async () => {
    const site = await siteOf(`${definition("acme.days")}---\n${definition("acme_days")}`);
    expect(await refused(site)).toMatch(
      /same-name.*acme_days`.*acme\.days`[\s\S]*see also catalog\/assets\.yaml:1:1/,
    );
  });
});

describe("values are managed as tags are:", () => {
  const upsert = (id: string, value: string, urn: string = dataset): string =>
    `upsertStructuredProperties(input: { assetUrn: "${urn}", structuredPropertyInputParams: [{ structuredPropertyUrn: "${property(id)}", values: [${value}] }] }) { __typename }`;

  test("a rule sets them on assets and columns, and takes back what it set", async () => {
    const rule = (declared: string): string =>
      `kind: Rule\nid: all\nmatch: { kind: Dataset, name: invoices }\ndeclare: ${declared}\n`;
    const site = await siteOf(
      rule(
        '{ structured_properties: { days: 90 }, columns: { "e*": { structured_properties: { cadence: [a] } } } }',
      ),
    );
    const { changes } = await site.planned();
    expect(changes).toMatchObject([
      {
        facet: "columns.structured_properties",
        path: ["email", property("cadence")],
        add: ["a"],
        rules: ["all"],
      },
      { facet: "structured_properties", path: [property("days")], after: 90, rules: ["all"] },
    ]);
    await applied(site);
    expect([valuesIn(site), valuesIn(site, column)]).toEqual([
      { days: [{ double: 90 }] },
      { cadence: [{ string: "a" }] },
    ]);
    site.commit({
      "catalog/assets.yaml": rule(
        '{ structured_properties: { days: none }, columns: { "e*": { structured_properties: { cadence: [] } } } }',
      ),
    });
    await applied(site, "--max-removals", "100%");
    expect([valuesIn(site), valuesIn(site, column)]).toEqual([{}, {}]);
  });

  test("an export declares them with their definitions, and the next plan is empty", async () => {
    const site = await siteOf(ofDataset("tags: []"), {
      aspects: [
        [dataset, "structuredProperties", having({ days: [0.1], cadence: ["a", "b"], due: ["2027-06-30"] })],
        [column, "structuredProperties", having({ note: ["none"], steward: ["urn:li:corpuser:alice"] })],
      ],
    });
    const ran = await site.run(["export", "exported"]);
    expect(ran.code, allOf(ran)).toBe(0);
    const exported = filesBelow(join(site.root, "exported")).map((file) => readFileSync(file, "utf8"));
    expect(exported.find((text) => text.startsWith("kind: Dataset"))).toMatchInlineSnapshot(`
      "kind: Dataset
      platform: snowflake
      name: invoices
      structured_properties:
        days: 0.1
        cadence: [a, b]
        due: "2027-06-30"
      columns:
        email: { structured_properties: { note: "none", steward: urn:li:corpuser:alice } }
      "
    `);
    const { code, stdout, stderr } = await site.run(["plan", "exported", "--detailed-exitcode"]);
    expect(code, stdout + stderr).toBe(0);
  });

  test("an export of assets alone has those of columns, too", async () => {
    const site = await siteOf(ofDataset("tags: []"), {
      aspects: [[column, "structuredProperties", having({ cadence: ["a"] })]],
    });
    const ran = await site.run(["export", "exported", "--platform", "snowflake"]);
    expect(ran.code, allOf(ran)).toBe(0);
    expect(filesBelow(join(site.root, "exported")).map((file) => readFileSync(file, "utf8"))).toContainEqual(
      expect.stringContaining("email: { structured_properties: { cadence: [a] } }"),
    );
  });

  test("an export has those of a definition that was deleted, and the next plan is empty", async () => {
    const site = await siteOf(ofDataset("tags: []"), {
      aspects: [
        [dataset, "structuredProperties", having({ days: [1], gone: ["a"] })],
        [column, "structuredProperties", having({ gone: ["b"] })],
      ],
    });
    expect((await site.run(["export", "exported"])).code).toBe(0);
    const { code, stdout, stderr } = await site.run(["plan", "exported", "--detailed-exitcode"]);
    expect(code, stdout + stderr).toBe(0);
  });

  test("a pull writes what others set into the manifest, each at its key", async () => {
    const site = await siteOf(
      ofDataset("structured_properties:", "  days: 90", "  cadence: [a]", "  grade: a # as agreed"),
    );
    await applied(site);
    await site.edit(upsert("days", "{ numberValue: 365 }"));
    await site.edit(upsert("cadence", '{ stringValue: "a" }, { stringValue: "b" }'));
    const drift = await site.run(["drift"]);
    expect(drift.code).toBe(2);
    expect(drift.stdout).toContain("structured_properties urn:li:structuredProperty:days: 90 → 365");
    expect(drift.stdout).toContain("+ b");
    const ran = await site.run(["pull"]);
    expect(ran.code, allOf(ran)).toBe(0);
    expect(readFileSync(join(site.root, "catalog/assets.yaml"), "utf8")).toBe(
      ofDataset("structured_properties:", "  days: 365", "  cadence: [a, b]", "  grade: a # as agreed"),
    );
    expect(allOf(await site.plan())).toContain("No changes.");
  });

  test("under merge the values of others stay, those that Git took back go, and a single value of both is a conflict", async () => {
    const site = await siteOf(ofDataset("structured_properties: { days: 90, cadence: [a, b] }"), {
      settings: ["manage: merge"],
    });
    await applied(site);
    await site.edit(upsert("days", "{ numberValue: 30 }"));
    await site.edit(upsert("cadence", '{ stringValue: "a" }, { stringValue: "b" }, { stringValue: "c" }'));
    site.commit({ "catalog/assets.yaml": ofDataset("structured_properties: { days: 365, cadence: [a] }") });
    expect((await site.planned()).changes).toMatchObject([
      {
        path: [property("cadence")],
        add: [],
        remove: ["b"],
        removed: [{ value: "b", declaredBefore: true }],
      },
      { path: [property("days")], before: 30, after: 365, conflict: { base: 90, live: 30, desired: 365 } },
    ]);
    expect((await site.apply()).code).toBe(6);
    expect(valuesIn(site)).toEqual({
      days: [{ double: 30 }],
      cadence: [{ string: "a" }, { string: "c" }],
    });
    await applied(site, "--force-conflicts");
    expect(valuesIn(site)["days"]).toEqual([{ double: 365 }]);
  });

  test("a prune takes back those of a key that is no longer declared, and an absent key is left alone before", async () => {
    const site = await siteOf(ofDataset("structured_properties: { days: 90, note: x }"));
    await applied(site);
    site.commit({ "catalog/assets.yaml": ofDataset("structured_properties: { note: x }") });
    const plan = await site.planned();
    expect(plan.changes).toEqual([]);
    expect(plan.unmanaged).toMatchObject([{ path: [property("days")], reason: "no-longer-declared" }]);
    site.commit({ "catalog/datahub-gitops.yaml": settingsWith("prune: { assignments: true }") });
    await applied(site, "--prune", "--max-removals", "100%");
    expect(valuesIn(site)).toEqual({ note: [{ string: "x" }] });
  });

  test("explain says what declares each, and what the catalog has", async () => {
    const site = await siteOf(ofDataset("structured_properties: { days: 90 }"), {
      aspects: [[dataset, "structuredProperties", having({ days: [30], note: ["x"] })]],
    });
    const ran = await site.run(["explain", dataset]);
    expect(ran.code, allOf(ran)).toBe(0);
    expect(ran.stdout).toMatchInlineSnapshot(`
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

      structured_properties urn:li:structuredProperty:note: not declared, so it is left as it is
          x
            in the catalog: set by urn:li:corpuser:alice on 2023-11-14

      The manifests have no rules.
      "
    `);
  });

  test("explain says what of a column is declared, and what others put there", async () => {
    const declared = "columns: { email: { structured_properties: { days: 90 } } }";
    const site = await siteOf(ofDataset(declared), {
      aspects: [[column, "structuredProperties", having({ days: [30], note: ["x"] })]],
    });
    const ran = await site.run(["explain", dataset, "--column", "email"]);
    expect(ran.code, allOf(ran)).toBe(0);
    expect(ran.stdout).toContain("apply will add it");
    expect(ran.stdout).toContain(
      "columns.structured_properties email urn:li:structuredProperty:note: not declared",
    );
    const undeclared = await siteOf(ofDataset("structured_properties: { days: none }"), {
      aspects: [[column, "structuredProperties", having({ note: ["x"] })]],
    });
    expect((await undeclared.run(["explain", dataset])).stdout).toContain("note: not declared");
  });
});

/** A site with a property that manifests no longer declare, and that a dataset and a column of it have. */
async function siteWithPrune(): Promise<Site> {
  const uses = ofDataset(
    "structured_properties: { acme.extra: x }",
    "columns: { email: { structured_properties: { acme.extra: x } } }",
  );
  const extra = definition("acme.extra").replace("[dataset]", "[dataset, schemaField]");
  const site = await siteOf(`${extra}---\n${uses}`, {
    settings: ["prune: { kinds: [StructuredProperty] }"],
  });
  await applied(site);
  site.commit({ "catalog/assets.yaml": ofDataset("structured_properties: { days: none }") });
  return site;
}

function filesBelow(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}
