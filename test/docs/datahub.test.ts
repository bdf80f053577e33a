import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const docs = join(import.meta.dirname, "../../docs");
const sections = readFileSync(join(docs, "datahub.md"), "utf8").split(/^## /m).slice(1);

/** A test as a row names it: a story by its file alone, any other test by its file and its title. */
const named = /^\[(?<name>[^\]]+)\]\((?<path>\.\.\/test\/[^)]+)\)(?:: (?<title>.+))?$/;

function isThere(text: string): boolean {
  const { name = "", path = "", title } = named.exec(text)?.groups ?? {};
  const file = join(docs, path);
  if (!path || !existsSync(file)) return false;
  if (path.endsWith(".txtar")) return title === undefined && name === basename(file, ".txtar");
  return name === basename(file) && title !== undefined && readFileSync(file, "utf8").includes(`"${title}"`);
}

test.each(sections.map((text) => [text.slice(0, text.indexOf("\n")), text]))(
  "%s: each row names tests that there are",
  (_, text) => {
    const cells = text
      .split("\n")
      .filter((line) => line.startsWith("| ") && !/^\| (?:DataHub|---) /.test(line))
      .map((line) => line.split(" | ").at(-1)?.replace(/ \|$/, "") ?? "");
    expect(cells.length).toBeGreaterThan(4);
    expect(cells.flatMap((cell) => cell.split("; ")).filter((each) => !isThere(each))).toEqual([]);
  },
);
