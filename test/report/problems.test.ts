import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorAt } from "../../src/manifests/base/problem.ts";
import type { Problem } from "../../src/model/problem.ts";
import { problem } from "../../src/model/problems/problem.ts";
import { messageOf, problemCodes, problemsJson } from "../../src/report/document/problems.ts";
import { problemsPrinted } from "./print.ts";
import { shownFor } from "../support/manifest-files.ts";

const origin = { file: "catalog/a.yaml", line: 4, column: 7 };
const unknownField: Problem = {
  code: "unknown-field",
  severity: "error",
  args: { field: "tag", in: "Dataset", known: ["tags"], suggestion: "tags" },
  origin,
};
const warning: Problem = {
  code: "undeclared-reference",
  severity: "warning",
  args: { kind: "Tag", id: "a", times: 1 },
  origin,
};

test("a problem shows its position, its line with a caret, and a suggestion", () => {
  const text = problemsPrinted([unknownField], { lineOf: () => "      tag: [x]", width: 80 });

  expect(text).toBe(`catalog/a.yaml:4:7 error unknown-field: a Dataset has no field \`tag\`; did you
    mean \`tags\`?
  4 |       tag: [x]
    |       ^
`);
});

test("at 60 columns no line is longer, and the caret stands below its column", async () => {
  const text = await shownFor(
    {
      "catalog/a.yaml": `kind: Container\nurn: urn:li:container:a\nowners: [${"{ user: someone }, ".repeat(9)}{ usr: x }]\n`,
    },
    60,
  );

  const lines = text.trimEnd().split("\n");
  const caret = (lines.at(-1) ?? "").indexOf("^");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  expect((lines.at(-2) ?? "").slice(caret)).toMatch(/^usr: x/);
});

test("a URN in a message has its display name before it, also in a saved plan, but not in JSON", () => {
  const names = { "urn:li:tag:t1": "Personal `data`", "urn:li:tag:t": "x" };
  const view = { lineOf: () => undefined, width: 200, names };
  const deleted: Problem = { code: "deleted-reference", severity: "error", args: { urn: "urn:li:tag:t1" } };
  const saved = { ...deleted, message: messageOf(deleted), source: "" };

  for (const each of [deleted, saved]) {
    expect(problemsPrinted([each], view)).toContain("refers to Personal 'data' (`urn:li:tag:t1`), which");
    expect(JSON.stringify(problemsJson([each], () => undefined))).toContain(
      "refers to `urn:li:tag:t1`, which",
    );
  }
});

test.each([
  ["tabs", "\t\ttag", 3, "    tag"],
  ["wide characters", "名前 tag", 4, "名前 tag"],
  ["emoji", "🦆 tag", 4, "🦆 tag"],
])("the caret is put right after %s", (_, line, column, shown) => {
  const text = problemsPrinted([{ ...unknownField, origin: { ...origin, column } }], {
    lineOf: () => line,
    width: 80,
  });

  const [source = "", caret = ""] = text.split("\n").slice(-3);
  expect(source.trim()).toBe(`4 | ${shown}`.replace("    tag", "  tag").trim());
  expect(caret.trimEnd().endsWith("^")).toBe(true);
});

test("nothing in a file name, line or value can steer the terminal", () => {
  const nasty = "\u001B[31m\u202Ered\u0007\r\n";
  const text = problemsPrinted(
    [
      {
        code: "unknown-kind",
        severity: "error",
        args: { kind: nasty, known: ["Tag"] },
        origin: { ...origin, file: nasty },
      },
    ],
    { lineOf: () => nasty, width: 80 },
  );

  // oxlint-disable-next-line no-control-regex -- these characters are the point
  expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u202E]/);
});

test("a long list ends with how many more there are, errors first", () => {
  const many = [warning, warning, ...Array.from({ length: 2998 }, () => unknownField)];
  const text = problemsPrinted(many, { lineOf: () => undefined, width: 100, limit: 10 });

  expect(text.match(/error unknown-field/g)).toHaveLength(10);
  expect(text.trimEnd().split("\n").at(-1)).toBe(
    "… and 2990 more problems: 2998 errors and 2 warnings in total",
  );
});

test("the line may be missing, blank or shorter than the column", () => {
  for (const line of [undefined, "", "x"]) {
    expect(problemsPrinted([unknownField], { lineOf: () => line, width: 80 })).toContain("unknown-field");
  }
});

test("color is added only when asked for", () => {
  const view = { lineOf: () => undefined, width: 80 };

  expect(problemsPrinted([unknownField], { ...view, color: true })).toContain("\u001B[31m");
  expect(problemsPrinted([unknownField], view)).not.toContain("\u001B");
});

test("the JSON of a problem holds all that the text does", () => {
  expect(problemsJson([{ ...unknownField, related: origin }], () => "tag: [x]")).toEqual([
    {
      code: "unknown-field",
      severity: "error",
      message: "a Dataset has no field `tag`",
      args: unknownField.args,
      file: "catalog/a.yaml",
      line: 4,
      column: 7,
      source: "tag: [x]",
      suggestion: "tags",
      related: origin,
    },
  ]);
});

const urn = "urn:li:dataset:(urn:li:dataPlatform:x,a,PROD)";

const live: readonly (readonly [Problem, string])[] = [
  [
    { code: "asset-missing", severity: "error", args: { kind: "Dataset", urn } },
    `dataset \`${urn}\` does not exist in the catalog`,
  ],
  [
    { code: "asset-removed", severity: "error", args: { kind: "Dataset", urn } },
    `dataset \`${urn}\` is soft-deleted`,
  ],
  [
    { code: "column-unknown", severity: "error", args: { column: "e", urn, candidates: ["a", "b"] } },
    "its columns are `a` and `b`",
  ],
  [
    { code: "column-ambiguous", severity: "error", args: { column: "e", urn, candidates: ["a", "b"] } },
    "write the full field path, `a` or `b`",
  ],
  [
    { code: "column-twice", severity: "error", args: { column: "e", urn, candidates: ["a.e"] } },
    "is declared more than once (its full field path is `a.e`)",
  ],
  [
    { code: "no-schema", severity: "error", args: { column: "e", urn, candidates: [] } },
    "has no columns in the catalog",
  ],
  [
    { code: "reference-missing", severity: "error", args: { urn: "urn:li:tag:a", what: "tag" } },
    "tag `urn:li:tag:a` does not exist in the catalog",
  ],
  [
    { code: "reference-removed", severity: "error", args: { urn: "urn:li:tag:a", what: "tag" } },
    "tag `urn:li:tag:a` is soft-deleted",
  ],
  [{ code: "read-failed", severity: "error", args: { urn, error: "timed out" } }, "timed out"],
];

test.each(live)("the live problem $code has its text", (each, expected) => {
  expect(messageOf(each)).toContain(expected);
});

test("a problem of a saved plan keeps its message, whatever its code and arguments", () => {
  for (const code of ["constructor", "of-another-version", "unknown-field"]) {
    const saved = { code, severity: "error", args: { a: "b" }, message: "as it was", source: "" } as const;
    expect(messageOf(saved)).toBe("as it was");
    expect(problemsPrinted([saved], { lineOf: () => undefined, width: 80 })).toBe(
      `error ${code}: as it was\n`,
    );
  }
});

test("a misspelt code and misspelt, missing or foreign arguments do not compile", () => {
  const severity = "error";
  // @ts-expect-error -- the code is misspelt
  const misspeltCode: Problem = { code: "unknown-feild", severity, args: { field: "a", in: "Tag" } };
  // @ts-expect-error -- the argument `field` is misspelt
  const misspeltArg: Problem = { code: "missing-field", severity, args: { feild: "a", in: "Tag" } };
  // @ts-expect-error -- the argument `in` is missing
  const missingArg: Problem = { code: "missing-field", severity, args: { field: "a" } };
  // @ts-expect-error -- the arguments are those of another code
  const otherArgs: Problem = { code: "missing-field", severity, args: { urn: "urn:li:tag:a" } };
  // @ts-expect-error -- the code has no arguments
  const noArgs: Problem = { code: "merge-conflict", severity, args: { field: "a" } };
  // @ts-expect-error -- the argument `field` is misspelt where a problem is made
  const made = errorAt(origin, "missing-field", { feild: "a", in: "Tag" });

  expect([misspeltCode, misspeltArg, missingArg, otherArgs, noArgs, made]).toHaveLength(6);
});

test("a problem without a message, and a message or sample with arguments that its code does not have, do not compile", () => {
  // @ts-expect-error -- the message is missing
  const missing = problem({});
  // @ts-expect-error -- the argument `field` is misspelt in the message
  const misspelt = problem({ message: ({ feild }: { field: string }) => feild });
  // @ts-expect-error -- the argument `field` is misspelt in a sample
  const sample = problem({ message: (_: { field: string }) => "", samples: [{ feild: "" }] });

  expect([missing, misspelt, sample]).toHaveLength(3);
});

test("the documentation has a row for each code, sorted: the comment on its entry", () => {
  const folder = "src/model/problems";
  const sources = readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, "utf8"));
  const entries = sources
    .join("")
    .matchAll(/^  \/\*\*((?:(?!\*\/)[^])*\.)\s*\*\/\n  "?([\w-]+)"?: problem\b/gm);
  const textOf = (comment: string): string => comment.replaceAll(/\s*\n\s*\*\s*|^ /g, " ").trim();
  const comments = new Map(
    [...entries].map(([, comment = "", code]) => [code, textOf(comment).replaceAll("|", "\\|")]),
  );
  const rows = readFileSync("docs/problems.md", "utf8").split("\n");

  expect(rows.filter((line) => line.startsWith("| `"))).toEqual(
    problemCodes.map((code) => `| \`${code}\` | ${comments.get(code)} |`),
  );
});

test("a line that was kept with a problem is shown instead of any file's, and not where it was cut before the place", () => {
  const view = { lineOf: () => "of the disk", width: 80 };
  const excerptOf = (source: string, column: number): string =>
    problemsPrinted([{ ...unknownField, message: "", source, origin: { ...origin, column } }], view);

  expect(excerptOf("kept", 2)).toContain("| kept\n");
  expect(excerptOf("", 2)).not.toContain("|");
  expect(excerptOf("x".repeat(500), 500)).toContain("^");
  expect(excerptOf("x".repeat(500), 501)).not.toContain("|");
});
