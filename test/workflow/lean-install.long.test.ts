import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
import { siteWith } from "../support/site.ts";
import { installedCommand, installPackage } from "./installed-package.ts";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const tags = { "tags.yaml": "kind: Tag\nid: pii\nname: PII\n" };

const folder = mkdtempSync(join(tmpdir(), "datahub-gitops-lean-"));
const command = installedCommand(folder);

beforeAll(() => installPackage(folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder with manifests, and no server. */
function withManifests(): string {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, "catalog/tags.yaml"), tags["tags.yaml"]);
  writeFileSync(join(cwd, "users.yaml"), "id: alice\n");
  return cwd;
}

/** Runs the package that is installed without its optional parts. */
async function ran(cwd: string, ...argv: readonly string[]): Promise<Ended> {
  const env = { ...process.env, HOME: cwd, GITHUB_ACTIONS: "" };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [command, ...argv], { cwd, env })) };
  } catch (error) {
    return error as Ended;
  }
}

test("without the optional part the tool validates, plans and applies", async () => {
  const site = await siteWith(tags);
  const server = ["--server", site.catalog.url];

  expect((await ran(site.root, "validate")).stdout).toContain("Valid: 1 document");
  expect((await ran(site.root, "plan", ...server)).stdout).toContain("Plan: 1 to create");
  expect((await ran(site.root, "apply", "--auto-approve", ...server)).code).toBe(0);
  expect(site.aspect("urn:li:tag:pii", "tagProperties")).toMatchObject({ name: "PII" });
});

test.each([
  ["serve", ["serve", "--port", "0"]],
  ["a plan with --local", ["plan", "--local"]],
  ["demo", ["demo"]],
  ["demo --fill", ["demo", "--fill", "data"]],
  ["user upsert with --local", ["user", "upsert", "--local", "-f", "users.yaml"]],
])("without the optional part %s says what to install, and ends with 1", async (_, argv) => {
  const { code, stdout, stderr } = await ran(withManifests(), ...argv);

  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^error: the local catalog needs SQLite \(libsql\), which is not installed; .*\n$/);
  expect(stderr).toMatch(/npm install --include=optional libsql@\d/);
});

test("without the optional part --format json says so as JSON", async () => {
  const { code, stdout } = await ran(withManifests(), "plan", "--local", "--format", "json");

  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: "not-installed" } });
});

test("a repository is set up without the optional part", async () => {
  const { catalog } = await siteWith(tags);

  const { code } = await ran(temporaryDirectory(), "init", "--server", catalog.url, "--yes", "--no-export");

  expect(code).toBe(0);
});
