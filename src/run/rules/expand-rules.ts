import type { Reader } from "../../datahub/client.ts";
import { appendTo } from "../../model/append.ts";
import type { PlanHeader, RuleCount } from "../../model/plan.ts";
import type { Problem } from "../../model/problem.ts";
import type { Rule } from "../../model/rule.ts";
import type { Place } from "../../model/place.ts";
import type { Urn } from "../../model/urn.ts";
import type { Catalog, Comparison, Desired } from "../../plan/compare.ts";
import { canAdvanceBase } from "../../plan/diff/dormant.ts";
import type { Policy } from "../../plan/policy.ts";
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
import type { ReadOptions } from "../read/read-batches.ts";

/** Rules, and what is selected once it is known what they match. */
interface RuleInputs extends RuleSources {
  readonly select: (expanded: ExpandedState) => ReadonlySet<Urn> | undefined;
}

/** What documents and rules declare together, of the assets that the catalog has. */
export interface Declarations {
  readonly desired: Desired;
  readonly policy: Policy;
  /** What is declared of assets that are gone for the moment; absent where the plan cannot forget it. */
  readonly dormant?: DormantQuery | undefined;
  readonly ruled?: Ruled;
}

/** Rules with the assets that they match. */
interface Ruled {
  readonly rules: readonly Rule[];
  readonly expanded: Expanded;
  /** The assets of which it is not known which rules match them, each with the reason. */
  readonly unread: ReadonlyMap<Urn, string>;
  readonly problems: readonly Problem[];
}

/** How rules are expanded. */
export interface ExpandOptions extends ReadOptions {
  readonly header: Pick<PlanHeader, "git">;
  /** Where there are rules: what they become with the assets of the catalog is planned in place of what documents declare. */
  readonly rules?: RuleInputs | undefined;
}

/**
 * Turns rules into what documents of the assets that they match would declare: nothing after knows of them. The assets come
 * from the catalog batch by batch. Throws `CatalogError` where the catalog cannot be asked, what `rules.select` throws, and
 * the reason of a signal.
 */
export async function expandRules(
  reader: Reader,
  documents: Desired,
  choices: Policy,
  { rules: inputs, header, onProgress: _, ...options }: ExpandOptions,
): Promise<Declarations> {
  const forgets = canAdvanceBase(header);
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
  const asked = { ...options, holds: doesMatch, withDormant: dormant !== undefined };
  for await (const batch of readAssets(reader, allRules(inputs), asked)) {
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

/** Reads what these declarations are compared with. Of an asset whose rules are not known nothing is compared. */
export async function readDeclared(
  reader: Reader,
  { desired, policy, ruled }: Declarations,
  options: ReadOptions,
): Promise<Catalog> {
  const catalog = await readCatalog(reader, desired, policy, options);
  return ruled ? withUnread(catalog, { ...ruled, ...policy, desired: desired.state }) : catalog;
}

/** Whether rules declare different values there: no value counts then, and yet it is declared. */
function clashingIn({
  clashes,
}: Pick<Expanded, "clashes">): (at: Partial<Place> & { readonly urn: Urn }) => boolean {
  const places = new Set(
    clashes.flatMap(({ clash: { about, facet }, urns }) =>
      about === "value" ? urns.map((urn) => `${facet} ${urn}`) : [],
    ),
  );
  return ({ urn, facet = "" }) => places.has(`${facet} ${urn}`);
}

/** A comparison with the problems of rules, and with how much each of them does. */
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
