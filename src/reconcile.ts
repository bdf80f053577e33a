import type { Reader, Writer } from "./datahub/client.ts";
import type { Plan, PlanHeader } from "./model/plan.ts";
import type { Report } from "./model/report.ts";
import type { Catalog, Desired } from "./plan/compare.ts";
import { partitionHeldBack, skippedOutcomes } from "./plan/diff/held-back.ts";
import type { Prunable } from "./plan/diff/leftovers.ts";
import { operationsOf } from "./plan/order/operations.ts";
import { applyGuards, planOf } from "./plan/plan.ts";
import { definitionsIn } from "./plan/sides/definitions.ts";
import type { Policy } from "./plan/policy.ts";
import { evaluatePolicies, judgeLifted, type PoliciesAtHand } from "./run/policies/evaluate-policies.ts";
import { changesOfOtherShards } from "./run/policies/other-shards.ts";
import { addDetails, addLeftoversAndNames, ownersOf } from "./run/details.ts";
import { compareWithRuns, type ReadPastRuns } from "./run/past-runs.ts";
import {
  type Declarations,
  expandRules,
  type ExpandOptions,
  readDeclared,
  withRules,
} from "./run/rules/expand-rules.ts";
import type { ReadOptions } from "./run/read/read-batches.ts";
import { execute, type ExecuteOptions } from "./run/write/execute.ts";
import { checkConditionalWrites, findLargeEdits } from "./run/write/provenance.ts";
import { verifyWrites } from "./run/write/verify-writes.ts";

/** What a plan says of itself, and how the catalog is read. */
export interface PlanOptions extends ExpandOptions {
  readonly header: PlanHeader;
  /** What a prune would take away: a plan that leaves some of it says so. */
  readonly prunable?: Prunable | undefined;
  /** By which what changes is judged, where there are some. */
  readonly policies?: PoliciesAtHand | undefined;
  /** Whether a violation that only earlier policies would stop stops the plan. */
  readonly strictPolicies?: boolean;
  /** Reads what earlier applies wrote; without it nothing is held back for fights, and only commits tell what was applied. */
  readonly pastRuns?: ReadPastRuns | undefined;
  /** Whether the plan says who owns what it changes. */
  readonly namesOwners?: boolean;
}

/**
 * manifests ─► desired state ─┐
 *                             ├─► changes ─► plan
 * catalog   ─► live state ────┘
 *
 * Expands rules, reads what is declared, compares, and judges: the plan. Writes nothing: a reader cannot. Throws
 * `CatalogError` where the catalog cannot be asked, what `rules.select` throws, and the reason of `options.signal`.
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
    ...options
  }: PlanOptions,
): Promise<Plan> {
  const declared = await expandRules(reader, documents, choices, { ...options, header, rules });
  const { policy } = declared;
  const keepsAssets = namesOwners || policies !== undefined;
  const { comparison, catalog } = await compareDeclared(reader, declared, { pastRuns, keepsAssets }, options);
  const compared = { declared, catalog };
  const detailed = await addDetails(reader, comparison, compared, options);
  const named = namesOwners ? await ownersOf(reader, comparison, compared, options) : undefined;
  const problems = [...detailed.problems, ...(named?.problems ?? [])];
  const { changes, deletions } = detailed;
  const { shard } = choices;
  const others = await changesOfOtherShards(reader, declared, { policies, shard, pastRuns, ...options });
  const toJudge = {
    changes,
    others: [...others, ...(shard ? deletions : [])],
    shard,
    known: catalog.live.state,
  };
  const verdicts = policies ? await evaluatePolicies(reader, toJudge, policies, options) : [];
  const lifted = policies ? await judgeLifted(reader, { toJudge, verdicts }, policies, options) : [];
  const made = planOf(
    { ...header, owners: named?.owners ?? [] },
    applyGuards({ ...detailed, problems }, policy, { results: verdicts, lifted, isStrict: strictPolicies }),
  );
  return await addLeftoversAndNames(reader, made, compared, { ...options, prunable });
}

/**
 * Reads and compares. Of the catalog all that is asked for later is handed on: definitions, and assets where they are kept. In a
 * large plan they would take as much memory as the changes.
 */
async function compareDeclared(
  reader: Reader,
  declared: Declarations,
  { pastRuns, keepsAssets }: Pick<PlanOptions, "pastRuns"> & { readonly keepsAssets: boolean },
  options: ReadOptions,
): Promise<{ readonly comparison: ReturnType<typeof withRules>; readonly catalog: Catalog }> {
  const { desired, policy } = declared;
  const catalog = await readDeclared(reader, declared, options);
  const comparison = withRules(await compareWithRuns(desired, catalog, policy, pastRuns), declared, catalog);
  if (keepsAssets) return { comparison, catalog };
  const { live } = catalog;
  return { comparison, catalog: { ...catalog, live: { ...live, state: definitionsIn(live.state) } } };
}

/** How a plan is applied. */
export interface ApplyOptions extends ExecuteOptions {
  /** Whether what was applied is read back: yes by default. */
  readonly verify?: boolean;
}

/**
 * plan ─► operations ─► report
 *
 * Orders the operations, runs them, and proves them: writes what the plan shows and is still as the plan saw it, and nothing
 * else; then reads back what was written. Throws `CatalogError` where the token lacks a privilege that is needed.
 */
export async function apply(approved: Plan, writer: Writer, options: ApplyOptions = {}): Promise<Report> {
  const { verify = true, batch: _, onProgress: _progress, ...reading } = options;
  const { pending, skipped } = partitionHeldBack(approved);
  const findEdited: ExecuteOptions["findEdited"] = (changes) =>
    findLargeEdits(writer, { ...approved, changes }, options.signal);
  const edited = await findEdited(pending);
  const operations = operationsOf({ ...approved, changes: pending }, edited);
  const provenance = await checkConditionalWrites(writer, operations, approved, options.signal);
  const ways = { edited, findEdited, ...(provenance && { provenance }) };
  const done = await execute(writer, operations, { ...options, ...ways });
  const isProved = verify && done.stopped === undefined && options.signal?.aborted !== true;
  const { outcomes, ...proof } = isProved ? await verifyWrites(writer, done.outcomes, reading) : done;
  const { stopped } = done;
  return {
    plan: approved,
    outcomes: [...outcomes, ...skippedOutcomes({ ...approved, changes: skipped })],
    stopped,
    ...proof,
  };
}
