import type { Reader } from "../datahub/client.ts";
import { readAssetsAt } from "../run/read/assets.ts";
import type { ReadOptions } from "../run/read/read-batches.ts";
import type { Kind } from "../kinds/kind.ts";
import type { Exemptions, Rule } from "../model/rule.ts";
import type { Entity } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { ruleMatcher } from "../plan/rules/group.ts";
import { doesMatch } from "../plan/rules/match.ts";

/** The rules of some manifests, and what documents leave out of them. */
export interface RuleInputs {
  readonly rules: readonly Rule[];
  readonly exempt: Exemptions;
}

/** What rules declare of some assets. */
interface Ruled {
  /** Of each asset that a rule matches. */
  readonly facets: ReadonlyMap<Urn, Entity["facets"]>;
  /** The assets of which it is not known which rules match them, each with the reason. */
  readonly unreadable: ReadonlyMap<Urn, string>;
}

/** Asks for some assets of one kind what rules declare of them. */
export type FacetsFromRules = (kind: Kind, urns: readonly Urn[]) => Promise<Ruled>;

/** What rules declare of assets, whatever documents do. Reads only kinds that rules match. The function throws `CatalogError`. */
export function facetsFromRules(
  reader: Reader,
  { rules, exempt }: RuleInputs,
  options: Pick<ReadOptions, "signal"> = {},
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
