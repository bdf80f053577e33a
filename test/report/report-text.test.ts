import { expect, test } from "vitest";
import type { Outcome, Report } from "../../src/model/report.ts";
import { operationsOf } from "../../src/plan/order/operations.ts";
import { planOf, usualChanges } from "./plans.ts";
import { printed } from "./print.ts";

const changes = usualChanges.filter(({ kind, facet }) => kind === "Dataset" && facet !== undefined);
const plan = planOf({ changes, names: { "urn:li:domain:finance": "Finance" } });
const operations = operationsOf(plan);

/** A report in which the operations have these outcomes, in their order. */
function reportOf(outcomes: readonly object[], more: Partial<Report> = {}): Report {
  return {
    plan,
    outcomes: outcomes.map((outcome, index) => ({ ...outcome, operation: operations[index] }) as Outcome),
    ...more,
  };
}

const stale = { status: "stale", because: "its value was changed after the plan was made" };
const undone = { status: "failed", error: "it was undone or overwritten" };

test("a report tells what was stale and what was undone, with what was expected and what was found", () => {
  const report = reportOf([
    { ...undone, expected: ["urn:li:tag:a", "urn:li:tag:b"], found: [] },
    { ...stale, expected: null, found: "urn:li:domain:finance" },
  ]);

  const lines = printed({ report }, "text").split("\n");

  expect(lines.filter((line) => /^( {4}|Applied)/.test(line))).toEqual([
    "    it was undone or overwritten",
    "    expected urn:li:tag:a, urn:li:tag:b",
    "    found    none",
    "    its value was changed after the plan was made",
    "    expected none",
    "    found    Finance (urn:li:domain:finance)",
    "Applied 0 operations, 1 failed, 0 skipped, 1 stale.",
  ]);
  expect(printed({ report }, "markdown")).toContain(
    "### Applied 0 operations, 1 failed, 0 skipped, 1 stale.",
  );
  expect(printed({ report }, "markdown")).toContain("  - found    Finance (urn:li:domain:finance)");
});

test("a report says that its result could not be read back, on one line", () => {
  const report = reportOf([{ status: "applied" }], { unproved: "HTTP 503\n### forged" });

  expect(printed({ report }, "text")).toMatch(
    /^error: the result could not be read back, so it is not verified: HTTP 503.*### forged\nApplied 1 operation/,
  );
  expect(printed({ report }, "markdown")).toMatch(/- error: the result could not be read back[^\n]*HTTP 503/);
  expect(printed({ report }, "markdown")).not.toMatch(/^### forged/m);
});
