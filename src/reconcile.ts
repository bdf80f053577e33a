import type { Reader, Writer } from "./datahub/client/client.ts";
import { readCatalog } from "./datahub/read/catalog.ts";
import { readDetails } from "./datahub/read/details.ts";
import type { ReadOptions } from "./datahub/read/read-batches.ts";
import { readNames } from "./datahub/read/names.ts";
import { readSubstitutes } from "./datahub/read/substitutes.ts";
import { execute, type ExecuteOptions } from "./datahub/write/execute.ts";
import { provenanceFor } from "./datahub/write/provenance.ts";
import { prove } from "./datahub/write/prove.ts";
import type { Plan, PlanHeader } from "./model/plan.ts";
import type { Report } from "./model/report.ts";
import { compare, type Desired } from "./plan/compare.ts";
import { withSuggestions } from "./plan/checks/suggestions.ts";
import { partitionConflicts, skippedOutcomes } from "./plan/diff/conflicts.ts";
import { namesIn, urnsShown, withNames } from "./plan/diff/names.ts";
import { withDetails } from "./plan/diff/details.ts";
import { operationsOf } from "./plan/order/operations.ts";
import { makePlan } from "./plan/plan.ts";
import type { Policy } from "./plan/policy.ts";

/** What a plan says of itself, and how the catalog is read. */
export interface PlanOptions extends ReadOptions {
  readonly header: PlanHeader;
}

/**
 * manifests ─► desired state ─┐
 *                             ├─► changes ─► plan
 * catalog   ─► live state ────┘
 *
 * Reads from the catalog what `desired` needs, compares, and makes the plan under a policy. Writes nothing: a reader
 * cannot. Throws `CatalogError` where the catalog cannot be asked, and the reason of `options.signal`.
 */
export async function plan(
  desired: Desired,
  reader: Reader,
  policy: Policy,
  { header, ...options }: PlanOptions,
): Promise<Plan> {
  const catalog = await readCatalog(reader, desired, policy, options);
  const comparison = compare(desired, catalog, policy);
  const known = namesIn(desired.state, catalog.live.state);
  const substitutes = await readSubstitutes(reader, comparison.problems, known, options);
  const details = await readDetails(reader, comparison, options);
  const explained = withDetails(withSuggestions(comparison, substitutes), details);
  const made = makePlan(header, explained, policy);
  const unknown = urnsShown(made).filter((urn) => !known.has(urn));
  return withNames(made, new Map([...known, ...(await readNames(reader, unknown, options))]));
}

/** How a plan is applied. */
export interface ApplyOptions extends ExecuteOptions {
  /** Whether what was applied is read back; so it is where nothing is said. */
  readonly verify?: boolean;
}

/**
 * plan ─► operations ─► report. Writes what the plan shows and is still as the plan saw it, and nothing else; then reads
 * back what was written.
 */
export async function apply(approved: Plan, writer: Writer, options: ApplyOptions = {}): Promise<Report> {
  const { verify = true, batch: _, onProgress: _progress, ...reading } = options;
  const { pending, skipped } = partitionConflicts(approved);
  const operations = operationsOf({ ...approved, changes: pending });
  const provenance = await provenanceFor(writer, operations, approved, options.signal);
  const done = await execute(writer, operations, { ...options, ...(provenance && { provenance }) });
  const isProved = verify && done.stopped === undefined && options.signal?.aborted !== true;
  const { outcomes, ...proof } = isProved ? await prove(writer, done.outcomes, reading) : done;
  const { stopped } = done;
  return {
    plan: approved,
    outcomes: [...outcomes, ...skippedOutcomes({ ...approved, changes: skipped })],
    stopped,
    ...proof,
  };
}
