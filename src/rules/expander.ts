import type { Asset, Exemptions, Rule } from "../model/rule.ts";
import type { Entity, State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { withNamesOfColumns } from "./column-names.ts";
import { type Group, groupsOf } from "./group.ts";
import { type Clash, type Contributor, unite } from "./unite.ts";

/** Documents and rules of one time. */
export interface Declaring {
  readonly state: State;
  readonly rules: readonly Rule[];
  readonly exempt: Exemptions;
}

/** Whether an entity is not looked at, whatever is declared of it. */
export type IsLeftAlone = (urn: Urn) => boolean;

/** What rules and documents declare of an asset. All assets of a group of which there is no document share it. */
export interface Matched {
  readonly group: Group;
  /** Where there is a document: what is declared together. Without it that is what the group declares. */
  readonly own?: Entity;
  readonly clashes: readonly Clash[];
}

/** The asset with what is declared of it. */
export function entityOf(urn: Urn, { group, own }: Matched): Entity {
  const { kind, facets, manage, origin } = group;
  return own ?? { urn, kind, facets, ...(manage && { manage }), origin };
}

/**
 * Says of an asset what documents and rules declare of it; `undefined` where no rule matches that its documents do not leave
 * out. Assets of which the same is declared, and of which there is no document, share it.
 */
export function expander(
  { state, rules, exempt }: Declaring,
  isLeftAlone: IsLeftAlone,
): (asset: Asset) => Matched | undefined {
  const groupFor = groupsOf(rules);
  const shared = new Map<Group, Matched>();
  return (asset) => {
    const { urn } = asset;
    const group = isLeftAlone(urn) ? undefined : groupFor(asset, exempt.get(urn));
    if (!group) return undefined;
    const own = state.get(urn);
    if (own) return together(own, asset, group);
    const matched = shared.get(group) ?? { group, clashes: group.clashes };
    shared.set(group, matched);
    return matched;
  };
}

function together(own: Entity, asset: Asset, group: Group): Matched {
  const named = group.contributors.map((each) => ({
    ...each,
    facets: withNamesOfColumns(each.facets, own, asset),
  }));
  const { facets, manage, clashes } = unite([documentsOf(own), ...named]);
  const { manage: _, ...entity } = own;
  return { group, own: { ...entity, facets, ...(manage && { manage }) }, clashes };
}

function documentsOf({ facets, manage = {}, origin }: Entity): Contributor {
  return {
    priority: Number.POSITIVE_INFINITY,
    facets,
    manage,
    modePlace: (facet) => {
      const value = facets.get(facet);
      return (value?.shape === "map" ? [...value.entries.values()][0] : value)?.origin ?? origin;
    },
  };
}
