import type { Writer } from "../datahub/client.ts";
import type { Plan } from "../model/plan.ts";
import { staleOutcomes } from "../run/write/stale.ts";
import type { Outcome, Report } from "../model/report.ts";
import type { Urn } from "../model/urn.ts";
import { isBlocked } from "../plan/checks/guards/index.ts";
import { isStopped, isUndecided } from "../plan/judge/findings.ts";
import { refusingProblems } from "../plan/plan.ts";
import { apply, type ApplyOptions } from "../reconcile.ts";
import { dropDeferred, dropCreated } from "./deferred-changes.ts";

/** Why a plan must not be applied: it has errors, more removals than a guard allows, or violates a policy, or that is unknown. */
export type Refusal = "problems" | "guard" | "policy";

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
  policy: "a policy",
};

/** Why a plan must not be applied, if it must not. A conflict, or an entity that could not be read, does not block the rest. */
export function refusalOf(plan: Plan): Refusal | undefined {
  if (refusingProblems(plan).length > 0) return "problems";
  if (isBlocked(plan)) return "guard";
  return isStopped(plan) || isUndecided(plan) ? "policy" : undefined;
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

/** How a saved plan is applied. */
export interface ApplySavedOptions extends ApplyOptions {
  /** Whether stale changes are skipped; otherwise one refuses the plan. */
  readonly allowPartial?: boolean;
  /** Of a shard: what its changes refer to and other shards create. These changes are skipped until it exists. */
  readonly awaited?: ReadonlySet<Urn>;
}

/**
 * Applies a saved plan as `applyPlan` does. Where a live value has changed since, or cannot be compared with the plan, nothing is
 * written and the report says what is stale or could not be read, unless `allowPartial` is set. What an earlier apply of the same plan created counts as applied.
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
  const { rest, created, stale } = await recheckSaved(deferred.plan, writer, options);
  if (stale.length > 0) return { plan, outcomes: stale };
  const report = await apply(rest, writer, options);
  return { ...report, plan, outcomes: [...created, ...report.outcomes, ...deferred.outcomes] };
}

/** The changes that a plan still has to write, those that it created before, and those that are stale or could not be read. */
interface Rechecked {
  readonly rest: Plan;
  readonly created: readonly Outcome[];
  readonly stale: readonly Outcome[];
}

async function recheckSaved(plan: Plan, writer: Writer, options: ApplyOptions): Promise<Rechecked> {
  const { signal, onWait } = options;
  const reading = signal ? { signal } : {};
  const stale = await staleOutcomes(writer, plan, { ...reading, onWait });
  if (!stale.some(isCreation)) return { rest: plan, created: [], stale };
  const { plan: rest, outcomes: created } = await dropCreated(plan, writer, reading);
  if (created.length === 0) return { rest, created, stale };
  return { rest, created, stale: await staleOutcomes(writer, rest, { ...reading, onWait }) };
}

function isCreation({ operation }: Outcome): boolean {
  return operation.changes.some(({ action }) => action === "create");
}

function skippedIfStale(outcome: Outcome): Outcome {
  if (outcome.status !== "stale") return outcome;
  return { status: "skipped", operation: outcome.operation, because: `stale: ${outcome.because}` };
}
