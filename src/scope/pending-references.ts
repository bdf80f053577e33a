import type { Plan } from "../model/plan.ts";
import type { PlanProblem } from "../model/problem.ts";
import { hasTrait, type ProblemWith } from "../model/problem-traits.ts";
import type { State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";

/** Whether something that a plan of changed manifests refers to is not there, and perhaps declared by another one. */
export function hasMissingReference({ problems = [] }: Pick<Plan, "problems">): boolean {
  return problems.some(isMissing);
}

/**
 * A plan of changed manifests in which a reference to what another manifest declares is only a warning, with both
 * places: a whole apply creates it first.
 */
export function withPendingReferences(plan: Plan, declared: State): Plan {
  const problems = (plan.problems ?? []).map((problem): PlanProblem => {
    if (!isMissing(problem)) return problem;
    const { args, origin } = problem;
    const { urn } = args;
    const elsewhere = declared.get(urn as Urn);
    if (!elsewhere) return problem;
    return {
      code: "reference-pending",
      severity: "warning",
      args: { urn },
      ...(origin && { origin }),
      ...(elsewhere.origin && { related: elsewhere.origin }),
    };
  });
  return { ...plan, problems };
}

function isMissing(
  problem: PlanProblem,
): problem is ProblemWith<"absent-reference" | "soft-deleted-reference"> {
  return hasTrait(problem, "absent-reference", "soft-deleted-reference");
}
