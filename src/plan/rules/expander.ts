/** Finds the rules that match an asset, and combines their declarations with the asset's documents. */

import type { Asset, Exemptions, Rule } from "../../model/rule.ts";
import type { Entity, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Content } from "../base/declared-before.ts";
import { withColumnsAsDocumented } from "./column-names.ts";
import { type Group, ruleMatcher, type Matched } from "./group.ts";
import { type Contributor, unite } from "./unite.ts";

/** The documents and rules at one commit. */
export interface DeclaringRules {
  readonly state: State;
  readonly rules: readonly Rule[];
  readonly exempt: Exemptions;
}

/** Returns whether an entity is ignored, regardless of its declarations. */
export type IsIgnored = (urn: Urn) => boolean;

/** Finds the rules that match an asset, and computes the resulting declarations. */
export interface Expander {
  /** Returns the matching rules, except rules from which documents exempt the asset. `undefined` if no rule matches. */
  readonly matchedBy: (asset: Asset) => Matched | undefined;
  /** Returns the combined declarations of documents and rules. Assets without documents share one object per group. */
  readonly contentOf: (urn: Urn, matched: Matched) => Content;
  readonly entityOf: (urn: Urn, matched: Matched) => Entity;
}

/**
 * Creates an expander. For assets with documents, it combines the declarations again on each call, because storing them would
 * take kilobytes of memory per asset.
 */
export function assetExpander({ state, rules, exempt }: DeclaringRules, isIgnored: IsIgnored): Expander {
  const matchIn = ruleMatcher(rules);
  const contentOf = (urn: Urn, { group, contributors }: Matched): Content => {
    const own = state.get(urn);
    if (!own) return group;
    const { kind, origin } = own;
    const { facets, manage } = unite([documentsOf(own), ...contributors]);
    return { kind, facets, ...(manage && { manage }), ...(origin && { origin }) };
  };
  return {
    matchedBy: (asset) => {
      const { urn } = asset;
      const matched = isIgnored(urn) ? undefined : matchIn(asset, exempt.get(urn));
      const own = matched && state.get(urn);
      if (!own) return matched;
      const contributors = namedAs(own, asset, matched.group);
      return { ...matched, contributors, clashes: unite([documentsOf(own), ...contributors]).clashes };
    },
    contentOf,
    entityOf: (urn, matched) => {
      const { kind, facets, manage, origin } = contentOf(urn, matched);
      return { urn, kind, facets, ...(manage && { manage }), ...(origin && { origin }) };
    },
  };
}

function namedAs(own: Entity, asset: Asset, { contributors }: Group): readonly Contributor[] {
  const named = contributors.map((each) => {
    const facets = withColumnsAsDocumented(each.facets, own, asset);
    return facets === each.facets ? each : { ...each, facets };
  });
  return named.every((each, index) => each === contributors[index]) ? contributors : named;
}

function documentsOf({ facets, manage = {}, modePlaces, origin }: Entity): Contributor {
  return {
    priority: Number.POSITIVE_INFINITY,
    facets,
    manage,
    modePlace: (facet) => modePlaces?.get(facet) ?? origin,
  };
}
