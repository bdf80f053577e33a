import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { commandAt } from "./command.ts";
import { project, readAction, textOf } from "./files.ts";
import { siteInSync, tokens } from "./site.ts";
import { bash } from "./steps.ts";

const guide = textOf("docs/ci.md");
const blocks = [...guide.matchAll(/^( *)```sh\n(.*?)^ *```/gms)].map(([, margin = "", block = ""]) =>
  block.replaceAll(new RegExp(`^${margin}`, "gm"), ""),
);

test("the commands of the guide work in order, and leave workflows that are ready", async () => {
  const site = await siteInSync("version: 1\nbase: refs/datahub-gitops/applied\n");
  const { root } = site.repository;
  const bin = await commandAt(join(root, ".git/bin"));
  const env = {
    PATH: `${bin}:${process.env["PATH"] ?? ""}`,
    HOME: root,
    DATAHUB_GMS_URL: site.catalog.url,
    DATAHUB_GMS_TOKEN: tokens.read,
    GIT_CONFIG_GLOBAL: join(project, "test/support/gitconfig"),
    REPOSITORY: root,
  };
  expect(blocks).toHaveLength(2);
  const [write = "", cron = ""] = blocks;
  expect({ write, ...(await bash(write, root, env)) }).toMatchObject({ write, code: 0 });
  const folder = join(root, ".github/workflows");
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), "utf8");
    expect(text).toMatch(/uses: acme\/datahub-gitops@[0-9a-f]{40} # \(1\)/);
    expect(text).not.toMatch(/OWNER|@0{40}/);
  }
  copyFileSync(join(project, "examples/cron/drift.sh"), join(root, "drift.sh"));
  writeFileSync(join(root, "token"), tokens.read);
  expect(await bash(cron, root, env)).toEqual({ code: 0, output: "" });
});

test("the guide names files that are there, and the values that the workflows use", () => {
  for (const [, file = ""] of guide.matchAll(/\]\(([^)#]+)\)/g))
    expect({ file, isThere: existsSync(resolve(project, "docs", file)) }).toEqual({ file, isThere: true });
  for (const [, name = ""] of guide.matchAll(/`([\w-]+\.(?:ya?ml|sh))`/g)) {
    const folders = readdirSync(join(project, "examples")).map((folder) => join(project, "examples", folder));
    expect({ name, isThere: folders.some((folder) => existsSync(join(folder, name))) }).toEqual({
      name,
      isThere: true,
    });
  }
  const files = readdirSync(join(project, "examples"), { recursive: true }).map(String);
  const examples = files
    .filter((file) => /(?:\.ya?ml|file)$/.test(file))
    .map((file) => textOf(join("examples", file)))
    .join("\n");
  for (const [, name = ""] of guide.matchAll(/`(DATAHUB_\w+|datahub-\w+-token|max_\w+)`/g))
    expect({ name, isUsed: examples.includes(name) || name === "DATAHUB_GMS_TOKEN" }).toEqual({
      name,
      isUsed: true,
    });
});

test("the guide lists the inputs and outputs of the action, and their defaults", () => {
  const { inputs, outputs } = readAction();
  const table = /### The action\n(.*?)\n## /s.exec(guide)?.[1] ?? "";
  const cells = table.split("\n").flatMap((line) => /^\| (`.*?) \| (.*?) \|/.exec(line)?.slice(1, 3) ?? []);
  const named = cells
    .filter((_, index) => index % 2 === 0)
    .flatMap((cell) => cell.replaceAll("`", "").split(", "));
  expect(named).toEqual([...Object.keys(inputs), ...Object.keys(outputs)]);
  for (const [name, { default: usual = "" }] of Object.entries(inputs)) {
    if (usual === "" || usual.startsWith("${{")) continue;
    expect(table).toContain(`| \`${name}\` | \`${usual}\` |`);
  }
});
