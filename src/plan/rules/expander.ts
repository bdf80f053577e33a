import type { Asset, Exemptions, Rule } from "../../model/rule.ts";
import type { Entity, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Content } from "../sides/declared-before.ts";
import { withColumnsAsDocumented } from "./column-names.ts";
import { type Group, ruleMatcher, type Matched } from "./group.ts";
import { type Contributor, unite } from "./unite.ts";

/** Documents and rules of one time. */
export interface Declaring {
  readonly state: State;
  readonly rules: readonly Rule[];
  readonly exempt: Exemptions;
}

/** Whether an entity is ignored, whatever is declared of it. */
export type IsIgnored = (urn: Urn) => boolean;

/** Says which rules match an asset, and what is declared of it then. */
export interface Expander {
  /** `undefined` where no rule matches that documents of the asset do not leave out. */
  readonly matchedBy: (asset: Asset) => Matched | undefined;
  /** What documents and rules declare together. Assets of a group of which there is no document share it. */
  readonly contentOf: (urn: Urn, matched: Matched) => Content;
  readonly entityOf: (urn: Urn, matched: Matched) => Entity;
}

/**
 * Expands rules to what documents of assets would declare. What is declared of an asset that has documents is put together each
 * time that it is asked for: to keep it would take kilobytes for each.
 */
export function assetExpander({ state, rules, exempt }: Declaring, isIgnored: IsIgnored): Expander {
  const matchIn = ruleMatcher(rules);
  const contentOf = (urn: Urn, { group, contributors }: Matched): Content => {
    const own = state.get(urn);
    return own ? together(own, contributors) : group;
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

function together(own: Entity, contributors: readonly Contributor[]): Content {
  const { kind, origin } = own;
  const { facets, manage } = unite([documentsOf(own), ...contributors]);
  return { kind, facets, ...(manage && { manage }), ...(origin && { origin }) };
}

function documentsOf({ facets, manage = {}, modePlaces, origin }: Entity): Contributor {
  return {
    priority: Number.POSITIVE_INFINITY,
    facets,
    manage,
    modePlace: (facet) => modePlaces?.get(facet) ?? origin,
  };
}
