/** Defines rules and the asset properties that rules can match. A rule declares values for all matching live assets. */

import type { Origin } from "./origin.ts";
import type { WrittenReference } from "./reference.ts";
import type { Modes } from "./settings.ts";
import type { FacetValue, KindName } from "./state.ts";
import type { Urn } from "./urn.ts";

/**
 * An asset property that rules can match. Rules cannot change these properties, so the order of rules does not matter. Each kind
 * defines its own keys.
 */
export type MatchKey = string;

/** A condition. At least one pattern must match a string that the asset has for the key; `*` matches any text. */
export interface Condition {
  readonly key: MatchKey;
  readonly patterns: readonly string[];
  readonly ignoreCase?: true;
  readonly origin: Origin;
}

/**
 * The declarations of a rule for each column whose simple name matches, and whose native type matches if the rule specifies
 * types.
 */
export interface ColumnRule {
  readonly pattern: string;
  /** Patterns for native types; if absent, all types match. */
  readonly nativeTypes?: readonly string[];
  /** Patterns for the simple names of excluded columns. */
  readonly not?: readonly string[];
  /** Whether all patterns ignore case. */
  readonly ignoreCase?: true;
  /** The values for each matching column, keyed by facet. */
  readonly facets: ReadonlyMap<string, FacetValue>;
  readonly origin: Origin;
}

/** The assets to which a rule applies. */
export interface RuleMatch {
  readonly kind: KindName;
  /** Conditions that must all be met. */
  readonly conditions: readonly Condition[];
  /** Lists of conditions. An asset that meets all conditions in one of the lists is excluded. */
  readonly exclusions: readonly (readonly Condition[])[];
}

/** The values that a rule declares. */
export interface RuleValues {
  /** The values for the asset itself, keyed by facet. */
  readonly facets: ReadonlyMap<string, FacetValue>;
  readonly columns: readonly ColumnRule[];
  /**
   * The references in the values of the rule. They apply to every matching asset. The first key in the path may be a pattern for
   * columns.
   */
  readonly references: readonly WrittenReference[];
}

/** A rule, which declares values for all matching live assets as if each of them had a document with these values. */
export interface Rule extends RuleMatch, RuleValues {
  readonly id: string;
  readonly manage?: Modes;
  readonly modePlaces: ReadonlyMap<string, Origin>;
  /**
   * The priority of the rule, 0 by default. If two rules set the same single-valued facet, the rule with the higher priority
   * wins.
   */
  readonly priority: number;
  readonly origin: Origin;
}

/** The ids of the rules from which documents exempt an asset, keyed by asset. */
export type Exemptions = ReadonlyMap<Urn, ReadonlySet<string>>;

/** A column of an asset. */
export interface AssetColumn {
  /** The exact field path. */
  readonly path: string;
  /** The simple name, which is derived from the path. */
  readonly name: string;
  readonly nativeType?: string;
}

/** A live asset, with the properties that rules can match. */
export interface Asset {
  readonly urn: Urn;
  readonly kind: KindName;
  readonly platform?: string;
  /** The id of the platform instance, according to the asset's `dataPlatformInstance` aspect. */
  readonly instance?: string;
  readonly env?: string;
  /** For a data job, the name of its data flow. For data jobs and data flows, `cluster` is set. */
  readonly flow?: string;
  readonly cluster?: string;
  /** The name without the platform instance, as in documents; for a container, its display name. */
  readonly name?: string;
  /** All containers that contain the asset, nearest first. */
  readonly containers: readonly Urn[];
  readonly subtypes: readonly string[];
  /** The columns, if requested. */
  readonly columns?: readonly AssetColumn[];
}
