/**
 * Counts the assets, the assets with values, and the declared assets in each group, and compares the counts with an earlier
 * report.
 */

import { countedFacets, listedFacets } from "../../facets/index.ts";
import { compareText } from "../../model/json.ts";
import type {
  Coverage,
  CoverageCounts,
  CoverageGroup,
  ListedEntity,
  PolicyCoverage,
} from "../../model/listing.ts";
import { hasValue, isDeclaredOf, placedValuesIn } from "./filter.ts";

/** The group key for assets without a value to group by. */
const none = "";

/** Returns the keys of the groups that contain an asset. */
type KeysOf = (entity: ListedEntity) => readonly string[];

const byFacet = listedFacets.flatMap(({ name, listing }) =>
  listing.options.flatMap(({ isGrouping, name: option, textsOf }): readonly (readonly [string, KeysOf])[] => {
    if (!isGrouping) return [];
    const keysOf: KeysOf = ({ facets }) =>
      placedValuesIn(facets.get(name)).flatMap(([path, value]) => textsOf(value, path)[0] ?? []);
    return [[option, keysOf]];
  }),
);

const groupings: ReadonlyMap<string, KeysOf> = new Map<string, KeysOf>([
  ["kind", ({ kind }) => [kind]],
  ["platform", ({ platform }) => (platform === undefined ? [] : [`urn:li:dataPlatform:${platform}`])],
  ...byFacet,
  ["container", ({ within }) => (within === undefined ? [] : [within])],
]);

/** The names of the criteria by which `coverage` can group assets. */
export const groupingNames: readonly string[] = [...groupings.keys()];

/** A coverage count, to which assets are added one by one. */
export interface CoverageCount {
  add(entity: ListedEntity): void;
  /** Adds the policy verdicts for more entities. */
  judged(policies: readonly PolicyCoverage[]): void;
  result(of: { readonly target: string; readonly createdAt: string }): Coverage;
}

/**
 * Starts a count of assets and values, and groups them by one of `groupingNames`. Throws an error if `by` is a different name.
 * Does not keep the assets in memory.
 */
export function countCoverage(by: string): CoverageCount {
  const keysOf = groupings.get(by);
  if (!keysOf) throw new Error(`coverage cannot be grouped by ${by}`);
  const groups = new Map<string, Counts>();
  const total = noCounts();
  const policies = new Map<string, PolicyCoverage>();
  return {
    add: (entity) => {
      count(total, entity);
      const keys = new Set(keysOf(entity));
      for (const key of keys.size > 0 ? keys : [none]) {
        const counts = groups.get(key) ?? noCounts();
        groups.set(key, counts);
        count(counts, entity);
      }
    },
    judged: (more) => {
      for (const { id, matched, passes } of more) {
        const before = policies.get(id) ?? { matched: 0, passes: 0 };
        policies.set(id, { id, matched: before.matched + matched, passes: before.passes + passes });
      }
    },
    result: (of) => ({
      ...of,
      by,
      groups: [...groups]
        .map(([key, counts]): CoverageGroup => ({ key, ...counts }))
        .toSorted((a, b) => b.assets - a.assets || compareText(a.key, b.key)),
      total,
      policies: [...policies.values()].toSorted((a, b) => compareText(a.id, b.id)),
    }),
  };
}

/** Adds the differences from an earlier coverage report. Groups that no longer exist are included with zero assets. */
export function comparedCoverage(coverage: Coverage, base: Coverage): Coverage {
  const former = base.groups
    .filter(({ key }) => !coverage.groups.some((group) => group.key === key))
    .map(({ key }) => ({ key, ...noCounts() }));
  const groups = [...coverage.groups, ...former];
  const before = new Map(base.groups.map((group) => [group.key, group]));
  const policiesBefore = new Map(base.policies.map((policy) => [policy.id, policy]));
  return {
    ...coverage,
    groups,
    difference: {
      since: base.createdAt,
      groups: groups.map(({ key, ...counts }) => ({ key, ...minus(counts, before.get(key) ?? noCounts()) })),
      total: minus(coverage.total, base.total),
      // For a new policy, it is unknown how many entities would have passed earlier.
      policies: coverage.policies.flatMap(({ id, matched, passes }) => {
        const earlier = policiesBefore.get(id);
        return earlier ? [{ id, matched: matched - earlier.matched, passes: passes - earlier.passes }] : [];
      }),
    },
  };
}

function minus(now: CoverageCounts, before: CoverageCounts): CoverageCounts {
  return {
    assets: now.assets - before.assets,
    declared: now.declared - before.declared,
    documents: now.documents - before.documents,
    rules: now.rules - before.rules,
    facets: new Map(
      [...now.facets].map(([facet, number]) => [facet, number - (before.facets.get(facet) ?? 0)]),
    ),
  };
}

interface Counts {
  assets: number;
  declared: number;
  documents: number;
  rules: number;
  readonly facets: Map<string, number>;
}

function noCounts(): Counts {
  const facets = new Map(countedFacets.map(({ name }) => [name, 0]));
  return { assets: 0, declared: 0, documents: 0, rules: 0, facets };
}

function count(counts: Counts, entity: ListedEntity): void {
  const { documents, rules } = entity.declaredBy;
  counts.assets += 1;
  if (isDeclaredOf(entity)) counts.declared += 1;
  if (documents) counts.documents += 1;
  if (rules) counts.rules += 1;
  for (const [facet, number] of counts.facets)
    if (hasValue(entity.facets.get(facet))) counts.facets.set(facet, number + 1);
}
