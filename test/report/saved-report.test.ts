import fc from "fast-check";
import { expect, test } from "vitest";
import type { Operation } from "../../src/model/operation.ts";
import type { Outcome, Report } from "../../src/model/report.ts";
import type { State } from "../../src/model/state.ts";
import { compareStates } from "../support/compare-states.ts";
import { operationsOf } from "../../src/plan/order/operations.ts";
import { digestOf, sealed } from "../../src/plan/base/hash.ts";
import { makePlan } from "../support/make-plan.ts";
import { defaultPolicy } from "../../src/plan/base/policy.ts";
import { formats } from "../../src/report/format.ts";
import { parseSaved } from "../../src/report/saved/saved-report.ts";
import { planOf, usualChanges } from "./plans.ts";
import { printed } from "./print.ts";
import { desiredStates, header, liveOf, liveStates, membershipsIn } from "../support/states.ts";
import { counted, runsOf } from "../support/runs.ts";

const numRuns = runsOf(20);

function outcomeOf(operation: Operation, kind: number): Outcome {
  const difference = { expected: ["urn:li:tag:a"], found: null };
  if (kind === 0) return { status: "applied", operation };
  if (kind === 1) return { status: "failed", operation, error: "the disk is full", ...difference };
  return kind === 2
    ? { status: "skipped", operation, because: "interrupted" }
    : { status: "stale", operation, because: "it is not as planned", ...difference };
}

/** A report of the plan for these states, with an outcome of each status. */
function reportOf(desired: State, live: State): Report {
  const comparison = compareStates(desired, liveOf(live, desired), defaultPolicy, membershipsIn(live));
  const plan = makePlan(header, comparison, defaultPolicy);
  const outcomes = operationsOf(plan).map((operation, index) => outcomeOf(operation, index % 4));
  const run = {
    startedAt: "2026-01-02T03:04:05.000Z",
    endedAt: "2026-01-02T03:05:05.000Z",
    exitCode: 7,
    approval: "auto-approve",
    approvedBy: { name: "alice", source: "--approved-by" },
    stopped: "the token was refused",
  } as const;
  return { plan, outcomes, run, unproved: "the server is gone" };
}

test("a report that was saved reads as it did, in every form", counted, () => {
  fc.assert(
    fc.property(desiredStates, liveStates, (desired, live) => {
      const report = reportOf(desired, live);
      const saved = printed({ report }, "json");
      const read = parseSaved(saved);
      if (!("report" in read)) throw new Error(JSON.stringify(read));
      expect(printed(read, "json")).toBe(saved);
      for (const format of formats)
        expect(printed(read, format, { withPlan: true })).toBe(
          printed({ report }, format, { withPlan: true }),
        );
    }),
    { numRuns },
  );
});

const unsealed = planOf({ changes: usualChanges });
const changed = { ...unsealed, digest: digestOf(unsealed) };
const outcomes = operationsOf(changed).map((operation): Outcome => ({ status: "applied", operation }));
const run = { startedAt: "2026-01-02T03:04:05.000Z", endedAt: "2026-01-02T03:05:05.000Z", exitCode: 7 };
const text = printed({ report: { plan: changed, outcomes, run } }, "json");

/** The report with an edit that somebody made on purpose, and sealed again. */
function forged(edit: (report: Record<string, unknown>) => void): string {
  const { seal: _, ...report } = JSON.parse(text) as Record<string, unknown>;
  edit(report);
  return JSON.stringify(sealed(report));
}

test.each<readonly [string, string, string]>([
  ["whose exit code was edited", text.replace('"exitCode": 7', '"exitCode": 0'), "edited"],
  [
    "whose plan was edited and that was sealed again",
    forged(({ plan }) => void Object.assign(plan as object, { target: "http://b" })),
    "edited",
  ],
  ["that was sealed again without a summary", forged((report) => void delete report["summary"]), "invalid"],
  [
    "that was sealed again with an outcome that its plan does not have",
    forged(
      ({ outcomes: all }) => void Object.assign((all as object[])[0] ?? {}, { urn: "urn:li:tag:other" }),
    ),
    "edited",
  ],
  [
    "of another version that was sealed again",
    forged((report) => void (report["formatVersion"] = "2")),
    "other-version",
  ],
])("a report %s is refused", (_, damaged, fault) => {
  expect(parseSaved(text)).toHaveProperty("report");
  expect(parseSaved(damaged)).toMatchObject({ fault });
});
