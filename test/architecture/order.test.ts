import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";

const root = join(import.meta.dirname, "../..");
const linter = join(root, "node_modules/.bin/oxlint");

type Table = Readonly<Record<string, string>>;
type Order = Readonly<Record<"src" | "packages" | "strict", Table>>;

const order = JSON.parse(readFileSync(join(import.meta.dirname, "order.json"), "utf8")) as Order;
const top = Object.keys(order.src);

/** Names that `order.json` writes as a text of words. */
function wordsOf(text: string | undefined): readonly string[] {
  return (text ?? "").split(" ").filter((word) => word !== "");
}

/** Folders of an invented program, whose order has a line of each kind. */
const invented: Order = {
  src: { low: "", high: "low", "main.ts": "high" },
  packages: { low: "ajv node:*", "main.ts": "node:fs" },
  strict: { high: "base.ts < first < second < ." },
};

const files: Readonly<Record<string, readonly (readonly [name: string, isAllowed: boolean])[]>> = {
  "low/a.ts": [
    ["./b.ts", true],
    ["../high/a.ts", false],
    ["../main.ts", false],
    ["ajv", true],
    ["yaml", false],
    ["node:fs", true],
    ["node:fs/promises", true],
  ],
  "low/first/a.ts": [
    ["../second/a.ts", true], // it has no order
    ["../../high/a.ts", false],
  ],
  "high/base.ts": [
    ["./first/a.ts", false],
    ["./a.ts", false],
    ["../low/first/a.ts", true],
    ["../new/a.ts", false],
  ],
  "high/first/a.ts": [
    ["./deep/a.ts", true],
    ["../base.ts", true],
    ["../a.ts", false],
    ["../second/a.ts", false],
    ["../unnamed/a.ts", false],
    ["../../low/a.ts", true],
    ["../../main.ts", false],
  ],
  "high/first/deep/a.ts": [
    ["../a.ts", true],
    ["../../base.ts", true],
    ["../../second/a.ts", false],
  ],
  "high/second/a.ts": [
    ["../first/deep/a.ts", true],
    ["ajv", false],
    ["node:fs", false],
  ],
  "high/unnamed/a.ts": [
    ["../second/a.ts", true],
    ["../other/a.ts", false],
    ["../a.ts", false],
  ],
  "high/a.ts": [
    ["./b.ts", true],
    ["./base.ts", true],
    ["./second/a.ts", true],
    ["./unnamed/a.ts", true],
  ],
  "main.ts": [
    ["./high/first/a.ts", true],
    ["./low/a.ts", false],
    ["node:fs", true],
    ["node:path", false],
  ],
  "new/a.ts": [
    ["./b.ts", true],
    ["../low/a.ts", false],
    ["node:fs", false],
  ],
};

/** The imports that the linter reports, as `file name`. */
function reportedIn(write: (name: string) => string): readonly string[] {
  const copy = temporaryDirectory();
  mkdirSync(join(copy, "test/architecture"), { recursive: true });
  for (const file of [
    ".oxlintrc.json",
    "test/architecture/lint-imports.mjs",
    "test/architecture/imports.mjs",
  ])
    copyFileSync(join(root, file), join(copy, file));
  writeFileSync(join(copy, "test/architecture/order.json"), JSON.stringify(invented));
  for (const [file, imports] of Object.entries(files)) {
    const path = join(copy, "src", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, imports.map(([name]) => write(JSON.stringify(name))).join("\n"));
  }
  return lint(copy)
    .filter(({ code }) => code === "structure(import-order)")
    .map(({ filename, labels }) => {
      const file = filename.replace(/^src\//, "");
      return `${file} ${files[file]?.[(labels[0]?.span.line ?? 0) - 1]?.[0]}`;
    });
}

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

function lint(cwd: string): readonly Diagnostic[] {
  let output: string;
  try {
    const options = { cwd, encoding: "utf8", stdio: "pipe", maxBuffer: 16_000_000 } as const;
    output = execFileSync(linter, ["--format", "json", "src"], options);
  } catch (error) {
    // It ends with 1 when it reports something.
    output = (error as { readonly stdout: string }).stdout;
  }
  return (JSON.parse(output) as { readonly diagnostics: readonly Diagnostic[] }).diagnostics;
}

test.each([
  ["import", (name: string) => `import ${name};`],
  ["import of a type", (name: string) => `import type {} from ${name};`],
  ["export of all", (name: string) => `export * from ${name};`],
  ["export of a name", (name: string) => `export { a } from ${name};`],
  ["import when it runs", (name: string) => `void import(${name});`],
])("the linter reports each %s against the order, and no other", (_, write) => {
  const expected = Object.entries(files).flatMap(([file, imports]) =>
    imports.filter(([, isAllowed]) => !isAllowed).map(([name]) => `${file} ${name}`),
  );

  expect(reportedIn(write).toSorted()).toEqual(expected.toSorted());
});

test("the order names all folders and files at the top, and each imports earlier ones only", () => {
  expect([...top, "README.md"].toSorted()).toEqual(readdirSync(join(root, "src")).toSorted());
  for (const [index, name] of top.entries())
    expect(
      wordsOf(order.src[name]).filter((other) => !top.slice(0, index).includes(other.split("/")[0] ?? "")),
    ).toEqual([]);
});

test("an order of subfolders names nothing twice, and nothing that is not there", () => {
  for (const [folder, text] of Object.entries(order.strict)) {
    const names = text.split(" < ");
    const entries = readdirSync(join(root, "src", folder), { withFileTypes: true });
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name !== "." && entries.every((entry) => entry.name !== name))).toEqual([]);
    expect(names).toContain(".");
  }
});

test("the pure folders use no file system, network, clock or randomness", () => {
  const pure = ["model", "kinds", "facets", "plan", "report"];
  const used = pure.flatMap((folder) => wordsOf(order.packages[folder]));
  expect(used.filter((name) => name.startsWith("node:"))).toEqual(["node:crypto", "node:util", "node:zlib"]);
});

test("datahub, manifests, git and the local catalog do not know each other", () => {
  const apart = ["datahub", "manifests", "git", "local-catalog"];
  const known = apart.flatMap((folder) => wordsOf(order.src[folder]));
  expect(known.filter((name) => apart.includes(name))).toEqual([]);
});
