import { expect, test } from "vitest";
import type { Problem } from "../../../src/model/problem.ts";
import { settleMissing } from "../../../src/plan/checks/missing.ts";

function problem(code: string): Problem {
  return { code, severity: "error", args: {} };
}

const gone = ["asset-missing", "asset-removed", "column-unknown", "no-schema"].map(problem);
const others = ["column-ambiguous", "reference-missing", "read-failed"].map(problem);

test("as an error everything that is gone stays a problem", () => {
  expect(settleMissing([...gone, ...others], "error")).toEqual({
    problems: [...gone, ...others],
    findings: [],
  });
});

test("skipped, each is a warning and all are one finding with their numbers", () => {
  const { problems, findings } = settleMissing([...gone, ...others], "skip");
  expect(problems.map(({ severity }) => severity)).toEqual([
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
  expect(settleMissing(others, "skip")).toEqual({ problems: others, findings: [] });
});
