import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type MadeAspect,
  metadataFile,
  startTestCatalog,
  temporaryDirectory,
  type TestCatalog,
} from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { testRepository, type TestRepository } from "../support/git-repository.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { appliedRef, inCatalog, settingsWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

interface Exported {
  readonly catalog: TestCatalog;
  readonly cwd: string;
  readonly run: (...argv: readonly string[]) => Promise<Ran>;
  /** The text of a manifest. */
  readonly text: (path: string) => string;
  readonly load: (...aspects: readonly MadeAspect[]) => Promise<void>;
  /** Commits all that stands there, as a complete apply of it finds it. */
  readonly applied: () => void;
  readonly commit: TestRepository["commit"];
}

/** A catalog with some aspects, and an empty directory to export to. */
async function catalogWith(...aspects: readonly MadeAspect[]): Promise<Exported> {
  const catalog = await startTestCatalog();
  const { root: cwd, commit, git } = testRepository();
  const load = async (...more: readonly MadeAspect[]): Promise<void> => {
    await catalog.load(metadataFile(temporaryDirectory(), more));
  };
  await load(...aspects);
  return {
    catalog,
    cwd,
    load,
    commit,
    run: (...argv) => runCli([...argv, "--server", catalog.url], { cwd }),
    text: (path) => readFileSync(join(cwd, "catalog", path), "utf8"),
    applied: () =>
      git("update-ref", appliedRef, commit(inCatalog({ "datahub-gitops.yaml": settingsWith() }))),
  };
}

function filesIn(cwd: string): readonly string[] {
  return readdirSync(join(cwd, "catalog"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .toSorted();
}

const orders = datasetNamed("orders");
const growth = "urn:li:domain:2fbac1a0-7c1d";
const tagged = (...tags: readonly string[]) => ({ tags: tags.map((tag) => ({ tag: `urn:li:tag:${tag}` })) });

const world: readonly MadeAspect[] = [
  [growth, "domainProperties", { name: "Growth" }],
  ["urn:li:domain:plain", "domainProperties", { name: "Plain", parentDomain: growth }],
  ["urn:li:tag:pii", "tagProperties", { name: "pii", colorHex: "no colour" }],
  ["urn:li:corpuser:ada", "corpUserInfo", { active: true, displayName: "Ada" }],
  ["urn:li:corpuser:ben", "corpUserInfo", { active: true }],
  ["urn:li:corpuser:ben", "nativeGroupMembership", { nativeGroups: ["urn:li:corpGroup:fin"] }],
  ["urn:li:corpuser:ada", "groupMembership", { groups: ["urn:li:corpGroup:okta"] }],
  ["urn:li:corpuser:gone", "corpUserInfo", { active: true }],
  ["urn:li:corpuser:gone", "status", { removed: true }],
  ["urn:li:corpGroup:fin", "corpGroupInfo", { admins: [], members: [], groups: [], displayName: "none" }],
  ["urn:li:corpGroup:okta", "corpGroupInfo", { admins: [], members: [], groups: [] }],
  ["urn:li:corpGroup:okta", "origin", { type: "EXTERNAL" }],
  [orders, "schemaMetadata", schemaWith("[version=2.0].[type=struct].[type=string].email", "id")],
  [
    orders,
    "editableSchemaMetadata",
    {
      editableSchemaFieldInfo: [
        { fieldPath: "[version=2.0].[type=struct].[type=string].email", globalTags: tagged("pii") },
        { fieldPath: "dropped", globalTags: tagged("pii") },
      ],
    },
  ],
  [orders, "globalTags", tagged("pii", "Tier 1")],
  [orders, "domains", { domains: [growth] }],
  [
    orders,
    "ownership",
    {
      owners: [
        {
          owner: "urn:li:corpuser:ada",
          type: "DATA_STEWARD",
          typeUrn: "urn:li:ownershipType:__system__data_steward",
        },
        { owner: "urn:li:corpGroup:fin", type: "CUSTOM", typeUrn: "urn:li:ownershipType:architect" },
      ],
    },
  ],
  [datasetNamed("removed"), "status", { removed: true }],
];

test("an export declares what is there, a plan of it is empty, and an export again changes no file", async () => {
  const { cwd, run, text } = await catalogWith(...world);
  const exported = await run("export");
  expect(exported.code, exported.stderr).toBe(0);
  expect(exported.stdout).toBe("Exported to catalog: 8 files created, 0 updated, 0 unchanged.\n");
  expect(text("datasets/snowflake/orders.yaml")).toMatchInlineSnapshot(`
    "# yaml-language-server: $schema=../../.schema.json
    kind: Dataset
    platform: snowflake
    name: orders
    domain: 2fbac1a0-7c1d # Growth
    owners:
      - { group: fin, type: architect } # none
      - { user: ada, type: DATA_STEWARD }
    tags: [Tier 1, pii]
    columns:
      email: { tags: [pii] }
    "
  `);
  expect(text("groups/fin.yaml")).toMatchInlineSnapshot(`
    "# yaml-language-server: $schema=../.schema.json
    kind: Group
    id: fin
    display_name: "none"
    members: [ben]
    "
  `);
  expect(text("domains/plain.yaml")).toMatchInlineSnapshot(`
    "# yaml-language-server: $schema=../.schema.json
    kind: Domain
    id: plain
    name: Plain
    parent_domain: 2fbac1a0-7c1d # Growth
    "
  `);
  expect(exported.stderr).toMatchInlineSnapshot(`
    "Created catalog/.schema.json for editors
    Skipped 1 DataHub system entity; export --verbose lists it
    Skipped 2 soft-deleted entities; export --verbose lists them
    Skipped 1 field managed by an identity provider; export --verbose lists it
    Skipped 1 field with a value that manifests cannot express; export --verbose lists it
    1 tag is referenced but does not exist in DataHub. Add a manifest for it, or remove the references; export --verbose lists it
    "
  `);
  const plan = await run("plan", "--detailed-exitcode");
  expect(plan.stdout).toMatch(/^Server: .*\n\nNo changes\. 8 entities in sync\.\n$/);
  expect(plan.code).toBe(0);
  expect((await runCli(["fmt", "--check"], { cwd })).code).toBe(0);
  const times = (): readonly number[] =>
    filesIn(cwd).map((name) => statSync(join(cwd, "catalog", name)).mtimeMs);
  const before = times();
  const again = await run("export");
  expect(again.stdout).toBe("Exported to catalog: 0 files created, 0 updated, 8 unchanged.\n");
  expect(times()).toEqual(before);
});

test("what neither exists nor is declared is counted and named, and parents in a circle are left out", async () => {
  const { cwd, run, text } = await catalogWith(
    ...Object.entries({ a: "b", b: "a", below: "a" }).map(([id, parent]): MadeAspect => [
      `urn:li:domain:${id}`,
      "domainProperties",
      { name: id, parentDomain: `urn:li:domain:${parent}` },
    ]),
    [orders, "globalTags", tagged("pii", "gold")],
    [datasetNamed("returns"), "domains", { domains: ["urn:li:domain:gone"] }],
  );
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, "catalog", "tags.yaml"), "- { kind: Tag, id: gold }\n");

  const { stderr } = await run("export", "--verbose");

  expect(stderr).toContain("Skipped 2 fields whose parents form a cycle:\n");
  expect(text("domains/a.yaml")).not.toContain("parent_domain");
  expect(text("domains/below.yaml")).toContain("parent_domain: a\n");
  expect(stderr).toContain(
    "1 domain and 1 tag are referenced but do not exist in DataHub. Add manifests for them, or remove the references:\n",
  );
  const named = stderr.slice(stderr.indexOf("1 domain and")).split("\n");
  expect(named.filter((line) => line.startsWith("  urn:li:")).toSorted()).toEqual([
    "  urn:li:domain:gone",
    "  urn:li:tag:pii",
  ]);
  expect((await run("export", "--quiet")).stderr).toBe("");
});

test("a refresh takes over what has changed, and names what it keeps because somebody edited or deleted it, unless it is forced", async () => {
  const { run, text, load, applied, commit } = await catalogWith(...world);
  await run("export");
  applied();
  commit({
    "catalog/tags/pii.yaml": "kind: Tag\nid: pii\nname: Personal data # ours\n",
    "catalog/users/ada.yaml": undefined,
  });
  await load(
    [orders, "domains", { domains: ["urn:li:domain:plain"] }],
    ["urn:li:domain:plain", "domainProperties", { name: "Plain", description: "New." }],
  );

  const kept = await run("export");

  expect(kept).toMatchObject({
    code: 6,
    stdout: "Exported to catalog: 0 files created, 2 updated, 4 unchanged.\n",
  });
  expect(kept.stderr).toContain(
    "catalog/tags/pii.yaml has edits that were not applied, so it was left unchanged. --force overwrites it\n",
  );
  expect(kept.stderr).toContain(
    "Skipped 1 deleted manifest; --target <urn> restores one, --force all of them:\n  urn:li:corpuser:ada\n",
  );
  expect(text("datasets/snowflake/orders.yaml")).toContain("\ndomain: plain\n");
  expect((await run("export", "--target", "urn:li:corpuser:ada")).stdout).toContain(": 1 file created");
  expect(await run("export", "--force")).toMatchObject({
    code: 0,
    stdout: "Exported to catalog: 0 files created, 1 updated, 7 unchanged.\n",
  });
  expect(text("tags/pii.yaml")).toBe("kind: Tag\nid: pii\nname: pii # ours\n");
});

test("a manifest that was deleted stays deleted, wherever it was", async () => {
  const tags = ["own", "shared", "left"].map((id): MadeAspect => [
    `urn:li:tag:${id}`,
    "tagProperties",
    { name: id },
  ]);
  const { run, commit, cwd } = await catalogWith(...tags);
  commit({
    "catalog/t.yaml": "kind: Tag\nid: own\n",
    "catalog/both.yaml": "kind: Tag\nid: shared\n---\nkind: Tag\nid: left\nname: left\n",
  });
  commit({ "catalog/t.yaml": undefined, "catalog/both.yaml": "kind: Tag\nid: left\nname: left\n" });
  commit({ "catalog/more.yaml": "kind: Tag\nid: own\n---\nkind: Tag\nid: other\n" });
  commit({ "catalog/more.yaml": "kind: Tag\nid: other\n" });

  const { stderr } = await run("export", "--kind", "Tag");

  expect(filesIn(cwd)).toEqual(["both.yaml", "more.yaml"]);
  expect(stderr).toMatch(/Skipped 2 deleted manifests[^]*urn:li:tag:own[^]*urn:li:tag:shared/);
});

test("without Git a file that says something else stays", async () => {
  const { cwd, run } = await catalogWith(["urn:li:tag:a", "tagProperties", { name: "a" }]);
  rmSync(join(cwd, ".git"), { recursive: true });
  mkdirSync(join(cwd, "catalog/tags"), { recursive: true });
  writeFileSync(join(cwd, "catalog/tags/a.yaml"), "kind: Tag\nid: a\nname: A\n");
  expect((await run("export", "--kind", "Tag")).code).toBe(6);
});

test("only what is in the scope is exported, and where that is nothing a note says in which scope it looked", async () => {
  const { cwd, run } = await catalogWith(...world);
  const exported = (...flags: readonly string[]): Promise<Ran> => run("export", ...flags);

  const nothing = await exported("--platform", "snowflake", "--domain", "plain");
  expect(nothing).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(
      "The catalog has nothing to export in this scope: --platform snowflake --domain urn:li:domain:plain\n",
    ),
  });
  expect(existsSync(join(cwd, "catalog"))).toBe(false);
  expect(await exported("--target", "urn:li:dataset:*invoices*")).toMatchObject({
    code: 64,
    stderr: expect.stringContaining("--target matches nothing"),
  });
  await exported("--kind", "Group", "--kind", "Tag", "--target", "urn:li:corp*");
  expect(filesIn(cwd)).toEqual(["groups/fin.yaml", "groups/okta.yaml"]);
  const owners = await exported("--platform", "snowflake", "--domain", "2fbac1a0-7c1d", "--facet", "owners");
  // What was not read for it is in the catalog all the same.
  expect(owners.stderr).not.toContain("not exist in DataHub");
  expect(filesIn(cwd)).toEqual(["datasets/snowflake/orders.yaml", "groups/fin.yaml", "groups/okta.yaml"]);
  const text = readFileSync(join(cwd, "catalog/datasets/snowflake/orders.yaml"), "utf8");
  expect(text).toMatch(/^#.*\nkind: Dataset\nplatform: snowflake\nname: orders\nowners:\n(?: {2}- .*\n){2}$/);
});

test.each([
  [["--kind", "Tags"], "Did you mean Tag?"],
  [["--facet", "tag"], "Did you mean tags?"],
  [["--domain", "urn:li:tag:x"], "is not the URN of a domain"],
  [["--snapshot", "live.json", "--kind", "Tag"], "use it without --force"],
  [["--redact"], "--redact needs --snapshot"],
])("%j is wrong usage", async (flags, message) => {
  const ran = await runCli(["export", "--server", "http://127.0.0.1:9", ...flags], {
    cwd: temporaryDirectory(),
  });
  expect(ran.code).toBe(64);
  expect(ran.stderr).toContain(message);
});

test("an export of an empty catalog says so", async () => {
  const { run } = await catalogWith();
  expect((await run("export")).stderr).toContain("The catalog has nothing to export.\n");
});

test("a file that cannot be written is an error that names it", async () => {
  const { cwd, run } = await catalogWith(...world);
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, "catalog/tags"), "no directory");
  const exported = await run("export", "--kind", "Tag");
  expect(exported.code).toBe(1);
  expect(exported.stderr).toMatch(/^error: cannot write catalog\/tags\/pii\.yaml: E/m);
});

test("an export keeps the schema for editors in every directory that it writes to, with or without settings, and each new file names it", async () => {
  const { cwd, run, text, load } = await catalogWith(...world);
  mkdirSync(join(cwd, "other"));
  writeFileSync(join(cwd, "other/datahub-gitops.yaml"), "version: 1\n");

  const fresh = await run("export");
  const other = await run("export", "other");

  expect(fresh.stderr).toContain("Created catalog/.schema.json for editors\n");
  expect(other.stderr).toContain("Created other/.schema.json for editors\n");
  const schema = (await run("schema", "manifest", "--from-catalog")).stdout;
  for (const directory of ["../catalog", "../other"]) {
    expect(text(`${directory}/.schema.json`)).toBe(schema);
    expect(text(`${directory}/users/ada.yaml`)).toBe(
      "# yaml-language-server: $schema=../.schema.json\nkind: User\nid: ada\ndisplay_name: Ada\n",
    );
  }
  expect(existsSync(join(cwd, "catalog/.settings.schema.json"))).toBe(false);
  expect(text("../other/datahub-gitops.yaml")).toBe("version: 1\n");

  await load(["urn:li:tag:new", "tagProperties", { name: "New" }]);
  const again = await run("export");
  expect(again.stdout).toBe("Exported to catalog: 1 file created, 0 updated, 8 unchanged.\n");
  expect(again.stderr).toContain("Updated catalog/.schema.json for editors\n");
  expect(await run("export", "empty", "--target", "urn:li:tag:typo*")).toMatchObject({ code: 64 });
  expect(existsSync(join(cwd, "empty"))).toBe(false);
});

test("where the settings file names its schema, the files do, and the schemas of the catalog's and the manifests' ids are there and kept up", async () => {
  const { cwd, run, text, load } = await catalogWith(...world);
  const header = (path: string): string => `# yaml-language-server: $schema=${path}\n`;
  const definitions = (): Readonly<Record<string, unknown>> =>
    (JSON.parse(text(".schema.json")) as { definitions: Record<string, unknown> }).definitions;
  const ids = (type: string): unknown => definitions()[`known-${type}`];
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, ".gitignore"), "*.json\n");
  writeFileSync(
    join(cwd, "catalog/datahub-gitops.yaml"),
    `${header("https://old.example/schemas/settings.schema.json")}version: 1\n`,
  );

  const first = await run("export");

  expect(first.stderr).toContain("warning: Git ignores catalog/.schema.json, catalog/.settings.schema.json");
  expect(text("datahub-gitops.yaml")).toBe(`${header(".settings.schema.json")}version: 1\n`);
  expect(text("users/ada.yaml")).toBe(`${header("../.schema.json")}kind: User\nid: ada\ndisplay_name: Ada\n`);
  expect(text(".schema.json")).toBe((await run("schema", "manifest", "--from-catalog")).stdout);
  expect(text(".settings.schema.json")).toBe((await runCli(["schema", "settings"], { cwd })).stdout);

  writeFileSync(join(cwd, ".gitignore"), "*.json\n!.*schema.json\n");
  writeFileSync(join(cwd, "catalog/tags/pii.yaml"), text("tags/pii.yaml").replace("../.", "."));
  writeFileSync(join(cwd, "catalog/new.yaml"), "kind: Tag\nid: draft\nname: Draft\n");
  writeFileSync(
    join(cwd, "catalog/policies.yaml"),
    "kind: Policy\nid: owned\nmatch: { kind: Dataset }\nrequire: { owners: true }\n",
  );
  await load(
    ["urn:li:tag:old", "tagProperties", { name: "Old" }],
    ["urn:li:tag:old", "status", { removed: true }],
  );
  const second = await run("export");
  expect(second.stdout).toBe("Exported to catalog: 0 files created, 1 updated, 7 unchanged.\n");
  expect(second.stderr).toContain("Updated catalog/.schema.json for editors\n");
  expect(second.stderr).not.toContain("Git ignores");
  expect(text("tags/pii.yaml")).toContain(header("../.schema.json"));
  const tags = { enum: ["draft", "pii"], enumDescriptions: ["Draft", "pii"] };
  expect(ids("tag")).toEqual(tags);
  expect(ids("domain")).toEqual({ enum: ["2fbac1a0-7c1d", "plain"], enumDescriptions: ["Growth", "Plain"] });
  expect(ids("policy")).toMatchObject({ enum: ["owned"] });
  expect(definitions()["Waiver"]).toMatchObject({
    properties: { policy: { anyOf: [{ $ref: "#/definitions/known-policy" }, { type: "string" }] } },
  });

  writeFileSync(
    join(cwd, "glossary.yml"),
    "version: 1\nsource: DataHub\nowners: { users: [ada] }\nterms: [{ name: Revenue, description: Income. }]\n",
  );
  expect((await runCli(["import", "glossary.yml"], { cwd })).code).toBe(0);
  expect(ids("glossaryTerm")).toEqual({ enum: ["Revenue"], enumDescriptions: ["Revenue"] });
  expect(ids("tag")).toEqual(tags);
});

test("an entity whose URN no manifest can hold is left out and counted, and the rest is written", async () => {
  const catalog = await startTestCatalog();
  const cwd = temporaryDirectory();
  await catalog.load(metadataFile(cwd, [["urn:li:tag: lead", "tagProperties", { name: "Lead" }]]));
  const odd = [
    "urn:li:dataset:(urn:li:dataPlatform:hive,a,NOWHERE)",
    "urn:li:dataset:(hive,a,PROD)",
    "urn:li:dataset:(urn:li:dataPlatform:hive,a,b,PROD)",
  ];
  const searchResults = odd.map((urn) => ({ entity: { urn } }));
  const server = await inFrontOf(catalog.url, ({ query, variables }) => {
    const { types } = (variables["input"] ?? {}) as { readonly types?: readonly string[] };
    if (!query.includes("scrollAcrossEntities") || types?.[0] !== "DATASET") return undefined;
    return { data: { scrollAcrossEntities: { nextScrollId: null, total: odd.length, searchResults } } };
  });

  const exported = await runCli(["export", "--server", server, "--verbose"], { cwd });

  expect(exported.code, exported.stderr).toBe(0);
  expect(exported.stderr).toContain(
    `Skipped 3 entities with a URN that manifests cannot express:\n  ${odd.join("\n  ")}\n`,
  );
  expect(readFileSync(join(cwd, "catalog/tags/%20lead.yaml"), "utf8")).toContain('id: " lead"');
});
