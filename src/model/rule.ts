/** Rules: declarations for all live assets that match, and the properties they match by. */

import type { Origin } from "./origin.ts";
import type { WrittenReference } from "./reference.ts";
import type { Modes } from "./settings.ts";
import type { FacetValue, KindName } from "./state.ts";
import type { Urn } from "./urn.ts";

/** A property that a rule matches by. No rule can change it, so the order of rules does not matter. The kinds list the keys. */
export type MatchKey = string;

/** A condition: one of the patterns matches a key of an asset; `*` matches any text. */
export interface Condition {
  readonly key: MatchKey;
  readonly patterns: readonly string[];
  /** Whether case is ignored. */
  readonly ignoreCase?: true;
  readonly origin: Origin;
}

/** The declarations of a rule for each column with a matching plain name, and a matching native type if one is named. */
export interface ColumnRule {
  readonly pattern: string;
  /** Patterns of native types; if absent, any type matches. */
  readonly nativeTypes?: readonly string[];
  /** Patterns of excluded plain names. */
  readonly not?: readonly string[];
  /** Whether case is ignored, in all patterns. */
  readonly ignoreCase?: true;
  /** By facet, the value for each matching column. */
  readonly facets: ReadonlyMap<string, FacetValue>;
  readonly origin: Origin;
}

/** The assets that a rule is for. */
export interface RuleMatch {
  readonly kind: KindName;
  /** All conditions must match. */
  readonly conditions: readonly Condition[];
  /** An asset is excluded if all conditions of one list match. */
  readonly exclusions: readonly (readonly Condition[])[];
}

/** The values that a rule declares. */
export interface RuleValues {
  /** The values for the asset itself. */
  readonly facets: ReadonlyMap<string, FacetValue>;
  readonly columns: readonly ColumnRule[];
  /** The references in its values, each from every matching asset. The first key of a place may be a pattern of columns. */
  readonly references: readonly WrittenReference[];
}

/** Declares values for all matching live assets, as if each had a document with them. */
export interface Rule extends RuleMatch, RuleValues {
  readonly id: string;
  readonly manage?: Modes;
  readonly modePlaces: ReadonlyMap<string, Origin>;
  /** If two rules give a single value, the rule with the higher priority wins; 0 if not set. */
  readonly priority: number;
  /** The start of the rule. */
  readonly origin: Origin;
}

/** The ids of the rules that an asset's documents leave out, by asset. */
export type Exemptions = ReadonlyMap<Urn, ReadonlySet<string>>;

/** A column of an asset. */
export interface AssetColumn {
  /** The exact field path. */
  readonly path: string;
  /** The simple form of the path. */
  readonly name: string;
  readonly nativeType?: string;
}

/** A live asset, with the properties that a rule may match. */
export interface Asset {
  readonly urn: Urn;
  readonly kind: KindName;
  readonly platform?: string;
  /** The id of its platform instance, from its aspect. */
  readonly instance?: string;
  readonly env?: string;
  /** For a data job, the name of its data flow; for jobs and flows, the cluster. */
  readonly flow?: string;
  readonly cluster?: string;
  /** The name without the platform instance, as in documents; for a container, its display name. */
  readonly name?: string;
  /** All containers above it, nearest first. */
  readonly containers: readonly Urn[];
  readonly subtypes: readonly string[];
  /** Only if requested. */
  readonly columns?: readonly AssetColumn[];
}
