/** Defines the results of `list` and `coverage`: listed entities, their filter, and counts of assets. */

import type { Condition } from "./rule.ts";
import type { Entity, EntityKey } from "./state.ts";
import type { Urn } from "./urn.ts";

/** A catalog entity as `list` shows it and `coverage` counts it. */
export interface ListedEntity extends EntityKey {
  readonly facets: Entity["facets"];
  /** For an asset, its name in manifests; for a definition, its display name, or else its id. */
  readonly name: string;
  /** The id of the entity's data platform. */
  readonly platform?: string;
  /** The environment in the URN. */
  readonly env?: string;
  /** The entity that directly contains this one, if requested. */
  readonly within?: Urn;
  /** The column's path, if columns are listed: the facets are then the column's facets. */
  readonly column?: string;
  /** The ids of the policies that the entity violates, without waived violations. */
  readonly violates: readonly string[];
  /** Whether a document declares the entity, and whether a rule declares one of its values. */
  readonly declaredBy: { readonly documents: boolean; readonly rules: boolean };
}

/** A filter for `list`: an entity must meet all conditions. */
export interface ListFilter {
  /** The names of kinds; if absent, all kinds. */
  readonly kinds?: readonly string[] | undefined;
  /** For assets, conditions as in rules; for other entities, only the name. */
  readonly conditions: readonly Condition[];
  /** Texts by facet and option name. For each option one must match, and the same facet value for all options. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  /** Facets that the entity can have; at least one must have no value. */
  readonly missing: readonly string[];
  /** Whether to list columns, each as one row. */
  readonly byColumn?: boolean | undefined;
  /** Whether documents or rules declare the entity; if absent, the filter accepts both cases. */
  readonly isDeclared?: boolean | undefined;
  /** Policy ids; the entity must violate one of these policies. */
  readonly policies?: readonly string[] | undefined;
}

/** Counts of assets by their values; in a difference, each count's increase. */
export interface CoverageCounts {
  readonly assets: number;
  /** The number of assets that documents or rules declare. An asset can count as both. */
  readonly declared: number;
  readonly documents: number;
  readonly rules: number;
  /** The number of assets with a value, by facet. */
  readonly facets: ReadonlyMap<string, number>;
}

/** A group's counts. */
export interface CoverageGroup extends CoverageCounts {
  /** A URN, or a kind's name; empty for assets without a group. */
  readonly key: string;
}

/** The number of a policy's verdicts, and the number of passes. */
export interface PolicyCoverage {
  readonly id: string;
  readonly matched: number;
  readonly passes: number;
}

/** Counts of assets, in groups and in total, and counts of verdicts. */
export interface CoverageNumbers {
  /** The groups, largest first. */
  readonly groups: readonly CoverageGroup[];
  readonly total: CoverageCounts;
  /** The policies' counts, sorted by id. */
  readonly policies: readonly PolicyCoverage[];
}

/** A catalog's counts at one time. */
export interface Coverage extends CoverageNumbers {
  /** The server, as plans name it. */
  readonly target: string;
  /** The time of counting, in ISO 8601. */
  readonly createdAt: string;
  /** The grouping's name. An asset with several keys is in several groups. */
  readonly by: string;
  /** The number of entities that are not counted because the token may not view them; absent if zero. */
  readonly restricted?: number;
  /** The increase since an earlier count, and the time of that count. New policies are left out. */
  readonly difference?: CoverageNumbers & { readonly since: string };
}
