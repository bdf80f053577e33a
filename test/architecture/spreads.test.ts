import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../src");

// The local catalog is another program: what it holds in one list is bounded by one request.
const allowed = /^local-catalog\//;

// A few that are bounded: the modes, the back quotes of a text that was cut, the width of a diagonal.
const bounded: readonly string[] = [
  "cli/run/init-modes.ts",
  "model/text/suggestion.ts",
  "report/markdown/escape.ts",
];

const spreading = /\b(?:push|unshift|splice|max|min|fromCharCode|fromCodePoint)\((?:[^()[\]{}]*,\s*)?\.\.\./;

const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !allowed.test(file),
);

test("no list becomes the arguments of a call: 130,000 of them overflow the stack", () => {
  const found = files.filter((file) => spreading.test(readFileSync(join(root, file), "utf8")));

  expect(found.toSorted()).toEqual(bounded);
});
