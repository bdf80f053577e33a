import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
import { siteWith } from "../support/site.ts";

const root = join(import.meta.dirname, "../..");
const modules = join(root, "node_modules");

/** An empty folder in which the package is installed from its tarball; what it depends on is linked, not downloaded. */
function installedPackage(): string {
  const folder = temporaryDirectory();
  const packing = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  const tarball = execFileSync("npm", packing, { cwd: root, encoding: "utf8" }).trim();
  const installed = join(folder, "node_modules/datahub-gitops");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", join(folder, tarball), "-C", installed, "--strip-components=1"]);
  const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const name of [...Object.keys(dependencies), "@types/node"]) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(modules, name), link);
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  return folder;
}

/** The program in the documentation. */
function documentedExample(): string {
  const text = readFileSync(join(root, "docs/library.md"), "utf8");
  return /```ts\n(.*?)```/s.exec(text)?.[1] ?? "";
}

test("the documented program compiles against the packed package, applies, and records the commit", async () => {
  const folder = installedPackage();
  writeFileSync(join(folder, "example.ts"), documentedExample());
  const options = ["--strict", "--module", "nodenext", "--target", "es2023", "--types", "node"];
  execFileSync(join(modules, ".bin/tsc"), [...options, "--skipLibCheck", "false", "example.ts"], {
    cwd: folder,
    stdio: "pipe",
  });
  const site = await siteWith({ "tags.yaml": "kind: Tag\nid: pii\nname: PII\n" });

  const { stdout, stderr } = await promisify(execFile)("node", [join(folder, "example.js")], {
    cwd: site.root,
    env: { ...process.env, DATAHUB_GMS_URL: site.catalog.url, HOME: folder },
  });

  expect(stderr).toBe("");
  expect(stdout).toContain("urn:li:tag:pii");
  expect(stdout).toContain("Plan: 1 to create");
  expect(site.aspect("urn:li:tag:pii", "tagProperties")).toMatchObject({ name: "PII" });
  expect(site.at()).toBe(site.git("rev-parse", "HEAD"));
}, 120_000);
