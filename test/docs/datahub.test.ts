/** Tests that each DataHub quirk in the documentation has tests, and that these exist. */

import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const internals = join(import.meta.dirname, "../../docs/internals");

/** The rows of the tables of a page by section: the cells of each. */
function rowsOf(page: string): ReadonlyMap<string, readonly (readonly string[])[]> {
  const sections = readFileSync(join(internals, page), "utf8").split(/^## /m).slice(1);
  return new Map(
    sections.map((text) => {
      const lines = text.split("\n").filter((line) => /^\| (?!What DataHub does|---)/.test(line));
      return [text.slice(0, text.indexOf("\n")), lines.map((line) => line.slice(2, -2).split(" | "))];
    }),
  );
}

const quirks = rowsOf("../datahub.md");
const tested = rowsOf("datahub.md");

/** A test as a row names it: a story by its file alone, any other test by its file and its title. */
const named = /^\[(?<name>[^\]]+)\]\((?<path>\.\.\/\.\.\/test\/[^)]+)\)(?:: (?<title>.+))?$/;

function isThere(text: string): boolean {
  const { name = "", path = "", title } = named.exec(text)?.groups ?? {};
  const file = join(internals, path);
  if (!path || !existsSync(file)) return false;
  if (path.endsWith(".txtar")) return title === undefined && name === basename(file, ".txtar");
  return name === basename(file) && title !== undefined && readFileSync(file, "utf8").includes(`"${title}"`);
}

test("datahub.md and the page of its tests have the same quirks", () => {
  const described = [...quirks].map(([section, rows]) => [
    section,
    rows.map(([quirk = ""]) => quirk.replaceAll(/\]\((?!https:)/g, "](../")),
  ]);
  expect(described).toEqual([...tested].map(([section, rows]) => [section, rows.map(([quirk]) => quirk)]));
});

test.each([...tested])("%s: each row names tests that there are", (_, rows) => {
  const cells = rows.map((row) => row.at(-1) ?? "");
  expect(cells.length).toBeGreaterThan(4);
  expect(cells.flatMap((cell) => cell.split("; ")).filter((each) => !isThere(each))).toEqual([]);
});
