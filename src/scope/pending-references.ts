import type { Plan } from "../model/plan.ts";
import type { Problem } from "../model/problem.ts";
import type { State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";

const pending: ReadonlySet<string> = new Set(["reference-missing", "reference-removed"]);

/** Whether something that a plan of changed manifests refers to is not there, and perhaps declared by another one. */
export function hasMissingReference({ problems = [] }: Pick<Plan, "problems">): boolean {
  return problems.some(({ code }) => pending.has(code));
}

/**
 * A plan of changed manifests in which a reference to what another manifest declares is only a warning, with both
 * places: a whole apply creates it first.
 */
export function withPendingReferences(plan: Plan, declared: State): Plan {
  const problems = (plan.problems ?? []).map((problem): Problem => {
    const urn = problem.args["urn"] as Urn;
    const elsewhere = pending.has(problem.code) ? declared.get(urn) : undefined;
    if (!elsewhere) return problem;
    const { origin } = problem;
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
