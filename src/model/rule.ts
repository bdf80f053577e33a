/** Defines rules, which declare values for all live assets that match, and the properties they match by. */

import type { Origin } from "./origin.ts";
import type { WrittenReference } from "./reference.ts";
import type { Modes } from "./settings.ts";
import type { FacetValue, KindName } from "./state.ts";
import type { Urn } from "./urn.ts";

/** A property by which a rule matches. No rule can change it, so the order of rules does not matter. The kinds list the keys. */
export type MatchKey = string;

/** A condition: at least one pattern must match an asset's text for the key; `*` matches any text. */
export interface Condition {
  readonly key: MatchKey;
  readonly patterns: readonly string[];
  /** Whether case is ignored. */
  readonly ignoreCase?: true;
  readonly origin: Origin;
}

/** A rule's declarations for each column with a matching plain name, and a matching native type if the rule names one. */
export interface ColumnRule {
  readonly pattern: string;
  /** Patterns for native types; if absent, any type matches. */
  readonly nativeTypes?: readonly string[];
  /** Patterns for excluded plain names. */
  readonly not?: readonly string[];
  /** Whether all patterns ignore case. */
  readonly ignoreCase?: true;
  /** The value for each matching column, by facet. */
  readonly facets: ReadonlyMap<string, FacetValue>;
  readonly origin: Origin;
}

/** The assets that a rule is for. */
export interface RuleMatch {
  readonly kind: KindName;
  /** All conditions must match. */
  readonly conditions: readonly Condition[];
  /** Excludes an asset if it meets all conditions in one list. */
  readonly exclusions: readonly (readonly Condition[])[];
}

/** The values that a rule declares. */
export interface RuleValues {
  /** The values for the asset itself. */
  readonly facets: ReadonlyMap<string, FacetValue>;
  readonly columns: readonly ColumnRule[];
  /** The references in the rule's values, each from every matching asset. A place's first key may be a pattern for columns. */
  readonly references: readonly WrittenReference[];
}

/** A rule that declares values for all matching live assets, as if each had a document with them. */
export interface Rule extends RuleMatch, RuleValues {
  readonly id: string;
  readonly manage?: Modes;
  readonly modePlaces: ReadonlyMap<string, Origin>;
  /** The rule's priority, 0 by default. If two rules give a single value, the one with the higher priority wins. */
  readonly priority: number;
  /** The position where the rule starts. */
  readonly origin: Origin;
}

/** By asset, the ids of the rules that its documents leave out. */
export type Exemptions = ReadonlyMap<Urn, ReadonlySet<string>>;

/** A column of an asset. */
export interface AssetColumn {
  /** The exact field path. */
  readonly path: string;
  /** The path's simple form. */
  readonly name: string;
  readonly nativeType?: string;
}

/** A live asset, with the properties that a rule may match. */
export interface Asset {
  readonly urn: Urn;
  readonly kind: KindName;
  readonly platform?: string;
  /** The id of the asset's platform instance, from its aspect. */
  readonly instance?: string;
  readonly env?: string;
  /** For a data job, its data flow's name; for jobs and flows, the cluster. */
  readonly flow?: string;
  readonly cluster?: string;
  /** The name without the platform instance, as in documents; for a container, its display name. */
  readonly name?: string;
  /** All containers above the asset, nearest first. */
  readonly containers: readonly Urn[];
  readonly subtypes: readonly string[];
  /** The columns, only if requested. */
  readonly columns?: readonly AssetColumn[];
}
