import type { DeclaredReference } from "../../model/reference.ts";
import type { Asset, ColumnRule, Rule } from "../../model/rule.ts";
import { type Entity, type State, stateOver } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { assetExpander, type Declaring, type IsIgnored } from "./expander.ts";
import { byId, type Group, type Matched } from "./group.ts";
import type { Clash, Contributor } from "./unite.ts";

/** What documents and rules declare, before they meet. */
export interface Declared extends Declaring {
  readonly references: Iterable<DeclaredReference>;
}

/**
 * What documents and rules declare of the assets that the catalog has. `state` and `references` need no rules; the rest explains
 * where they come from and what clashes.
 */
export interface Expanded {
  readonly state: State;
  readonly references: Iterable<DeclaredReference>;
  /** The assets that the same rules match, by the rules. No asset is in two. */
  readonly matches: readonly Match[];
  /** The patterns of columns that match a column of an asset. */
  readonly patterns: ReadonlySet<ColumnRule>;
  /** What does not go together, each with the assets of which it is so. */
  readonly clashes: readonly ClashAt[];
  /** The assets that rules match, together where the same is declared of them; made when they are asked for. */
  readonly contributions: Iterable<Contributions>;
  /** What the rules that match an asset declare of it, each by itself. */
  readonly contributorsOf: (urn: Urn) => readonly Contributor[];
}

/** What the rules that match some assets declare of each of them, and what that is together with their documents. */
export interface Contributions {
  readonly contributors: readonly Contributor[];
  readonly facets: Entity["facets"];
  readonly urns: readonly Urn[];
}

/** Assets that the same rules match. */
interface Match {
  /** In the order of their ids. */
  readonly rules: readonly Rule[];
  readonly urns: readonly Urn[];
}

/** Two that declare what does not go together, and the assets of which they do. */
export interface ClashAt {
  readonly clash: Clash;
  readonly urns: readonly Urn[];
}

/** Rules that are expanded asset by asset. */
export interface Expansion<Result> {
  add(asset: Asset): void;
  /** Called when all assets were added. */
  result(): Result;
}

/**
 * Expands rules to what documents of the assets would declare, beside what their documents do declare. Rules that documents
 * leave out do not count, nor do assets that are left alone. Neither the order of rules nor that of assets makes a difference.
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

/** The assets that a rule matches. */
export function matchedIn({ matches }: Pick<Expanded, "matches">, rule: string): readonly Urn[] {
  return matches.flatMap(({ rules, urns }) => (rules.some(({ id }) => id === rule) ? urns : []));
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
