import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { testRepository } from "../support/git-repository.ts";
import { appliedRef, settingsWith } from "../support/site.ts";

const glossary = `version: 1
source: Acme
owners: { users: [ada] }
nodes:
  - name: Classification
    description: How sensitive it is.
    knowledge_links: [{ label: Policy, url: https://acme.com/policy }]
    terms:
      - name: Highly Confidential
        description: Only for those who need it.
        owners: [{ type: urn:li:ownershipType:auditor, groups: [privacy] }]
        custom_properties: { level: 3 }
      - name: Personal
        description: |
          About a person.

          Also of the past.
        inherits: [Classification.Highly Confidential]
        term_source: EXTERNAL
        source_ref: GDPR
`;

interface Work {
  readonly cwd: string;
  readonly run: (...argv: readonly string[]) => Promise<Ran>;
  readonly write: (name: string, text: string) => void;
  readonly read: (name: string) => string;
}

/** A directory with a glossary and some other files. */
function workIn(cwd: string, files: Readonly<Record<string, string>> = {}): Work {
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  };
  for (const [name, text] of Object.entries({ "glossary.yml": glossary, ...files })) write(name, text);
  return {
    cwd,
    run: (...argv) => runCli(argv, { cwd }),
    write,
    read: (name) => readFileSync(join(cwd, name), "utf8"),
  };
}

function filesIn(cwd: string, dir = "catalog"): readonly string[] {
  return readdirSync(join(cwd, dir), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .toSorted();
}

const leftOut = `Skipped glossary.yml:7: knowledge_links of Classification
Skipped glossary.yml:12: custom_properties of Classification.Highly Confidential
`;
const secret = "catalog/glossary-terms/Classification.Highly-Confidential.yaml";

test("an import writes a formatted and valid manifest for each node and term, and says what it leaves out", async () => {
  const { cwd, run, read } = workIn(temporaryDirectory());

  expect(await run("import", "glossary.yml")).toEqual({
    code: 0,
    stdout: "Imported to catalog: 3 files created, 0 updated, 0 unchanged.\n",
    stderr: leftOut,
  });

  expect(filesIn(cwd)).toEqual([
    "glossary-terms/Classification.Highly-Confidential.yaml",
    "glossary-terms/Classification.Personal.yaml",
    "term-groups/Classification.yaml",
  ]);
  expect(read(secret)).toMatchInlineSnapshot(`
    "kind: GlossaryTerm
    id: Classification.Highly-Confidential
    name: Highly Confidential
    parent_node: Classification
    definition: Only for those who need it.
    source_ref: Acme
    owners: [{ group: privacy, type: auditor }]
    "
  `);
  expect(read("catalog/glossary-terms/Classification.Personal.yaml")).toMatchInlineSnapshot(`
    "kind: GlossaryTerm
    id: Classification.Personal
    name: Personal
    parent_node: Classification
    definition: |
      About a person.

      Also of the past.
    term_source: EXTERNAL
    source_ref: GDPR
    owners: [{ user: ada, type: DEVELOPER }]
    inherits: [Classification.Highly-Confidential]
    "
  `);
  expect(await run("fmt", "--check")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await run("validate")).toMatchObject({ code: 0, stderr: "" });
});

test("with automatic ids a manifest says beside an id whose it is", async () => {
  const { cwd, run, read } = workIn(temporaryDirectory());
  expect((await run("import", "glossary.yml", "--enable-auto-id", "--out", "made")).code).toBe(0);
  const texts = filesIn(cwd, "made").map((name) => read(join("made", name)));
  expect(texts.find((text) => text.includes("name: Personal"))).toMatchInlineSnapshot(`
    "kind: GlossaryTerm
    id: 08ac3823ed38833f8edd6de24a04c5f8
    name: Personal
    parent_node: 510f2c45a4622cb5ae7d4616c2aeafa2 # Classification
    definition: |
      About a person.

      Also of the past.
    term_source: EXTERNAL
    source_ref: GDPR
    owners: [{ user: ada, type: DEVELOPER }]
    inherits:
      - aa0c9a43967840932fe68b1ffc0815ec # Highly Confidential
    "
  `);
});

test("structured properties and data products become manifests beside those of a glossary", async () => {
  const files = {
    "properties.yaml": `- id: retention_days
  type: number
  display_name: Retention, days
  entity_types: [dataset, urn:li:entityType:datahub.schemaField]
  allowed_values: [{ value: 90 }, { value: 365, description: A year }]
  immutable: true
`,
    "dataproduct.yaml": `id: invoicing
domain: urn:li:domain:finance
display_name: Invoicing
assets: ["urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.invoices,PROD)"]
output_ports: ["urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.invoices,PROD)"]
owners: [ada, { id: urn:li:corpGroup:finance-data, type: BUSINESS_OWNER }]
terms: [Classification.Personal]
`,
  };
  const { cwd, run, read } = workIn(temporaryDirectory(), files);

  expect(await run("import", "glossary.yml", "properties.yaml", "dataproduct.yaml")).toEqual({
    code: 0,
    stdout: "Imported to catalog: 5 files created, 0 updated, 0 unchanged.\n",
    stderr: `${leftOut}Skipped properties.yaml:6: immutable of retention_days
Skipped dataproduct.yaml:5: output_ports of invoicing
`,
  });

  expect(
    filesIn(cwd)
      .filter((name) => /product|propert/.test(name))
      .map((name) => read(join("catalog", name))),
  ).toMatchInlineSnapshot(`
    [
      "kind: DataProduct
    id: invoicing
    name: Invoicing
    domain: finance
    owners:
      - { group: finance-data, type: BUSINESS_OWNER }
      - { user: ada }
    glossary_terms: [Classification.Personal]
    assets: ["urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.invoices,PROD)"]
    ",
      "kind: StructuredProperty
    id: retention_days
    display_name: Retention, days
    value_type: number
    allowed_values:
      - { value: 365, description: A year }
      - { value: 90 }
    entity_types: [dataset, schemaField]
    ",
    ]
  `);
  expect(await run("fmt", "--check")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect((await run("validate")).code).toBe(0);
});

test("two glossaries become one catalog, and a second import changes nothing", async () => {
  const other = `version: 1\nowners: {}\nterms: [{ name: Revenue, description: What comes in. }]\n`;
  const { run } = workIn(temporaryDirectory(), { "other.yml": other });
  expect((await run("import", "glossary.yml", "other.yml")).stdout).toContain("4 files created");
  expect((await run("import", "glossary.yml", "other.yml")).stdout).toContain("0 updated, 4 unchanged");
});

test("a manifest that was edited stays as it is and is named, unless the import is forced", async () => {
  const { run, read, write } = workIn(temporaryDirectory());
  await run("import", "glossary.yml");
  const before = read(secret);
  const edited = before.replace("Only for", "Not for");
  write(secret, edited);

  expect(await run("import", "glossary.yml")).toEqual({
    code: 6,
    stdout: "Imported to catalog: 0 files created, 0 updated, 2 unchanged.\n",
    stderr: `${leftOut}${secret} has edits that were not applied, so it was left unchanged. --force overwrites it\n`,
  });
  expect(read(secret)).toBe(edited);
  expect(await run("import", "glossary.yml", "--force")).toMatchObject({ code: 0 });
  expect(read(secret)).toBe(before);
});

test("a manifest that was applied and not edited since is updated, and one that was deleted is not written again", async () => {
  const { root, commit, git } = testRepository();
  const { run, read, write } = workIn(root, { "catalog/datahub-gitops.yaml": settingsWith() });
  await run("import", "glossary.yml");
  git("update-ref", appliedRef, commit({}));
  write("glossary.yml", glossary.replace("Only for", "Not for"));
  rmSync(join(root, "catalog/glossary-terms/Classification.Personal.yaml"));

  const { code, stdout, stderr } = await run("import", "glossary.yml");

  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: "Imported to catalog: 0 files created, 1 updated, 1 unchanged.\n",
  });
  expect(stderr).toContain(
    "Skipped urn:li:glossaryTerm:Classification.Personal, because its manifest was deleted; --force restores it\n",
  );
  expect(read(secret)).toContain("Not for those");
  expect((await run("import", "glossary.yml", "--force")).stdout).toContain("1 file created");
});

test("what another manifest declares is left to it, and named where it is something else", async () => {
  const id = "Classification.Highly-Confidential";
  const text = `kind: GlossaryTerm\nid: ${id}\nname: Secret\nowners: [{ user: ada }]\n`;
  const { run, read } = workIn(temporaryDirectory(), { "catalog/own.yaml": text });

  const { code, stderr } = await run("import", "glossary.yml");

  expect({ code, stderr }).toEqual({
    code: 6,
    stderr: `${leftOut}Skipped owners of urn:li:glossaryTerm:${id}, because catalog/own.yaml:4 declares a different value
Skipped name of urn:li:glossaryTerm:${id}, because catalog/own.yaml:3 declares a different value
`,
  });
  expect(read("catalog/own.yaml")).toBe(text);
  expect(read(secret)).toMatchInlineSnapshot(`
    "kind: GlossaryTerm
    id: Classification.Highly-Confidential
    parent_node: Classification
    definition: Only for those who need it.
    source_ref: Acme
    "
  `);
  expect((await run("validate")).code).toBe(0);
});

test.each([
  ["a file that is no glossary", ["README.md"], "README.md: error not-importable"],
  ["a file that is not there", ["none.yml"], "none.yml: error unreadable"],
  ["two files with one id", ["copy.yml"], "copy.yml:5:5 error duplicate-entity"],
  ["a directory", ["empty"], "empty: error unreadable"],
])("beside %s nothing is written", async (_, files, message) => {
  const others = {
    "README.md": "# Glossary\n",
    "copy.yml": glossary.replace("How sensitive it is.", "Something else."),
    "empty/x": "",
  };
  const { run, cwd } = workIn(temporaryDirectory(), others);
  const { code, stdout, stderr } = await run("import", "glossary.yml", ...files);
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toContain(message);
  expect(readdirSync(cwd)).not.toContain("catalog");
});

test("into a catalog with errors nothing is written", async () => {
  const { run, cwd } = workIn(temporaryDirectory(), { "catalog/a.yaml": "kind: Tga\n" });
  const { code, stderr } = await run("import", "glossary.yml");
  expect({ code, files: filesIn(cwd) }).toEqual({ code: 3, files: ["a.yaml"] });
  expect(stderr).toContain("catalog/a.yaml:1:7 error unknown-kind");
});

test("the catalog directory is the one of the repository, also from a folder in it", async () => {
  const { root } = testRepository();
  const { write } = workIn(root, {
    "catalog/datahub-gitops.yaml": "version: 1\n",
    "docs/glossary.yml": glossary,
  });
  write("docs/x", "");
  const { stdout, stderr } = await runCli(["import", "glossary.yml"], { cwd: join(root, "docs") });
  expect(stdout).toContain("Imported to ../catalog: 3 files created");
  expect(stderr).toContain("Using the catalog directory ../catalog");
});

test.each([
  ["no file", []],
  ["an unknown option", ["glossary.yml", "--auto-id"]],
])("with %s it is a wrong usage", async (_, argv) => {
  const { run } = workIn(temporaryDirectory());
  expect((await run("import", ...argv)).code).toBe(64);
});

describe("entries of one id", () => {
  const node = (description: string, term: string): string =>
    `  - { name: Ops, description: ${description}, terms: [{ name: ${term}, description: x }] }\n`;
  const twice = (...nodes: readonly string[]): string =>
    `version: 1\nowners: { users: [ada] }\nnodes:\n${nodes.join("")}`;

  test("are one entry if they say the same, with the terms of both", async () => {
    const files = { "twice.yml": twice(node("d", "A"), node("d", "B")) };
    const { cwd, run } = workIn(temporaryDirectory(), files);
    expect(await run("import", "twice.yml")).toEqual({
      code: 0,
      stdout: "Imported to catalog: 3 files created, 0 updated, 0 unchanged.\n",
      stderr:
        "Skipped twice.yml:5: an entry for urn:li:glossaryNode:Ops, which is identical to the entry at twice.yml:4\n",
    });
    expect(filesIn(cwd)).toEqual([
      "glossary-terms/Ops.A.yaml",
      "glossary-terms/Ops.B.yaml",
      "term-groups/Ops.yaml",
    ]);
  });

  test("are an error that names both places if they differ", async () => {
    const { run } = workIn(temporaryDirectory(), { "twice.yml": twice(node("d", "A"), node("e", "B")) });
    const { code, stderr } = await run("import", "twice.yml");
    expect(code).toBe(3);
    expect(stderr).toContain("twice.yml:5:5 error duplicate-entity");
    expect(stderr).toContain("twice.yml:4");
    expect(stderr).toContain("`--keep first` or `--keep last`");
  });

  test.each([
    ["first", 5, 4, "d"],
    ["last", 4, 5, "e"],
  ])("are the %s one with --keep, with the terms of both", async (keep, dropped, kept, description) => {
    const { cwd, run, read } = workIn(temporaryDirectory(), {
      "twice.yml": twice(node("d", "A"), node("e", "B")),
    });
    const { code, stderr } = await run("import", "twice.yml", "--keep", keep);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `Skipped twice.yml:${dropped}: an entry for urn:li:glossaryNode:Ops, because --keep ${keep} selects the entry at twice.yml:${kept}\n`,
    });
    expect(read("catalog/term-groups/Ops.yaml")).toContain(`description: ${description}\n`);
    expect(filesIn(cwd)).toHaveLength(3);
  });

  test.each(["", "both"])("are a wrong usage with --keep=%s", async (keep) => {
    const { run } = workIn(temporaryDirectory());
    expect((await run("import", "glossary.yml", `--keep=${keep}`)).code).toBe(64);
  });
});

describe("a domain by its display name", () => {
  const files = (...domains: readonly string[]): Readonly<Record<string, string>> => ({
    "g.yml":
      "version: 1\nowners: { users: [ada] }\nterms: [{ name: A, description: d, domain: Finance Team }]\n",
    "product.yml": "id: p\ndomain: Finance Team\n",
    "catalog/domains.yaml": domains.join("---\n"),
  });
  const domain = (id: string, name: string): string => `kind: Domain\nid: ${id}\nname: ${name}\n`;

  test("is that of the catalog directory", async () => {
    const { run, read } = workIn(temporaryDirectory(), files(domain("fin", "Finance Team")));
    expect(await run("import", "g.yml", "product.yml")).toMatchObject({ code: 0, stderr: "" });
    for (const file of ["glossary-terms/A.yaml", "data-products/p.yaml"])
      expect(read(`catalog/${file}`)).toContain("domain: fin");
    expect(await run("validate")).toMatchObject({ code: 0, stderr: "" });
  });

  test.each([
    ["no domain has it", [domain("fin", "Finance")]],
    ["several domains have it", [domain("fin", "Finance Team"), domain("fin2", "Finance Team")]],
    ["it is the id of another domain", [domain("fin", "Finance Team"), domain('"Finance Team"', "Other")]],
  ])("stays an id where %s", async (_, domains) => {
    const { run, read } = workIn(temporaryDirectory(), files(...domains));
    expect((await run("import", "g.yml")).code).toBe(0);
    expect(read("catalog/glossary-terms/A.yaml")).toContain("domain: Finance Team");
  });
});

test("what a file refers to and nothing declares is named", async () => {
  const { run } = workIn(temporaryDirectory(), {
    "g.yml": `version: 1
owners: { users: [ada] }
nodes:
  - name: A
    description: d
    terms: [{ name: X, description: d, contains: [A.C] }]
    nodes: [{ name: B, description: d, terms: [{ name: C, description: d }] }]
`,
  });
  const { code, stderr } = await run("import", "g.yml");
  expect(code).toBe(0);
  expect(stderr).toMatch(/^g\.yml:6:\d+ warning undeclared-reference: glossary term `A\.C` is not declared/);
});

test("manifests that unset a display name are no obstacle", async () => {
  const { run, read } = workIn(temporaryDirectory(), {
    "catalog/users/ada.yaml": "kind: User\nid: ada\ndisplay_name: none\n",
    "g.yml": "version: 1\nowners: { users: [ada] }\nterms: [{ name: A, description: d }]\n",
  });
  expect(await run("import", "g.yml")).toMatchObject({ code: 0, stderr: "" });
  expect(read("catalog/glossary-terms/A.yaml")).toContain("ada");
});
