/** Applies a fresh or saved plan, and rejects it if problems, guards or policies do not allow it. */

import type { Writer } from "../datahub/client.ts";
import type { Plan } from "../model/plan.ts";
import { staleOutcomes } from "../sync/write/stale.ts";
import type { Outcome, Report } from "../model/report.ts";
import type { Urn } from "../model/urn.ts";
import { isBlocked } from "../plan/checks/guards/index.ts";
import { isStopped, isUndecided } from "../plan/policies/findings.ts";
import { refusingProblems } from "../plan/plan.ts";
import { dropCreated, dropDeferred, type ReducedPlan } from "./deferred-changes.ts";
import { type ApplyOptions, apply } from "./apply.ts";

/** The reason why a plan must not be applied: it has errors, a guard blocks it, or it violates or may violate a policy. */
export type Refusal = "problems" | "guard" | "policy";

/** Thrown instead of applying a plan that `refusalOf` rejects. Nothing was written. */
export class RefusedPlanError extends Error {
  override readonly name = "RefusedPlanError";
  readonly refusal: Refusal;
  readonly plan: Plan;

  constructor(refusal: Refusal, plan: Plan) {
    super(`nothing was applied: ${reasons[refusal]}`);
    this.refusal = refusal;
    this.plan = plan;
  }
}

const reasons: Readonly<Record<Refusal, string>> = {
  problems: "the plan has problems",
  guard: "a guard blocks the plan",
  policy: "a policy blocks the plan",
};

/**
 * Returns the reason why a plan must not be applied, or `undefined` if it may be applied. Conflicts and unreadable entities do
 * not block the other changes.
 */
export function refusalOf(plan: Plan): Refusal | undefined {
  if (refusingProblems(plan).length > 0) return "problems";
  if (isBlocked(plan)) return "guard";
  return isStopped(plan) || isUndecided(plan) ? "policy" : undefined;
}

/**
 * Writes only changes whose live values still match the plan, then reads the written values back unless `verify` is false. The
 * report has an outcome for each operation. A failed operation stops only the operations that depend on it. Throws
 * `RefusedPlanError` before any request if `refusalOf` returns a reason.
 */
export async function applyPlan(plan: Plan, writer: Writer, options: ApplyOptions = {}): Promise<Report> {
  const refusal = refusalOf(plan);
  if (refusal !== undefined) throw new RefusedPlanError(refusal, plan);
  return await apply(plan, writer, options);
}

export interface ApplySavedOptions extends ApplyOptions {
  /** Whether to skip stale changes. Otherwise, nothing is written if any change is stale. */
  readonly allowPartial?: boolean;
  /**
   * For a shard, the entities that its changes refer to and that other shards create. Changes that refer to them are skipped
   * until the entities exist.
   */
  readonly awaited?: ReadonlySet<Urn> | undefined;
}

/**
 * Applies a saved plan like `applyPlan`. Writes nothing if a live value has changed since the plan was made or cannot be compared
 * with the plan, unless `allowPartial` is set. The report lists the stale and unreadable values. Entities that an earlier apply
 * of the plan created count as applied.
 */
export async function applySavedPlan(
  plan: Plan,
  writer: Writer,
  { allowPartial = false, awaited = new Set(), ...options }: ApplySavedOptions = {},
): Promise<Report> {
  const refusal = refusalOf(plan);
  if (refusal !== undefined) throw new RefusedPlanError(refusal, plan);
  const deferred = await dropDeferred(plan, writer, awaited, options);
  if (allowPartial) {
    const report = await apply(deferred.plan, writer, options);
    return { ...report, plan, outcomes: [...report.outcomes.map(skippedIfStale), ...deferred.outcomes] };
  }
  const rest = await recheckSaved(deferred.plan, writer, options);
  if (rest.stale.length > 0) return { plan, outcomes: rest.stale };
  const report = await apply(rest.plan, writer, options);
  return { ...report, plan, outcomes: [...rest.outcomes, ...report.outcomes, ...deferred.outcomes] };
}

/** A plan without the creations that are already written, and the outcomes of its stale operations. */
interface Rechecked extends ReducedPlan {
  readonly stale: readonly Outcome[];
}

async function recheckSaved(
  plan: Plan,
  writer: Writer,
  { signal, onWait }: ApplyOptions,
): Promise<Rechecked> {
  const stale = await staleOutcomes(writer, plan, { signal, onWait });
  if (!stale.some(isCreation)) return { plan, outcomes: [], stale };
  const rest = await dropCreated(plan, writer, { signal });
  if (rest.outcomes.length === 0) return { ...rest, stale };
  return { ...rest, stale: await staleOutcomes(writer, rest.plan, { signal, onWait }) };
}

function isCreation({ operation }: Outcome): boolean {
  return operation.changes.some(({ action }) => action === "create");
}

function skippedIfStale(outcome: Outcome): Outcome {
  if (outcome.status !== "stale") return outcome;
  return { status: "skipped", operation: outcome.operation, because: `stale: ${outcome.because}` };
}
