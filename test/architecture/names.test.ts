import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { facets } from "../../src/facets/index.ts";
import { kinds } from "../../src/kinds/index.ts";

const root = join(import.meta.dirname, "../../src");

// The local catalog is another program: it knows DataHub's entities and aspects, and none of our kinds and facets.
const allowed = /^(?:facets|kinds|local-catalog)\//;

const names = new Set<string>([...kinds, ...facets].map(({ name }) => name));

// A column of the sample catalog is called like a facet.
const columns: Readonly<Record<string, readonly string[]>> = { "cli/demo/ui-edits.ts": ['"email"'] };

// A comment, or a string with its quotes. A type that picks a property by name (`G["name"]`, `Pick<T, "name">`) is no string.
const tokens =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|\b[A-Z]\w*\["[^"\n]*"\]|\b(?:Pick|Omit)<[^>]*>|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

/** The lines of a source in which a string is the name of a kind or facet. */
function named(source: string): readonly string[] {
  return [...source.matchAll(tokens)].flatMap(({ 0: token, index }) => {
    const isString = /^["'`]/.test(token) && names.has(token.slice(1, -1));
    return isString ? [`line ${source.slice(0, index).split("\n").length}: ${token}`] : [];
  });
}

const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !allowed.test(file))
  .toSorted();

describe("outside src/facets and src/kinds", () => {
  test.each(files)("%s names no facet and no kind", (file) => {
    const found = named(readFileSync(join(root, file), "utf8"));
    const isColumn = (line: string): boolean => (columns[file] ?? []).some((column) => line.endsWith(column));
    expect(found.filter((line) => !isColumn(line))).toEqual([]);
  });
});

test.each([
  ['if (facet === "members") return;', ['line 1: "members"']],
  ['const kind = "Tag";\nconst other = `Dataset`;', ['line 1: "Tag"', "line 2: `Dataset`"]],
  ['// "members"\n/* "Tag" */', []],
  ["meaning: \"a user's `groups` and a group's `members`\"", []],
  ['type A = G["name"]; type B = Pick<A, "name" | "title">;', []],
  ['const value = aspect["name"];', ['line 1: "name"']],
])("in %j it finds %j", (source, found) => {
  expect(named(source)).toEqual(found);
});
