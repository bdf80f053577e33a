import { expect, test } from "vitest";
import type { PolicyCount } from "../../src/model/catalog-policy.ts";
import type { Finding, Plan } from "../../src/model/plan.ts";
import type { DormantValue } from "../../src/model/plan-scope.ts";
import { mergePlans } from "../../src/plan/merge.ts";
import { planOf } from "../report/plans.ts";
import { datasetNamed, urn } from "../support/states.ts";

const [a, b, c] = [datasetNamed("a"), datasetNamed("b"), datasetNamed("c")];

type Parts = NonNullable<Parameters<typeof planOf>[0]>;

/** The plan that two shards with these parts are, in whichever order they are given. */
function merged(one: Parts, other: Parts): Plan {
  const plans = [one, other].map((more, at) =>
    planOf({ ...more, shard: { index: at + 1, of: 2, inputs: "i" } }),
  );
  const result = mergePlans(plans);
  if ("fault" in result) throw new Error(result.fault);
  expect(mergePlans(plans.toReversed())).toEqual(result);
  return result.plan;
}

function countOf(id: string, more: Partial<PolicyCount> = {}): PolicyCount {
  const source = { file: "catalog/policies.yaml", line: 1, column: 1 };
  const nothing = { matched: 0, passes: 0, introduced: [], fixed: [], existing: 0, waived: 0, unknown: 0 };
  return { id, severity: "error", source, ...nothing, unknownEntities: [], ...more };
}

test("verdicts of a policy in several shards are added up, and so are those of all policies", () => {
  const [inA, inB] = [a, b].map((of) => ({ urn: of, reasons: ["has no domain"] }));
  if (!inA || !inB) throw new Error("there are two");
  const { policies, summary } = merged(
    { policies: [countOf("q", { matched: 3, passes: 1, introduced: [inB], existing: 1 }), countOf("p")] },
    { policies: [countOf("q", { matched: 5, passes: 4, introduced: [inA] }), countOf("r", { unknown: 7 })] },
  );
  expect(policies).toEqual([
    countOf("p"),
    countOf("q", { matched: 8, passes: 5, introduced: [inA, inB], existing: 1 }),
    countOf("r", { unknown: 7 }),
  ]);
  expect(summary.policies).toEqual({ introduced: 2, fixed: 0, existing: 1, waived: 0, unknown: 7 });
  expect(merged({}, {}).summary).not.toHaveProperty("policies");
});

test("what stops a plan by a policy is one finding, with all that violates it", () => {
  const finding = (rule: string, ...of: readonly (typeof a)[]): Finding => ({
    guard: "policy",
    severity: "error",
    rule,
    numbers: { violations: of.length },
    flag: "",
    setting: "",
    changes: of.map((each) => ({ urn: each })),
  });
  const { findings } = merged(
    { findings: [finding("q", a), finding("p", b)] },
    { findings: [finding("q", b, c)] },
  );
  expect(findings).toEqual([finding("p", b), finding("q", a, b, c)]);
});

test("who owns what changes is named once, in order", () => {
  const [ann, bob, cyd] = [
    urn("urn:li:corpuser:ann"),
    urn("urn:li:corpuser:bob"),
    urn("urn:li:corpuser:cyd"),
  ];
  expect(merged({ owners: [bob, cyd] }, { owners: [ann, bob] }).owners).toEqual([ann, bob, cyd]);
  expect(merged({}, {})).not.toHaveProperty("owners");
});

test("what soft-deleted assets bring back is left in the order of its places", () => {
  const away = (of: typeof a, value: string): DormantValue => ({ urn: of, facet: "tags", value });
  const scope = (...own: readonly DormantValue[]): Parts => ({
    scope: { directory: "catalog", left: { entities: [], values: own.length, away: own } },
  });
  const { scope: whole } = merged(scope(away(b, "x")), scope(away(a, "z"), away(a, "y")));
  expect(whole?.left).toEqual({
    entities: [],
    values: 3,
    away: [away(a, "y"), away(a, "z"), away(b, "x")],
  });
});
