import type { Origin } from "../../model/origin.ts";
import type { Asset, AssetColumn, ColumnRule, Rule } from "../../model/rule.ts";
import type { FacetValue, KindName } from "../../model/state.ts";
import { type Clash, type Contributor, unite, type United } from "./unite.ts";
import { doesMatch, matchesColumn } from "./match.ts";
import { compareText } from "../../model/json.ts";

/** What some rules declare together of the assets that exactly they match, and whose columns they match alike. */
export interface Group extends United {
  /** In the order of their ids. */
  readonly rules: readonly Rule[];
  /** What each of them declares; what it declares of columns by their paths. */
  readonly contributors: readonly Contributor[];
  /** Those of their patterns of columns that match one, each as often as it does. */
  readonly patterns: readonly ColumnRule[];
  /** The kind of the assets. */
  readonly kind: KindName;
  /** Where the first of them is. */
  readonly origin: Origin;
}

/** The rules that match an asset, as they meet its documents. Assets of a group without documents share it. */
export interface Matched {
  readonly group: Group;
  /** What the rules declare, with columns named as the documents of the asset name them. */
  readonly contributors: readonly Contributor[];
  readonly clashes: readonly Clash[];
}

/** What a rule declares of one column. */
interface Hit {
  readonly rule: Rule;
  readonly column: ColumnRule;
}

/** Finds the rules that match an asset. Assets of which rules declare the same have the same group. */
export function ruleMatcher(
  all: readonly Rule[],
): (asset: Asset, exempt?: ReadonlySet<string>) => Matched | undefined {
  const sorted = all.toSorted(byId);
  const numbers = new Map(sorted.map((rule, index) => [rule, index]));
  const known = new Map<string, Matched>();
  const hits = new Map<string, HitsIn>();
  return (asset, exempt) => {
    const rules = sorted.filter((rule) => !exempt?.has(rule.id) && doesMatch(rule, asset));
    if (rules.length === 0) return undefined;
    const key = rules.map((rule) => numbers.get(rule)).join();
    const hitsIn = hits.get(key) ?? hitsOf(rules);
    hits.set(key, hitsIn);
    const columns = (asset.columns ?? []).flatMap((column) => {
      const found = hitsIn(column);
      return found.all.length > 0 ? [{ path: column.path, ...found }] : [];
    });
    const whole = `${key} ${columns.map(({ path, key: own }) => `${own} ${JSON.stringify(path)}`).join(" ")}`;
    const matched = known.get(whole) ?? matchedBy(rules, columns);
    known.set(whole, matched);
    return matched;
  };
}

interface Hits {
  readonly all: readonly Hit[];
  /** The same for columns of which the same is declared. */
  readonly key: string;
}

type HitsIn = (column: AssetColumn) => Hits;

// The same few names of columns are in thousands of tables.
function hitsOf(rules: readonly Rule[]): HitsIn {
  const candidates = rules.flatMap((rule) => rule.columns.map((column): Hit => ({ rule, column })));
  const known = new Map<string, Hits>();
  return (column) => {
    const key = `${column.nativeType ?? ""}\n${column.name}`;
    const before = known.get(key);
    if (before) return before;
    const numbered = [...candidates.entries()].filter(([, hit]) => matchesColumn(hit.column, column));
    const found: Hits = {
      all: numbered.map(([, hit]) => hit),
      key: numbered.map(([number]) => number).join(),
    };
    known.set(key, found);
    return found;
  };
}

interface HitColumn {
  readonly path: string;
  readonly all: readonly Hit[];
}

function matchedBy(rules: readonly Rule[], columns: readonly HitColumn[]): Matched {
  const contributors = rules.flatMap((rule) => contributorsOf(rule, columns));
  const [first] = rules;
  if (!first) throw new Error("a group of no rules");
  const patterns = columns.flatMap(({ all }) => all.map(({ column }) => column));
  const { kind, origin } = first;
  const group = { rules, contributors, patterns, kind, origin, ...unite(contributors) };
  return { group, contributors, clashes: group.clashes };
}

/**
 * A rule with what it declares of an asset itself, and each of its patterns of columns with what it declares of those. A mode is
 * given by those that declare its facet, so that it does not count where all that they declare is overruled, and else by the first.
 */
function contributorsOf(rule: Rule, columns: readonly HitColumn[]): readonly Contributor[] {
  const { id, priority, manage = {}, modePlaces, origin } = rule;
  const ofColumns = rule.columns.flatMap((column) => {
    const paths = columns.flatMap(({ path, all }) =>
      all.some((hit) => hit.column === column) ? [path] : [],
    );
    return paths.length > 0 ? [facetsOf(column, paths)] : [];
  });
  const given = Object.entries(manage);
  const elsewhere = new Set(ofColumns.flatMap((facets) => [...facets.keys()]));
  const modePlace = (facet: string): Origin => modePlaces.get(facet) ?? origin;
  const about = { rule: id, priority, modePlace };
  const own = Object.fromEntries(given.filter(([facet]) => !elsewhere.has(facet)));
  return [
    { ...about, facets: rule.facets, manage: own },
    ...ofColumns.map((facets) => ({
      ...about,
      facets,
      manage: Object.fromEntries(given.filter(([facet]) => facets.has(facet))),
    })),
  ];
}

function facetsOf(column: ColumnRule, paths: readonly string[]): ReadonlyMap<string, FacetValue> {
  const facets = [...column.facets].map(([facet, value]): [string, FacetValue] => {
    return [facet, { shape: "map", entries: new Map(paths.map((path) => [path, value])) }];
  });
  return new Map(facets);
}

/** The order of rules: that of their ids. */
export function byId(a: Rule, b: Rule): number {
  return compareText(a.id, b.id);
}
