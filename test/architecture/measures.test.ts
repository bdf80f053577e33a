import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
import { limitOf } from "./accepted.mjs";
import { measuresOf } from "./measures.mjs";

const root = join(import.meta.dirname, "../..");

test.each(Object.entries(measuresOf(root)))("the value of “%s”, %i, is accepted", (name, value) => {
  expect(value).toBeLessThanOrEqual(limitOf(name) ?? -1);
});

/** The measures of a checkout with these files below `src`. */
function measured(files: Readonly<Record<string, string>>): Readonly<Record<string, number>> {
  const folder = temporaryDirectory();
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, "src", file);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
  }
  return Object.fromEntries(Object.entries(measuresOf(folder)).filter(([, value]) => value > 0));
}

const head = "/** Says what it is. */\n\n";

test.each([
  ["a sentence about the file", `${head}import "./b.ts";\n`, {}],
  ["a comment on a constant", "/** How many. */\nconst a = 1;\n", { "files without a first sentence": 1 }],
  ["a partial type", `${head}type A = Pick<B, "c"> & Omit<D, "e">;\n`, { "`Pick<`": 1, "`Omit<`": 1 }],
  [
    "a conditional spread",
    `${head}const a = { ...(b(c) && { b }), ...(d) };\n`,
    { "conditional spreads": 1 },
  ],
  ["many lines", `${head}${"const a = 1;\n".repeat(250)}`, { "files of more than 250 lines": 1 }],
  [
    "passes",
    [
      head,
      "export function withA(changes: readonly Change[]): readonly FacetChange[] {\n}\n",
      "function withB<C extends Change>(\n  changes: Iterable<C>,\n  isB: (each: C) => boolean,\n): Iterable<C> {\n}\n",
      "async function withC({ changes }: Plan): Promise<Plan> {\n}\n",
      "function countOf(changes: readonly Change[]): number {\n}\n",
    ].join(""),
    { "passes over the changes": 3 },
  ],
])("%s is measured", (_, text, expected) => {
  expect(measured({ "plan/a.ts": text })).toEqual(expected);
});

test("readers of an aspect are measured", () => {
  const text = `${head}const a = {\n  observe: (b) => b,\n  attribution: (b) => b,\n  answer({ b }) {\n  },\n  elements,\n};\n`;
  expect(measured({ "facets/a.ts": text })).toEqual({ "readers of an aspect besides `observe`": 2 });
});

test("an order of subfolders with the fewest imports against it is measured, and what is in a cycle", () => {
  const importing = (...names: readonly string[]): string =>
    head + names.map((name) => `import type { A } from "${name}";\n`).join("");
  const files = {
    "a/one/x.ts": importing("../two/x.ts"),
    "a/one/y.ts": importing("../two/x.ts"),
    "a/two/x.ts": importing("../three.ts"),
    "a/three.ts": `${importing("./one/x.ts")}export type A = 1;\nexport type B = 2;\n`,
    "a/four/x.ts": importing("../three.ts"),
    "b/x.ts": importing("../a/three.ts"),
  };
  expect(measured(files)).toEqual({
    "imports against the order, between subfolders": 1,
    "subfolders in a cycle": 2,
  });
  const others = Object.entries(files).filter(([file]) => file === "a/two/x.ts" || file === "a/three.ts");
  expect(measured(Object.fromEntries(others))).toEqual({
    "exports that one other file uses, in percent": 50,
  });
});
