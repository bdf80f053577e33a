/** Reads the assets that rules match, and converts the rules to declarations for these assets. */

import type { Reader } from "../../datahub/client.ts";
import { appendTo } from "../../model/append.ts";
import type { GitState } from "../../model/plan.ts";
import type { RuleCount } from "../../model/rule-count.ts";
import type { Problem } from "../../model/problem.ts";
import type { Rule } from "../../model/rule.ts";
import type { Place } from "../../model/place.ts";
import type { Urn } from "../../model/urn.ts";
import type { Comparison } from "../../plan/compare.ts";
import { canAdvanceBase } from "../../plan/notes/dormant.ts";
import type { Policy } from "../../plan/base/policy.ts";
import { expandForDormant } from "../../plan/rules/dormant.ts";
import { countRules } from "../../plan/rules/count.ts";
import type { Expanded } from "../../plan/rules/expand.ts";
import { ruleProblems } from "../../plan/rules/problems.ts";
import { withUnread } from "../../plan/rules/unread.ts";
import { doesMatch } from "../../plan/rules/match.ts";
import { allRules, type RuleSources, type ExpandedState, expandAll } from "../../plan/rules/expand-all.ts";
import { readAssets } from "../read/assets.ts";
import { type DormantQuery, dormantQueryFor } from "../read/dormant.ts";
import { readCatalog } from "../read/catalog.ts";
import type { ReadOptions, ReportingOptions } from "../read/read-batches.ts";
import type { Desired, Catalog } from "../../plan/base/catalog.ts";

/** Rules, and a function that selects entities after the expansion. */
export interface RuleInputs extends RuleSources {
  readonly select: (expanded: ExpandedState) => ReadonlySet<Urn> | undefined;
}

/** The combined declarations from documents and rules, for the assets in the catalog. */
export interface Declarations {
  readonly desired: Desired;
  readonly policy: Policy;
  /** The query for dormant assets, or `undefined` if an apply of the plan does not advance the base. */
  readonly dormant?: DormantQuery | undefined;
  readonly ruled?: Ruled;
}

/** Rules, and the assets that they match. */
interface Ruled {
  readonly rules: readonly Rule[];
  readonly expanded: Expanded;
  /** Assets whose matching rules are unknown, each with the reason. */
  readonly unread: ReadonlyMap<Urn, string>;
  readonly problems: readonly Problem[];
}

export interface ExpandOptions extends ReadOptions {
  readonly git: GitState;
  /** The rules to expand. If absent, only the documents are planned. */
  readonly rules?: RuleInputs | undefined;
}

/**
 * Converts rules to the declarations that equivalent documents would contain. Reads the assets in batches. Throws `CatalogError`
 * if the catalog cannot be read, any error from `rules.select`, or the signal's reason if it is aborted.
 */
export async function expandRules(
  reader: Reader,
  documents: Desired,
  choices: Policy,
  { rules: inputs, git, ...options }: ExpandOptions,
): Promise<Declarations> {
  const forgets = canAdvanceBase(git);
  if (!inputs)
    return {
      desired: documents,
      policy: choices,
      dormant: forgets ? dormantQueryFor(documents, choices) : undefined,
    };
  const expansion = expandAll(inputs);
  const dormant = forgets ? expandForDormant(inputs) : undefined;
  const unread = new Map<Urn, string>();
  const dormantUnread: Urn[] = [];
  const assetOptions = { ...options, holds: doesMatch, withDormant: dormant !== undefined };
  for await (const batch of readAssets(reader, allRules(inputs), assetOptions)) {
    for (const asset of batch.assets) expansion.add(asset);
    for (const asset of batch.dormant) dormant?.add(asset);
    appendTo(dormantUnread, batch.dormantUnread);
    for (const [urn, reason] of batch.unreadable) {
      expansion.addUnread(urn);
      unread.set(urn, reason);
    }
  }
  const found = expansion.result();
  const { now: expanded, before: base, applied, ahead } = found;
  const { rules } = inputs.now;
  const policy = { ...choices, base, applied, ahead, part: inputs.select(found) };
  const problems = ruleProblems(expanded, rules, policy, unread.size > 0);
  return {
    desired: expanded,
    policy,
    dormant: dormant && { ...dormant.result(), unread: dormantUnread },
    ruled: { rules, expanded, unread, problems },
  };
}

/** Reads the live state to compare with the declarations. Excludes assets whose matching rules are unknown. */
export async function readDeclared(
  reader: Reader,
  { desired, policy, ruled }: Declarations,
  options: ReportingOptions,
): Promise<Catalog> {
  const catalog = await readCatalog(reader, desired, policy, options);
  return ruled ? withUnread(catalog, { ...ruled, ...policy, desired: desired.state }) : catalog;
}

/** Returns a test for whether rules contradict each other about a value. If they do, none of their values applies. */
function clashingIn({ clashes }: Expanded): (at: Partial<Place> & { readonly urn: Urn }) => boolean {
  const places = new Set(
    clashes.flatMap(({ clash: { about, facet }, urns }) =>
      about === "value" ? urns.map((urn) => `${facet} ${urn}`) : [],
    ),
  );
  return ({ urn, facet = "" }) => places.has(`${facet} ${urn}`);
}

/** Adds the problems with rules to a comparison, and counts the effects of each rule. */
export function withRules(
  comparison: Comparison,
  { policy, ruled }: Declarations,
  { live }: Catalog,
): Comparison & { readonly rules?: readonly RuleCount[] } {
  if (!ruled) return comparison;
  const { expanded, rules, unread } = ruled;
  const { problems } = comparison;
  const isClashing = clashingIn(expanded);
  const changes = comparison.changes.filter(
    (change) => change.shape === "entity" || !change.pruned || !isClashing(change),
  );
  const unmanaged = comparison.unmanaged.filter(
    (each) => each.reason !== "no-longer-declared" || !isClashing(each),
  );
  const unreadable = live.unreadable.keys();
  const counted = { part: policy.part, changes, unknown: unread.keys(), unreadable };
  return {
    ...comparison,
    changes,
    unmanaged,
    problems: [...problems, ...ruled.problems],
    rules: countRules(expanded, rules, counted),
  };
}
