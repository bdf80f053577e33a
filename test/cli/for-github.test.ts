import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { datasetNamed } from "../support/states.ts";

const manifest = "kind: Dataset\nplatform: snowflake\nname: orders\ntags: [pii]\n";
const wrong = "kind: Dataset\nplatform: snowflake\nname: orders\ntag: [pii]\n";
const actions = { GITHUB_ACTIONS: "true" };

function repository(files: Readonly<Record<string, string>>): string {
  const root = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

async function catalogWithOrders(): Promise<string> {
  const catalog = await startTestCatalog();
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
      [datasetNamed("orders"), "datasetProperties", { customProperties: {}, tags: [] }],
      [datasetNamed("orders"), "globalTags", { tags: [{ tag: "urn:li:tag:old" }] }],
    ]),
  );
  return catalog.url;
}

function annotationsIn(text: string): readonly string[] {
  return text.split("\n").filter((line) => line.startsWith("::"));
}

test("validate marks the line that is wrong, beside what it prints for people", async () => {
  const cwd = repository({ "catalog/a.yaml": wrong });
  const { code, stdout, stderr } = await runCli(["validate"], { cwd, env: actions });
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toContain("catalog/a.yaml:4:1 error unknown-field: ");
  expect(annotationsIn(stderr)).toEqual([
    "::error file=catalog/a.yaml,line=4,col=1,title=unknown-field::a Dataset has no field `tag`; did you mean `tags`?",
  ]);
});

test("without GitHub Actions nothing is marked", async () => {
  const cwd = repository({ "catalog/a.yaml": wrong });
  for (const env of [{}, { GITHUB_ACTIONS: "false" }]) {
    expect(annotationsIn((await runCli(["validate"], { cwd, env })).stderr)).toEqual([]);
  }
});

test.each(["text", "json", "markdown"])(
  "as %s the result on stdout carries no annotation",
  async (format) => {
    const cwd = repository({ "catalog/a.yaml": wrong });
    const { stdout, stderr } = await runCli(["validate", "--format", format], { cwd, env: actions });
    expect(annotationsIn(stdout)).toEqual([]);
    expect(annotationsIn(stderr)).toHaveLength(1);
  },
);

test.each([
  ["a subdirectory of the workspace", (root: string) => root, "metadata/catalog/a.yaml"],
  ["the workspace itself", (root: string) => join(root, "metadata"), "catalog/a.yaml"],
  ["somewhere else", () => "/nonexistent/workspace", "catalog/a.yaml"],
  [
    "a directory whose name begins like the workspace",
    (root: string) => join(root, "meta"),
    "catalog/a.yaml",
  ],
])("from %s paths are what GitHub looks for", async (_, workspaceOf, file) => {
  const root = repository({ "metadata/catalog/a.yaml": wrong });
  const env = { ...actions, GITHUB_WORKSPACE: workspaceOf(root) };
  const { stderr } = await runCli(["validate"], { cwd: join(root, "metadata"), env });
  expect(stderr).toContain("catalog/a.yaml:4:1 error");
  expect(annotationsIn(stderr)).toEqual([expect.stringContaining(`::error file=${file},line=4,col=1,`)]);
});

test("plan, apply and a saved plan mark what is not in the catalog, and the guard that blocks", async () => {
  const server = ["--server", await catalogWithOrders()];
  const cwd = repository({
    "catalog/a.yaml": manifest,
    "catalog/b.yaml": manifest.replace("orders", "customers"),
    "catalog/datahub-gitops.yaml":
      "version: 1\nguards: { removals: { max_percent: 100, max_count: 0, min_existing: 0 } }\n",
  });
  const expected = [
    expect.stringMatching(/^::error file=catalog\/b\.yaml,line=3,col=1,title=asset-missing::dataset /),
    expect.stringMatching(/^::error title=guard removals::Blocked: 1 of 1 live value of /),
  ];
  for (const argv of [
    ["plan", "--out", "plan.json", ...server],
    ["plan", "--format", "markdown", ...server],
    ["apply", "--auto-approve", "--format", "json", ...server],
    ["show", "plan.json"],
  ]) {
    const { stderr } = await runCli(argv, { cwd, env: actions });
    expect({ argv, marked: annotationsIn(stderr) }).toEqual({ argv, marked: expected });
  }
});

test("an apply marks what failed, and not on stdout", async () => {
  const url = await catalogWithOrders();
  const server = await inFrontOf(url, ({ text }, response) =>
    text.includes("proposal")
      ? response.writeHead(500, { "content-type": "application/json" }).end('{"message":"disk full"}')
      : undefined,
  );
  const cwd = repository({ "catalog/a.yaml": "kind: Tag\nid: pii\ndescription: Personal data.\n" });
  const argv = ["apply", "--auto-approve", "--format", "json", "--server", server];
  const { code, stdout, stderr } = await runCli(argv, { cwd, env: actions });
  expect(code).toBe(7);
  expect(annotationsIn(stdout)).toEqual([]);
  expect(annotationsIn(stderr)).toEqual([
    expect.stringMatching(
      /^::error file=catalog\/a\.yaml,line=3,col=\d+,title=set description::failed for `urn:li:tag:pii`: .*HTTP 500$/,
    ),
  ]);
});

test("an upsert marks the record that is wrong", async () => {
  const cwd = repository({ "users.yaml": "- id: alice\n  emial: a@acme.com\n" });
  const { stderr } = await runCli(["user", "upsert", "-f", "users.yaml"], { cwd, env: actions });
  expect(annotationsIn(stderr)).toEqual([
    expect.stringMatching(/^::error file=users\.yaml,line=2,col=3,title=unknown-field::/),
  ]);
});

test.each([
  [1, ["plan", "--server", "http://127.0.0.1:1"], /^::error title=datahub-gitops::.*cannot connect/],
  [64, ["plan"], /^::error title=datahub-gitops::.*DATAHUB_GMS_URL/],
  [64, ["plan", "--fromat", "json"], /^::error title=datahub-gitops::unknown option '--fromat'%0A/],
])("a failure that ends with %i is one error", async (code, argv, expected) => {
  const ran = await runCli(argv, { cwd: repository({ "catalog/a.yaml": manifest }), env: actions });
  expect(ran.code).toBe(code);
  expect(annotationsIn(ran.stderr)).toEqual([expect.stringMatching(expected)]);
});

test("a plan as Markdown is the same from plan, from show and from a dry run", async () => {
  const server = ["--server", await catalogWithOrders()];
  const cwd = repository({ "catalog/a.yaml": manifest });
  const planned = await runCli(["plan", "--format", "markdown", "--out", "plan.json", ...server], { cwd });
  expect(planned.code).toBe(0);
  expect(planned.stdout).toMatch(
    /^### Plan: 0 to create, 1 to update, 0 to delete; 1 value added, 0 replaced, 1 removed\.\n/,
  );
  expect(planned.stdout).toContain("#### Removed: 1 value\n");
  expect((await runCli(["show", "--format", "markdown", "plan.json"], { cwd })).stdout).toBe(planned.stdout);
  const dry = await runCli(["apply", "--dry-run", "--format", "markdown", ...server], { cwd });
  expect(dry.stdout).toBe(planned.stdout);
});

test("an apply as Markdown prints one document: what became of the plan, or the plan where nothing was to be done", async () => {
  const argv = ["apply", "--auto-approve", "--format", "markdown", "--server", await catalogWithOrders()];
  const cwd = repository({ "catalog/a.yaml": manifest });
  const first = await runCli(argv, { cwd });
  expect(first.stdout).toMatch(
    /^### Applied 2 operations, 0 failed, 0 skipped\.\n\nPlan: 0 to create, 1 to update/,
  );
  const second = await runCli(argv, { cwd });
  expect(second.stdout).toMatch(/^### No changes\. 1 entity in sync\.\n/);
});

test("problems as Markdown are on stdout, and on stderr for those who read the log", async () => {
  const argv = ["validate", "--format", "markdown"];
  const refused = await runCli(argv, { cwd: repository({ "catalog/a.yaml": wrong }) });
  expect(refused.code).toBe(3);
  expect(refused.stdout).toBe(
    "### Refused: 1 error\n\n#### Errors: 1\n\n- `catalog/a.yaml:4:1` `unknown-field`: a Dataset has no field `tag`; did you mean `tags`?\n",
  );
  expect(refused.stderr).toContain("unknown-field");
  const valid = await runCli(argv, { cwd: repository({ "catalog/a.yaml": "kind: Tag\nid: pii\n" }) });
  expect(valid).toEqual({ code: 0, stdout: "### Valid: 1 document in 1 file.\n", stderr: "" });
});
