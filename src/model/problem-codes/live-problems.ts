type Asset = {
  readonly kind: string;
  readonly urn: string;
};

type Column = {
  readonly urn: string;
  readonly column: string;
  readonly candidates: readonly string[];
  readonly suggestion?: string | undefined;
};

type Clash = {
  readonly facet: string;
  /** Both rules, or the one that clashes with documents. */
  readonly rules: readonly string[];
  /** One of the assets. */
  readonly urn: string;
  readonly count: number;
};

type Reference = {
  readonly urn: string;
  readonly what: string;
  /** The ids of the entities that have what was written as display name. */
  readonly named?: readonly string[];
  readonly suggestion?: string | undefined;
};

/** The arguments of problems that only the catalog shows, by code. */
export interface LiveProblems {
  readonly "asset-missing": Asset & { readonly suggestion?: string };
  readonly "asset-removed": Asset;
  readonly "rule-conflict": Clash;
  readonly "rule-modes": Clash;
  readonly "rule-matches-nothing": { readonly rule: string };
  readonly "pattern-matches-nothing": { readonly rule: string; readonly pattern: string };
  readonly "cyclic-selection": { readonly cycle: readonly string[] };
  readonly "column-unknown": Column;
  readonly "column-ambiguous": Column;
  readonly "column-twice": Column;
  readonly "no-schema": Column;
  readonly "several-values": Asset & {
    readonly facet: string;
    /** The first one is compared. */
    readonly values: readonly string[];
  };
  readonly "deleted-reference": { readonly urn: string };
  readonly "no-longer-declared": { readonly urn: string };
  readonly "deleted-parent": { readonly urn: string; readonly below: readonly string[] };
  readonly "deleted-value": {
    readonly urn: string;
    readonly on: string;
    readonly facet: string;
    readonly column?: string;
  };
  readonly "deletion-ignored": { readonly urn: string; readonly reason: string };
  readonly "deletion-held": { readonly urns: readonly string[] };
  /** The id that declares it; without one no manifest can. */
  readonly "reference-missing": Reference & { readonly id?: string | undefined };
  readonly "reference-removed": Reference;
  readonly "external-group": { readonly urn: string };
  readonly "external-membership": { readonly urn: string; readonly users: readonly string[] };
  readonly "membership-skipped": Reference & { readonly state: "absent" | "soft-deleted" };
  readonly "not-in-snapshot": { readonly urn: string };
  readonly "rule-not-in-snapshot": { readonly rule: string };
  readonly "read-failed": { readonly urn: string; readonly error: string; readonly kind?: string };
}
