import { expect, test } from "vitest";
import type { ScalarChange } from "../../src/model/change.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Outcome, Report } from "../../src/model/report.ts";
import {
  exitCodeOfDrift,
  exitCodeOfPlan,
  exitCodeOfPull,
  exitCodeOfReport,
} from "../../src/cli/result-exit-code.ts";
import { planOf } from "../report/plans.ts";
import { datasetNamed, urn } from "../support/states.ts";

const change: ScalarChange = {
  action: "update",
  kind: "Dataset",
  shape: "scalar",
  urn: datasetNamed("orders"),
  facet: "domain",
  before: null,
  after: "urn:li:domain:sales",
  fingerprint: "",
};

const conflict = { base: undefined, live: "theirs", desired: "ours" };
const fight = { value: "ours", actor: "urn:li:corpuser:bob", times: 3 };

/** Parts of a plan by what is the matter with it. */
const parts = {
  "something to do": { changes: [change] },
  drift: { changes: [{ ...change, class: "missing" }] },
  "a pending change": { changes: [{ ...change, class: "pending" }] },
  "a conflict": { changes: [{ ...change, conflict }] },
  "a conflict that is settled": { changes: [{ ...change, conflict: { ...conflict, winner: "desired" } }] },
  "a conflict that live wins": { changes: [{ ...change, conflict: { ...conflict, winner: "live" } }] },
  "a fight": { changes: [{ ...change, fights: [fight] }] },
  "a guard": { findings: [{ guard: "removals", severity: "error" }] },
  "a policy": { findings: [{ guard: "policy", severity: "error" }] },
  "a warning": {
    findings: [{ guard: "removals", severity: "warning" }],
    problems: [{ severity: "warning" }],
  },
  "a problem": { problems: [{ severity: "error", code: "asset-missing" }] },
  "something unread": { problems: [{ severity: "error", code: "read-failed" }] },
  "something that has moved": { problems: [{ severity: "warning", code: "rollback-held" }] },
} as unknown as Readonly<Record<string, Partial<Plan>>>;

/** A plan with all of these parts. */
function planWith(...names: readonly string[]): Plan {
  const all = names.map((name) => parts[name] ?? {});
  return planOf({
    changes: all.flatMap(({ changes = [] }) => changes),
    findings: all.flatMap(({ findings = [] }) => findings),
    problems: all.flatMap(({ problems = [] }) => problems),
  });
}

test.each([
  [0, []],
  [0, ["something to do"]],
  [0, ["a warning", "a conflict that is settled"]],
  [4, ["a policy", "something to do"]],
  [5, ["a guard", "a policy"]],
  [6, ["a conflict", "a guard"]],
  [6, ["a fight"]],
  [6, ["something that has moved", "a policy"]],
  [1, ["something unread", "a guard", "a conflict"]],
  [3, ["a problem", "something unread", "a guard"]],
])("the exit code of a plan is %i with %j", (code, names) => {
  expect(exitCodeOfPlan(planWith(...names))).toBe(code);
});

test.each([
  [0, []],
  [2, ["something to do"]],
  [2, ["a conflict that is settled"]],
  [0, ["a conflict that live wins"]],
  [6, ["a fight", "something to do"]],
  [6, ["a conflict", "something to do"]],
  [4, ["a policy", "something to do"]],
])("the detailed exit code of a plan is %i with %j", (code, names) => {
  expect(exitCodeOfPlan(planWith(...names), true)).toBe(code);
});

test("policies of which something is not known make the exit code of a plan 1", () => {
  const policies = { unknown: 1 } as unknown as NonNullable<Plan["summary"]["policies"]>;

  expect(exitCodeOfPlan(planOf({ summary: { policies } }))).toBe(1);
});

test.each([
  [0, ["a pending change", "a conflict", "a guard"]],
  [2, ["drift", "a guard"]],
  [1, ["something unread", "drift"]],
  [3, ["a problem"]],
])("the exit code of drift is %i with %j", (code, names) => {
  expect(exitCodeOfDrift(planWith(...names))).toBe(code);
});

test.each([
  [0, false, ["a guard", "something to do"]],
  [6, true, []],
  [6, false, ["a policy"]],
  [1, true, ["something unread"]],
  [3, false, ["a problem", "a policy"]],
])("the exit code of a pull is %i where it left something out: %j, with %j", (code, hasLeft, names) => {
  expect(exitCodeOfPull(planWith(...names), hasLeft)).toBe(code);
});

test.each<[code: number, outcomes: readonly object[], more: Partial<Report>]>([
  [0, [{ status: "applied" }, { status: "skipped" }], {}],
  [6, [{ status: "applied" }, { status: "stale" }], {}],
  [6, [{ status: "skipped", isAwaiting: true }], {}],
  [7, [{ status: "failed" }, { status: "stale" }], {}],
  [1, [{ status: "failed" }], { stopped: "the server refused the token" }],
  [1, [{ status: "applied" }], { unproved: "the server does not answer" }],
])("the exit code of a report is %i with the outcomes %j and %j", (code, given, more) => {
  const outcomes = given.map((outcome) => ({ urn: urn("urn:li:tag:a"), ...outcome })) as unknown as Outcome[];

  expect(exitCodeOfReport({ plan: planOf(), outcomes, ...more })).toBe(code);
});
