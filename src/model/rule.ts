import type { Origin } from "./origin.ts";
import type { DeclaredReference } from "./reference.ts";
import type { Modes } from "./settings.ts";
import type { FacetValue, KindName } from "./state.ts";
import type { Urn } from "./urn.ts";

/** By what a rule matches an asset: only by what no rule can change, so no order of rules matters. The kinds list the keys. */
export type MatchKey = string;

/** A key of an asset has one of several texts; in each `*` stands for any text. */
export interface Condition {
  readonly key: MatchKey;
  readonly patterns: readonly string[];
  /** Whether upper and lower case are the same. */
  readonly ignoreCase?: true;
  readonly origin: Origin;
}

/** What a rule declares of each column whose plain name, and whose native type where one is named, matches. */
export interface ColumnRule {
  readonly pattern: string;
  /** Patterns of native types; without them any type matches. */
  readonly nativeTypes?: readonly string[];
  /** Patterns of plain names that are left out. */
  readonly not?: readonly string[];
  /** Whether upper and lower case are the same, in all of its patterns. */
  readonly ignoreCase?: true;
  /** By facet, the value below the key of each such column. */
  readonly facets: ReadonlyMap<string, FacetValue>;
  readonly origin: Origin;
}

/** What a value of a rule refers to; the first key of its place may be a pattern of columns. */
type RuleReference = Omit<DeclaredReference, "from">;

/** Declares values of all live assets that match, as if each had a document with them. */
export interface Rule {
  readonly id: string;
  readonly kind: KindName;
  /** All of them must match. */
  readonly conditions: readonly Condition[];
  /** An asset is left out where all conditions of one list match. */
  readonly exclusions: readonly (readonly Condition[])[];
  /** What it declares of the asset itself. */
  readonly facets: ReadonlyMap<string, FacetValue>;
  readonly columns: readonly ColumnRule[];
  readonly manage?: Modes;
  readonly modePlaces: ReadonlyMap<string, Origin>;
  /** Of two rules that give a single value, the one with the higher priority does; 0 where none is written. */
  readonly priority: number;
  /** What its values refer to; `from` is each asset that it matches. */
  readonly references: readonly RuleReference[];
  /** Where it begins. */
  readonly origin: Origin;
}

/** By asset, the ids of the rules that its documents leave out. */
export type Exemptions = ReadonlyMap<Urn, ReadonlySet<string>>;

/** A column of an asset. */
export interface AssetColumn {
  /** The exact field path. */
  readonly path: string;
  /** The simple form of the path. */
  readonly name: string;
  readonly nativeType?: string;
}

/** A live asset, with what a rule may match it by. */
export interface Asset {
  readonly urn: Urn;
  readonly kind: KindName;
  readonly platform?: string;
  /** The id of its platform instance, as its aspect says. */
  readonly instance?: string;
  readonly env?: string;
  /** Of a data job, the name of its data flow; of both, the cluster. */
  readonly flow?: string;
  readonly cluster?: string;
  /** Without the platform instance, as a document writes it; of a container its display name. */
  readonly name?: string;
  /** All that are above it, nearest first. */
  readonly containers: readonly Urn[];
  readonly subtypes: readonly string[];
  /** Only where they were asked for. */
  readonly columns?: readonly AssetColumn[];
}
