/** Creates plans: expands rules, reads the catalog, compares it with the manifests, and evaluates guards and policies. */

import type { Reader } from "../datahub/client.ts";
import type { Plan, PlanHeader } from "../model/plan.ts";
import type { Prunable } from "../plan/notes/leftovers.ts";
import { applyGuards, planOf } from "../plan/plan.ts";
import { definitionsIn } from "../plan/base/definitions.ts";
import type { Policy } from "../plan/base/policy.ts";
import {
  evaluatePolicies,
  evaluateLifted,
  type CurrentPolicies,
} from "../sync/policies/evaluate-policies.ts";
import { changesOfOtherShards } from "../sync/policies/other-shards.ts";
import { addDetails, readLeftoversAndNames, ownersOf } from "../sync/details.ts";
import { compareWithRuns, type ReadPastRuns } from "../sync/past-runs.ts";
import {
  type Declarations,
  expandRules,
  readDeclared,
  type RuleInputs,
  withRules,
} from "../sync/rules/expand-rules.ts";
import type { ReportingOptions } from "../sync/read/read-batches.ts";
import type { Desired, Catalog } from "../plan/base/catalog.ts";

export interface PlanOptions extends ReportingOptions {
  readonly header: PlanHeader;
  /** The rules to expand. If absent, only the documents are planned. */
  readonly rules?: RuleInputs | undefined;
  /**
   * Defines which kinds of entities and which values a prune would remove. The plan lists those that are still in the catalog.
   */
  readonly prunable?: Prunable | undefined;
  /** The policies to evaluate against the changes. */
  readonly policies?: CurrentPolicies | undefined;
  /** Whether to block the plan if it violates an earlier version of a policy, even if the current policies allow the change. */
  readonly strictPolicies?: boolean;
  /**
   * Reads the writes of earlier applies. If absent, no values are held back because of fights, and only commits determine which
   * values count as applied.
   */
  readonly pastRuns?: ReadPastRuns | undefined;
  /** Whether the plan lists the owners of the entities that it changes. */
  readonly namesOwners?: boolean;
}

/**
 * manifests ─► desired state ─┐
 *                             ├─► changes ─► plan
 * catalog   ─► live state ────┘
 *
 * Expands rules, reads the declared entities, compares them with the catalog, and evaluates guards and policies. Writes nothing.
 * Throws `CatalogError` if the catalog cannot be read, any error from `rules.select`, or the signal's reason if it is aborted.
 */
export async function plan(
  documents: Desired,
  reader: Reader,
  choices: Policy,
  {
    header,
    prunable,
    policies,
    strictPolicies,
    pastRuns,
    namesOwners = false,
    rules,
    onProgress,
    ...options
  }: PlanOptions,
): Promise<Plan> {
  const declared = await expandRules(reader, documents, choices, { ...options, git: header.git, rules });
  const { policy } = declared;
  const { shard } = policy;
  const comparing = { pastRuns, keepsAssets: namesOwners || policies !== undefined };
  const reporting = { ...options, onProgress };
  const { comparison, catalog } = await compareDeclared(reader, declared, comparing, reporting);
  const compared = { declared, catalog };
  const detailed = await addDetails(reader, comparison, compared, options);
  const named = namesOwners ? await ownersOf(reader, comparison, compared, options) : undefined;
  const problems = [...detailed.problems, ...(named?.problems ?? [])];
  const { changes, deletions } = detailed;
  const others = await changesOfOtherShards(reader, declared, { policies, pastRuns, ...options });
  const toJudge = {
    changes,
    others: [...others, ...(shard ? deletions : [])],
    shard,
    known: catalog.live.state,
  };
  const verdicts = policies ? await evaluatePolicies(reader, toJudge, policies, options) : [];
  const lifted = policies ? await evaluateLifted(reader, { toJudge, verdicts }, policies, options) : [];
  const judged = { results: verdicts, lifted, isStrict: strictPolicies };
  const content = applyGuards({ ...detailed, problems }, policy, judged);
  const shown = await readLeftoversAndNames(reader, content, compared, { ...options, prunable });
  return planOf({ ...header, owners: named?.owners ?? [] }, content, shown);
}

/**
 * Reads the catalog and compares it with the declarations. Returns only the entities that later steps need: definitions, and
 * assets if `keepsAssets` is set. In a large plan, the assets would use as much memory as the changes.
 */
async function compareDeclared(
  reader: Reader,
  declared: Declarations,
  { pastRuns, keepsAssets }: { readonly pastRuns: ReadPastRuns | undefined; readonly keepsAssets: boolean },
  options: ReportingOptions,
): Promise<{ readonly comparison: ReturnType<typeof withRules>; readonly catalog: Catalog }> {
  const { desired, policy } = declared;
  const catalog = await readDeclared(reader, declared, options);
  const comparison = withRules(await compareWithRuns(desired, catalog, policy, pastRuns), declared, catalog);
  if (keepsAssets) return { comparison, catalog };
  const { live } = catalog;
  return { comparison, catalog: { ...catalog, live: { ...live, state: definitionsIn(live.state) } } };
}
