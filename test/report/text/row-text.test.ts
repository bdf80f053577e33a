import { expect, test } from "vitest";
import type { Row } from "../../../src/report/page.ts";
import type { Paint } from "../../../src/report/text/paint.ts";
import { rowText } from "../../../src/report/text/rows.ts";

const origin = { file: "a.yaml", line: 3, column: 5 };
const text = "policy owned: orders";
const marked: Paint = (style, shown) => `<${style} ${shown}>`;

test.each<readonly [string, Row, string]>([
  ["its text only", { text }, `${text}\n`],
  ["a place", { text, origin }, `${text}  <dim a.yaml:3:5>\n`],
  ["a changed setting", { text, sign: "~" }, `  <change ~> ${text}\n`],
  ["a label", { text, severity: "error", isLabeled: true, origin }, `<error error>: ${text} (a.yaml:3:5)\n`],
  ["verdicts", { text, lines: ["fixed: a"] }, `${text}\n    fixed: a\n`],
  [
    "a waiver",
    { text, waiver: ["kind: Waiver"] },
    `${text}\n    to waive the violation, declare:\n      kind: Waiver\n`,
  ],
  ["no waiver", { text, waiver: [] }, `${text}\n`],
])("a row with %s is printed in its colors", (_, row, expected) => {
  expect(rowText(row, marked)).toBe(expected);
});
