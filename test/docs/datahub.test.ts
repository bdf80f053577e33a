import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const sections = readFileSync(join(root, "docs/datahub.md"), "utf8").split(/^## /m).slice(1);

test.each(sections.map((text) => [text.slice(0, text.indexOf("\n")), text]))(
  "%s: each row names a test that there is",
  (_, text) => {
    const [, file = ""] = /\]\(\.\.\/(.+\.test\.ts)\)/.exec(text) ?? [];
    const source = readFileSync(join(root, file), "utf8");
    const titles = text
      .split("\n")
      .filter((line) => line.startsWith("| ") && !/^\| (?:DataHub|---) /.test(line))
      .map((line) => line.split(" | ").at(-1)?.replace(/ \|$/, "") ?? "");
    expect(titles.length).toBeGreaterThan(5);
    expect(titles.filter((title) => !source.includes(`"${title}"`))).toEqual([]);
  },
);
