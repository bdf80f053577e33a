import type { Plan, PlanHeader } from "../model/plan.ts";
import { type PlanProblem, sortProblems } from "../model/problem.ts";
import { traitOf } from "../model/problem-traits.ts";
import type { Comparison } from "./compare.ts";
import { sha256 } from "./diff/values.ts";
import { settleMissing } from "./checks/missing.ts";
import type { Policy } from "./policy.ts";

/** The plan of a comparison. */
export function makePlan(
  header: PlanHeader,
  comparison: Comparison,
  { missing, limits }: Pick<Policy, "missing" | "limits">,
): Plan {
  const { tool, createdAt, target, git } = header;
  const { summary, changes, unmanaged } = comparison;
  const settled = settleMissing(sortProblems(comparison.problems), missing);
  const findings = [...settled.findings, ...comparison.findings];
  const { problems } = settled;
  const sealed = { formatVersion: "1", target, limits, changes, findings } as const;
  return {
    formatVersion: "1",
    tool,
    createdAt,
    target,
    git,
    limits,
    digest: digestOf(sealed),
    summary,
    changes,
    findings,
    unmanaged,
    ...(problems.length > 0 && { problems }),
  };
}

/** The problems because of which an apply writes nothing; what could not be read holds back only itself. */
export function refusingProblems({ problems = [] }: Pick<Plan, "problems">): readonly PlanProblem[] {
  return problems.filter(({ severity, code }) => severity === "error" && traitOf(code) !== "unread");
}

/** What the digest of a plan is computed over. */
type Sealed = Pick<Plan, "formatVersion" | "target" | "limits" | "changes" | "findings">;

/**
 * The digest of a plan: plans that do the same have the same one, wherever it was declared and however it came about. It
 * finds accidents and edits; it is no signature.
 */
export function digestOf({ formatVersion, target, limits, changes, findings }: Sealed): string {
  const whatChanges = changes.map(({ source, class: _, ...change }) => change);
  return `sha256:${sha256({ formatVersion, target, limits, changes: whatChanges, findings })}`;
}
