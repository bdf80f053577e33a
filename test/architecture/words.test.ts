import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { refusedCommentOpenings, refusedNames, refusedWords } from "../prose/refused-words.mjs";

const root = join(import.meta.dirname, "../../src");
const entries = readdirSync(root, { recursive: true, withFileTypes: true });
const files = entries
  .filter((entry) => entry.isFile() && /\.(?:ts|md)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));

/** The comments of a file, or the lines of a README, without quoted code. */
function proseOf(file: string, text: string): readonly string[] {
  const comments = file.endsWith(".md")
    ? text.split("\n")
    : [...text.matchAll(/\/\*\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*/g)].map(([comment]) => comment);
  return comments.map((comment) =>
    comment
      .replaceAll(/^\s*(?:\/\*\*|\*\/|\*|\/\/)|\*\/$/gm, "")
      .replaceAll(/`[^`]*`/g, "")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

/** What a text has of the refused words, openings and names. */
function refusedIn(file: string, text: string): readonly string[] {
  const prose = proseOf(file, text);
  const words = refusedWords.flatMap(([word, instead]) =>
    prose.filter((each) => word.test(each)).map((each) => `${each}: ${instead}`),
  );
  const openings = file.endsWith(".md")
    ? []
    : prose.filter((each) => refusedCommentOpenings.some((opening) => opening.test(each)));
  const code = file.endsWith(".ts")
    ? text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"/g, "")
    : "";
  const names = [...new Set(code.match(/\b[A-Za-z]\w*\b/g))].filter((name) =>
    refusedNames.some((refused) => refused.test(name)),
  );
  return [...words, ...openings, ...names];
}

test("each folder with sources has a README", () => {
  const folders = new Set(
    entries.filter(({ name }) => name.endsWith(".ts")).map(({ parentPath }) => parentPath),
  );
  expect([...folders].filter((folder) => !existsSync(join(folder, "README.md")))).toEqual([]);
});

test("each file begins with a sentence about itself", () => {
  const without = files.filter(
    (file) =>
      file.endsWith(".ts") && !/^(?:#!.*\n)?\/\*\* ?[^]*?[.:]\s*\*\/\n\n/.test(readFileSync(file, "utf8")),
  );
  expect(without.map((file) => file.slice(root.length + 1))).toEqual([]);
});

test("comments and names use no refused word", () => {
  const found = files.flatMap((file) =>
    refusedIn(file, readFileSync(file, "utf8")).map((text) => `${file.slice(root.length + 1)}: ${text}`),
  );
  expect(found).toEqual([]);
});

describe("a refused word is found", () => {
  test.each<readonly [file: string, text: string, found: readonly string[]]>([
    [
      "a.ts",
      "/** Reads what stands beside it. */\n\nexport {};",
      ["Reads what stands beside it.: next to, in addition to"],
    ],
    ["a.ts", "/** Reads `beside`. */\n", []],
    ["a.ts", "// Of a set both ends.\n", ["Of a set both ends."]],
    ["a.ts", 'const mostTries = 3; const at = "mostTries";', ["mostTries"]],
    ["README.md", "It is gone.\n", ["It is gone.: missing, deleted, removed"]],
  ])("%s: %s", (file, text, found) => {
    const rows = refusedIn(file, text);
    expect(rows.filter((row) => found.includes(row))).toEqual(found);
    if (found.length === 0) expect(rows).toEqual([]);
  });
});
