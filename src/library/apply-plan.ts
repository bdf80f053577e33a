import type { Writer } from "../datahub/client/client.ts";
import type { Plan } from "../model/plan.ts";
import type { Report } from "../model/report.ts";
import { isBlocked } from "../plan/checks/guards/index.ts";
import { refusingProblems } from "../plan/plan.ts";
import { apply, type ApplyOptions } from "../reconcile.ts";

/** Why a plan must not be applied: it has errors, or more removals than a guard allows. */
export type Refusal = "problems" | "guard";

/** A plan that must not be applied was to be applied. Nothing was written. */
export class RefusedPlanError extends Error {
  override readonly name = "RefusedPlanError";
  readonly refusal: Refusal;
  readonly plan: Plan;

  constructor(refusal: Refusal, plan: Plan) {
    super(`nothing was applied: the plan is refused because of ${reasons[refusal]}`);
    this.refusal = refusal;
    this.plan = plan;
  }
}

const reasons: Readonly<Record<Refusal, string>> = {
  problems: "its problems",
  guard: "a guard",
};

/** Why a plan must not be applied, if it must not. What could not be read, or is in conflict, holds back only itself. */
export function refusalOf(plan: Plan): Refusal | undefined {
  if (refusingProblems(plan).length > 0) return "problems";
  return isBlocked(plan) ? "guard" : undefined;
}

/**
 * Writes what a plan shows and is still as the plan saw it, and nothing else; then reads back what was written, unless
 * `verify` is false. The report has an outcome for each operation; a failed one does not stop those that do not depend on
 * it. Throws `RefusedPlanError` before any request where `refusalOf` gives a reason.
 */
export async function applyPlan(plan: Plan, writer: Writer, options: ApplyOptions = {}): Promise<Report> {
  const refusal = refusalOf(plan);
  if (refusal !== undefined) throw new RefusedPlanError(refusal, plan);
  return await apply(plan, writer, options);
}
