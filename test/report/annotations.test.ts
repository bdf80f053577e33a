import { expect, test } from "vitest";
import { type Change, isFacetChange } from "../../src/model/change.ts";
import type { Problem } from "../../src/model/problem.ts";
import type { Origin } from "../../src/model/origin.ts";
import type { Outcome } from "../../src/model/report.ts";
import { operationsOf } from "../../src/plan/order/operations.ts";
import { type Annotation, annotationText } from "../../src/report/github/annotation-text.ts";
import { annotationsOf, failureAnnotations } from "../../src/report/github/annotations.ts";
import { findings, losses, planOf, problems, usualChanges } from "./plans.ts";

const asIs = (file: string): string => file;

test("problems are annotations at their lines, guards are annotations without one, errors first", () => {
  const plan = planOf({ problems: problems.toReversed(), findings: findings.slice(1) });
  expect(annotationText(annotationsOf(plan), asIs).split("\n")).toEqual([
    "::error file=catalog/finance.yaml,line=12,col=5,title=column-unknown::`urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.finance.invoices,PROD)` has no column `e-mail`; its columns are `email` and `id`; did you mean `email`?",
    "::error file=catalog/sales.yaml,line=4,col=1,title=asset-missing::dataset `urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.ordres,PROD)` does not exist in the catalog: correct its name, or ingest it first",
    "::error title=guard deletes::Blocked: 2 entities would be deleted (limit: 0). To allow this, use --max-deletes 2 or change `guards.deletes.max_count: 2` in the settings.",
    "::warning file=catalog/finance.yaml,line=14,col=3,title=undeclared-reference::tag `gold` is not declared in these manifests",
    "::warning title=guard missing::Missing from the catalog and skipped: 2 datasets, 1 column. To report an error instead, use --missing error.",
    "",
  ]);
});

test("an annotation of a problem between two places names the other one", () => {
  const at = (file: string): Origin => ({ file, line: 3, column: 1 });
  const args = { facet: "domain", rules: ["a", "b"], urn: "urn:li:dataset:d", count: 1 };
  const problem = {
    code: "rule-conflict",
    severity: "error",
    args,
    origin: at("a.yaml"),
    related: at("b.yaml"),
  } as const;
  expect(annotationsOf(planOf({ problems: [problem] }))).toMatchObject([
    {
      file: "a.yaml",
      at: { line: 3 },
      message: expect.stringMatching(/ \(see also b\.yaml:3:1\)$/) as string,
    },
  ]);
});

test("nothing in a message, title or path ends an annotation or begins another one", () => {
  const nasty = "100%\r\n::error::a,b:c%0A";
  const annotation: Annotation = {
    level: "error",
    title: nasty,
    message: nasty,
    file: nasty,
    at: { line: 1, column: 2 },
  };
  const escaped = "100%25%0D%0A%3A%3Aerror%3A%3Aa%2Cb%3Ac%250A";
  expect(annotationText([annotation], asIs)).toBe(
    `::error file=${escaped},line=1,col=2,title=${escaped}::100%25%0D%0A::error::a,b:c%250A\n`,
  );
});

test("a problem of a file as a whole names no line, one of an earlier commit no file", () => {
  const whole: Problem = {
    code: "unreadable",
    severity: "error",
    args: { reason: "no" },
    origin: {
      file: "catalog/a.yaml",
      line: 1,
      column: 1,
    },
  };
  const base: Problem = { code: "base-missing", severity: "warning", args: { ref: "main" } };
  const [first, second] = annotationText(annotationsOf(planOf({ problems: [whole, base] })), asIs).split(
    "\n",
  );
  expect(first).toMatch(/^::error file=catalog\/a\.yaml,title=unreadable::/);
  expect(second).toMatch(/^::warning title=base-missing::the base `main` is not a commit in this repository/);
});

test("of many errors and warnings ten of each are annotations, and the last of them counts the rest", () => {
  const many = (level: Annotation["level"], number: number): readonly Annotation[] =>
    Array.from({ length: number }, (_, index) => ({ level, title: "a", message: String(index) }));
  const lines = annotationText([...many("warning", 10), ...many("error", 30)], asIs)
    .trimEnd()
    .split("\n");
  expect(lines.map((line) => line.split(" ")[0])).toEqual([
    ...Array.from({ length: 10 }, () => "::error"),
    ...Array.from({ length: 10 }, () => "::warning"),
  ]);
  expect(lines[9]).toBe("::error title=more::… and 21 more errors; see the log of this step");
  expect(lines[19]).toBe("::warning title=a::9");
});

test("an operation that failed is an error at the place of its change, named by what it was to do", () => {
  const [deletion] = losses;
  const operations = operationsOf({
    changes: [...usualChanges.slice(2, 3), ...(deletion ? [deletion] : [])],
  });
  const [first, second] = operations.map((operation): Outcome => ({
    status: "failed",
    operation,
    error: "no right to it\u001B",
  }));
  const others = operations.flatMap((operation): readonly Outcome[] => [
    { status: "applied", operation },
    { status: "skipped", operation, because: "the token" },
  ]);
  expect(
    failureAnnotations({
      plan: planOf(),
      outcomes: [...others, ...(first && second ? [first, second] : [])],
    }),
  ).toMatchObject([
    {
      level: "error",
      title: "add urn:li:tag:pii to columns.tags customer.email",
      message:
        "failed for `urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.finance.invoices,PROD)`: no right to it\uFFFD",
      file: "catalog/finance.yaml",
      at: { line: 9, column: 3 },
    },
    // Its place is in an earlier commit.
    {
      level: "error",
      title: "delete",
      message: "failed for `urn:li:domain:legacy`: no right to it\uFFFD",
    },
  ]);
});

test("a failed operation that takes away what only base declares has no place", () => {
  const change = usualChanges.slice(2, 3).find(isFacetChange);
  const changes: readonly Change[] = change
    ? [{ ...change, source: { file: "catalog/a.yaml", line: 1, column: 1, base: true as const } }]
    : [];
  const [operation] = operationsOf({ changes });
  const outcomes: readonly Outcome[] = operation ? [{ status: "failed", operation, error: "no" }] : [];
  expect(failureAnnotations({ plan: planOf(), outcomes })).toMatchObject([
    {
      level: "error",
      title: "add urn:li:tag:pii to columns.tags customer.email",
      message: expect.any(String) as string,
    },
  ]);
});

test("annotations that follow others fill up what these have left", () => {
  const errors = (number: number): readonly Annotation[] =>
    Array.from({ length: number }, (_, index) => ({ level: "error", title: "a", message: String(index) }));
  const warnings: readonly Annotation[] = [{ level: "warning", title: "w", message: "" }];
  const linesAfter = (before: number, number: number): readonly string[] =>
    annotationText(errors(number), asIs, [...warnings, ...errors(before)])
      .split("\n")
      .slice(0, -1);

  expect(linesAfter(7, 3)).toHaveLength(3);
  expect(linesAfter(7, 4)).toEqual([
    "::error title=a::0",
    "::error title=a::1",
    "::error title=more::… and 2 more errors; see the log of this step",
  ]);
  expect(linesAfter(10, 1)).toEqual([]);
  expect(linesAfter(30, 1)).toEqual([]);
});

test("nothing in an annotation steers a terminal", () => {
  const name = "\u001B[2J\u202E";
  const text = annotationText([{ level: "error", title: name, message: name, file: name }], asIs);
  expect(text).not.toMatch(/[^\P{Cc}\n]|\u202E/u);
});

test("a stale operation is a warning, and a result that could not be read back an error", () => {
  const [operation] = operationsOf({ changes: usualChanges.slice(2, 3) });
  const outcomes: readonly Outcome[] = operation ? [{ status: "stale", operation, because: "it moved" }] : [];

  expect(failureAnnotations({ plan: planOf(), outcomes, unproved: "HTTP 503" })).toMatchObject([
    { level: "error", title: "verify", message: expect.stringMatching(/not verified: HTTP 503$/) as string },
    { level: "warning", message: expect.stringMatching(/^stale for .*: it moved$/) as string },
  ]);
});
