import type { DeclaredReference } from "../model/reference.ts";
import type { Asset, Exemptions, Rule } from "../model/rule.ts";
import type { Entity, State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { withNamesOfColumns } from "./column-names.ts";
import { type Group, groupsOf } from "./group.ts";
import { byId } from "./order.ts";
import { type Clash, type Contributor, unite } from "./unite.ts";

/** What documents and rules declare, before they meet. */
export interface Declared {
  readonly state: State;
  readonly references: Iterable<DeclaredReference>;
  readonly rules: readonly Rule[];
  readonly exempt: Exemptions;
}

/** What documents and rules declare of the assets that the catalog has: all that follows knows no rules. */
export interface Expanded {
  readonly state: State;
  readonly references: Iterable<DeclaredReference>;
  /** The assets that the same rules match, by the rules. No asset is in two. */
  readonly matches: readonly Match[];
  /** What does not go together, each with the assets of which it is so. */
  readonly clashes: readonly { readonly clash: Clash; readonly urns: readonly Urn[] }[];
}

/** Assets that the same rules match. */
interface Match {
  /** In the order of their ids. */
  readonly rules: readonly Rule[];
  readonly urns: readonly Urn[];
}

/**
 * Expands rules to what documents of the assets would declare, beside what their documents do declare. Rules that documents
 * leave out do not count, nor do assets that are left alone. Assets of which the same is declared, and of which there is no
 * document, share it. Neither the order of rules nor that of assets makes a difference.
 */
export function expand(
  declared: Declared,
  assets: Iterable<Asset>,
  isLeftAlone: (urn: Urn) => boolean = () => false,
): Expanded {
  const { rules, exempt } = declared;
  if (rules.length === 0) return { ...declared, matches: [], clashes: [] };
  const state = new Map(declared.state);
  const clashes = new Map<Clash, Urn[]>();
  const grouped = new Map<Group, Urn[]>();
  const groupFor = groupsOf(rules);
  for (const asset of assets) {
    const { urn } = asset;
    const group = isLeftAlone(urn) ? undefined : groupFor(asset, exempt.get(urn));
    if (!group) continue;
    listIn(grouped, group).push(urn);
    const own = declared.state.get(urn);
    const { entity, found } = own
      ? together(own, asset, group)
      : { entity: alone(asset, group), found: group };
    state.set(urn, entity);
    for (const clash of found.clashes) listIn(clashes, clash).push(urn);
  }
  return {
    state,
    references: { [Symbol.iterator]: () => referencesIn(declared, grouped) },
    matches: matchesIn(grouped),
    clashes: [...clashes].map(([clash, urns]) => ({ clash, urns })),
  };
}

function alone({ urn, kind }: Asset, { facets, manage, origin }: Group): Entity {
  return { urn, kind, facets, ...(manage && { manage }), origin };
}

interface Together {
  readonly entity: Entity;
  readonly found: { readonly clashes: readonly Clash[] };
}

function together(own: Entity, asset: Asset, { contributors }: Group): Together {
  const named = contributors.map((each) => ({
    ...each,
    facets: withNamesOfColumns(each.facets, own, asset),
  }));
  const { facets, manage, clashes } = unite([documentsOf(own), ...named]);
  const { manage: _, ...entity } = own;
  return { entity: { ...entity, facets, ...(manage && { manage }) }, found: { clashes } };
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

// In the order of the rules, so that the first reference to something is the same in whatever order assets come.
function* referencesIn(
  { references }: Declared,
  grouped: ReadonlyMap<Group, readonly Urn[]>,
): Generator<DeclaredReference> {
  yield* references;
  const groups = [...grouped];
  const rules = new Set(groups.flatMap(([group]) => group.rules));
  for (const rule of [...rules].toSorted(byId)) {
    const matching = groups.filter(([group]) => group.rules.includes(rule));
    for (const reference of rule.references) {
      for (const [, urns] of matching) for (const from of urns) yield { ...reference, from };
    }
  }
}

function matchesIn(grouped: ReadonlyMap<Group, readonly Urn[]>): readonly Match[] {
  const matches = new Map<string, { readonly rules: readonly Rule[]; readonly urns: Urn[] }>();
  for (const [{ rules }, urns] of grouped) {
    const key = rules.map(({ id }) => JSON.stringify(id)).join();
    const match = matches.get(key) ?? { rules, urns: [] };
    matches.set(key, match);
    for (const urn of urns) match.urns.push(urn);
  }
  return [...matches.values()];
}

function listIn<Key>(lists: Map<Key, Urn[]>, key: Key): Urn[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
