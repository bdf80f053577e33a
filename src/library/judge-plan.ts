import type { Reader } from "../datahub/client.ts";
import { dayOf } from "../manifests/policies/policy-set.ts";
import type { Policies } from "../model/catalog-policy.ts";
import type { Plan } from "../model/plan.ts";
import type { Urn } from "../model/urn.ts";
import { withVerdicts } from "../plan/plan.ts";
import { judgeChanges } from "../run/policies/judge-changes.ts";
import type { ReadOptions } from "../run/read/read-batches.ts";

/** By what a plan is judged again, and when. */
export interface JudgePlanOptions extends Pick<ReadOptions, "signal"> {
  readonly policies: Policies;
  /** The policies of the last applied commit, where they are known. */
  readonly base?: Policies | undefined;
  /** What documents declare. */
  readonly declared: { has(urn: Urn): boolean };
  /** The instant in ISO 8601: waivers may have expired since the plan was made. */
  readonly at: string;
}

/**
 * The plan with verdicts on its changes by the catalog as it is now. Throws `CatalogError` where the server cannot be asked, and
 * the reason of the signal.
 */
export async function judgePlan(
  plan: Plan,
  reader: Reader,
  { policies, base, declared, at, ...options }: JudgePlanOptions,
): Promise<Plan> {
  if (policies.policies.length === 0) return plan;
  const { changes } = plan;
  const ruled = new Set(changes.flatMap(({ urn, rules }) => (rules ? [urn] : [])));
  const isDeclared = ({ urn }: { readonly urn: Urn }): boolean => declared.has(urn) || ruled.has(urn);
  const results = await judgeChanges(
    reader,
    { changes, isDeclared },
    { ...policies, base, day: dayOf(at) },
    options,
  );
  return withVerdicts(results, plan);
}
