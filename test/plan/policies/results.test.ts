import { describe, expect, test } from "vitest";
import type { CatalogPolicy, Judged, PolicyCount, Violation } from "../../../src/model/catalog-policy.ts";
import type { Finding } from "../../../src/model/plan.ts";
import { checkTotals, idleWaivers, isBelow, isFailed } from "../../../src/plan/policies/check-result.ts";
import {
  addedPolicies,
  isOfPolicy,
  isStopped,
  isUndecided,
  policyFindings,
  policyTotals,
} from "../../../src/plan/policies/findings.ts";
import {
  byPlace,
  countOf,
  isViolated,
  matchedBy,
  percentOf,
  type PolicyResult,
} from "../../../src/plan/policies/judge-policies.ts";
import { datasetNamed } from "../../support/states.ts";
import { policyOf, waiverOf } from "./subjects.ts";

const at = (name: string, column?: string): Violation => ({
  urn: datasetNamed(name),
  ...(column !== undefined && { column }),
  reasons: [name],
});
const waived = (name: string): PolicyResult["waived"][number] => ({ ...at(name), waiver: waiverOf("p") });

function resultOf(policy: Partial<CatalogPolicy>, found: Partial<PolicyResult>): PolicyResult {
  const nothing = { passes: 0, introduced: [], fixed: [], existing: [], waived: [], unknown: [] };
  return { policy: policyOf("p", policy), ...nothing, ...found };
}

/** A result with a different number of each. */
const some = resultOf(
  {},
  {
    passes: 12,
    introduced: [at("a")],
    fixed: [at("b"), at("c"), at("d")],
    existing: [at("e"), at("f")],
    waived: ["g", "h", "i", "j"].map(waived),
    unknown: ["k", "l", "m", "n", "o"].map((name) => at(name)),
  },
);

const count: PolicyCount = {
  id: "p",
  severity: "error",
  source: some.policy.origin,
  matched: 24,
  passes: 12,
  introduced: some.introduced,
  fixed: some.fixed,
  existing: 2,
  waived: 4,
  unknown: 5,
  unknownEntities: ["k", "l", "m", "n", "o"].map((name) => ({ urn: at(name).urn, reason: name })),
};

const totals = { introduced: 1, fixed: 3, existing: 2, waived: 4, unknown: 5 };

test("a result is counted in all that matches, of which what is fixed is no part", () => {
  expect([matchedBy(some), percentOf(some), percentOf(resultOf({}, {}))]).toEqual([24, 50, 100]);
  expect(countOf(some)).toEqual(count);
});

test("verdicts are in the order of URNs, and then of columns", () => {
  const judged: readonly Judged[] = [at("b"), at("a", "B"), at("a"), at("a", "A"), at("B")];
  expect(judged.toSorted(byPlace)).toEqual([at("B"), at("a"), at("a", "A"), at("a", "B"), at("b")]);
});

test("the verdicts of policies are added up", () => {
  const other = {
    ...count,
    introduced: [],
    fixed: [at("z")],
    existing: 10,
    waived: 20,
    unknown: 30,
  };
  expect(policyTotals([count, other])).toEqual({
    introduced: 1,
    fixed: 4,
    existing: 12,
    waived: 24,
    unknown: 35,
  });
  expect(checkTotals([countOf(some), countOf(resultOf({}, { passes: 3 }))])).toEqual({
    matched: 27,
    passes: 15,
    ...totals,
  });
});

test("the counts of a policy in several plans are one, with its verdicts in order", () => {
  const introduced = [at("b"), at("0")];
  const unknownEntities = [{ urn: at("0").urn, reason: "not read" }];
  const other = {
    ...count,
    matched: 100,
    passes: 50,
    introduced,
    fixed: [at("a")],
    existing: 1,
    waived: 1,
    unknownEntities,
  };
  expect(addedPolicies(count, [count, other])).toEqual({
    ...count,
    matched: 124,
    passes: 62,
    introduced: [at("0"), at("a"), at("b")],
    fixed: [at("a"), at("b"), at("c"), at("d")],
    existing: 3,
    waived: 5,
    unknown: 10,
    unknownEntities: [...unknownEntities, ...(count.unknownEntities ?? [])],
  });
});

describe("what stops a plan, and what fails a check", () => {
  const introduced = { introduced: [at("a")] };
  const existing = { existing: [at("a")] };
  const half = { passes: 1, existing: [at("a")] };

  test.each<readonly [string, Partial<CatalogPolicy>, Partial<PolicyResult>, ("plan" | "check")[]]>([
    ["what is introduced", {}, introduced, ["plan", "check"]],
    ["nothing of a warning", { severity: "warning", failOn: "any", minPercent: 90 }, introduced, []],
    ["nothing that exists", {}, existing, []],
    ["what exists, where any violation does", { failOn: "any" }, existing, ["plan", "check"]],
    ["nothing where all pass", { failOn: "any", minPercent: 100 }, { passes: 1 }, []],
    ["nothing where nothing matches", { failOn: "any", minPercent: 100 }, {}, []],
    ["fewer passes than are required", { minPercent: 51 }, half, ["check"]],
    ["not as many passes as are required", { minPercent: 50 }, half, []],
  ])("%s", (_, policy, found, stopped) => {
    const result = resultOf(policy, found);
    const [stopsPlan, failsCheck] = [isViolated(result), isFailed(result)];
    expect([stopsPlan && "plan", failsCheck && "check"].filter(Boolean)).toEqual(stopped);
    expect(isBelow(result)).toBe(failsCheck && !stopsPlan);
    expect(policyFindings([result])).toHaveLength(stopsPlan ? 1 : 0);
  });
});

test("a finding has the violations that stop a plan, and each entity once", () => {
  const found = { introduced: [at("a", "x"), at("a", "y")], existing: [at("b")] };
  const finding: Finding = {
    guard: "policy",
    severity: "error",
    rule: "p",
    numbers: { violations: 2 },
    flag: "",
    setting: "",
    changes: [{ urn: datasetNamed("a") }],
  };
  expect(policyFindings([resultOf({}, found)])).toEqual([finding]);
  const changes = [...finding.changes, { urn: datasetNamed("b") }];
  expect(policyFindings([resultOf({ failOn: "any" }, found)])).toEqual([
    { ...finding, numbers: { violations: 3 }, changes },
  ]);
  const others: readonly Finding[] = [
    { ...finding, severity: "warning" },
    { ...finding, guard: "deletes" },
  ];
  expect([finding, ...others].map((each) => [isOfPolicy(each), isStopped({ findings: [each] })])).toEqual([
    [true, true],
    [true, false],
    [false, false],
  ]);
  expect(isStopped({ findings: [...others, finding] })).toBe(true);
});

test("it is undecided whether policies stop a plan where something is unknown of one that could", () => {
  const known = { ...count, unknown: 0 };
  const warning = { ...count, severity: "warning" } as const;
  expect(isUndecided({ policies: [known, warning] })).toBe(false);
  expect(isUndecided({ policies: [known, count] })).toBe(true);
  expect(isUndecided({})).toBe(false);
});

test("a waiver is idle where it has not expired and waives nothing", () => {
  const [used, today, expired] = ["2026-12-31", "2026-11-28", "2026-11-27"].map((expires) =>
    waiverOf("p", { expires }),
  );
  if (!used || !today || !expired) throw new Error("there are three");
  const results = [resultOf({}, {}), resultOf({}, { waived: [{ ...at("a"), waiver: used }] })];
  expect(idleWaivers([used, today, expired], results, "2026-11-28")).toEqual([today]);
});
