import { expect, test } from "vitest";
import { budgetOf, spentReason } from "../../../src/plan/policies/budget.ts";
import { countOf, matchedBy, policyJudge } from "../../../src/plan/policies/judge-policies.ts";
import { maxSteps } from "../../../src/plan/policies/meter.ts";
import { datasetNamed } from "../../support/states.ts";
import { addTo, policyOf, subjectOf } from "./subjects.ts";

test("a policy has steps for a run, and none after they are spent", () => {
  const budget = budgetOf();
  for (let entity = 0; entity < 10; entity += 1) {
    expect(budget.next(datasetNamed(`d${entity}`))).toBe(maxSteps);
    budget.spend(maxSteps);
  }
  expect(budget.isSpent()).toBe(true);
  expect(budget.next(datasetNamed("last"))).toBe(0);
});

test("it has more of them the more entities it is asked about, each of which counts once", () => {
  const budget = budgetOf();
  for (let entity = 0; entity < 2000; entity += 1) {
    budget.next(datasetNamed(`d${entity}`));
    budget.next(datasetNamed(`d${entity}`));
    budget.spend(1999);
  }
  expect(budget.isSpent()).toBe(false);
  expect(budget.next(datasetNamed("last"))).toBe(4_002_000 - 2000 * 1999 > maxSteps ? maxSteps : 4000);
});

test("what is not judged any more is unknown, and listed once with the reason", () => {
  const slow = '["a"]' + ".map(x, [x, x])".repeat(20);
  const judge = policyJudge(
    {
      policies: [policyOf("slow", { check: `${slow} == ${slow}` }), policyOf("true", { check: "true" })],
      waivers: [],
    },
    { day: "2026-11-29" },
  );
  const people = { live: new Map(), planned: new Map() };
  for (let entity = 0; entity < 100; entity += 1) {
    const subject = subjectOf({}, { name: `d${String(entity).padStart(3, "0")}` });
    addTo(judge, { live: subject, planned: subject }, people);
  }
  const [result, other] = judge.results();
  if (!result || !other) throw new Error("no results");
  const { unknown, unknownEntities = [] } = countOf(result);
  expect([unknown, matchedBy(result)]).toEqual([100, 100]);
  const reasons = unknownEntities.map(({ reason }) => reason);
  expect(new Set(reasons)).toEqual(new Set(["the expression took too many steps", spentReason]));
  expect(reasons.filter((reason) => reason === spentReason)).toHaveLength(1);
  expect(reasons.length).toBeLessThanOrEqual(11);
  expect(other.passes).toBe(100);
});
