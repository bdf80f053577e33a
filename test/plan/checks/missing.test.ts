import { expect, test } from "vitest";
import type { Problem } from "../../../src/model/problem.ts";
import { applyMissingRule } from "../../../src/plan/checks/missing.ts";

const urn = "urn:li:dataset:(urn:li:dataPlatform:x,a,PROD)";
const severity = "error";
const column = { urn, column: "e", candidates: [] };

const gone: readonly Problem[] = [
  { code: "asset-missing", severity, args: { kind: "Dataset", urn } },
  { code: "asset-removed", severity, args: { kind: "Dataset", urn } },
  { code: "column-unknown", severity, args: column },
  { code: "no-schema", severity, args: column },
];
const others: readonly Problem[] = [
  { code: "column-ambiguous", severity, args: column },
  { code: "reference-missing", severity, args: { urn: "urn:li:tag:a", what: "Tag" } },
  { code: "read-failed", severity, args: { urn, error: "timed out" } },
];

test("as an error everything that is gone stays a problem", () => {
  expect(applyMissingRule([...gone, ...others], "error")).toEqual({
    problems: [...gone, ...others],
    findings: [],
  });
});

test("skipped, each is a warning and all are one finding with their numbers", () => {
  const { problems, findings } = applyMissingRule([...gone, ...others], "skip");
  expect(problems.map((problem) => problem.severity)).toEqual([
    ...gone.map(() => "warning"),
    ...others.map(() => "error"),
  ]);
  expect(findings).toEqual([
    {
      guard: "missing",
      severity: "warning",
      numbers: { assets: 2, columns: 2 },
      flag: "--missing error",
      setting: "missing: error",
      changes: [],
    },
  ]);
});

test("where nothing is gone there is nothing to skip", () => {
  expect(applyMissingRule(others, "skip")).toEqual({ problems: others, findings: [] });
});
