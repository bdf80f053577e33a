/** Computes the facets that rules declare for assets. */

import type { Reader } from "../../datahub/client.ts";
import { readAssetsAt } from "../../sync/read/assets.ts";
import type { ReadOptions } from "../../sync/read/read-batches.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { Exemptions, Rule } from "../../model/rule.ts";
import type { Entity } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { ruleMatcher } from "../../plan/rules/group.ts";
import { doesMatch } from "../../plan/rules/match.ts";

/** The rules in manifests, and the rules from which documents exempt assets. */
export interface RuleInputs {
  readonly rules: readonly Rule[];
  readonly exempt: Exemptions;
}

interface Ruled {
  /** The facets that rules declare, for each asset that matches a rule. */
  readonly facets: ReadonlyMap<Urn, Entity["facets"]>;
  /** Assets whose matching rules are unknown, each with the reason. */
  readonly unreadable: ReadonlyMap<Urn, string>;
}

/** Returns the facets that rules declare for assets of one kind. */
export type FacetsFromRules = (kind: Kind, urns: readonly Urn[]) => Promise<Ruled>;

/**
 * Returns a function that computes facets from rules only, not from documents. It reads only assets of kinds with rules. It
 * throws `CatalogError` if a request fails.
 */
export function facetsFromRules(
  reader: Reader,
  { rules, exempt }: RuleInputs,
  options: ReadOptions,
): FacetsFromRules {
  const matchIn = ruleMatcher(rules);
  return async (kind, urns) => {
    const own = rules.filter((rule) => rule.kind === kind.name);
    if (own.length === 0 || urns.length === 0) return { facets: new Map(), unreadable: new Map() };
    const reads = { ...options, holds: doesMatch };
    const { assets, unreadable } = await readAssetsAt(reader, { kind, urns }, own, reads);
    const facets = assets.flatMap((asset) => {
      const group = matchIn(asset, exempt.get(asset.urn))?.group;
      return group ? [[asset.urn, group.facets] as const] : [];
    });
    return { facets: new Map(facets), unreadable };
  };
}
