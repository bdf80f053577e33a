import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exitCodes } from "../../src/cli/exit-code.ts";
import { problemCodes } from "../../src/report/document/problems.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/troubleshooting.md"), "utf8");

test("each exit code but success has a section, in order", () => {
  const sections = [...page.matchAll(/^## Exit code (\d+)$/gm)].map(([, code]) => Number(code));

  expect(sections).toEqual(
    Object.values(exitCodes)
      .filter((code) => code !== exitCodes.done)
      .toSorted((a, b) => a - b),
  );
});

test("the codes in the tables are codes of problems", () => {
  const known = new Set(problemCodes);
  const cells = [...page.matchAll(/^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \|/gm)].map(([, cell = ""]) => cell);
  const named = cells.flatMap((cell) => cell.split(", ").map((code) => code.replaceAll("`", "")));

  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((code) => !known.has(code))).toEqual([]);
});
