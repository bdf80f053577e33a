import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory, type MadeAspect } from "../support/catalog.ts";
import { settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

// Each entity has a value that no manifest can declare, beside one that a manifest declares and one that someone else added.

const dataset = datasetNamed("invoices");
const product = "urn:li:dataProduct:invoicing";
const term = "urn:li:glossaryTerm:email";
const property = "urn:li:structuredProperty:cadence";
const document = "urn:li:document:runbook";
const jdbc = "jdbc:postgresql://db:5432/shop/orders";
const createStamp = { time: 0, actor: "urn:li:corpuser:alice" };
const definition = {
  qualifiedName: "cadence",
  valueType: "urn:li:dataType:datahub.string",
  cardinality: "MULTIPLE",
};

const stored: readonly MadeAspect[] = [
  [dataset, "status", { removed: false }],
  [datasetNamed("other"), "status", { removed: false }],
  [
    dataset,
    "institutionalMemory",
    {
      elements: [
        { url: jdbc, description: "Source", createStamp },
        { url: "https://acme.com/a", description: "", createStamp },
        { url: "https://acme.com/good", description: "Good", createStamp },
        { url: "https://acme.com/other", description: "Other", createStamp },
      ],
    },
  ],
  [
    dataset,
    "structuredProperties",
    { properties: [{ propertyUrn: property, values: [{ string: "" }, { string: "a" }, { string: "b" }] }] },
  ],
  [
    product,
    "dataProductProperties",
    {
      name: "Invoicing",
      assets: [dataset, document, datasetNamed("other")].map((destinationUrn) => ({ destinationUrn })),
    },
  ],
  [term, "glossaryTermInfo", { name: "Email", definition: "", termSource: "INTERNAL" }],
  [
    term,
    "glossaryRelatedTerms",
    { isRelatedTerms: [term, "urn:li:glossaryTerm:a", "urn:li:glossaryTerm:b"] },
  ],
  ["urn:li:glossaryTerm:a", "glossaryTermInfo", { name: "A", definition: "", termSource: "INTERNAL" }],
  ["urn:li:glossaryTerm:b", "glossaryTermInfo", { name: "B", definition: "", termSource: "INTERNAL" }],
  [
    property,
    "propertyDefinition",
    {
      ...definition,
      entityTypes: ["urn:li:entityType:datahub.dataset", "urn:li:entityType:datahub.agentSkill"],
      allowedValues: [{ value: { string: "" } }, { value: { string: "a" } }, { value: { string: "b" } }],
    },
  ],
];

const manifests = `kind: Dataset
platform: snowflake
name: invoices
links: [{ url: https://acme.com/good, label: Good }]
structured_properties: { cadence: [a] }
---
kind: DataProduct
id: invoicing
assets: ["${dataset}"]
---
kind: GlossaryTerm
id: email
inherits: [a]
---
kind: StructuredProperty
id: cadence
entity_types: [dataset]
allowed_values: [{ value: a }, { value: b }]
`;

/** The same entities, of which nothing is declared that a prune can remove. */
const identities = `kind: Dataset
platform: snowflake
name: invoices
---
kind: DataProduct
id: invoicing
---
kind: GlossaryTerm
id: email
---
kind: StructuredProperty
id: cadence
allowed_values: [{ value: a }, { value: b }]
`;

/** What no manifest can declare, by its entity and the facet. */
const inexpressible = [
  [product, "assets", document],
  [dataset, "links", { label: "", url: "https://acme.com/a" }],
  [dataset, "links", { label: "Source", url: jdbc }],
  [dataset, "structured_properties", ""],
  [term, "inherits", term],
  [property, "allowed_values", { value: "" }],
  [property, "entity_types", "agentSkill"],
] as const;

async function site(settings = ""): Promise<Site> {
  const made = await siteWith(
    { "all.yaml": manifests },
    settingsWith(...(settings === "" ? [] : [settings])),
  );
  await made.catalog.load(metadataFile(temporaryDirectory(), stored));
  return made;
}

/** The elements of each list that are left. */
function left({ aspect }: Site): object {
  const of = (urn: string, name: string): Record<string, unknown> =>
    aspect(urn, name) as Record<string, unknown>;
  const urls = of(dataset, "institutionalMemory")["elements"] as readonly { url: string }[];
  const assets = of(product, "dataProductProperties")["assets"] as readonly { destinationUrn: string }[];
  const properties = of(dataset, "structuredProperties")["properties"] as readonly {
    values: readonly object[];
  }[];
  return {
    links: urls.map(({ url }) => url),
    assets: assets.map(({ destinationUrn }) => destinationUrn),
    inherits: of(term, "glossaryRelatedTerms")["isRelatedTerms"],
    entityTypes: of(property, "propertyDefinition")["entityTypes"],
    values: properties.flatMap(({ values }) => values),
  };
}

const kept = {
  links: [jdbc, "https://acme.com/a", "https://acme.com/good"],
  assets: [dataset, document],
  inherits: [term, "urn:li:glossaryTerm:a"],
  values: [{ string: "" }, { string: "a" }],
};

test.each(["", "writes: conditional", "reads: openapi"])(
  "what a manifest cannot express stays in the catalog, and is listed as unmanaged with its reason (%s)",
  async (settings) => {
    const made = await site(settings);
    const { unmanaged } = await made.planned();
    expect(
      unmanaged
        .filter(({ reason }) => reason === "not-expressible")
        .map(({ urn, facet, value }) => [urn, facet, value]),
    ).toEqual(expect.arrayContaining([...inexpressible]));
    expect(unmanaged).toHaveLength(inexpressible.length);

    const applied = await made.apply("--max-removals", "100%");

    expect(applied.stdout + applied.stderr).toContain("cannot be expressed in a manifest");
    expect(left(made)).toMatchObject(kept);
    expect((await made.plan("--detailed-exitcode")).code).toBe(0);
  },
);

test("`export` writes the rest of each list, and names what it leaves out", async () => {
  const made = await site();
  const exported = await made.run(["export", "out", "--verbose"]);
  expect(exported.code, exported.stderr).toBe(0);
  expect(exported.stderr).toContain("Skipped 7 values that manifests cannot express:");
  expect(exported.stderr).toContain(`  ${product} assets ${document}\n`);
  expect(exported.stderr).toContain(`  ${dataset} links Source (${jdbc})\n`);
  const written = (path: string): string => readFileSync(join(made.root, "out", path), "utf8");
  expect(written("data-products/invoicing.yaml")).toContain("snowflake,invoices,PROD");
  expect(written("data-products/invoicing.yaml")).not.toContain("document");
  expect(written("datasets/snowflake/invoices.yaml")).toContain("https://acme.com/good");
  expect((await made.run(["plan", "out", "--detailed-exitcode"])).code).toBe(0);
});

test("neither a prune of assignments nor a rollback removes what a manifest cannot express", async () => {
  const made = await site("prune: { assignments: true }");
  await made.apply("--max-removals", "100%");
  made.commit({ "catalog/all.yaml": identities });
  const pruned = await made.apply(
    "--prune",
    "--max-removals",
    "100%",
    "--max-vanished",
    "100%",
    "--max-deletes",
    "9",
  );
  expect(pruned.code, pruned.stderr).toBe(0);
  expect(left(made)).toMatchObject({
    links: [jdbc, "https://acme.com/a"],
    assets: [document],
    inherits: [term],
  });

  const back = await made.run([
    "rollback",
    made.git("rev-parse", "refs/datahub-gitops/runs"),
    "--auto-approve",
  ]);

  expect(back.code, back.stderr).toBe(0);
  expect(left(made)).toMatchObject({ inherits: expect.arrayContaining([term]) });
  expect((left(made) as typeof kept).links).toEqual(expect.arrayContaining(kept.links));
  expect((left(made) as typeof kept).assets).toEqual(expect.arrayContaining(kept.assets));
});

test("a single value that a manifest cannot express is left as it is, and an empty text is no value", async () => {
  const made = await siteWith({
    "all.yaml": 'kind: Tag\nid: t\ncolor_hex: "#fff"\n---\nkind: Domain\nid: d\nname: D\ndescription: New.\n',
  });
  await made.catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:tag:t", "tagProperties", { name: "t", colorHex: "red" }],
      ["urn:li:domain:d", "domainProperties", { name: "D", description: "" }],
    ]),
  );
  const { changes, unmanaged } = await made.planned();
  expect(changes).toMatchObject([{ urn: "urn:li:domain:d", facet: "description", after: "New." }]);
  expect(unmanaged).toMatchObject([
    { urn: "urn:li:tag:t", facet: "color_hex", value: "red", reason: "not-expressible" },
  ]);
});

test("a description that ends with line ends or blanks is exported, also again beside a text of one's own that is alike", async () => {
  const texts = ["Two\nlines\n", "windows\r\nlines\r\n", "trailing  ", "a \nb"];
  const chart = (index: number): string => `urn:li:chart:(looker,c${index})`;
  const made = await siteWith({});
  await made.catalog.load(
    metadataFile(temporaryDirectory(), [
      ...texts.map((description, index): MadeAspect => [
        chart(index),
        "editableChartProperties",
        { description },
      ]),
      [chart(0), "deprecation", { deprecated: true, note: "Old.\n", actor: createStamp.actor }],
    ]),
  );

  const exported = await made.run(["export"]);

  expect(exported.stdout).toContain(": 4 files created");
  expect(exported.stderr).not.toContain("cannot declare");
  expect((await made.plan("--detailed-exitcode")).code).toBe(0);
  expect((await made.run(["export"])).stdout).toContain(": 0 files created, 0 updated");
  const own = readFileSync(join(made.root, "catalog/charts/looker/c1.yaml"), "utf8").replaceAll(
    /"windows.*"/g,
    "|\n  windows\n  lines",
  );
  made.commit({ "catalog/charts/looker/c1.yaml": own });
  expect(await made.run(["export"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(" 0 updated"),
  });
  expect(readFileSync(join(made.root, "catalog/charts/looker/c1.yaml"), "utf8")).toBe(own);
});
