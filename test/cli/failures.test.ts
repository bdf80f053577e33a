import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, onTestFinished, test } from "vitest";
import { type Format, formats } from "../../src/report/format.ts";
import { failureSchema } from "../../src/report/saved/report-schema.ts";
import { temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli, type RunOptions } from "../support/command-line.ts";
import { siteWith } from "../support/site.ts";

const token = "s3cr3t-t0ken";
const fits = new Ajv({ allowUnionTypes: true }).compile(failureSchema);

/** A directory with a catalog of one manifest. */
function repositoryOf(manifest: string): string {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, "catalog/a.yaml"), manifest);
  return cwd;
}

/** A server that answers every request with a status, or never. */
async function serverWith(status: number | undefined): Promise<string> {
  const server = createServer((_, response) => {
    if (status !== undefined) response.writeHead(status).end(`no ${token}`);
  });
  await new Promise<void>((started) => server.listen(0, "127.0.0.1", started));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const endings: Partial<Record<Format, string>> = { markdown: "md", text: "txt" };
const nameOf = (format: Format): string => `r.${endings[format] ?? format}`;
const reports = formats.flatMap((format) => ["--report", `${format}=${nameOf(format)}`]);

/** Runs a command that fails, and reads what it leaves in every format. */
async function failing(cwd: string, argv: readonly string[], options: Partial<RunOptions> = {}) {
  const flags = argv[0] === "plan" || argv[0] === "apply" ? reports : [];
  const ran: Ran = await runCli([...argv, "--format", "json", ...flags], {
    cwd,
    env: { DATAHUB_GMS_TOKEN: token },
    ...options,
  });
  const read = (name: string): string => readFileSync(join(cwd, name), "utf8");
  expect(JSON.stringify(ran)).not.toContain(token);
  expect(fits(JSON.parse(ran.stdout)), JSON.stringify(fits.errors)).toBe(true);
  if (flags.length > 0) {
    expect(read("r.json")).toBe(ran.stdout);
    for (const format of formats) expect(read(nameOf(format))).not.toContain(token);
    // No format looks as if all were well.
    expect(read("r.sarif")).toContain('"level": "error"');
    expect(read("r.gitlab")).toContain('"severity": "critical"');
    expect(read("r.junit")).toContain("<failure ");
    expect(statSync(join(cwd, "r.json")).mode & 0o777).toBe(0o600);
  }
  return { ...ran, json: JSON.parse(ran.stdout) as object, read };
}

const tag = "kind: Tag\nid: pii\n";
const commands: readonly (readonly [string, readonly string[]])[] = [
  ["plan", []],
  ["apply", ["--auto-approve"]],
];

test.each(commands)("%s of an unreachable server says so on stdout as Markdown", async (command, flags) => {
  const argv = [command, ...flags, "--server", "http://127.0.0.1:1", "--format", "markdown"];

  const { code, stdout } = await runCli(argv, { cwd: repositoryOf(tag), env: { DATAHUB_GMS_TOKEN: token } });

  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringMatching(/^### Error\n\ncannot connect to /),
  });
});

test.each(commands)("%s of an unreachable server leaves an error in every format", async (command, flags) => {
  const cwd = repositoryOf(tag);
  const { code, json, stderr, read } = await failing(cwd, [
    command,
    ...flags,
    "--server",
    "http://127.0.0.1:1",
  ]);

  expect(code).toBe(1);
  expect(json).toEqual({
    formatVersion: "1",
    error: { code: "unreachable", message: expect.stringContaining("http://127.0.0.1:1") },
  });
  expect(stderr).toMatch(/^error: cannot connect to /);
  expect(read("r.txt")).toBe(stderr);
  expect(read("r.md")).toMatch(/^### Error\n\ncannot connect to /);
});

test.each([
  [401, "unauthorized"],
  [403, "unauthorized"],
  [404, "not-datahub"],
  [500, "http"],
] as const)("a server that answers HTTP %i is the error %s", async (status, expected) => {
  const server = await serverWith(status);
  const { code, json } = await failing(repositoryOf(tag), ["plan", "--server", server]);

  expect({ code, json }).toMatchObject({ code: 1, json: { error: { code: expected } } });
});

test("an unknown base is an error with its code", async () => {
  const site = await siteWith({ "a.yaml": tag });
  const argv = ["plan", "--base", "nowhere", "--server", site.catalog.url];

  expect(await failing(site.root, argv)).toMatchObject({
    code: 1,
    json: { error: { code: "unknown-base" } },
  });
});

test("a plan that is not approved is an error, and the reports say so", async () => {
  const site = await siteWith({ "a.yaml": tag });
  const argv = ["apply", "--server", site.catalog.url];

  const { code, json } = await failing(site.root, argv, { answers: ["no"] });

  expect({ code, json }).toMatchObject({ code: 1, json: { error: { code: "not-approved" } } });
});

test("an interruption while the catalog is read is an error in every format", async () => {
  const server = await serverWith(undefined);
  const interruption = new AbortController();
  interruption.abort(new Error("interrupted"));
  const argv = ["plan", "--server", server];

  const { code, json } = await failing(repositoryOf(tag), argv, { interrupted: interruption.signal });

  expect({ code, json }).toMatchObject({ code: 130, json: { error: { code: "interrupted" } } });
});

test.each(commands)("problems of manifests are what %s leaves in every format", async (command, flags) => {
  const cwd = repositoryOf("kind: Tog\n");
  const { code, json, stderr, read } = await failing(cwd, [
    command,
    ...flags,
    "--server",
    "http://127.0.0.1:1",
  ]);

  expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
  expect(json).toMatchObject({ formatVersion: "1", problems: [{ file: "catalog/a.yaml", line: 1 }] });
  expect(read("r.txt")).toMatch(/^catalog\/a\.yaml:1:7 error [\s\S]*\nRefused: 1 error\.?\n$/);
  expect(read("r.md")).toMatch(/^### Refused: /);
});

test("a saved plan that cannot be read is an error as JSON", async () => {
  const cwd = temporaryDirectory();
  const { code, json } = await failing(cwd, ["show", "plan.json"]);

  expect({ code, json }).toMatchObject({ code: 3, json: { error: { code: "unusable-file" } } });
});

test("wrong usage prints no JSON and leaves no report", async () => {
  const cwd = repositoryOf(tag);
  const ran = await runCli(["plan", "--format", "json", ...reports], { cwd });

  expect(ran).toMatchObject({ code: 64, stdout: "" });
  expect(existsSync(join(cwd, "r.json"))).toBe(false);
});

test("a report that cannot be written does not replace the result that was printed or the other reports", async () => {
  const site = await siteWith({ "a.yaml": tag });
  const flags = ["--format", "json", "--report", "nowhere/r.json", "--report", "r.json"];

  const { code, stdout, stderr } = await site.apply(...flags);

  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ summary: { applied: 1 } });
  expect(readFileSync(join(site.root, "r.json"), "utf8")).toBe(stdout);
  expect(stderr.match(/cannot write nowhere\/r\.json/g)).toHaveLength(1);
});
