import type { Condition } from "./rule.ts";
import type { Entity } from "./state.ts";
import type { Urn } from "./urn.ts";

/** An entity of the catalog as `list` shows it and `coverage` counts it. */
export interface ListedEntity extends Pick<Entity, "urn" | "kind" | "facets"> {
  /** Of an asset its name as a manifest writes it; of a definition its display name, else its id. */
  readonly name: string;
  /** The id of its data platform. */
  readonly platform?: string;
  /** The environment in its URN. */
  readonly env?: string;
  /** The entity that directly contains it, where that was asked for. */
  readonly within?: Urn;
  /** Where columns are listed, the path of this one: what a column has of the facets is that of the column. */
  readonly column?: string;
  /** The ids of the policies that it violates, without those that it is waived from. */
  readonly violates: readonly string[];
  /** Whether a document declares it, and whether a rule declares something of it. */
  readonly declaredBy: { readonly documents: boolean; readonly rules: boolean };
}

/** Which entities are listed: all conditions hold. */
export interface ListFilter {
  /** The names of kinds; without them entities of all kinds. */
  readonly kinds?: readonly string[] | undefined;
  /** By what rules match assets; of other entities only the name. */
  readonly conditions: readonly Condition[];
  /** By facet, and then by the name of its option, the texts of which one must match. One value of the facet fits all options. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  /** Facets of one of which the entity has no value, although it could have one. */
  readonly missing: readonly string[];
  /** Whether the columns of entities are listed, each by itself. */
  readonly byColumn?: boolean | undefined;
  /** Whether documents or rules declare it; without it either. */
  readonly isDeclared?: boolean | undefined;
  /** The ids of policies of which it violates one. */
  readonly policies?: readonly string[] | undefined;
}

/** How many of some assets have what; of a difference, how many more. */
export interface CoverageCounts {
  readonly assets: number;
  /** How many are declared, and by what; some are by both. */
  readonly declared: number;
  readonly documents: number;
  readonly rules: number;
  /** By facet, how many have a value of it. */
  readonly facets: ReadonlyMap<string, number>;
}

/** The same of a group. */
export interface CoverageGroup extends CoverageCounts {
  /** A URN, or the name of a kind; empty for the assets that have none. */
  readonly key: string;
}

/** How many verdicts of a policy there are, and how many of them pass. */
export interface PolicyCoverage {
  readonly id: string;
  readonly matched: number;
  readonly passes: number;
}

/** How many assets have what, and how many verdicts pass. */
export interface CoverageNumbers {
  /** The largest group first. */
  readonly groups: readonly CoverageGroup[];
  readonly total: CoverageCounts;
  /** One for each policy, by its id. */
  readonly policies: readonly PolicyCoverage[];
}

/** How many assets of a catalog have what. */
export interface Coverage extends CoverageNumbers {
  /** The server, as plans name it. */
  readonly target: string;
  /** When they were counted, in ISO 8601. */
  readonly createdAt: string;
  /** By what the assets are grouped. An asset with several keys is in several groups. */
  readonly by: string;
  /** How many entities are not counted because the token may not view them; only where there are some. */
  readonly restricted?: number;
  /** By how much the numbers are greater than earlier ones, and when those were counted; without policies that are new. */
  readonly difference?: CoverageNumbers & { readonly since: string };
}
