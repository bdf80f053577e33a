import type { Finding } from "../../model/plan.ts";
import type { Problem } from "../../model/problem.ts";
import { hasTrait } from "../../model/problem-traits.ts";

/** What is done about assets and columns that are declared and gone: refuse the plan, or leave them out. */
export type MissingRule = "error" | "skip";

/** The problems of a plan under the rule: with `skip`, what is gone is a warning each and one finding in all. */
export function applyMissingRule(
  problems: readonly Problem[],
  rule: MissingRule,
): { readonly problems: readonly Problem[]; readonly findings: readonly Finding[] } {
  const assets = problems.filter((problem) => hasTrait(problem, "absent-asset", "soft-deleted-asset"));
  const columns = problems.filter((problem) => hasTrait(problem, "gone-column"));
  if (rule === "error" || assets.length + columns.length === 0) return { problems, findings: [] };
  const gone = new Set<Problem>([...assets, ...columns]);
  const finding: Finding = {
    guard: "missing",
    severity: "warning",
    numbers: { assets: assets.length, columns: columns.length },
    flag: "--missing error",
    setting: "missing: error",
    changes: [],
  };
  return {
    problems: problems.map((problem) => (gone.has(problem) ? { ...problem, severity: "warning" } : problem)),
    findings: [finding],
  };
}
