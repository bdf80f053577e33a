import { execFile, execFileSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
import { siteWith } from "../support/site.ts";
import { installPackage, root } from "./installed-package.ts";

const modules = join(root, "node_modules");

/** The program in the documentation. */
function documentedExample(): string {
  const text = readFileSync(join(root, "docs/library.md"), "utf8");
  return /```ts\n(.*?)```/s.exec(text)?.[1] ?? "";
}

test("the documented program compiles against the packed package, applies, and records the commit", async () => {
  const folder = temporaryDirectory();
  installPackage(folder);
  symlinkSync(join(modules, "@types"), join(folder, "node_modules/@types"));
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
