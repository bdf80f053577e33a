import fc from "fast-check";
import { expect, test } from "vitest";
import type { Outcome } from "../../src/model/report.ts";
import { operationsOf } from "../../src/plan/order/operations.ts";
import { argOf } from "../support/problem-args.ts";
import { hostile, hostileDrift, hostilePlans, hostileProblems, hostileRun } from "./hostile.ts";
import { printed, problemsPrinted } from "./print.ts";
import { counted, runsOf } from "../support/runs.ts";

const runs = { numRuns: runsOf(120) };

test(
  "whatever a plan holds, its text has the lines of a harmless one, and none steers what shows it",
  counted,
  () => {
    fc.assert(
      fc.property(hostilePlans, (plan) =>
        expectLinesOf(printed({ plan }, "text"), printed({ plan: harmless(plan) }, "text")),
      ),
      runs,
    );
  },
);

test(
  "whatever differs, the text of drift has the lines of a harmless one, and none steers what shows it",
  counted,
  () => {
    fc.assert(
      fc.property(hostileDrift, (drift) =>
        expectLinesOf(printed({ drift }, "text"), printed({ drift: harmless(drift) }, "text")),
      ),
      runs,
    );
  },
);

test(
  "whatever went wrong, the text of a report has the lines of a harmless one, and none steers what shows it",
  counted,
  () => {
    fc.assert(
      fc.property(hostilePlans, hostile, fc.boolean(), (plan, words, isFailed) => {
        const operations = operationsOf({ changes: plan.changes });
        const outcomes = operations.map((operation): Outcome =>
          isFailed
            ? { status: "failed", operation, error: words }
            : { status: "skipped", operation, because: words },
        );
        const report = { plan, outcomes, run: hostileRun(words) };
        const view = { withPlan: true };
        expectLinesOf(printed({ report }, "text", view), printed({ report: harmless(report) }, "text", view));
      }),
      runs,
    );
  },
);

test(
  "whatever is wrong with manifests, its text has the lines of a harmless one, and none steers what shows it",
  counted,
  () => {
    const sources = hostile.map((line) => line.replaceAll("\n", " "));
    fc.assert(
      fc.property(fc.array(hostileProblems, { maxLength: 5 }), sources, hostile, (those, source, name) => {
        const names = Object.fromEntries(those.map((problem) => [String(argOf(problem, "urn")), name]));
        const view = { width: 80, wrap: false, names };
        const line = source.trim() === "" ? "" : "x";
        expectLinesOf(
          problemsPrinted(those, { ...view, lineOf: () => source }),
          problemsPrinted(harmless(those), { ...view, lineOf: () => line }),
        );
        for (const each of problemsPrinted(those, { ...view, wrap: true, lineOf: () => source }).split("\n"))
          expect(each).not.toMatch(steering);
      }),
      runs,
    );
  },
);

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
