import type { Reader, Writer } from "./datahub/client.ts";
import { readAssets } from "./run/read/assets.ts";
import { type AskedAway, awayIn, readAway } from "./run/read/away.ts";
import { readCatalog } from "./run/read/catalog.ts";
import { readDetails } from "./run/read/details.ts";
import type { ReadOptions } from "./run/read/read-batches.ts";
import { readOwners } from "./run/read/owners.ts";
import { readNames } from "./run/read/names.ts";
import { readSubstitutes } from "./run/read/substitutes.ts";
import { execute, type ExecuteOptions } from "./run/write/execute.ts";
import { provenanceFor } from "./run/write/provenance.ts";
import { prove } from "./run/write/prove.ts";
import { appendTo } from "./model/append.ts";
import type { Plan, PlanHeader, RuleCount } from "./model/plan.ts";
import type { Problem } from "./model/problem.ts";
import type { Report } from "./model/report.ts";
import type { Rule } from "./model/rule.ts";
import type { Urn } from "./model/urn.ts";
import { type Catalog, compare, type Desired } from "./plan/compare.ts";
import { leftAway, mayForget } from "./plan/diff/away.ts";
import { withSuggestions } from "./plan/checks/suggestions.ts";
import { partitionConflicts, skippedOutcomes } from "./plan/diff/conflicts.ts";
import { namesIn, urnsShown, withNames } from "./plan/diff/names.ts";
import { withDetails } from "./plan/diff/details.ts";
import { type Prunable, withLeft } from "./plan/diff/left-behind.ts";
import { operationsOf } from "./plan/order/operations.ts";
import { makePlan } from "./plan/plan.ts";
import type { Policy } from "./plan/policy.ts";
import { touchedOwners } from "./plan/touched-owners.ts";
import { awayFrom } from "./plan/rules/away.ts";
import { countRules } from "./plan/rules/count.ts";
import type { Expanded } from "./plan/rules/expand.ts";
import { ruleProblems } from "./plan/rules/problems.ts";
import { withUnread } from "./plan/rules/unread.ts";
import { doesMatch } from "./plan/rules/verdict.ts";
import { rulesIn, type Unexpanded, type Whole, wholeOf } from "./plan/rules/whole.ts";

/** What a plan says of itself, and how the catalog is read. */
export interface PlanOptions extends ReadOptions {
  readonly header: PlanHeader;
  /** Where there are rules: what they become with the assets of the catalog is planned in place of what documents declare. */
  readonly rules?: RulesAtHand | undefined;
  /** What a prune would take away: a plan that leaves some of it says so. */
  readonly prunable?: Prunable | undefined;
  /** Whether the plan says who owns what it changes. */
  readonly tellsOwners?: boolean;
}

/** Rules, and what is selected once it is known what they match. */
interface RulesAtHand extends Unexpanded {
  readonly select: (whole: Whole) => ReadonlySet<Urn> | undefined;
}

/**
 * manifests ─► desired state ─┐
 *                             ├─► changes ─► plan
 * catalog   ─► live state ────┘
 *
 * Reads from the catalog what `desired` needs, compares, and makes the plan under a policy. Rules become desired state
 * before, with the assets that they match: nothing after knows of them. Writes nothing: a reader cannot. Throws `CatalogError`
 * where the catalog cannot be asked, what `rules.select` throws, and the reason of `options.signal`.
 */
export async function plan(
  documents: Desired,
  reader: Reader,
  choices: Policy,
  { header, rules, prunable, tellsOwners = false, ...options }: PlanOptions,
): Promise<Plan> {
  const expanded = rules && (await withAssets(reader, rules, choices, { ...options, header }));
  const { desired, policy, ruled, away }: WithAssets = expanded ?? { desired: documents, policy: choices };
  const read = await readCatalog(reader, desired, policy, options);
  const catalog = ruled ? withUnread(read, { ...ruled, ...policy, desired: desired.state }) : read;
  const comparison = compare(desired, catalog, policy);
  const known = namesIn(desired.state, catalog.live.state);
  const substitutes = await readSubstitutes(reader, comparison.problems, known, options);
  const details = await readDetails(reader, comparison, options);
  const explained = withDetails(withSuggestions(comparison, substitutes), details);
  const problems = [...explained.problems, ...(ruled?.problems ?? [])];
  const counts = ruled && { rules: countsOf(ruled, comparison, catalog, policy) };
  const gone = away ?? (mayForget(header) ? awayIn(desired, policy) : undefined);
  const held = prunable && gone && (await readAway(reader, gone, catalog.live, options));
  const left = held && leftAway(gone.declared, held, policy, prunable.assignments);
  const content = { ...explained, problems, ...counts };
  const declared = { desired: desired.state, before: policy.base };
  const { changes } = comparison;
  const { state: live } = catalog.live;
  const owners = tellsOwners
    ? touchedOwners(changes, [desired.state, live, await readOwners(reader, changes, live, options)])
    : [];
  const made = withLeft(makePlan({ ...header, owners }, content, policy), declared, prunable, left);
  const unknown = urnsShown(made).filter((urn) => !known.has(urn));
  return withNames(made, new Map([...known, ...(await readNames(reader, unknown, options))]));
}

/** What is planned where there are rules. */
interface WithAssets {
  readonly desired: Desired;
  readonly policy: Policy;
  readonly ruled?: Ruled;
  readonly away?: AskedAway | undefined;
}

/** Rules with the assets that they match. */
interface Ruled {
  readonly rules: readonly Rule[];
  readonly expanded: Expanded;
  /** The assets of which it is not known which rules match them, each with the reason. */
  readonly unread: ReadonlyMap<Urn, string>;
  readonly problems: readonly Problem[];
}

/** What documents and rules declare together, once the catalog has told which assets it has: they come batch by batch. */
async function withAssets(
  reader: Reader,
  atHand: RulesAtHand,
  choices: Policy,
  { onProgress: _, header, ...options }: Pick<PlanOptions, "header"> & ReadOptions,
): Promise<WithAssets> {
  const whole = wholeOf(atHand);
  const away = mayForget(header) ? awayFrom(atHand) : undefined;
  const unread = new Map<Urn, string>();
  const awayUnread: Urn[] = [];
  const asked = { ...options, holds: doesMatch, withAway: away !== undefined };
  for await (const batch of readAssets(reader, rulesIn(atHand), asked)) {
    for (const asset of batch.assets) whole.add(asset);
    for (const asset of batch.away) away?.add(asset);
    appendTo(awayUnread, batch.awayUnread);
    for (const [urn, reason] of batch.unreadable) {
      whole.addUnread(urn);
      unread.set(urn, reason);
    }
  }
  const found = whole.result();
  const { now: expanded, before: base, applied } = found;
  const { rules } = atHand.now;
  const policy = { ...choices, base, applied, part: atHand.select(found) };
  const problems = ruleProblems(expanded, rules, policy, unread.size > 0);
  return {
    desired: expanded,
    policy,
    ruled: { rules, expanded, unread, problems },
    away: away && { ...away.result(), unread: awayUnread },
  };
}

function countsOf(
  { expanded, rules, unread }: Ruled,
  { changes }: Pick<Plan, "changes">,
  { live }: Catalog,
  { part }: Policy,
): readonly RuleCount[] {
  const unreadable = live.unreadable.keys();
  return countRules(expanded, rules, { part, changes, unknown: unread.keys(), unreadable });
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
