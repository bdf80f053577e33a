/** Reevaluates policies for a saved plan, and replaces its verdicts. */

import type { Reader } from "../datahub/client.ts";
import { dayOf } from "../manifests/policies/policy-set.ts";
import type { Policies } from "../model/catalog-policy.ts";
import type { Plan } from "../model/plan.ts";
import { withVerdicts } from "../plan/plan.ts";
import type { Declaring } from "../plan/rules/declared-by.ts";
import { evaluatePolicies } from "../sync/policies/evaluate-policies.ts";
import type { Abortable } from "../sync/read/read-batches.ts";

export interface EvaluatePlanOptions extends Abortable {
  readonly policies: Policies;
  /** The policies at the last applied commit, if they are known. */
  readonly base?: Policies | undefined;
  /** The declarations in the manifests. */
  readonly declaring: Declaring;
  /** The time of the evaluation, in ISO 8601. Waivers may have expired since the plan was made. */
  readonly at: string;
}

/**
 * Replaces a plan's verdicts with verdicts on the current catalog. Throws `CatalogError` if the server cannot be reached, or the
 * signal's reason if it is aborted.
 */
export async function evaluatePlan(
  plan: Plan,
  reader: Reader,
  { policies, base, declaring, at, ...options }: EvaluatePlanOptions,
): Promise<Plan> {
  if (policies.policies.length === 0) return plan;
  const { changes, shard } = plan;
  const results = await evaluatePolicies(
    reader,
    { changes, shard },
    { ...policies, base, declaring, day: dayOf(at) },
    options,
  );
  return withVerdicts(results, plan);
}
