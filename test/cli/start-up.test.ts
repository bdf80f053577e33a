import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { listedCommands } from "../../src/cli/commands/index.ts";
import type { Io } from "../../src/cli/io.ts";
import { temporaryDirectory } from "../support/catalog.ts";
import { capture } from "../support/command-line.ts";
import { runInShell } from "../support/command-process.ts";
import { cli, dist } from "../support/dist.ts";
import { siteWith } from "../support/site.ts";

const root = join(import.meta.dirname, "../..");

const known = new Map<string, readonly string[]>();

/** The files of the package, and of what it depends on, that a command loads. It is run once. */
function loadedBy(...argv: readonly string[]): readonly string[] {
  const line = argv.join(" ");
  const loaded = known.get(line) ?? loadedNow(argv);
  known.set(line, loaded);
  return loaded;
}

function loadedNow(argv: readonly string[]): readonly string[] {
  const directory = temporaryDirectory();
  execFileSync(process.execPath, [cli, ...argv], {
    cwd: root,
    env: { ...process.env, NODE_V8_COVERAGE: directory },
  });
  return readdirSync(directory).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(directory, file), "utf8")) as {
      readonly result: readonly { readonly url: string }[];
    };
    return result
      .map(({ url }) => url)
      .filter((url) => url.startsWith("file:"))
      .map((url) => relative(root, fileURLToPath(url)));
  });
}

test.each([["--help"], ["validate", "catalog"]])(
  "%s loads what is built, and no package beside it",
  (...argv) => {
    const loaded = loadedBy(...argv);

    expect(loaded).toContain("dist/cli.js");
    expect(loaded.filter((file) => !file.startsWith("dist/"))).toEqual([]);
  },
);

test("the files of commands import at their start what is built, or part of Node", () => {
  // Some share the name of a command: `explain2.js`.
  const isOfCommand = new RegExp(
    `^(?:cli|upsert|${listedCommands.map(({ name }) => name).join("|")})\\d*\\.js$`,
  );
  const files = readdirSync(join(root, "dist")).filter((name) => isOfCommand.test(name));
  const imported = new Set<string>();
  for (const name of files) addImports(`./${name}`, imported);

  expect(files.length).toBeGreaterThan(listedCommands.length / 2);
  expect(imported).toContain("./exit-code.js");
  expect([...imported].filter((each) => !/^\.\/|^node:/.test(each))).toEqual([]);
});

/** Adds what a built file imports at its start, and what that imports. */
function addImports(name: string, imported: Set<string>): void {
  if (imported.has(name)) return;
  imported.add(name);
  if (!name.startsWith("./")) return;
  const text = readFileSync(join(root, "dist", name), "utf8");
  for (const [, each = ""] of text.matchAll(/^(?:import|export)\b[^;"]*"([^"]+)";$/gm))
    addImports(each, imported);
}

test("a plan does not load what Node has for fetch", async () => {
  const site = await siteWith({ "tags.yaml": "{ kind: Tag, id: pii }\n" });
  const list = join(temporaryDirectory(), "list.mjs");
  writeFileSync(list, 'process.on("exit", () => console.error(process.moduleLoadList.join()));\n');
  const env = { DATAHUB_GMS_URL: site.catalog.url, NODE_OPTIONS: `--import=${list}` };

  const { code, stdout, stderr } = await runInShell("datahub-gitops plan", { cwd: site.root, env });

  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("1 to create") });
  expect(stderr).toContain("NativeModule _http_client");
  expect(stderr).not.toContain("undici");
});

test.each([["--help"], ["validate", "catalog"]])("%s does not load the client of GraphQL", (...argv) => {
  expectNotLoaded("GraphQLClient", argv);
});

test("the help loads neither the core nor the texts of problems", () => {
  for (const text of ["function guardFindings", "function sentenceOf"]) expectNotLoaded(text, ["--help"]);
});

/** Expects that a command loads no built file that holds the text, and that there is such a file. */
function expectNotLoaded(text: string, argv: readonly string[]): void {
  const files = readdirSync(dist).filter((name) => name.endsWith(".js"));
  const holding = files
    .map((name) => `dist/${name}`)
    .filter((file) => readFileSync(join(root, file), "utf8").includes(text));
  expect(holding).not.toEqual([]);
  expect(loadedBy(...argv).filter((file) => holding.includes(file))).toEqual([]);
}

test.each([
  { argv: ["--help"], own: [] },
  { argv: ["validate", "catalog"], own: ["dist/validate.js"] },
])("$argv loads no other command", ({ argv, own }) => {
  const commands = new Set(
    ["validate", "serve", "apply", "server", "snapshot"].map((name) => `dist/${name}.js`),
  );

  expect(loadedBy(...argv).filter((file) => commands.has(file))).toEqual(own);
});

test.each(listedCommands)("the help lists $name by the name that the command has itself", async (listed) => {
  const make = await listed.load();
  const io = { stdout: capture(80), stderr: capture(80) } as unknown as Io;
  const command = make(io, () => {});

  expect(command.name()).toBe(listed.name);
});
