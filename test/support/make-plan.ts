import type { Plan, PlanHeader } from "../../src/model/plan.ts";
import type { RuleCount } from "../../src/model/rule-count.ts";
import type { Policy } from "../../src/plan/base/policy.ts";
import type { Comparison } from "../../src/plan/compare.ts";
import { applyGuards, planOf } from "../../src/plan/plan.ts";

/** The plan of a comparison, without policies. */
export function makePlan(
  header: PlanHeader,
  comparison: Comparison & { readonly rules?: readonly RuleCount[] },
  policy: Pick<Policy, "missing" | "limits" | "shard">,
): Plan {
  return planOf(header, applyGuards(comparison, policy));
}
