import { expect, test } from "vitest";
import type { Report } from "../../src/model/report.ts";
import { operationsOf } from "../../src/plan/order/operations.ts";
import { documentOf } from "../../src/report/document/document-of.ts";
import { findings, losses, planOf, problems } from "./plans.ts";

const plan = planOf({ changes: losses, findings, problems });
const noLines = { lineOf: (): undefined => undefined };

test("the rows of a document have their data beside their sentences, in the order of the plan", () => {
  const document = documentOf({ plan }, noLines);

  expect(document.problems.map(({ text: _, source: _source, ...data }) => data)).toEqual(
    problems.map((problem) => ({ ...problem, isOfFile: false })),
  );
  expect(document.findings.map(({ text: _, ...finding }) => finding)).toEqual(findings);
  expect(document.changes).toEqual([{ changes: losses }]);
  for (const { text } of [...document.problems, ...document.findings]) expect(text).toMatch(/^\S.+\S$/);
});

test("a report has a row for each outcome that is not applied, and the document of its plan", () => {
  const outcomes: Report["outcomes"] = operationsOf(plan).map((operation, index) =>
    index === 0 ? { status: "applied", operation } : { status: "failed", operation, error: "no" },
  );

  const document = documentOf({ report: { plan, outcomes } }, noLines);

  expect(document.outcomes.flatMap((row) => row.outcomes)).toEqual(outcomes.slice(1));
  expect(document.outcomes.map(({ status }) => status)).toEqual(outcomes.slice(1).map(() => "failed"));
  expect(document.plan?.changes).toEqual([{ changes: losses }]);
});
