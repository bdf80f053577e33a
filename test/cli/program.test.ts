import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { denying } from "../support/denying.ts";
import { metadataFile, type MadeAspect, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { formats } from "../../src/report/format.ts";
import { planOf, usualChanges } from "../report/plans.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { helps } from "../support/helps.ts";
import { forge } from "../support/sealed.ts";
import { planFile } from "../support/plan-file.ts";
import { datasetNamed } from "../support/states.ts";
import { startStub } from "../support/stub-server.ts";

const orders = datasetNamed("orders");
const world: readonly MadeAspect[] = [
  ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
  [orders, "datasetProperties", { customProperties: {}, tags: [] }],
];
const manifest = "kind: Dataset\nplatform: snowflake\nname: orders\ntags: [pii]\n";

function repository(files: Readonly<Record<string, string>> = { "orders.yaml": manifest }): string {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "catalog"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, "catalog", name), text);
  return cwd;
}

async function loadedCatalog(): Promise<Awaited<ReturnType<typeof startTestCatalog>>> {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), world));
  return catalog;
}

function mutations(catalog: { readonly requests: readonly { readonly body: unknown }[] }): number {
  return catalog.requests.filter(({ body }) => JSON.stringify(body ?? "").includes("mutation")).length;
}

test.each(await helps())("help of $words is as written down", async ({ words, text }) => {
  const name = words.length === 0 ? "program" : words.join("-");
  await expect(text).toMatchFileSnapshot(`expected/help-${name}.txt`);
});

test("help by name shows a subcommand, too", async () => {
  const [named, asked] = await Promise.all(
    [
      ["help", "github", "comment"],
      ["github", "comment", "--help"],
    ].map((argv) => runCli(argv, { cwd: "/" })),
  );
  expect(named).toEqual(asked);
});

test("user and group need no subcommand", async () => {
  for (const kind of ["user", "group"]) {
    const { code, stderr } = await runCli([kind, "-f", "absent.yaml", "--server", "http://127.0.0.1:1"], {
      cwd: "/nonexistent",
    });
    expect({ kind, code }).toEqual({ kind, code: 3 });
    expect(stderr).toContain("absent.yaml");
  }
});

test.each(await helps())("help of $words ends with two to four examples", ({ text }) => {
  const [, examples = ""] = text.split("\nExamples:\n");
  const comments = examples.match(/^ {2}# \S.*$/gm) ?? [];
  expect(comments.length).toBeGreaterThanOrEqual(2);
  expect(comments.length).toBeLessThanOrEqual(4);
  expect(examples.split("\n").filter((line) => line !== "" && !line.startsWith("  "))).toEqual([]);
});

test.each(await helps())("help of $words fits into 60 columns", async ({ words }) => {
  const { stdout } = await runCli([...words, "--help"], { cwd: "/", columns: 60 });
  const [, ...lines] = stdout.split("\n");
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
});

test.each([
  ["nothing", [], /Usage/],
  ["an unknown command", ["plam"], /Did you mean plan/],
  ["help of an unknown command", ["plam", "--help"], /unknown command 'plam'\n\(Did you mean plan\?\)/],
  ["help of a command that is like none", ["destroy", "-h"], /unknown command 'destroy'\n/],
  ["help by name of an unknown command", ["help", "plam"], /unknown command 'plam'/],
  ["help of an unknown subcommand", ["user", "insert", "--help"], /Did you mean upsert/],
  [
    "an unknown subcommand",
    ["user", "upset", "-f", "x"],
    /unknown command 'upset'\n\(Did you mean upsert\?\)\n/,
  ],
  [
    "a subcommand that is like none",
    ["group", "rm", "x.yaml"],
    /unknown command 'rm'\n\(Commands of group: upsert\)\nRun "datahub-gitops group --help"/,
  ],
  ["a file without its flag", ["user", "x.yaml", "--dry-run"], /unknown command 'x.yaml'/],
  [
    "an unknown subcommand with flags",
    ["github", "coment", "--name", "a"],
    /'coment'\n\(Did you mean comment\?\)\n/,
  ],
  [
    "a subcommand of many that is like none",
    ["github", "merge"],
    /'merge'\n\(Commands of github: comment, drift-issue, reviewed-plan, snapshot, approvers\)\n/,
  ],
  [
    "an unknown command with flags",
    ["aply", "--auto-approve"],
    /unknown command 'aply'\n\(Did you mean apply\?\)\n/,
  ],
  ["an unknown flag", ["plan", "--detailed-exit-code"], /Did you mean --detailed-exitcode/],
  [
    "a flag for the token",
    ["plan", "--token", "x"],
    /'--token'\n\(There is no flag for the token; set DATAHUB_/,
  ],
  ["a token in a flag", ["plan", "--token=sec"], /^error: unknown option '--token'\n(?![^]*sec)/],
  ["approval by another name", ["apply", "--yes"], /'--yes'\n\(Did you mean --auto-approve\?\)\n/],
  ["--yes where nothing is asked", ["plan", "--yes"], /'--yes'\n(?!\(Did you mean --auto)/],
  ["the environment in full", ["plan", "--environment", "a"], /'--environment'\n\(Did you mean --env\?\)\n/],
  ["an empty server", ["plan", "--server", ""], /the server URL is empty; is DATAHUB_GMS_URL set\?/],
  ["help by name of an unknown subcommand", ["help", "user", "insert"], /Did you mean upsert/],
  ["a flag without its value", ["plan", "--server"], /argument missing/],
  ["a wrong format", ["plan", "--format", "yaml"], /It must be one of text, json, /],
  ["a misspelled format", ["plan", "--format", "jsn"], /argument 'jsn' is invalid. Did you mean json\?/],
  ["a misspelled format of a list", ["list", "--format", "cvs"], /Did you mean csv\?/],
  ["a misspelled kind", ["plan", "--kind", "Dataste"], /Did you mean Dataset\?/],
  ["a kind in another case", ["list", "--kind", "dataset"], /Did you mean Dataset\?/],
  ["a misspelled facet", ["pull", "--facet", "ownrs"], /Did you mean owners\?/],
  ["a misspelled facet of a list", ["list", "--missing", "doman"], /Did you mean domain\?/],
  ["a misspelled mode of init", ["init", "--mode", "mereg"], /Did you mean merge\?/],
  ["a misspelled mode of watch", ["watch", "--mode", "corect"], /Did you mean correct\?/],
  ["a misspelled grouping", ["coverage", "--by", "platfrom"], /Did you mean platform\?/],
  ["a misspelled action", ["plan", "--missing", "skp"], /Did you mean skip\?/],
  ["a misspelled choice of entries", ["import", "a.yml", "--keep", "frist"], /Did you mean first\?/],
  ["a misspelled shell", ["completion", "bahs"], /Did you mean bash\?/],
  [
    "a misspelled flag",
    ["plan", "--fromat", "json"],
    /unknown option '--fromat'\n\(Did you mean --format\?\)/,
  ],
  ["a misspelled flag of a subcommand", ["runs", "list", "--formt", "json"], /Did you mean --format\?/],
  ["two directories", ["plan", "a", "b"], /too many arguments/],
  ["no server", ["plan"], /DATAHUB_GMS_URL/],
  ["both servers", ["plan", "--local", "--server", "http://a"], /cannot be used together/],
  ["a port that is none", ["serve", "--port", "99999"], /0 to 65535/],
  ["show without a file", ["show"], /missing required argument/],
  ["another schema from the catalog", ["schema", "plan", "--from-catalog"], /only with the schema manifest/],
  ["a directory without the catalog", ["schema", "manifest", "catalog"], /only be used with --from-catalog/],
  ["a schema from no catalog", ["schema", "manifest", "--from-catalog"], /DATAHUB_GMS_URL/],
  ["an unknown schema", ["schema", "plam"], /Did you mean plan\?/],
  ["apply without a terminal", ["apply", "--server", "http://127.0.0.1:1"], /--auto-approve/],
])("%s is a wrong usage: 64, said on stderr", async (_, argv, message) => {
  const { code, stdout, stderr } = await runCli(argv, { cwd: repository() });
  expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  expect(stderr).toMatch(message);
});

test("--target that matches nothing is a wrong usage", async () => {
  const argv = ["plan", "--server", "http://127.0.0.1:1", "--target", "urn:li:dataset:*nope*"];
  const { code, stderr } = await runCli(argv, { cwd: repository() });
  expect(code).toBe(64);
  expect(stderr).toContain("urn:li:dataset:*nope*");
});

test.each(["sec ret", "sec\nret", "s\u00e9cret"])(
  "a token that no server would take (%j) is refused and not repeated",
  async (token) => {
    const argv = ["plan", "--server", "http://127.0.0.1:1"];
    const { code, stderr } = await runCli(argv, { cwd: repository(), env: { DATAHUB_GMS_TOKEN: token } });
    expect(code).toBe(64);
    expect(stderr).toContain("DATAHUB_GMS_TOKEN");
    expect(stderr).not.toContain("ret");
  },
);

test("what a catalog holds cannot forge lines of a plan", async () => {
  const catalog = await startTestCatalog();
  const forged = "urn:li:tag:a\u001B[2K\rNo changes.";
  await catalog.load(
    metadataFile(temporaryDirectory(), [...world, [orders, "globalTags", { tags: [{ tag: forged }] }]]),
  );
  const { stdout } = await runCli(["plan", "--server", catalog.url], { cwd: repository() });
  expect(stdout).toContain("urn:li:tag:a");
  for (const character of ["\u001B", "\r"]) expect(stdout).not.toContain(character);
});

test("a server that is not there is an error that names it", async () => {
  const { code, stdout, stderr } = await runCli(["plan", "--server", "http://127.0.0.1:1"], {
    cwd: repository(),
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/cannot connect to http:\/\/127\.0\.0\.1:1: .+/);
});

test("with an invalid manifest nothing is sent, whatever the command", async () => {
  const catalog = await loadedCatalog();
  const cwd = repository({ "orders.yaml": "kind: Dataset\nplatfrom: snowflake\nname: orders\n" });
  for (const argv of [["plan"], ["apply", "--auto-approve"]]) {
    const { code, stdout, stderr } = await runCli([...argv, "--server", catalog.url], { cwd });
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toMatch(/catalog\/orders\.yaml:2:1[\s\S]*platfrom[\s\S]*platform/);
  }
  expect(catalog.requests).toEqual([]);
});

test("errors among warnings are counted below them, and errors alone are not", async () => {
  const tags = "- { kind: Tag, id: a }\n- { kind: Dataset, platform: kafka, name: b, tags: [zz] }\n";
  const wrong =
    "- { kind: Domain, id: a }\n- { kind: Domain, id: a, name: b }\n- { kind: Domain, id: a, name: c }\n";
  const mixed = await runCli(["validate"], { cwd: repository({ "a.yaml": tags, "b.yaml": wrong }) });
  expect(mixed.stderr).toMatch(
    /warning undeclared-reference[^]*error duplicate-facet[^]*\n1 error and 1 warning\n$/,
  );
  const errors = await runCli(["validate"], { cwd: repository({ "b.yaml": wrong }) });
  expect(errors.stderr).not.toContain("1 error");
});

test("with --format json problems are JSON on stdout", async () => {
  const cwd = repository({ "orders.yaml": "kind: Datset\n" });
  const { code, stdout, stderr } = await runCli(["validate", "--format", "json"], { cwd });
  expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({
    formatVersion: "1",
    problems: [{ file: "catalog/orders.yaml", line: 1 }],
  });
});

test("a pinned server lets no request to another one", async () => {
  const catalog = await loadedCatalog();
  const cwd = repository({
    "orders.yaml": manifest,
    "datahub-gitops.yaml": "version: 1\nserver: https://datahub.acme.com\n",
  });
  const { code, stderr } = await runCli(["plan", "--server", catalog.url], { cwd });
  expect(code).toBe(64);
  expect(stderr).toContain("https://datahub.acme.com");
  expect(catalog.requests).toEqual([]);
});

test("--detailed-exitcode tells changes", async () => {
  const catalog = await loadedCatalog();
  const argv = ["plan", "--server", catalog.url];
  expect((await runCli([...argv, "--detailed-exitcode"], { cwd: repository() })).code).toBe(2);
});

test("apply on a terminal goes on with yes and with nothing else", async () => {
  const catalog = await loadedCatalog();
  const cwd = repository();
  const refused = await runCli(["apply", "--server", catalog.url], { cwd, answers: ["Yes"] });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("nothing was applied");
  expect(mutations(catalog)).toBe(0);
  const { code, stdout } = await runCli(["apply", "--server", catalog.url], { cwd, answers: ["yes"] });
  expect(code).toBe(0);
  expect(stdout).toMatch(/Applied 1 operation, 0 failed, 0 skipped\.\n$/);
});

test("a saved plan is private, and show prints it as plan does", async () => {
  const catalog = await loadedCatalog();
  const cwd = repository();
  const planned = await runCli(["plan", "--server", catalog.url, "--out", "plan.json"], { cwd });
  expect(planned.stderr).toContain("plan.json");
  expect(statSync(join(cwd, "plan.json")).mode & 0o777).toBe(0o600);
  expect((await runCli(["show", "plan.json"], { cwd })).stdout).toBe(planned.stdout);
  const json = await runCli(["show", "--format", "json", "plan.json"], { cwd });
  expect(json.stdout).toBe(readFileSync(join(cwd, "plan.json"), "utf8"));
});

test("show tells the problems and lines that the plan holds, and reads none from the disk", async () => {
  const catalog = await loadedCatalog();
  const cwd = repository({ "a.yaml": manifest, "b.yaml": manifest.replace("orders", "customers") });
  const planned = await runCli(["plan", "--quiet", "--server", catalog.url, "--out", "plan.json"], { cwd });
  expect(planned.stderr).toContain("asset-missing");
  const shown = (): Promise<readonly Ran[]> =>
    Promise.all(formats.map((format) => runCli(["show", "--format", format, "plan.json"], { cwd })));
  const before = await shown();
  expect(before[formats.indexOf("text")]).toEqual({ ...planned, code: 0 });
  rmSync(join(cwd, "catalog"), { recursive: true });
  expect(await shown()).toEqual(before);

  const secret = "the line of another file";
  writeFileSync(join(cwd, "secret"), `${secret}\n`);
  forge(join(cwd, "plan.json"), (plan) => {
    plan["problems"] = (plan["problems"] as object[]).map((problem) => {
      const elsewhere = { ...problem, file: "secret", line: 1, column: 1 };
      return { ...elsewhere, source: undefined };
    });
  });
  for (const { code, stdout, stderr } of await shown()) {
    expect(code).toBe(0);
    expect(stdout + stderr).toContain("asset-missing");
    expect(stdout + stderr).not.toContain(secret);
  }
});

test("a saved plan that was edited is refused", async () => {
  const cwd = planFile(planOf({ changes: usualChanges, summary: { create: 1, update: 2 } }));
  const file = join(cwd, "plan.json");
  writeFileSync(file, readFileSync(file, "utf8").replace("urn:li:tag:pii", "urn:li:tag:gold"));
  const { code, stdout, stderr } = await runCli(["show", "plan.json"], { cwd });
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toMatch(/seal/);
});

test("what a file that is no plan holds steers no terminal, and is no command in a workflow", async () => {
  const cwd = repository();
  writeFileSync(join(cwd, "plan.json"), "\u001B[2J\n::error::forged ##[add-mask]a");
  const { code, stderr } = await runCli(["show", "plan.json"], { cwd });
  expect(code).toBe(3);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr).not.toMatch(/[^\P{Cc}\n]|##\[/u);
});

test("a plan that cannot be saved is an error that names the file", async () => {
  const catalog = await loadedCatalog();
  const argv = ["plan", "--server", catalog.url, "--out", "no/such/dir/plan.json"];
  const { code, stderr } = await runCli(argv, { cwd: repository() });
  expect(code).toBe(1);
  expect(stderr).toContain("no/such/dir/plan.json");
});

test("--target plans and applies the matching entities only", async () => {
  const catalog = await startTestCatalog();
  const customers = datasetNamed("customers");
  const more: MadeAspect = [customers, "datasetProperties", { customProperties: {}, tags: [] }];
  await catalog.load(metadataFile(temporaryDirectory(), [...world, more]));
  const cwd = repository({ "a.yaml": manifest, "b.yaml": manifest.replace("orders", "customers") });
  const { stdout } = await runCli(["plan", "--server", catalog.url, "--target", "*customers*"], { cwd });
  expect(stdout).toContain(customers);
  expect(stdout).not.toContain(orders);
  expect(stdout).toMatch(
    /Plan: 0 to create, 1 to update, 0 to delete; 1 value added, 0 replaced, 0 removed\.\n$/,
  );
});

test("the report of an apply comes as JSON, with one outcome an operation", async () => {
  const catalog = await loadedCatalog();
  const argv = ["apply", "--auto-approve", "--format", "json", "--server", catalog.url];
  const { code, stdout } = await runCli(argv, { cwd: repository() });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    formatVersion: "1",
    plan: { summary: { update: 1 } },
    outcomes: [{ status: "applied", urn: orders, facet: "tags", operation: "addTags" }],
    summary: { applied: 1, failed: 0, skipped: 0 },
  });
});

test("an interruption before anything was read ends with 130 and changes nothing", async () => {
  const catalog = await loadedCatalog();
  const interrupted = AbortSignal.abort(new Error("interrupted"));
  const argv = ["apply", "--auto-approve", "--server", catalog.url];
  const { code, stderr } = await runCli(argv, { cwd: repository(), interrupted });
  expect(code).toBe(130);
  expect(stderr).toContain("Interrupted");
  expect(mutations(catalog)).toBe(0);
});

test("the token is in no output", async () => {
  const catalog = await loadedCatalog();
  const cwd = repository();
  const env = { DATAHUB_GMS_TOKEN: "s3cr3t-t0ken" };
  const runs = await Promise.all(
    [
      ["plan", "--server", catalog.url, "--verbose", "--format", "json", "--out", "plan.json"],
      ["plan", "--server", "http://127.0.0.1:1"],
      ["plan", "--server", "https://user:s3cr3t-t0ken@acme.com"],
      ["apply", "--auto-approve", "--server", catalog.url, "--verbose"],
    ].map((argv) => runCli(argv, { cwd, env })),
  );
  for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain("s3cr3t-t0ken");
  expect(readFileSync(join(cwd, "plan.json"), "utf8")).not.toContain("s3cr3t-t0ken");
  expect(catalog.requests.every(({ authorization }) => authorization === "Bearer s3cr3t-t0ken")).toBe(true);
});

test("SOURCE_DATE_EPOCH is the time of a plan, and must be a number", async () => {
  const catalog = await loadedCatalog();
  const argv = ["plan", "--format", "json", "--server", catalog.url];
  const { stdout } = await runCli(argv, { cwd: repository(), env: { SOURCE_DATE_EPOCH: "86400" } });
  expect(JSON.parse(stdout)).toMatchObject({ createdAt: "1970-01-02T00:00:00.000Z" });
  expect((await runCli(argv, { cwd: repository(), env: { SOURCE_DATE_EPOCH: "x" } })).code).toBe(64);
});

test("where nothing could be read there is no plan, but an error", async () => {
  const server = await startStub(() => ({ data: null, errors: [{ message: "The index is on fire" }] }));
  onTestFinished(() => server.close());
  const { code, stdout, stderr } = await runCli(["plan", "--server", server.url], { cwd: repository() });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("The index is on fire");
});

test("where a part could not be read the rest is planned and applied, and the end is an error", async () => {
  const catalog = await startTestCatalog();
  const customers: MadeAspect = [
    datasetNamed("customers"),
    "datasetProperties",
    { customProperties: {}, tags: [] },
  ];
  await catalog.load(metadataFile(temporaryDirectory(), [...world, customers]));
  const cwd = repository({ "a.yaml": manifest, "b.yaml": manifest.replace("orders", "customers") });
  const url = await denying(catalog.url, datasetNamed("orders"));
  const { code, stdout, stderr } = await runCli(["apply", "--auto-approve", "--server", url], { cwd });
  expect(code).toBe(1);
  expect(stderr).toMatch(/catalog\/a\.yaml:3:1 error read-failed[\s\S]*Unauthorized/);
  expect(stdout).toMatch(/Applied 1 operation, 0 failed, 0 skipped\.\n$/);
});

test("what is gone is skipped by a flag: a finding, a warning each, and the rest is applied", async () => {
  const catalog = await loadedCatalog();
  const gone = manifest.replace("orders", "customers");
  const column = `${manifest}columns: { nope: { tags: [pii] } }\n`;
  const cwd = repository({ "a.yaml": column, "b.yaml": gone });
  const argv = ["--server", catalog.url, "--missing", "skip"];
  const json = await runCli(["plan", "--format", "json", ...argv], { cwd });
  expect(json.code).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject({
    findings: [{ guard: "missing", numbers: { assets: 1, columns: 1 } }],
    problems: [
      { code: "no-schema", severity: "warning" },
      { code: "asset-missing", severity: "warning" },
    ],
  });
  const applied = await runCli(["apply", "--auto-approve", ...argv], { cwd });
  expect(applied.code).toBe(0);
  expect(applied.stdout).toContain("Missing from the catalog and skipped: 1 asset, 1 column");
  expect(applied.stdout).toMatch(/Applied 1 operation, 0 failed, 0 skipped\.\n$/);
});

test("what is gone is skipped by the settings, and a flag wins over them", async () => {
  const catalog = await loadedCatalog();
  const gone = manifest.replace("orders", "customers");
  const cwd = repository({ "b.yaml": gone, "datahub-gitops.yaml": "version: 1\nmissing: skip\n" });
  const argv = ["plan", "--server", catalog.url];
  expect((await runCli(argv, { cwd })).code).toBe(0);
  expect((await runCli([...argv, "--missing", "error"], { cwd })).code).toBe(3);
});
