import fc from "fast-check";
import { expect, test } from "vitest";
import type { Outcome } from "../../src/model/report.ts";
import { operationsOf } from "../../src/plan/order/operations.ts";
import { renderProblems } from "../../src/report/problems.ts";
import { reportText } from "../../src/report/text/report-text.ts";
import { paintWith } from "../../src/report/paint.ts";
import { driftText } from "../../src/report/text/drift-text.ts";
import { runText } from "../../src/report/text/run-text.ts";
import { planText } from "../../src/report/text/plan-text.ts";
import { argOf } from "../support/problem-args.ts";
import { hostile, hostileDrift, hostilePlans, hostileProblems, hostileRun } from "./hostile.ts";

const runs = { numRuns: Number(process.env["LAW_RUNS"] ?? 30) };
const paint = paintWith(false);

test("whatever a plan holds, its text has the lines of a harmless one, and none steers what shows it", () => {
  fc.assert(
    fc.property(hostilePlans, (plan) =>
      expectLinesOf(planText(plan, paint), planText(harmless(plan), paint)),
    ),
    runs,
  );
});

test("whatever differs, the text of drift has the lines of a harmless one, and none steers what shows it", () => {
  fc.assert(
    fc.property(hostileDrift, (plan) =>
      expectLinesOf(driftText(plan, paint), driftText(harmless(plan), paint)),
    ),
    runs,
  );
});

test("whatever went wrong, the text of a report has the lines of a harmless one, and none steers what shows it", () => {
  fc.assert(
    fc.property(hostilePlans, hostile, fc.boolean(), (plan, words, isFailed) => {
      const operations = operationsOf({ changes: plan.changes });
      const outcomes = operations.map((operation): Outcome =>
        isFailed
          ? { status: "failed", operation, error: words }
          : { status: "skipped", operation, because: words },
      );
      const report = { plan, outcomes, run: hostileRun(words) };
      expectLinesOf(reportText(report, paint), reportText(harmless(report), paint));
      expectLinesOf(runText(report), runText(harmless(report)));
    }),
    runs,
  );
});

test("whatever is wrong with manifests, its text has the lines of a harmless one, and none steers what shows it", () => {
  const sources = hostile.map((line) => line.replaceAll("\n", " "));
  fc.assert(
    fc.property(fc.array(hostileProblems, { maxLength: 5 }), sources, hostile, (those, source, name) => {
      const names = Object.fromEntries(those.map((problem) => [String(argOf(problem, "urn")), name]));
      const view = { width: 80, wrap: false, names };
      const line = source.trim() === "" ? "" : "x";
      expectLinesOf(
        renderProblems(those, { ...view, lineOf: () => source }),
        renderProblems(harmless(those), { ...view, lineOf: () => line }),
      );
      for (const each of renderProblems(those, { ...view, wrap: true, lineOf: () => source }).split("\n"))
        expect(each).not.toMatch(steering);
    }),
    runs,
  );
});

const steering = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/u;

/** The same number of lines, each of printable characters only, and no command to what runs a workflow. */
function expectLinesOf(text: string, expected: string): void {
  const lines = text.split("\n");
  const ofShortTexts = text.replaceAll(/^( {4}~ description:.*)\n {6}- (.*)\n {6}\+ (.*)$/gm, "$1 $2 → $3");
  expect(ofShortTexts.split("\n")).toHaveLength(expected.split("\n").length);
  for (const line of lines) {
    expect(line).not.toMatch(steering);
    expect(line).not.toMatch(/^\s*::|##\[(?!-)/);
  }
}

const ours =
  /^(?:create|update|delete|changed|missing|pending|scalar|set|entity|error|warning|applied|failed|answer|skipped|proposal|mutation|removals|ingested|columns\.tags|description|Tag|Dataset|asset-missing|column-unknown|yaml-syntax)$/;

/** The same with another name for each text that is not ours. */
function harmless<T>(value: T): T {
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `${text.startsWith("urn:li:tag:") ? "urn:li:tag:" : ""}x${names.size}`;
    names.set(text, name);
    return name;
  };
  const renamed = (each: unknown, key: string): unknown => {
    if (key === "request") return each;
    if (typeof each === "string") return ours.test(each) || key === "facet" ? each : nameOf(each);
    if (Array.isArray(each)) return each.map((one: unknown) => renamed(one, key));
    if (typeof each !== "object" || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([name, one]) => [name, renamed(one, name)]));
  };
  return renamed(value, "") as T;
}
