import { expect, test } from "vitest";
import { exitCodeOfDrift, exitCodeOfPlan, exitCodeOfPull } from "../../src/cli/result-exit-code.ts";
import type { Change, ScalarChange } from "../../src/model/change.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Problem } from "../../src/model/problem.ts";
import { fightFindings } from "../../src/plan/fights.ts";
import { conflict, findings, planOf, usualChanges } from "../report/plans.ts";

const settled = (winner: "live" | "desired"): ScalarChange => {
  return { ...conflict, conflict: { ...conflict.conflict!, winner } };
};
const fight = { value: "urn:li:domain:finance", times: 3, last: "", until: "" };
const fought: Change = { ...settled("desired"), fights: [fight] };
const held: Problem = { code: "deletion-held", severity: "warning", args: { urns: [conflict.urn] } };
const unread: Problem = {
  code: "read-failed",
  severity: "error",
  args: { urn: conflict.urn, error: "no luck" },
};
const refused: Problem = {
  code: "asset-missing",
  severity: "error",
  args: { kind: "Dataset", urn: conflict.urn },
};

test.each<readonly [string, Parameters<typeof planOf>[0], number, number]>([
  ["nothing", {}, 0, 0],
  ["changes", { changes: usualChanges }, 0, 2],
  ["an open conflict alone", { changes: [conflict] }, 6, 6],
  ["an open conflict beside changes", { changes: [conflict, ...usualChanges] }, 6, 6],
  ["a conflict that the live value wins", { changes: [settled("live")] }, 0, 0],
  ["a conflict that the declared value wins", { changes: [settled("desired")] }, 0, 2],
  ["a value that others set back", { changes: [fought] }, 6, 6],
  ["a guard that blocks", { changes: usualChanges, findings }, 5, 5],
  ["a problem that refuses it", { problems: [refused], changes: [conflict] }, 3, 3],
  ["what could not be read", { problems: [unread], changes: usualChanges }, 1, 1],
  ["a warning", { problems: [held], changes: usualChanges }, 0, 2],
])("a plan with %s ends as it says", (_, content, code, detailed) => {
  const plan: Plan = planOf(content);

  expect([exitCodeOfPlan(plan), exitCodeOfPlan(plan, true)]).toEqual([code, detailed]);
});

test("drift ends with 2 where something is changed or missing, whatever guards and conflicts say", () => {
  const drifted = (kind: "changed" | "pending"): Plan =>
    planOf({ changes: [{ ...conflict, class: kind }], findings });

  expect([drifted("changed"), drifted("pending")].map(exitCodeOfDrift)).toEqual([2, 0]);
});

test("a pull ends with 6 where it left something out, and not for what guards and fights say", () => {
  const plan = planOf({ findings: findings.filter(({ severity }) => severity === "error") });

  expect(exitCodeOfPull(plan, false)).toBe(0);
  expect(exitCodeOfPull(planOf({ findings: fightFindings([fought]) }), false)).toBe(0);
  expect(exitCodeOfPull(planOf({ findings }), false)).toBe(6);
  expect(exitCodeOfPull(plan, true)).toBe(6);
});
