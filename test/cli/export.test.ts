import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
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

test("an export declares what is there, and a plan of it is empty", async () => {
  const { cwd, run, text } = await catalogWith(...world);
  const exported = await run("export");
  expect(exported.code, exported.stderr).toBe(0);
  expect(exported.stdout).toBe("Exported to catalog: 8 files created, 0 updated, 0 unchanged.\n");
  expect(text("datasets/snowflake/orders.yaml")).toMatchInlineSnapshot(`
    "kind: Dataset
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
    "kind: Group
    id: fin
    display_name: "none"
    members: [ben]
    "
  `);
  expect(text("domains/plain.yaml")).toMatchInlineSnapshot(`
    "kind: Domain
    id: plain
    name: Plain
    parent_domain: 2fbac1a0-7c1d # Growth
    "
  `);
  expect(exported.stderr).toMatchInlineSnapshot(`
    "Left out: 1 entity, because each belongs to DataHub itself; --verbose names them
    Left out: 2 entities, because each is soft-deleted; --verbose names them
    Left out: 1 facet, because each is decided by an identity provider; --verbose names them
    Left out: 1 facet, because each has a value that a manifest cannot declare; --verbose names them
    Declare what manifests refer to and the catalog does not have: 1 tag; --verbose names them
    "
  `);
  const plan = await run("plan", "--detailed-exitcode");
  expect(plan.stdout).toMatch(/^Server: .*\n\nNo changes\. 8 entities in sync\.\n$/);
  expect(plan.code).toBe(0);
  expect((await runCli(["fmt", "--check"], { cwd })).code).toBe(0);
});

test("what neither exists nor is declared is counted, also where only assets are exported", async () => {
  const { cwd, run } = await catalogWith(
    [growth, "domainProperties", { name: "Growth" }],
    [orders, "domains", { domains: [growth] }],
    [orders, "globalTags", tagged("pii", "gold")],
    [datasetNamed("returns"), "globalTags", tagged("silver", "gold")],
    [datasetNamed("returns"), "domains", { domains: ["urn:li:domain:gone"] }],
  );
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, "catalog", "tags.yaml"), "- { kind: Tag, id: gold }\n");

  const counted = await run("export", "--kind", "Dataset");
  expect(counted.stderr).toBe(
    "Declare what manifests refer to and the catalog does not have: 1 domain and 2 tags; --verbose names them\n",
  );
  expect((await run("export", "--quiet")).stderr).toBe("");
  const named = (await run("export", "--verbose")).stderr.split("\n");
  expect(named.filter((line) => line.startsWith("  urn:li:")).toSorted()).toEqual([
    "  urn:li:corpuser:datahub",
    "  urn:li:domain:gone",
    "  urn:li:tag:pii",
    "  urn:li:tag:silver",
  ]);
});

test("domains that are above themselves are written without their parents, and those below with theirs", async () => {
  const { run, text } = await catalogWith(
    ...Object.entries({ a: "b", b: "a", c: "c", below: "a" }).map(([id, parent]): MadeAspect => [
      `urn:li:domain:${id}`,
      "domainProperties",
      { name: id, parentDomain: `urn:li:domain:${parent}` },
    ]),
  );
  const exported = await run("export", "--verbose");
  expect(exported.stderr).toContain("Left out: 3 facets, because each is part of a circle of parents:\n");
  expect(["a", "b", "c"].map((id) => text(`domains/${id}.yaml`)).join("")).not.toContain("parent_domain");
  expect(text("domains/below.yaml")).toContain("parent_domain: a\n");
  expect((await run("plan")).stdout).toMatch(/^Server: .*\n\nNo changes\. 4 entities in sync\.\n$/);
});

test("an export again changes no file", async () => {
  const { cwd, run } = await catalogWith(...world);
  await run("export");
  const before = filesIn(cwd).map((name) => statSync(join(cwd, "catalog", name)).mtimeMs);
  const again = await run("export");
  expect(again.stdout).toBe("Exported to catalog: 0 files created, 0 updated, 8 unchanged.\n");
  expect(filesIn(cwd).map((name) => statSync(join(cwd, "catalog", name)).mtimeMs)).toEqual(before);
});

test("a refresh takes over what has changed, and keeps comments, order and style", async () => {
  const { cwd, run, text, load, applied } = await catalogWith(...world);
  await run("export");
  applied();
  const path = join(cwd, "catalog/datasets/snowflake/orders.yaml");
  const mine = readFileSync(path, "utf8")
    .replace("kind: Dataset", "# Ask finance first.\nkind: Dataset")
    .replace("tags: [", "tags: # of the whole\n  [");
  writeFileSync(path, mine);
  await load(
    [orders, "globalTags", tagged("pii", "new")],
    [orders, "domains", { domains: [] }],
    ["urn:li:domain:plain", "domainProperties", { name: "Plain", description: "New.", parentDomain: growth }],
  );
  const exported = await run("export");
  expect(exported.code, exported.stderr).toBe(0);
  expect(exported.stdout).toBe("Exported to catalog: 0 files created, 2 updated, 6 unchanged.\n");
  expect(text("datasets/snowflake/orders.yaml")).toMatchInlineSnapshot(`
    "# Ask finance first.
    kind: Dataset
    platform: snowflake
    name: orders
    owners:
      - { group: fin, type: architect } # none
      - { user: ada, type: DATA_STEWARD }
    tags: # of the whole
      [pii, new]
    columns:
      email: { tags: [pii] }
    "
  `);
  expect(text("domains/plain.yaml")).toMatchInlineSnapshot(`
    "kind: Domain
    id: plain
    name: Plain
    description: New.
    parent_domain: 2fbac1a0-7c1d # Growth
    "
  `);
  expect((await run("plan")).stdout).toMatch(/^Server: .*\n\nNo changes\. 8 entities in sync\.\n$/);
});

test("a refresh replaces the name beside a value with the value, but no comment that somebody wrote", async () => {
  const { cwd, run, text, load, applied } = await catalogWith(
    ...world,
    ["urn:li:domain:7ab0", "domainProperties", { name: "Sales" }],
    [datasetNamed("mine"), "domains", { domains: [growth] }],
    [datasetNamed("none"), "domains", { domains: [growth] }],
  );
  await run("export", "--kind", "Dataset");
  const mine = join(cwd, "catalog/datasets/snowflake/mine.yaml");
  writeFileSync(mine, readFileSync(mine, "utf8").replace("# Growth", "# Growth: ask Ada"));
  applied();
  await load(
    [orders, "domains", { domains: ["urn:li:domain:7ab0"] }],
    [datasetNamed("mine"), "domains", { domains: ["urn:li:domain:7ab0"] }],
    [datasetNamed("none"), "domains", { domains: ["urn:li:domain:plain"] }],
  );

  expect(await run("export", "--kind", "Dataset")).toMatchObject({ code: 0 });
  expect(text("datasets/snowflake/orders.yaml")).toContain("\ndomain: 7ab0 # Sales\n");
  expect(text("datasets/snowflake/mine.yaml")).toContain("\ndomain: 7ab0 # Growth: ask Ada\n");
  expect(text("datasets/snowflake/none.yaml")).toContain("\ndomain: plain\n");
});

test("data that was edited after it was applied is kept and named, and --force overwrites it", async () => {
  const { cwd, run, text, load, applied } = await catalogWith(...world);
  await run("export");
  applied();
  const path = join(cwd, "catalog/tags/pii.yaml");
  writeFileSync(path, "kind: Tag\nid: pii\nname: Personal data # ours\n");
  await load(["urn:li:domain:plain", "domainProperties", { name: "Other" }]);
  const kept = await run("export");
  expect(kept.code).toBe(6);
  expect(kept.stderr).toContain(
    "catalog/tags/pii.yaml differs from the catalog and from what was applied, and stays as it is; --force overwrites it\n",
  );
  expect(kept.stdout).toBe("Exported to catalog: 0 files created, 1 updated, 6 unchanged.\n");
  expect(text("tags/pii.yaml")).toContain("Personal data # ours");
  expect((await run("export", "--force")).code).toBe(0);
  expect(text("tags/pii.yaml")).toBe("kind: Tag\nid: pii\nname: pii # ours\n");
});

test("a commit that is not applied yet stays, also where only one facet is exported", async () => {
  const { run, text, load, applied, commit } = await catalogWith(...world);
  await run("export");
  applied();
  commit({ "catalog/tags/pii.yaml": "kind: Tag\nid: pii\nname: Personal data\n" });
  await load(["urn:li:tag:pii", "tagProperties", { name: "p", description: "Live." }]);
  expect(await run("export", "--facet", "name")).toMatchObject({ code: 6 });
  expect(text("tags/pii.yaml")).toContain("name: Personal data\n");
  applied();
  expect(await run("export", "--facet", "name")).toMatchObject({ code: 0 });
  expect(text("tags/pii.yaml")).toBe("kind: Tag\nid: pii\nname: p\n");
});

test("where nothing was applied, or there is no Git, a file that says something else stays", async () => {
  const { cwd, run, text, load } = await catalogWith(["urn:li:tag:a", "tagProperties", { name: "a" }]);
  await run("export", "--kind", "Tag");
  await load(["urn:li:tag:a", "tagProperties", { name: "A" }]);
  expect((await run("export", "--kind", "Tag")).code).toBe(6);
  rmSync(join(cwd, ".git"), { recursive: true });
  expect((await run("export", "--kind", "Tag")).code).toBe(6);
  expect(text("tags/a.yaml")).toContain("name: a\n");
  expect((await run("export", "--kind", "Tag", "--force")).code).toBe(0);
  expect(text("tags/a.yaml")).toContain("name: A\n");
});

test("a manifest that was deleted stays deleted and is named, unless its entity is named or with --force", async () => {
  const { cwd, run, applied } = await catalogWith(...world);
  await run("export");
  applied();
  rmSync(join(cwd, "catalog/tags/pii.yaml"));
  const left =
    "Left out: 1 entity, because its manifest was deleted; --target <urn> writes one again, --force all of them:";
  for (const commit of [() => {}, applied]) {
    commit();
    const { code, stdout, stderr } = await run("export");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "Exported to catalog: 0 files created, 0 updated, 7 unchanged.\n",
    });
    expect(stderr).toContain(`${left}\n  urn:li:tag:pii\n`);
  }
  expect((await run("export", "--target", "urn:li:tag:*")).stdout).toContain(": 0 files created");
  expect((await run("export", "--target", "urn:li:tag:pii")).stdout).toContain(": 1 file created");
  expect((await run("export")).stderr).not.toContain("manifest was deleted");
  rmSync(join(cwd, "catalog/tags/pii.yaml"));
  expect((await run("export", "--force")).stdout).toContain(": 1 file created");
});

test("a manifest that was moved was not deleted: what it does not declare gets a file of its own", async () => {
  const { cwd, run, text, applied } = await catalogWith(...world);
  await run("export");
  applied();
  renameSync(join(cwd, "catalog/datasets/snowflake/orders.yaml"), join(cwd, "catalog/orders.yaml"));
  rmSync(join(cwd, "catalog/users/ben.yaml"));
  applied();
  writeFileSync(join(cwd, "catalog/orders.yaml"), text("orders.yaml").replace(/^domain.*\n/m, ""));
  const { stdout, stderr } = await run("export");
  expect(stdout).toContain(": 1 file created, 0 updated");
  expect(text("datasets/snowflake/orders.yaml")).toContain("domain: 2fbac1a0-7c1d");
  // The group lists this user; that is no manifest of the user.
  expect(stderr).toContain("force all of them:\n  urn:li:corpuser:ben\n");
});

test("what was declared in a file of somebody's own and is declared nowhere now is exported", async () => {
  const { cwd, run, applied } = await catalogWith(...world);
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, "catalog/privacy.yaml"), "{ kind: Tag, id: pii, name: pii }\n");
  applied();
  rmSync(join(cwd, "catalog/privacy.yaml"));
  await run("export");
  expect(filesIn(cwd)).toContain("tags/pii.yaml");
});

test("what other manifests declare is not declared again", async () => {
  const { cwd, run, text } = await catalogWith(...world);
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(
    join(cwd, "catalog/privacy.yaml"),
    `- { kind: Dataset, urn: "${orders}", columns: { email: { tags: [pii] } } }\n- { kind: Tag, id: pii, name: pii }\n`,
  );
  const exported = await run("export");
  expect(exported.code, exported.stderr).toBe(0);
  expect(text("datasets/snowflake/orders.yaml")).not.toContain("columns");
  expect(filesIn(cwd)).not.toContain("tags/pii.yaml");
  expect((await run("plan")).stdout).toMatch(/^Server: .*\n\nNo changes\. 8 entities in sync\.\n$/);
});

test.each([
  [
    ["--kind", "Tag", "--kind", "Group"],
    ["groups/fin.yaml", "groups/okta.yaml", "tags/pii.yaml"],
  ],
  [
    ["--target", "urn:li:corp*"],
    ["groups/fin.yaml", "groups/okta.yaml", "users/ada.yaml", "users/ben.yaml"],
  ],
  [["--domain", "2fbac1a0-7c1d"], ["datasets/snowflake/orders.yaml"]],
  [["--platform", "snowflake"], ["datasets/snowflake/orders.yaml"]],
  [["--platform", "snowflake", "--domain", "plain"], []],
  [["--facet", "owners"], ["datasets/snowflake/orders.yaml"]],
])("with %j only these are exported", async (flags, files) => {
  const { cwd, run } = await catalogWith(...world);
  const exported = await run("export", ...flags);
  expect(exported.code, exported.stderr).toBe(0);
  expect(existsSync(join(cwd, "catalog")) ? filesIn(cwd) : []).toEqual(files);
});

test.each([
  [["--kind", "Tags"], "Did you mean Tag?"],
  [["--facet", "tag"], "Did you mean tags?"],
  [["--domain", "urn:li:tag:x"], "is neither an id nor a URN of a domain"],
])("%j is wrong usage", async (flags, message) => {
  const ran = await runCli(["export", "--server", "http://127.0.0.1:9", ...flags], {
    cwd: temporaryDirectory(),
  });
  expect(ran.code).toBe(64);
  expect(ran.stderr).toContain(message);
});

test("an export that finds nothing says in which scope it looked", async () => {
  const { cwd, run } = await catalogWith();
  expect((await run("export")).stderr).toContain("The catalog has nothing to export.\n");
  const scoped = await run("export", "--platform", "snowflak", "--kind", "Dataset");
  expect(scoped.stderr).toBe(
    "The catalog has nothing to export in this scope: --platform snowflak --kind Dataset\n",
  );
  expect(existsSync(join(cwd, "catalog"))).toBe(false);
});

test("a file that cannot be written is an error that names it", async () => {
  const { cwd, run } = await catalogWith(...world);
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, "catalog/tags"), "no directory");
  const exported = await run("export", "--kind", "Tag");
  expect(exported.code).toBe(1);
  expect(exported.stderr).toMatch(/^error: cannot write catalog\/tags\/pii\.yaml: E/m);
});

test("a snapshot takes no scope, and --redact needs one", async () => {
  const { run } = await catalogWith();
  const scoped = await run("export", "--snapshot", "live.json", "--kind", "Tag");
  expect([scoped.code, scoped.stderr]).toEqual([64, expect.stringContaining("it takes no scope")]);
  const redacted = await run("export", "--redact");
  expect([redacted.code, redacted.stderr]).toEqual([
    64,
    expect.stringContaining("--redact needs --snapshot"),
  ]);
});

describe("where the settings file names its schema for editors", () => {
  const header = (path: string): string => `# yaml-language-server: $schema=${path}\n`;
  const settings = "catalog/datahub-gitops.yaml";

  test("new files name it by a path, and both schemas are in the catalog directory", async () => {
    const { cwd, run, text } = await catalogWith(...world);
    await run("export", "--kind", "Tag");
    expect(() => text(".schema.json")).toThrow("ENOENT");
    writeFileSync(join(cwd, settings), `${header(".settings.schema.json")}version: 1\n`);
    await run("export");
    expect(text("tags/pii.yaml")).toMatch(/^kind: Tag\n/);
    expect(text("users/ada.yaml")).toBe(
      `${header("../.schema.json")}kind: User\nid: ada\ndisplay_name: Ada\n`,
    );
    expect(text("datasets/snowflake/orders.yaml")).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/\.\.\/\.schema\.json\n/,
    );
    expect(text(".schema.json")).toBe((await run("schema", "manifest", "--from-catalog")).stdout);
    expect(text(".settings.schema.json")).toBe((await runCli(["schema", "settings"], { cwd })).stdout);
    expect((await runCli(["fmt", "--check"], { cwd })).code).toBe(0);
    expect((await runCli(["validate"], { cwd })).code).toBe(0);
  });

  test("a line that names the address of earlier versions, or a path that is wrong now, is replaced, and the schema refreshed", async () => {
    const { cwd, run, text } = await catalogWith(...world);
    const old = (name: string): string => header(`https://old.example/schemas/${name}.schema.json`);
    await run("export", "--kind", "Domain");
    writeFileSync(join(cwd, settings), `${old("settings")}version: 1\n`);
    await run("export");
    const edit = (path: string, line: string): void =>
      writeFileSync(join(cwd, "catalog", path), text(path).replace(/^.*\n/, line));
    edit("tags/pii.yaml", old("manifest"));
    edit("users/ada.yaml", header(".schema.json"));
    edit("datasets/snowflake/orders.yaml", header("https://acme.example/own.json"));
    writeFileSync(join(cwd, "catalog/.schema.json"), "{}");
    const { code, stdout, stderr } = await run("export");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "Exported to catalog: 0 files created, 2 updated, 6 unchanged.\n",
    });
    expect(stderr).toContain("Updated catalog/.schema.json for editors\n");
    expect(text("datahub-gitops.yaml")).toBe(`${header(".settings.schema.json")}version: 1\n`);
    expect(text("tags/pii.yaml")).toContain(header("../.schema.json"));
    expect(text("users/ada.yaml")).toContain(header("../.schema.json"));
    expect(text("datasets/snowflake/orders.yaml")).toContain(header("https://acme.example/own.json"));
    const known = text(".schema.json");
    expect(known).toBe((await run("schema", "manifest", "--from-catalog")).stdout);
    expect((await run("export")).stderr).not.toContain("for editors");
    expect(text(".schema.json")).toBe(known);
  });

  test("the schema has the ids of the catalog and of the manifests, which an import keeps and adds to", async () => {
    const { cwd, run, text, load } = await catalogWith(...world);
    await run("export", "--kind", "Domain");
    writeFileSync(join(cwd, settings), `${header(".settings.schema.json")}version: 1\n`);
    writeFileSync(join(cwd, "catalog/new.yaml"), "kind: Tag\nid: draft\nname: Draft\n");
    writeFileSync(
      join(cwd, "catalog/policies.yaml"),
      "kind: Policy\nid: owned\nmatch: { kind: Dataset }\nrequire: { owners: true }\n",
    );
    await run("export");
    const definitions = (): Readonly<Record<string, unknown>> =>
      (JSON.parse(text(".schema.json")) as { definitions: Record<string, unknown> }).definitions;
    const ids = (type: string): unknown => definitions()[`known-${type}`];
    expect(ids("tag")).toEqual({ enum: ["draft", "pii"], enumDescriptions: ["Draft", "pii"] });
    expect(ids("domain")).toEqual({
      enum: ["2fbac1a0-7c1d", "plain"],
      enumDescriptions: ["Growth", "Plain"],
    });
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
    expect(ids("tag")).toEqual({ enum: ["draft", "pii"], enumDescriptions: ["Draft", "pii"] });
    await load(
      ["urn:li:tag:old", "tagProperties", { name: "Old" }],
      ["urn:li:tag:old", "status", { removed: true }],
    );
    await run("export");
    expect(ids("tag")).toMatchObject({ enum: ["draft", "pii"] });
  });

  test("a schema that Git ignores is a warning", async () => {
    const { cwd, run } = await catalogWith(...world);
    writeFileSync(join(cwd, ".gitignore"), "*.json\n");
    await run("export", "--kind", "Domain");
    writeFileSync(join(cwd, settings), `${header(".settings.schema.json")}version: 1\n`);
    expect((await run("export")).stderr).toContain(
      "warning: Git ignores catalog/.schema.json, catalog/.settings.schema.json",
    );
    writeFileSync(join(cwd, ".gitignore"), "*.json\n!.*schema.json\n");
    expect((await run("export")).stderr).not.toContain("Git ignores");
  });
});

test("an export of one facet into manifests of all leaves the others as they are", async () => {
  const { run, text, load, applied } = await catalogWith(...world);
  await run("export");
  applied();
  await load([orders, "globalTags", tagged("new")], [orders, "domains", { domains: [] }]);
  const exported = await run("export", "--facet", "tags");
  expect(exported.stdout).toBe("Exported to catalog: 0 files created, 1 updated, 0 unchanged.\n");
  expect(text("datasets/snowflake/orders.yaml")).toContain("domain: 2fbac1a0-7c1d # Growth\n");
  expect(text("datasets/snowflake/orders.yaml")).toContain("tags: [new]\n");
  applied();
  expect((await run("export")).code).toBe(0);
  expect(text("datasets/snowflake/orders.yaml")).not.toContain("domain:");
});

test("a target that matches nothing is wrong usage", async () => {
  const { run } = await catalogWith(...world);
  const ran = await run("export", "--target", "urn:li:dataset:*invoices*");
  expect([ran.code, ran.stderr]).toEqual([64, expect.stringContaining("--target matches nothing")]);
});

test("an entity whose URN no manifest can hold is left out and counted, and the rest can be planned", async () => {
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
    `Left out: 3 entities, because each has a URN that a manifest cannot declare:\n  ${odd.join("\n  ")}\n`,
  );
  expect(readFileSync(join(cwd, "catalog/tags/%20lead.yaml"), "utf8")).toContain('id: " lead"');
  const plan = await runCli(["plan", "--server", catalog.url], { cwd });
  expect(plan.stdout).toContain("No changes. 1 entity in sync.");
});

test("what another file declares of a column is not left to it for a column of the same plain name", async () => {
  const version2 = "[version=2.0].[type=struct].[type=string].email";
  const { cwd, run, text } = await catalogWith(
    ...["a", "b"].map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]),
    [orders, "schemaMetadata", schemaWith("email", version2)],
    [
      orders,
      "editableSchemaMetadata",
      {
        editableSchemaFieldInfo: [
          { fieldPath: "email", globalTags: tagged("a", "b") },
          { fieldPath: version2, globalTags: tagged("a", "b") },
        ],
      },
    ],
  );
  await run("export");
  writeFileSync(
    join(cwd, "catalog/other.yaml"),
    `kind: Dataset\nurn: ${orders}\ncolumns: { email: { tags: [b] }, "${version2}": { tags: [a] } }\n`,
  );
  expect((await run("export")).code).toBe(0);
  expect((await run("plan")).stdout).toMatch(/^No changes\. /m);
  expect(text("datasets/snowflake/orders.yaml")).toContain(
    `  email: { tags: [a] }\n  "${version2}": { tags: [b] }\n`,
  );
});
