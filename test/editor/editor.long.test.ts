import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownershipTypeNames } from "../../src/facets/ownership-types.ts";
import { kinds } from "../../src/kinds/index.ts";
import { modes } from "../../src/model/settings.ts";
import { type MadeAspect, metadataFile, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { datasetNamed } from "../support/states.ts";
import { type Editor, editorIn } from "./language-server.ts";

const stamp = { time: 0, actor: "urn:li:corpuser:datahub" };

const retention = {
  qualifiedName: "retention_days",
  valueType: "urn:li:dataType:datahub.number",
  cardinality: "SINGLE",
  entityTypes: ["urn:li:entityType:datahub.dataset"],
};

const orders = "catalog/datasets/snowflake/orders.yaml";
const settings = "catalog/datahub-gitops.yaml";

/** A repository that `init` set up, opened in an editor. */
async function initialized(): Promise<Editor & { readonly text: (path: string) => string }> {
  const catalog = await startTestCatalog();
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
      [datasetNamed("orders"), "globalTags", { tags: [{ tag: "urn:li:tag:pii" }] }],
    ]),
  );
  const cwd = temporaryDirectory();
  const ran = await runCli(["init", "--server", catalog.url, "--yes"], { cwd });
  expect(ran.code, ran.stderr).toBe(0);
  const editor = await editorIn(cwd, join(temporaryDirectory(), "connections"));
  return { ...editor, text: (path) => readFileSync(join(cwd, path), "utf8") };
}

test("a YAML language server accepts the files that init wrote, and connects to nothing", async () => {
  const { problems, text, connections } = await initialized();
  for (const path of [orders, "catalog/tags/pii.yaml", settings])
    expect([path, await problems(path, text(path))]).toEqual([path, []]);
  expect(connections()).toBe("");
});

test("a type of owners that is an id or a URN of the catalog is valid", async () => {
  const { problems, text } = await initialized();
  const types = ["architect", "urn:li:ownershipType:7f1", "DATA_STEWARD"];
  const owners = types.map((type) => `  - { user: ada, type: "${type}" }\n`);
  expect(await problems(orders, `${text(orders)}owners:\n${owners.join("")}`)).toEqual([]);
});

test("it marks a key that there is not, and a mode that there is not, at their places", async () => {
  const { problems, text, connections } = await initialized();
  const own = text(orders);
  expect(await problems(orders, `${own}colour: red\n`)).toEqual([
    expect.objectContaining({
      message: expect.stringContaining("colour") as unknown,
      range: {
        start: { line: own.split("\n").length - 1, character: 0 },
        end: { line: own.split("\n").length - 1, character: "colour".length },
      },
    }),
  ]);
  const wrong = text(settings).replace(/^manage: \w+$/m, "manage:\n  owners: always");
  expect((await problems(settings, wrong)).map(({ range }) => range.start)).toEqual([
    { line: wrong.slice(0, wrong.indexOf("always")).split("\n").length - 1, character: "  owners: ".length },
  ]);
  expect(connections()).toBe("");
});

test("it completes kinds, fields, types of owners, platforms and modes", async () => {
  const { completions, text, connections } = await initialized();
  const [header = ""] = text(orders).split("\n");
  const own = text(orders);
  expect(await completions(orders, `${header}\nkind: |\n`)).toEqual(
    expect.arrayContaining(kinds.map(({ name }) => name)),
  );
  expect(await completions(orders, `${own}|\n`)).toEqual(expect.arrayContaining(["owners", "domain"]));
  expect(await completions(orders, `${own}owners:\n  - user: ada\n    type: |\n`)).toEqual(
    expect.arrayContaining([...ownershipTypeNames]),
  );
  const group = `${header}\nkind: Group\nid: finance-data\n`;
  const rule = `${header}\nkind: Rule\nid: r\nmatch: { kind: Dataset }\ndeclare:\n`;
  for (const before of [
    `${own}owners:\n  - type: |\n`,
    `${own}owners:\n  - { group: fin, type: D| }\n`,
    `${group}owners:\n  - user: ada\n    type: |\n`,
    `${rule}  owners:\n    - group: fin\n      type: |\n`,
  ])
    expect([before, await completions(orders, before)]).toEqual([
      before,
      expect.arrayContaining([...ownershipTypeNames]),
    ]);
  expect(await completions(orders, `${rule}  |\n`)).toEqual(
    expect.arrayContaining(["domain", "owners", "tags", "columns"]),
  );
  expect(await completions(orders, `${header}\nkind: Rule\nid: r\nmatch:\n  kind: |\n`)).toEqual(
    expect.arrayContaining(["Dataset", "Container"]),
  );
  expect(await completions(orders, `${header}\nkind: Dataset\nenv: |\n`)).toEqual(
    expect.arrayContaining(["PROD", "DEV"]),
  );
  expect(await completions(orders, `${header}\nkind: Dataset\nplatform: |\n`)).toEqual(
    expect.arrayContaining(["snowflake", "kafka", "postgres"]),
  );
  expect(await completions(orders, `${own}manage:\n  tags: |\n`)).toEqual(expect.arrayContaining([...modes]));
  expect(await completions(settings, `${text(settings).split("\n")[0]}\nversion: 1\nmanage:\n  |\n`)).toEqual(
    expect.arrayContaining(["tags", "owners"]),
  );
  expect(connections()).toBe("");
});

test("it completes the ids of what the catalog and the manifests define, and accepts others", async () => {
  const catalog = await startTestCatalog();
  const made: readonly MadeAspect[] = [
    ["urn:li:tag:pii", "tagProperties", { name: "Personal data" }],
    ["urn:li:domain:2fbac1a0", "domainProperties", { name: "Growth" }],
    ["urn:li:corpuser:ada", "corpUserInfo", { active: true, displayName: "Ada" }],
    ["urn:li:corpGroup:finance-data", "corpGroupInfo", { admins: [], members: [], groups: [] }],
    ["urn:li:glossaryTerm:revenue", "glossaryTermInfo", { definition: "", termSource: "INTERNAL" }],
    [
      "urn:li:ownershipType:architect",
      "ownershipTypeInfo",
      { name: "Architect", created: stamp, lastModified: stamp },
    ],
    ["urn:li:structuredProperty:retention_days", "propertyDefinition", retention],
    [datasetNamed("orders"), "globalTags", { tags: [{ tag: "urn:li:tag:pii" }] }],
  ];
  await catalog.load(metadataFile(temporaryDirectory(), made));
  const cwd = temporaryDirectory();
  const ran = await runCli(["init", "--server", catalog.url, "--yes"], { cwd });
  expect(ran.code, ran.stderr).toBe(0);
  const { completions, problems, connections } = await editorIn(
    cwd,
    join(temporaryDirectory(), "connections"),
  );
  const own = readFileSync(join(cwd, orders), "utf8").replace(/^tags:[^]*$/m, "");
  for (const [text, id] of [
    ["domain: |\n", "2fbac1a0"],
    ["tags: [|]\n", "pii"],
    ["tags:\n  - |\n", "pii"],
    ["glossary_terms: [|]\n", "revenue"],
    ["owners:\n  - user: |\n", "ada"],
    ["owners:\n  - group: |\n", "finance-data"],
    ["owners:\n  - group: x\n    type: |\n", "architect"],
    ["structured_properties:\n  |\n", "retention_days"],
    ["columns:\n  email:\n    tags: [|]\n", "pii"],
  ] as const)
    expect([text, await completions(orders, `${own}${text}`)]).toEqual([text, expect.arrayContaining([id])]);
  expect(
    await problems(orders, `${own}domain: other\ntags: [new]\nstructured_properties: { other: 1 }\n`),
  ).toEqual([]);
  expect(connections()).toBe("");
});
