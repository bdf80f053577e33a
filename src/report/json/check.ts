/** Converts the result of `check` to JSON. */

import { type CheckResult, checkTotals, restrictedOf } from "../../plan/policies/check-result.ts";
import { countOf, percentOf, type PolicyResult } from "../../plan/policies/judge-policies.ts";
import type { View } from "../document/document.ts";
import { problemsJson } from "../document/problems.ts";

/** Converts a check to JSON. */
export function checkJson(check: CheckResult, lineOf: View["lineOf"]): object {
  const { target, snapshot, policies, problems } = check;
  const restricted = restrictedOf(check);
  return {
    formatVersion: "1",
    target,
    ...(snapshot !== undefined && { snapshot: { createdAt: snapshot } }),
    policies: policies.map(policyJson),
    summary: checkTotals(policies.map(countOf)),
    ...(restricted > 0 && { restricted }),
    ...(problems.length > 0 && { problems: problemsJson(problems, lineOf) }),
  };
}

function policyJson(result: PolicyResult): object {
  const { id, severity, source, matched, passes, introduced, fixed, unknownEntities } = countOf(result);
  const { existing, waived } = result;
  const { minPercent } = result.policy;
  return {
    id,
    severity,
    source,
    matched,
    passes,
    coverage: { percent: percentOf(result), ...(minPercent !== undefined && { min_percent: minPercent }) },
    introduced,
    fixed,
    existing,
    waived: waived.map(({ waiver, reasons: _, ...judged }) => ({
      ...judged,
      waiver: waiver.origin,
      expires: waiver.expires,
    })),
    unknown: unknownEntities,
  };
}
