/** Expands rules: turns them into declarations for matching assets, combined with the declarations in documents. */

import type { DeclaredReference } from "../../model/reference.ts";
import type { Asset, ColumnRule, Rule } from "../../model/rule.ts";
import { type Entity, type State, stateOver } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { assetExpander, type DeclaringRules, type IsIgnored } from "./expander.ts";
import { byId, type Group, type Matched } from "./group.ts";
import type { Clash, Contributor } from "./unite.ts";

/** Documents and rules before they are expanded. */
export interface Declared extends DeclaringRules {
  readonly references: Iterable<DeclaredReference>;
}

/**
 * The declarations of documents and rules for the assets in the catalog. `state` and `references` include the declarations of
 * rules. The other properties describe the sources of declarations and the clashes between them.
 */
export interface Expanded {
  readonly state: State;
  readonly references: Iterable<DeclaredReference>;
  /** The assets, grouped by the rules that match them. No asset is in more than one group. */
  readonly matches: readonly Match[];
  /** The column patterns that match a column of at least one asset. */
  readonly patterns: ReadonlySet<ColumnRule>;
  /** The contradicting declarations, each with the affected assets. */
  readonly clashes: readonly ClashAt[];
  /** The assets that rules match, grouped by identical declarations. Computed on demand. */
  readonly contributions: Iterable<Contributions>;
  /** Returns the declarations of each rule that matches an asset. */
  readonly contributorsOf: (urn: Urn) => readonly Contributor[];
}

/** The declarations of the rules that match the given assets, and the result of combining them with documents. */
export interface Contributions {
  readonly contributors: readonly Contributor[];
  readonly facets: Entity["facets"];
  readonly urns: readonly Urn[];
}

/** The assets that the same rules match. */
interface Match {
  /** The rules, sorted by id. */
  readonly rules: readonly Rule[];
  readonly urns: readonly Urn[];
}

/** Two contradicting declarations, and the assets that have both of them. */
export interface ClashAt {
  readonly clash: Clash;
  readonly urns: readonly Urn[];
}

/** An expansion of rules, to which assets are added one by one. */
export interface Expansion<Result> {
  add(asset: Asset): void;
  /** Returns the result. Must be called after all assets have been added. */
  result(): Result;
}

/**
 * Starts an expansion that adds the declarations of rules to the declarations in documents. Rules do not apply to exempt or
 * ignored assets. The order of rules and assets does not affect the result.
 */
export function collectExpansion(declared: Declared, isIgnored: IsIgnored): Expansion<Expanded> {
  const found = new Map<Urn, Matched>();
  const clashes = new Map<Clash, Urn[]>();
  const grouped = new Map<Group, Urn[]>();
  const { matchedBy, contentOf, entityOf } = assetExpander(declared, isIgnored);
  function* contributions(): Generator<Contributions> {
    for (const [{ contributors, facets }, urns] of grouped) {
      yield { contributors, facets, urns: urns.filter((urn) => !declared.state.has(urn)) };
      for (const urn of urns) {
        const matched = declared.state.has(urn) ? found.get(urn) : undefined;
        if (!matched) continue;
        yield { contributors: matched.contributors, facets: contentOf(urn, matched).facets, urns: [urn] };
      }
    }
  }
  return {
    add: (asset) => {
      const matched = matchedBy(asset);
      if (!matched) return;
      found.set(asset.urn, matched);
      listIn(grouped, matched.group).push(asset.urn);
      for (const clash of matched.clashes) listIn(clashes, clash).push(asset.urn);
    },
    result: () => ({
      state: stateOver(declared.state, found, entityOf),
      references: { [Symbol.iterator]: () => referencesIn(declared, grouped) },
      matches: matchesIn(grouped),
      patterns: new Set([...grouped.keys()].flatMap(({ patterns }) => patterns)),
      clashes: [...clashes].map(([clash, urns]) => ({ clash, urns })),
      contributions: { [Symbol.iterator]: contributions },
      contributorsOf: (urn) => found.get(urn)?.contributors ?? [],
    }),
  };
}

/** Returns the assets that a rule matches. */
export function matchedIn({ matches }: Expanded, rule: string): readonly Urn[] {
  return matches.flatMap(({ rules, urns }) => (rules.some(({ id }) => id === rule) ? urns : []));
}

// Yields references in rule order. The first reference to an entity therefore does not depend on the order of assets.
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
