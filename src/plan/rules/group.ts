/** Groups assets that the same rules match in the same way. The assets in a group can share their declarations. */

import type { Origin } from "../../model/origin.ts";
import type { Asset, AssetColumn, ColumnRule, Rule } from "../../model/rule.ts";
import type { FacetValue, KindName } from "../../model/state.ts";
import { type Clash, type Contributor, unite, type United } from "./unite.ts";
import { doesMatch, matchesColumn } from "./match.ts";
import { compareText } from "../../model/json.ts";

/** The declarations for all assets that the same rules match, in the same columns. */
export interface Group extends United {
  /** The rules, sorted by id. */
  readonly rules: readonly Rule[];
  /** The declarations of each rule, with columns identified by their paths. */
  readonly contributors: readonly Contributor[];
  /** The column patterns that match. A pattern is repeated for each matching column. */
  readonly patterns: readonly ColumnRule[];
  readonly kind: KindName;
  /** The position of the first rule. */
  readonly origin: Origin;
}

/** The rules that match an asset. Assets without documents share this object if they are in the same group. */
export interface Matched {
  readonly group: Group;
  /** The declarations of the rules, with the column names used in the asset's documents. */
  readonly contributors: readonly Contributor[];
  readonly clashes: readonly Clash[];
}

/**
 * Returns a function that finds the rules for an asset. Assets for which rules declare the same values are assigned to the same
 * group.
 */
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
    const groupKey = `${key} ${columns.map(({ path, key: own }) => `${own} ${JSON.stringify(path)}`).join(" ")}`;
    const matched = known.get(groupKey) ?? matchedBy(rules, columns);
    known.set(groupKey, matched);
    return matched;
  };
}

/** The column patterns that match a column. */
interface Hits {
  readonly all: readonly ColumnRule[];
  /** A key that is identical for columns with the same hits. */
  readonly key: string;
}

type HitsIn = (column: AssetColumn) => Hits;

// Finds the hits for columns, and caches them, because thousands of tables share a few column names.
function hitsOf(rules: readonly Rule[]): HitsIn {
  const candidates = rules.flatMap((rule) => rule.columns);
  const known = new Map<string, Hits>();
  return (column) => {
    const key = `${column.nativeType ?? ""}\n${column.name}`;
    const before = known.get(key);
    if (before) return before;
    const numbered = [...candidates.entries()].filter(([, pattern]) => matchesColumn(pattern, column));
    const found: Hits = {
      all: numbered.map(([, pattern]) => pattern),
      key: numbered.map(([number]) => number).join(),
    };
    known.set(key, found);
    return found;
  };
}

interface HitColumn {
  readonly path: string;
  readonly all: readonly ColumnRule[];
}

function matchedBy(rules: readonly Rule[], columns: readonly HitColumn[]): Matched {
  const contributors = rules.flatMap((rule) => contributorsOf(rule, columns));
  const [first] = rules;
  if (!first) throw new Error("a group of no rules");
  const patterns = columns.flatMap(({ all }) => all);
  const { kind, origin } = first;
  const group = { rules, contributors, patterns, kind, origin, ...unite(contributors) };
  return { group, contributors, clashes: group.clashes };
}

/**
 * Returns a rule's declarations for the asset itself, and each column pattern's declarations for the asset's columns. A facet's
 * mode belongs to the column patterns that declare the facet, so the mode has no effect if all their values are overridden. All
 * other modes belong to the first contributor.
 */
function contributorsOf(rule: Rule, columns: readonly HitColumn[]): readonly Contributor[] {
  const { id, priority, manage = {}, modePlaces, origin } = rule;
  const ofColumns = rule.columns.flatMap((column) => {
    const paths = columns.flatMap(({ path, all }) => (all.includes(column) ? [path] : []));
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

/** Compares two rules by id, for sorting. */
export function byId(a: Rule, b: Rule): number {
  return compareText(a.id, b.id);
}
