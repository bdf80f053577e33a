/** The results of `list` and `coverage`: listed entities, their filter, and counts of assets. */

import type { Condition } from "./rule.ts";
import type { Entity, EntityKey } from "./state.ts";
import type { Urn } from "./urn.ts";

/** An entity of the catalog as `list` shows it and `coverage` counts it. */
export interface ListedEntity extends EntityKey {
  readonly facets: Entity["facets"];
  /** For an asset, its name in manifests; for a definition, its display name, or else its id. */
  readonly name: string;
  /** The id of its data platform. */
  readonly platform?: string;
  /** The environment in the URN. */
  readonly env?: string;
  /** The entity that directly contains it, if requested. */
  readonly within?: Urn;
  /** The path of the column, if columns are listed: the facets are then those of the column. */
  readonly column?: string;
  /** The ids of the policies that it violates, without waived violations. */
  readonly violates: readonly string[];
  /** Whether a document declares it, and whether a rule declares a value of it. */
  readonly declaredBy: { readonly documents: boolean; readonly rules: boolean };
}

/** The filter of a list: an entity must meet all conditions. */
export interface ListFilter {
  /** The names of kinds; if absent, all kinds. */
  readonly kinds?: readonly string[] | undefined;
  /** The conditions of rules for assets; for other entities only the name. */
  readonly conditions: readonly Condition[];
  /** Texts by facet and by the name of its option; one text must match. The same value of the facet must match for all options. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  /** The entity can have a value of one of these facets, and has none. */
  readonly missing: readonly string[];
  /** Whether to list columns, each as one row. */
  readonly byColumn?: boolean | undefined;
  /** Whether documents or rules declare it; if absent, both kinds of entities are listed. */
  readonly isDeclared?: boolean | undefined;
  /** The entity violates one of the policies with these ids. */
  readonly policies?: readonly string[] | undefined;
}

/** Counts of assets by their values; in a difference, the increase of each count. */
export interface CoverageCounts {
  readonly assets: number;
  /** The number of declared assets, by documents and by rules. An asset can count as both. */
  readonly declared: number;
  readonly documents: number;
  readonly rules: number;
  /** The number of assets with a value, by facet. */
  readonly facets: ReadonlyMap<string, number>;
}

/** The counts of a group. */
export interface CoverageGroup extends CoverageCounts {
  /** A URN, or the name of a kind; empty for the assets without one. */
  readonly key: string;
}

/** The number of verdicts of a policy, and the number of passes. */
export interface PolicyCoverage {
  readonly id: string;
  readonly matched: number;
  readonly passes: number;
}

/** Counts of assets, in groups and in total, and counts of verdicts. */
export interface CoverageNumbers {
  /** The largest group first. */
  readonly groups: readonly CoverageGroup[];
  readonly total: CoverageCounts;
  /** One for each policy, sorted by id. */
  readonly policies: readonly PolicyCoverage[];
}

/** The counts of a catalog at one time. */
export interface Coverage extends CoverageNumbers {
  /** The server, as plans name it. */
  readonly target: string;
  /** The time of counting, in ISO 8601. */
  readonly createdAt: string;
  /** The name of the grouping. An asset with several keys is in several groups. */
  readonly by: string;
  /** The number of entities that are not counted because the token may not view them; absent if zero. */
  readonly restricted?: number;
  /** The increase of the numbers since an earlier count, and the time of that count; new policies are left out. */
  readonly difference?: CoverageNumbers & { readonly since: string };
}
