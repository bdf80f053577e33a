/** Defines the results of `list` and `coverage`: listed entities, filters, and counts of assets. */

import type { Condition } from "./rule.ts";
import type { Entity, EntityKey } from "./state.ts";
import type { Urn } from "./urn.ts";

/** An entity in the catalog, as shown by `list` and counted by `coverage`. */
export interface ListedEntity extends EntityKey {
  readonly facets: Entity["facets"];
  /** For an asset, its name in manifests; for a definition, its display name, or its id if it has none. */
  readonly name: string;
  /** The id of the entity's data platform. */
  readonly platform?: string;
  /** The environment in the URN. */
  readonly env?: string;
  /** The entity that directly contains this one, if requested. */
  readonly within?: Urn;
  /** The field path of the column, if columns are listed. `facets` then contains the facets of the column. */
  readonly column?: string;
  /** The ids of the policies that the entity violates, excluding waived violations. */
  readonly violates: readonly string[];
  /** Whether a document declares the entity, and whether a rule declares one of its values. */
  readonly declaredBy: { readonly documents: boolean; readonly rules: boolean };
}

/** A filter for `list`. An entity must meet all conditions. */
export interface ListFilter {
  /** The names of the kinds to list; if absent, all kinds. */
  readonly kinds?: readonly string[] | undefined;
  /** The conditions. For assets, they can use the same keys as rules; for other entities, only the name. */
  readonly conditions: readonly Condition[];
  /**
   * The texts of filter options, keyed by facet and option name. A single value of the facet must match one text of each option.
   */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  /** Names of facets. The entity must support at least one of these facets and have no value for it. */
  readonly missing: readonly string[];
  /** Whether to list columns, one per row. */
  readonly byColumn?: boolean | undefined;
  /** `true` lists only declared entities, and `false` only undeclared ones. If absent, both are listed. */
  readonly isDeclared?: boolean | undefined;
  /** Policy ids. The entity must violate at least one of these policies. */
  readonly policies?: readonly string[] | undefined;
}

/** Counts of assets by their values. In a difference, each number is the increase since the earlier count. */
export interface CoverageCounts {
  readonly assets: number;
  /** The number of assets that documents or rules declare. Both can declare the same asset. */
  readonly declared: number;
  readonly documents: number;
  readonly rules: number;
  /** The number of assets that have a value, keyed by facet. */
  readonly facets: ReadonlyMap<string, number>;
}

/** The counts for one group of assets. */
export interface CoverageGroup extends CoverageCounts {
  /** A URN or the name of a kind; empty for assets that belong to no group. */
  readonly key: string;
}

/** The number of verdicts of a policy, and how many of them are passes. */
export interface PolicyCoverage {
  readonly id: string;
  readonly matched: number;
  readonly passes: number;
}

/** Counts of assets, per group and in total, and counts of policy verdicts. */
export interface CoverageNumbers {
  /** The groups, sorted by size, largest first. */
  readonly groups: readonly CoverageGroup[];
  readonly total: CoverageCounts;
  /** The counts for each policy, sorted by id. */
  readonly policies: readonly PolicyCoverage[];
}

/** The counts for a catalog at one point in time. */
export interface Coverage extends CoverageNumbers {
  /** The URL of the server, in the same form as in plans. */
  readonly target: string;
  /** When the assets were counted, in ISO 8601. */
  readonly createdAt: string;
  /** The name of the grouping. An asset with several keys belongs to several groups. */
  readonly by: string;
  /** The number of entities that are not counted because the token is not allowed to view them; absent if zero. */
  readonly restricted?: number;
  /** The increase since an earlier count, and the time of that count. New policies are omitted. */
  readonly difference?: CoverageNumbers & { readonly since: string };
}
