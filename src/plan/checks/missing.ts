/** Applies the `missing` setting, which determines whether missing assets and columns block the plan or are skipped. */

import type { Finding } from "../../model/plan.ts";
import { hasTrait, type Problem } from "../../model/problem.ts";
import type { MissingRule } from "../base/policy.ts";

/**
 * Applies the `missing` setting to a plan's problems. `skip` turns each problem about a missing asset or column into a warning,
 * and adds one finding that counts all of them.
 */
export function applyMissingRule(
  problems: readonly Problem[],
  rule: MissingRule,
): { readonly problems: readonly Problem[]; readonly findings: readonly Finding[] } {
  const assets = problems.filter((problem) => hasTrait(problem, "absent-asset", "soft-deleted-asset"));
  const columns = problems.filter((problem) => hasTrait(problem, "gone-column"));
  if (rule === "error" || assets.length + columns.length === 0) return { problems, findings: [] };
  const skipped = new Set<Problem>([...assets, ...columns]);
  const finding: Finding = {
    guard: "missing",
    severity: "warning",
    numbers: { assets: assets.length, columns: columns.length },
    flag: "--missing error",
    setting: "missing: error",
    changes: [],
  };
  return {
    problems: problems.map((problem) =>
      skipped.has(problem) ? { ...problem, severity: "warning" } : problem,
    ),
    findings: [finding],
  };
}
